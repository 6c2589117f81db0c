"""The hash of a folder that holds a model: other weights make another judge."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from veritas.errors import InputError
from veritas.frozen import content_hash

MOST_FILES = 200
"""Most files of a model's folder."""


def weights_hash(folder: Path) -> str:
    """Return the SHA-256 of all files of a folder with their names, hidden ones left out. Raises `InputError` for a
    folder that is missing or cannot be read, and for one that is no model's."""
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder" if folder.exists() else f"there is no folder {folder}")
    try:
        files = sorted(_files(folder))
        return content_hash([(file.relative_to(folder).as_posix(), _hash_of(file)) for file in files])
    except OSError as error:
        raise InputError(f"{folder} cannot be read: {error.strerror or error}") from error


def _files(folder: Path) -> Iterator[Path]:
    count = 0
    for place, folders, names in os.walk(folder, onerror=_fail):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if name.startswith("."):
                continue
            count += 1
            if count > MOST_FILES:
                raise InputError(f"{folder} has more than {MOST_FILES} files: name the folder of one model")
            file = Path(place, name)
            if not file.is_file():  # a device or a pipe would never end
                raise InputError(f"{file} is no file that can be read")
            yield file


def _fail(error: OSError) -> None:
    raise error


def _hash_of(file: Path) -> str:
    state = file.stat()
    return _hash(file, state.st_size, state.st_mtime_ns, state.st_ino)


@lru_cache(maxsize=4 * MOST_FILES)  # gigabytes take seconds; a file that was changed has another time
def _hash(file: Path, size: int, changed: int, inode: int) -> str:
    with file.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()
