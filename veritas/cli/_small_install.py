"""What a command says that needs more than the small install, `veritas-cite` alone, has."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, distribution, requires
from importlib.util import find_spec

from veritas.errors import NotInstalled

_CODE, _EXTRA = "veritas-cite", "research"


def not_installed(error: ModuleNotFoundError) -> NotInstalled | None:
    """Return the error to show for a module that the small install leaves out; None if the install is the whole one or
    the module is part of a package that is there, which is a defect."""
    package = (error.name or "").partition(".")[0]
    if not package or find_spec(package) is not None or not _is_small():
        return None
    return NotInstalled(f"this needs {package}, which is not installed: pip install veritas-research")


def _is_small() -> bool:
    """Return whether a package is missing that the whole install has."""
    try:
        wanted = [line for line in requires(_CODE) or () if re.search(rf"extra == ['\"]{_EXTRA}['\"]", line)]
    except PackageNotFoundError:
        return True
    for line in wanted:
        try:
            distribution(re.split(r"[^\w.-]", line, maxsplit=1)[0])
        except PackageNotFoundError:
            return True
    return False
