"""Write the package of a new plug-in: module, metadata, test and README, from templates that are tested as they are."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from string import Template

from veritas import plugins
from veritas.errors import InputError

KINDS = {
    "search-provider": "A search provider",
    "lens": "A lens",
    "reader": "A reader of files",
    "source-policy": "A source policy",
    "scholarly-source": "A scholarly source",
    "member": "A member of the council",
    "embedder": "An embedder",
}
"""Names of the kinds of plug-ins that can be written."""
_NAME = re.compile(r"[a-z][a-z0-9]{0,30}(-[a-z0-9]{1,30}){0,4}")


def write_plugin(kind: str, name: str, folder: Path) -> tuple[Path, ...]:
    """Write a package `veritas-NAME` below `folder`; return its files, the folder of the package first.

    Raises `InputError` for a kind or a name that cannot be, a name that is taken, and a folder that is there.
    """
    if kind not in KINDS:
        raise InputError(f"there is no kind of plug-in {kind!r}; there are {', '.join(KINDS)}")
    if not _NAME.fullmatch(name):
        raise InputError(f"{name!r} is no name for a plug-in: small letters and digits, in words joined by dashes")
    seam = kind.replace("-", "_")
    registered = name.replace("-", "_") if kind == "scholarly-source" else name  # records name their source so
    if registered in plugins.installed(seam):
        raise InputError(f"there is a {kind} {registered!r} already: choose another name (veritas plugins lists them)")
    words = {
        "name": registered,
        "package": f"veritas-{name}",
        "module": f"veritas_{name.replace('-', '_')}",
        "cls": "".join(word.capitalize() for word in name.split("-")),
        "constant": name.replace("-", "_").upper(),
        "seam": seam,
        "what": KINDS[kind],
    }
    package = folder / words["package"]
    if package.exists():
        raise InputError(f"{package} is there already: name another folder, or another plug-in")
    texts = {
        "pyproject.toml": _template("pyproject.toml"),
        "README.md": _template("README.md") + _template(seam, "use"),
        f"{words['module']}.py": _template(seam, "module.py"),
        f"tests/test_{words['module']}.py": _template(seam, "test.py"),
    }
    filled = {path: Template(text).substitute(words) for path, text in texts.items()}
    try:
        (package / "tests").mkdir(parents=True)
        for path, text in filled.items():
            (package / path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{package} cannot be written: {error.strerror or error}") from error
    return (package, *(package / path for path in filled))


def _template(*path: str) -> str:
    place = files("veritas.use_cases") / "plugin_templates"
    return place.joinpath(*path[:-1], f"{path[-1]}.txt").read_text(encoding="utf-8")
