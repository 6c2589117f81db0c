"""What lies below the roots: one folder's content, and what a part of a name finds, however deep it lies.

Hidden files, symbolic links, the server's own store, and folders that programs make are not shown. What is not shown
can still be named, where `roots.path_below` lets it.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from veritas.server.settings import Settings
from veritas.text.likeness import ratio

LOOKED_AT = 10_000
"""Most files and folders that one search looks at, nearest to the roots first."""
LIKE = 75.0
"""Least likeness, of 100, of a misspelt name to one that was meant."""
_MADE = frozenset({"node_modules", "__pycache__", "_build", "_static", "_site"})


class Choice(NamedTuple):
    """A folder or file that can be chosen: its name for the server, how it is shown, how deep it lies."""

    name: str
    label: str
    level: int
    folder: bool


Wanted = Callable[[Choice], bool]


def inside(folder: Path, name: str, level: int, settings: Settings) -> list[Choice]:
    """Return what lies in a folder of this name, folders first; nothing where it cannot be read."""
    found = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if _hidden(entry) or (entry.name == settings.home.name and Path(entry.path) == settings.home):
                    continue
                found.append(Choice(f"{name}/{entry.name}", entry.name, level, entry.is_dir()))
    except OSError:
        return []
    return sorted(found, key=lambda each: (not each.folder, each.label.casefold(), each.label))


def nearest(settings: Settings, looked_at: int | None = None) -> Iterator[Choice]:
    """Yield the roots and everything below them, level by level, until `looked_at` files and folders, by default
    `LOOKED_AT`, were looked at."""
    waiting: deque[tuple[Choice, Path]] = deque(
        (Choice(name, name, 0, True), folder) for name, folder in settings.roots.items()
    )
    left = LOOKED_AT if looked_at is None else looked_at
    yield from (each for each, _ in waiting)
    while waiting:
        place, folder = waiting.popleft()
        for each in inside(folder, place.name, place.level + 1, settings):
            yield each
            left -= 1
            if not left:
                return
            if each.folder:
                waiting.append((each, folder / each.label))


def found(asked: str, settings: Settings, *, most: int = 30, wanted: Wanted = lambda each: True) -> list[Choice]:
    """Return what a part of a name or path finds: names that are it before those that begin with it, before those that
    hold it, before paths that hold it; of the same kind the nearest to the roots first."""
    sought = asked.strip().strip("/").casefold()
    ranked: tuple[list[Choice], ...] = ([], [], [], [])
    for each in nearest(settings):
        rank = _rank(sought, each)
        if rank is not None and len(ranked[rank]) < most and wanted(each):
            ranked[rank].append(each)
            if len(ranked[0]) == most:
                break
    return [each for kind in ranked for each in kind][:most]


def resembling(asked: str, settings: Settings, most: int) -> list[Choice]:
    """Return what a name or path may have meant: what a part of it finds, or else names with other letters or another
    ending, the likest first."""
    last = PurePosixPath(asked).name
    if near := found(last, settings, most=most):
        return near
    path, sought = asked.casefold(), PurePosixPath(last.casefold())
    ranked: list[tuple[float, float, int, Choice]] = []
    for each in nearest(settings):
        label = PurePosixPath(each.label.casefold())
        likeness = max(ratio(sought.name, label.name), ratio(sought.stem, label.stem))
        if likeness >= LIKE:
            ranked.append((-likeness, -ratio(path, each.name.casefold()), len(ranked), each))
    return [each for *_, each in sorted(ranked)[:most]]


def _rank(sought: str, each: Choice) -> int | None:
    label, name = each.label.casefold(), each.name.casefold()
    if label == sought or name.endswith(f"/{sought}"):
        return 0
    if label.startswith(sought) or name.startswith(sought):
        return 1
    return 2 if sought in label else 3 if sought in name else None


def _hidden(entry: os.DirEntry[str]) -> bool:
    if entry.name.startswith(".") or entry.name in _MADE or entry.is_symlink():
        return True
    try:
        entry.name.encode()
    except UnicodeEncodeError:  # a name that no form can send back
        return True
    return False
