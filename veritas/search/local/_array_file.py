"""A file of arrays with a header, written whole, named by the hash of its bytes and memory-mapped for reading."""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import secrets
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from veritas.errors import Unavailable

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MAGIC = b"VERITAS1" if sys.byteorder == "little" else b"VERITASB"
_ALIGN = 64
_MOST_HEADER = 1 << 20


class DamagedFile(Unavailable):
    """A file of arrays that is truncated or does not match its name."""


class Stamp(NamedTuple):
    """A file's status. As long as it is the same, the file's bytes are those that were hashed."""

    size: int
    modified: int
    changed: int
    inode: int

    @classmethod
    def of(cls, status: os.stat_result) -> Stamp:
        """Return the stamp of a file's status; times in nanoseconds."""
        return cls(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def write_arrays(folder: Path, suffix: str, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Path:
    """Write a file into `folder` and return its path; a file of the same content is left as it is.

    A kill leaves the whole file or none. Raises `OSError` if it cannot be written.
    """
    places: dict[str, tuple[str, int, int]] = {}
    at = 0
    for name, array in arrays.items():
        places[name] = (array.dtype.str, len(array), at)
        at += -(-array.nbytes // _ALIGN) * _ALIGN
    head = json.dumps({**header, "arrays": places}).encode()
    head += b" " * (-(len(_MAGIC) + 8 + len(head)) % _ALIGN)
    folder.mkdir(parents=True, exist_ok=True)
    aside = folder / f".{os.getpid()}-{secrets.token_hex(6)}.part"
    digest = hashlib.sha256()
    try:
        with aside.open("xb") as file:
            for block in (_MAGIC, len(head).to_bytes(8, "little"), head):
                file.write(block)
                digest.update(block)
            for array in arrays.values():
                data: Any = array.view("uint8")
                for part in (data, bytes(-array.nbytes % _ALIGN)):
                    file.write(part)
                    digest.update(part)
            file.flush()
            os.fsync(file.fileno())
        path = folder / f"{digest.hexdigest()}{suffix}"
        os.replace(aside, path)
    finally:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
    return path


def read_arrays(path: Path, known: Stamp | None) -> tuple[dict[str, Any], dict[str, NDArray[Any]], Stamp]:
    """Return the header, the arrays, memory-mapped, and the stamp of a file.

    The whole file is compared with its name unless its stamp is the one `known`. Raises `OSError` or `DamagedFile`.
    """
    import numpy as np

    with path.open("rb") as file:
        stamp = Stamp.of(os.fstat(file.fileno()))
        if stamp != known and hashlib.file_digest(file, "sha256").hexdigest() != path.stem:
            raise DamagedFile(f"{path.name} does not hold what its name says")
        if stamp.size < len(_MAGIC) + 8:
            raise DamagedFile(f"{path.name} is cut off")
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    size = int.from_bytes(data[len(_MAGIC) : len(_MAGIC) + 8], "little")
    if data[: len(_MAGIC)] != _MAGIC or size > _MOST_HEADER:
        raise DamagedFile(f"{path.name} is no file of arrays of this kind of machine")
    first = len(_MAGIC) + 8 + size
    try:
        header = json.loads(data[len(_MAGIC) + 8 : first])
        arrays = {
            name: np.frombuffer(data, np.dtype(kind), length, first + at) if length else np.zeros(0, np.dtype(kind))
            for name, (kind, length, at) in header.pop("arrays").items()
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DamagedFile(f"{path.name} is cut off or not of this version") from error
    return header, arrays, stamp
