"""A check of files, trees and texts: every citation leads to an artifact that holds."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path

from veritas.citations.checking._tree import walk
from veritas.citations.checking.checker import FOLDER, Checker
from veritas.citations.checking.findings import Report
from veritas.citations.writing.project import Project
from veritas.errors import InputError
from veritas.long_waits import still_waited_for


def check(
    paths: Sequence[Path],
    *,
    root: Path | None = None,
    folder: str = FOLDER,
    citation_map: Path | None = None,
    keys_only: bool = False,
    now: datetime | None = None,
) -> Report:
    """Check every citation in `paths` (files or trees) and every artifact among them (section 8, tiers 2 and 3).

    `root` is the project's; by default the nearest folder above with `folder` or `.git` in it. With `keys_only` a key
    without an artifact passes if a bibliography of the project lists it. Raises `InputError` for
    a path that is not there and for a map that cannot be read.
    """
    begun = time.perf_counter()
    places = [Path(os.path.abspath(path)) for path in paths]
    for given, place in zip(paths, places, strict=True):
        if not os.path.lexists(place):
            raise InputError(f"{given}: there is no such file or folder")
    base = Path(os.path.abspath(root)) if root is not None else root_of(places[0], folder)
    checker = _checker(base, folder, citation_map, now, keys_only=keys_only)
    for place in places:
        if place.is_dir():
            for path in walk(str(place), checker.unread):
                still_waited_for()
                checker.file(path)
        else:
            checker.file(str(place), named=True)
    return checker.report(begun)


def check_text(text: str, name: str, *, root: Path, folder: str = FOLDER, now: datetime | None = None) -> Report:
    """Check the citations of a text as if it stood in the file `name` (relative) of the project in `root`."""
    begun = time.perf_counter()
    checker = _checker(Path(os.path.abspath(root)), folder, None, now)
    checker.files = 1
    checker.source(os.path.join(checker.root, name), text.encode("utf-8", "replace"))
    return checker.report(begun)


def root_of(place: Path, folder: str) -> Path:
    """Return the root of the project that a file or folder is in: the nearest folder above with `folder` or `.git`."""
    start = place if place.is_dir() else place.parent
    for above in (start, *start.parents):
        if (above / folder).is_dir() or (above / ".git").exists():
            return above
    return start


def _checker(
    root: Path, folder: str, citation_map: Path | None, now: datetime | None, *, keys_only: bool = False
) -> Checker:
    folder, now = folder.strip("/"), now or datetime.now(UTC)
    project = cache(partial(Project, root, folder=folder, now=now))  # made once, and only if a page asks for it

    def wrong(path: str, source: str) -> dict[int, str]:
        from veritas.citations.writing.diagnose import wrong_keys  # what reads entries is heavy

        return wrong_keys(source, path, project())

    return Checker(root, folder, citation_map, now, keys_only=keys_only, wrong_keys=wrong)
