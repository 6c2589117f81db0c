"""Removing cached data together with the documents it was made from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from veritas.reading._archive import removed
from veritas.reading._listing import is_archive
from veritas.reading._shelf import Shelf, sign_of


def forget(paths: Iterable[Path], home: Path) -> None:
    """Remove everything below `home` that was made from documents or folders that still exist: unpacked files, their
    conversions, and the index of each corpus read from one of these paths, alone or with others.

    Data that cannot be removed or is in use stays: all of it can be made anew.
    """
    cache, named = home / "cache", list[Path]()
    for path in paths:
        named += [path, *(path.iterdir() if path.is_dir() else ())]
    for path in named:
        with suppress(OSError):
            if is_archive(path):
                removed(cache / "unpacked" / _digest(path), lambda file: _forget_conversion(cache, file))
            else:
                _forget_conversion(cache, path)
    shelf = Shelf(cache / "corpora", datetime.now(UTC).date(), lambda path, reason: None)
    shelf.forget({sign_of(form) for path in named for form in (path, path.resolve())})


def _forget_conversion(cache: Path, file: Path) -> None:
    with suppress(OSError):
        if file.is_file():
            (cache / "converted" / f"{_digest(file)}.json").unlink(missing_ok=True)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
