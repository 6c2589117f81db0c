"""The one tree of errors: complete, and with the exit codes it says."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import veritas.errors

ROOT = Path(__file__).resolve().parents[1]
_ENDS = re.compile(r"(Error|Exception|Exit|Abort|Interrupt|Warning)$")


def _own_errors() -> list[type[BaseException]]:
    """Every exception class that is written in the packages, private ones too."""
    found = []
    for package in ("veritas", "tasks/veritas_tasks", "flows/veritas_flows"):
        for file in sorted((ROOT / package).rglob("*.py")):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            names = [node.name for node in tree.body if isinstance(node, ast.ClassDef) and node.bases]
            if not names:
                continue
            module = importlib.import_module(
                ".".join(file.relative_to((ROOT / package).parent).with_suffix("").parts).removesuffix(".__init__")
            )
            classes = (getattr(module, name) for name in names)
            found += [c for c in classes if isinstance(c, type) and issubclass(c, BaseException)]
    return found


def test_every_error_hangs_in_the_one_tree_and_stands_in_its_drawing() -> None:
    drawn = re.findall(r"^[│ ├└─]*(\w+) +(\d+)  (.*)$", veritas.errors.__doc__ or "", re.MULTILINE)
    errors = [e for e in _own_errors() if e is not veritas.errors.VeritasError]
    assert len(errors) > 20
    for error in errors:
        assert issubclass(error, veritas.errors.VeritasError), f"{error.__qualname__} is outside the tree"
        module = error.__module__.removeprefix("veritas.")
        where = "" if module == "errors" else f"{module}: "
        lines = [(code, said) for name, code, said in drawn if name == error.__name__ and said.startswith(where)]
        assert len(lines) == 1, f"{error.__module__}.{error.__qualname__} is drawn {len(lines)} times"
        assert int(lines[0][0]) == error.exit_code
    assert len(drawn) == len(errors)
