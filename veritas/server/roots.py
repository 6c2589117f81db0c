"""Documents that a caller may name: only those below a configured folder, of an upload, or of an installed package."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from veritas.errors import CorpusError
from veritas.server.settings import Settings

_UPLOAD = re.compile(r"upload:([0-9a-f]{16})")
_UPLOADED = re.compile(r"upload:([0-9a-f]{16})/([^/\\\0]{1,150})")
_ALONE = frozenset({".zip", ".jsonl"})
"""Endings of files that are a corpus each, and that a folder is not read with."""
_PACKAGE = re.compile(r"package:[A-Za-z0-9][A-Za-z0-9._-]*")


def uploads_folder(settings: Settings) -> Path:
    """Return the folder of the uploads."""
    return settings.home / "uploads"


def corpus_paths(names: Iterable[str], settings: Settings) -> list[str]:
    """Return the corpora that a caller names, for the use cases.

    `NAME/sub/folder` is below the root NAME (which may be omitted if there is one root), `upload:ID` an upload,
    `upload:ID/NAME` one of its documents, `package:NAME` a package. Raises `CorpusError` for anything else, for paths
    outside their root, and for missing ones.
    """
    return [path for name in names for path in _each(name, settings)]


def path_below(name: str, settings: Settings) -> Path:
    """Return a file or folder below a root. Raises as `corpus_paths` does."""
    if not _plain(name):
        raise _refused(name, settings)
    pure = PurePosixPath(name)
    for root, path in _meant(pure, settings):
        try:
            place = path.resolve(strict=True)
        except (OSError, RuntimeError, ValueError):
            continue
        if not place.is_relative_to(root):
            break
        return place
    raise _refused(name, settings)


def document_path(name: str, settings: Settings) -> Path:
    """Return one document: below a root, or of an upload as `upload:ID/NAME`. Raises as `corpus_paths` does."""
    found = _UPLOADED.fullmatch(name)
    if found is None:
        return path_below(name, settings)
    path = uploads_folder(settings) / found[1] / found[2]
    if found[2].startswith(".") or not path.is_file():
        raise CorpusError(f"there is no document {name!r}")
    return path.resolve()


def _each(name: str, settings: Settings) -> list[str]:
    """Return the corpora of one name: an upload's archives are corpora of their own, beside its other documents."""
    if _PACKAGE.fullmatch(name):
        return [name]
    if upload := _UPLOAD.fullmatch(name):
        place = uploads_folder(settings) / upload[1]
        if not place.is_dir():
            raise CorpusError(f"there is no upload {name}")
        held = sorted(each for each in place.iterdir() if not each.name.startswith("."))
        alone = [each for each in held if each.suffix.lower() in _ALONE]
        beside = [place] if len(alone) < len(held) or not held else []
        return [str(each.resolve()) for each in (*beside, *alone)]
    return [str(document_path(name, settings))]


def _meant(pure: PurePosixPath, settings: Settings) -> list[tuple[Path, Path]]:
    """Return the roots that a name may be below, each with the path there."""
    found = []
    if pure.parts and pure.parts[0] in settings.roots:
        root = settings.roots[pure.parts[0]]
        found.append((root, root.joinpath(*pure.parts[1:])))
    if len(settings.roots) == 1:
        root = next(iter(settings.roots.values()))
        found.append((root, root / pure))
    return found


def _refused(name: str, settings: Settings) -> CorpusError:
    """Return the same error for a missing path and for a forbidden one."""
    roots = ", ".join(sorted(settings.roots)) or "none"
    said = f"there is no document or folder {name!r} below the folders that the server may read ({roots})"
    return CorpusError(said)


def _plain(name: str) -> bool:
    """Return whether a name may be looked up below the roots: a relative path without `..`."""
    pure = PurePosixPath(name)
    outside = "\0" in name or "\\" in name or ":" in name or pure.is_absolute() or ".." in pure.parts
    return bool(pure.name) and not outside


LOOKED_AT = 10_000
"""Most files and folders that one search looks at, nearest to the roots first."""
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
    """Yield the roots and everything below them, level by level, up to `looked_at` files and folders, by default
    `LOOKED_AT`."""
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
    """Return the matches of a part of a name or path: equal names first, then names that begin with it, names that
    contain it, and paths that contain it; equally good ones by their depth."""
    sought = asked.strip().strip("/").casefold()
    ranked: tuple[list[Choice], ...] = ([], [], [], [])
    for each in nearest(settings):
        rank = _rank(sought, each)
        if rank is not None and len(ranked[rank]) < most and wanted(each):
            ranked[rank].append(each)
            if len(ranked[0]) == most:
                break
    return [each for kind in ranked for each in kind][:most]


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
