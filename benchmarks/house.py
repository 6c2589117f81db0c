"""The size of the house, and the rooms that the way of one question goes through.

    python benchmarks/house.py
    python benchmarks/house.py --way      # every stop between modules too, with the functions at both its ends

Counts modules, lines, base names that several modules share, and public names with a docstring. Then one quick question
over examples/documents is answered under a profile function: a module counts as entered when one of its functions runs,
not when it is imported.

Of the calls, those are followed that are handed the question, by itself or in something that has it as a field. Each
way from one function to another counts once. It is a stop where it leads into another room, and a return where that
room had been entered before.
"""

from __future__ import annotations

import ast
import os
import sys
import tempfile
import threading
from collections import Counter, defaultdict
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {"veritas": ROOT / "veritas", "veritas_tasks": ROOT / "tasks/veritas_tasks",
            "veritas_flows": ROOT / "flows/veritas_flows"}  # fmt: skip
QUESTION = "How long do dry pumps last?"


def modules(package: Path) -> list[Path]:
    """Return the files of a package, without its templates of plug-ins."""
    return sorted(package.rglob("*.py"))


def public_names(tree: ast.Module) -> list[bool]:
    """Return, for each public class, function and method of a module, whether it has a docstring."""
    found: list[bool] = []
    for node in tree.body:
        inner = node.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_") else []
        for each in (node, *inner):
            defines = isinstance(each, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            if defines and not each.name.startswith("_"):
                found.append(ast.get_docstring(each) is not None)
    return found


def sizes() -> None:
    """Print what the packages hold."""
    print("| package | modules | lines | public names | with a docstring |\n| --- | ---: | ---: | ---: | ---: |")
    homes: dict[str, list[Path]] = defaultdict(list)
    for name, folder in PACKAGES.items():
        lines, said = 0, []
        for path in modules(folder):
            text = path.read_text(encoding="utf-8")
            lines += text.count("\n")
            said += public_names(ast.parse(text))
            if path.stem not in ("__init__", "__main__"):
                homes[path.stem].append(path)
        print(f"| `{name}` | {len(modules(folder)):,} | {lines:,} | {len(said):,} | {sum(said) / len(said):.0%} |")
    shared = sorted(stem for stem, paths in homes.items() if len(paths) > 1)
    print(f"\n{len(shared)} base names stand for more than one module: {', '.join(shared)}.\n")


def handed(frame: FrameType) -> bool:
    """Return whether a call is handed the question, by itself or as a field of what it is handed."""
    code = frame.f_code
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    given = [frame.f_locals.get(name) for name in names]
    fields = [value for each in given for value in (getattr(each, "__dict__", None) or {}).values()]
    return any(type(value) is str and value == QUESTION for value in (*given, *fields))


class Way:
    """The way of the question through rooms, stop by stop."""

    def __init__(self) -> None:
        self.stops = self.returns = 0
        self.rooms: set[str] = set()
        self.told: list[str] = []
        """A line for each stop, R for a return."""
        self._taken: set[tuple[CodeType | None, CodeType]] = set()
        self._at: dict[CodeType | None, str] = {None: ""}

    def step(self, caller: CodeType | None, code: CodeType, room: str) -> None:
        """Take the way into a function; `caller` is None where an event loop resumes it."""
        known = code in self._at
        if (caller, code) in self._taken or (caller is None and known):
            return
        self._taken.add((caller, code))
        self._at[code] = room
        if caller is not None and self._at.get(caller) == room:
            return
        self.stops += 1
        self.returns += room in self.rooms
        self.told.append(f"{self.stops:3} {'R' if room in self.rooms else ' '} {_named(caller)} -> {_named(code)}")
        self.rooms.add(room)


def _named(code: CodeType | None) -> str:
    """Return a function as `package/module.py:function`; the event loop or a thread has no caller."""
    if code is None:
        return "(event loop or thread)"
    return f"{code.co_filename.removeprefix(str(PACKAGES['veritas']) + os.sep)}:{code.co_qualname}"


def way() -> None:
    """Print the rooms that one question enters, its modules, how often it was entered from another, and the stops."""
    package = f"{PACKAGES['veritas']}{os.sep}"
    entered: Counter[str] = Counter()
    inside: dict[str, set[str]] = defaultdict(set)
    rooms: dict[str, str] = {}
    by_room, by_module = Way(), Way()

    def room(file: str) -> str:
        """The room of a file of the library: its folder, or itself; empty for any other file."""
        if file not in rooms:
            first, slash, _ = file.removeprefix(package).partition(os.sep)
            rooms[file] = first + slash if file.startswith(package) else ""
        return rooms[file]

    def watch(frame: FrameType, event: str, _: Any) -> None:
        file = frame.f_code.co_filename
        if event != "call" or frame.f_code.co_name == "<module>" or not (here := room(file)):
            return
        inside[here].add(file)
        caller = frame.f_back
        while caller is not None and not room(caller.f_code.co_filename):
            caller = caller.f_back
        entered[here] += caller is None or room(caller.f_code.co_filename) != here
        if handed(frame):
            # The nearest function on the way up that was handed it as well: what lies between only carried it.
            while caller is not None and not (room(caller.f_code.co_filename) and handed(caller)):
                caller = caller.f_back
            before = caller.f_code if caller is not None else None
            by_room.step(before, frame.f_code, here)
            by_module.step(before, frame.f_code, file)

    with tempfile.TemporaryDirectory() as folder:
        os.environ["VERITAS_HOME"] = folder
        import veritas

        threading.setprofile(watch)
        sys.setprofile(watch)
        try:
            graph = veritas.research(QUESTION, corpus=ROOT / "examples/documents", tier="quick")
        finally:
            sys.setprofile(None)
            threading.setprofile(None)  # type: ignore[arg-type]
    count = sum(map(len, inside.values()))
    print(f"`research({QUESTION!r}, tier=\"quick\")`, {graph.answer.status}: {len(inside)} rooms, {count} modules.\n")
    for what, way_of in (("rooms", by_room), ("modules", by_module)):
        print(f"The question is handed on in {way_of.stops} stops through {len(way_of.rooms)} {what}, "
              f"{way_of.returns} of them returns.")  # fmt: skip
    if "--way" in sys.argv[1:]:
        print("\n" + "\n".join(by_module.told))
    print("\n| room | modules entered | entered from another room |\n| --- | ---: | ---: |")
    for name, times in sorted(entered.items(), key=lambda one: (-one[1], one[0])):
        print(f"| `{name}` | {len(inside[name])} | {times:,} |")


def main() -> None:
    """Print both."""
    sizes()
    way()


if __name__ == "__main__":
    main()
