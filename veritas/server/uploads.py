"""Uploads of callers: written to disk in pieces, within a limit for each token and one for all."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import secrets
import shutil
import struct
import time
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import BinaryIO

from fastapi import HTTPException

from veritas.errors import Absent, StoreUnavailable
from veritas.files import write_whole
from veritas.frozen import Frozen
from veritas.server.roots import uploads_folder
from veritas.server.settings import Settings
from veritas.server.tokens import Token
from veritas.use_cases import housekeeping

MOST = 500
"""Most files of one upload."""
MOST_ARCHIVED = 5_000
"""Most files of an archive in an upload."""
PIECE = 1_000_000
"""Bytes that are read of a file at a time."""
_PART = ".part-"
_ABANDONED = 3_600.0
"""Seconds without a write after which a part counts as left behind by a killed server."""
_BLOCK = 4_096
"""Bytes that a file counts at least: a disk is also full of many small files."""
_STREAMS = (".gz", ".tgz")
_PACKED = (".zip", ".docx", ".odt", ".ods", ".odp", ".epub", ".xlsx", ".pptx", *_STREAMS)
"""Endings of files that hold others, or a text, compressed."""
_BROKEN = (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, struct.error, EOFError, zlib.error)


class Kept(Frozen):
    """A stored upload: its id, its file names in order, and its size in bytes; an archive counts with its own and its
    unpacked size."""

    upload: str
    files: tuple[str, ...]
    bytes: int


class Part:
    """A document being received, in a file that is no upload yet."""

    def __init__(self, path: Path, done: Callable[[], None]) -> None:
        self.path, self.size, self._done, self._digest = path, 0, done, sha256()
        self._file = path.open("xb")

    @property
    def sha256(self) -> str:
        """The hash of the received bytes."""
        return self._digest.hexdigest()

    def write(self, piece: bytes) -> None:
        """Append received bytes. Raises `StoreUnavailable` if the disk is full."""
        try:
            self._file.write(piece)
        except OSError as error:
            raise _unwritable(error) from error
        self._digest.update(piece)
        self.size += len(piece)

    def flush(self) -> None:
        """Write buffered bytes to the file. Raises `StoreUnavailable`."""
        try:
            self._file.flush()
        except OSError as error:
            raise _unwritable(error) from error

    def move_to(self, place: Path) -> None:
        """Move the complete document to its place. Raises `StoreUnavailable`."""
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
            place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.replace(self.path, place)
        except OSError as error:
            raise _unwritable(error) from error

    def close(self) -> None:
        """Release the reserved space, and remove the file unless it was moved."""
        with contextlib.suppress(OSError):
            self._file.close()
        self.path.unlink(missing_ok=True)
        self._done()


class Uploads:
    """The uploads of a server's store. Each is a folder, with its owner in a hidden file beside it."""

    def __init__(self, settings: Settings) -> None:
        self._settings, self._folder = settings, uploads_folder(settings)
        self._coming: Counter[str] = Counter()
        """Bytes that are held for what each token is sending."""
        self._lock = Lock()

    def begin(self, who: Token, size: int) -> Part:
        """Return a part for at most `size` bytes, which the caller closes. Raises 413 if the token has no room for
        them, 507 if the server has none, and `StoreUnavailable`."""
        size = max(size, _BLOCK)
        with self._lock:
            self._hold(who, size, "this takes")
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            return Part(self._folder / f"{_PART}{secrets.token_hex(8)}", lambda: self._release(who, size))
        except OSError as error:
            self._release(who, size)
            raise _unwritable(error) from error

    def settle(self, part: Part, name: str, who: Token, upload: str | None = None, *, new: bool = False) -> Kept:
        """Make a part the file `name` of an upload, of a new one unless an `upload` is named, and return that upload.

        With `new` the named one need not exist. Raises `Absent` for one that is missing or belongs to another
        token, 413 for more than `MOST` files and for an archive with too many, 422 for an unreadable one.
        """
        folder = self._folder / (upload or secrets.token_hex(8))
        owner = self._owner(folder.name)
        if upload is None or (new and not owner.exists()):
            write_whole(owner, who.token_id)
        elif not self.is_of(folder.name, who) or not (new or folder.is_dir()):
            raise Absent(f"there is no upload:{upload} of this token")
        there = folder / name
        unpacked = 0
        if name.lower().endswith(_PACKED):
            part.flush()
            unpacked = self._fits(part.path, name.lower(), who)
        try:
            if folder.is_dir() and not there.exists() and len(os.listdir(folder)) >= MOST:
                raise HTTPException(413, f"an upload has at most {MOST} files")
            if there.exists():
                housekeeping.forget_documents([there], home=self._settings.home)
            part.move_to(there)
        finally:
            if unpacked:
                self._release(who, unpacked)
        return self._kept(folder)

    def keep(
        self, file: BinaryIO, size: int, name: str, who: Token, upload: str | None = None, *, new: bool = False
    ) -> Kept:
        """Copy an open file of `size` bytes into an upload, and return that. Raises as `begin` and `settle` do."""
        part = self.begin(who, size)
        try:
            while piece := file.read(PIECE):
                part.write(piece)
            return self.settle(part, name, who, upload, new=new)
        finally:
            part.close()

    def of(self, who: Token) -> list[Kept]:
        """Return the uploads of a token, by id."""
        owned = [name for name, owner in self._owners() if owner == who.token_id]
        return [self._kept(self._folder / name) for name in sorted(owned) if (self._folder / name).is_dir()]

    def remove(self, upload: str) -> None:
        """Remove an upload and everything derived from it. Raises `Absent` if there is none, `StoreUnavailable`.
        """
        try:
            housekeeping.forget_documents([self._folder / upload], home=self._settings.home)
            shutil.rmtree(self._folder / upload)
            self._owner(upload).unlink(missing_ok=True)
        except FileNotFoundError:
            raise Absent(f"there is no upload:{upload}") from None
        except OSError as error:
            raise _unwritable(error) from error

    def is_of(self, upload: str, who: Token) -> bool:
        """Return whether an upload belongs to a token."""
        try:
            return self._owner(upload).read_text(encoding="utf-8") == who.token_id
        except (OSError, ValueError):
            return False

    def sweep(self) -> None:
        """Remove parts that a killed server left behind."""
        with contextlib.suppress(OSError):
            for entry in os.scandir(self._folder):
                if entry.name.startswith(_PART) and time.time() - entry.stat().st_mtime > _ABANDONED:
                    os.unlink(entry)

    def _fits(self, archive: Path, name: str, who: Token) -> int:
        """Return the unpacked size of a packed file in bytes, which is reserved.

        Raises 413 for a file that would take too long to read, or exceeds the token's room; 507 if the server has no
        room; 422 for an invalid .zip. Other files that cannot be unpacked are reported when they are read.
        """
        try:
            sizes = _sizes_in(archive, name, self._settings.uploads_of_token)
        except _BROKEN as error:
            if not name.endswith(".zip"):
                return 0
            raise HTTPException(422, "the file is named .zip, but is none that can be read") from error
        if len(sizes) > MOST_ARCHIVED:
            raise HTTPException(
                413, f"an archive may hold {MOST_ARCHIVED:,} files, and this has {len(sizes):,}: split it, or let "
                "whoever runs the server put it below a folder that it reads"
            )  # fmt: skip
        size = sum(sizes)
        if size > self._settings.uploads_of_token:
            raise HTTPException(
                413, f"an archive may unpack to {self._settings.uploads_of_token:,} bytes, and this one would take "
                f"{size:,}: split it"
            )  # fmt: skip
        with self._lock:
            self._hold(who, size, "this archive unpacks to")
        return size

    def _hold(self, who: Token, size: int, what: str) -> None:
        """Reserve so many bytes. Raises 413 if the token has no room, 507 if the server has none."""
        taken = self._taken()
        own = taken[who.token_id] + self._coming[who.token_id] + size
        if own > self._settings.uploads_of_token:
            raise HTTPException(
                413, f"the uploads of a token may take {self._settings.uploads_of_token:,} bytes together, archives "
                f"unpacked; {what} {size:,}, and all would take {own:,}: remove some with DELETE /api/v1/uploads/ID"
            )  # fmt: skip
        if taken.total() + self._coming.total() + size > self._settings.uploads_of_all:
            raise HTTPException(
                507, f"all uploads may take {self._settings.uploads_of_all:,} bytes together: whoever runs the "
                "server has to remove some from the folder uploads of the store"
            )  # fmt: skip
        self._coming[who.token_id] += size

    def _owner(self, upload: str) -> Path:
        return self._folder / f".{upload}.owner"

    def _owners(self) -> list[tuple[str, str]]:
        """Return the ids of all uploads, each with its token."""
        found = []
        for path in self._folder.glob(".*.owner"):
            with contextlib.suppress(OSError, ValueError):
                found.append((path.name[1 : -len(".owner")], path.read_text(encoding="utf-8")))
        return found

    def _taken(self) -> Counter[str]:
        """Return the bytes of each token's uploads; those without an owner count for ""."""
        owners = dict(self._owners())
        taken: Counter[str] = Counter()
        with contextlib.suppress(OSError):
            for entry in os.scandir(self._folder):
                if entry.is_dir(follow_symlinks=False):
                    taken[owners.get(entry.name, "")] += self._kept(Path(entry.path)).bytes
        return taken

    def _kept(self, folder: Path) -> Kept:
        files: list[str] = []
        size = 0
        with contextlib.suppress(OSError):
            for entry in os.scandir(folder):
                files.append(entry.name)
                status = entry.stat(follow_symlinks=False)
                size += max(status.st_size, _BLOCK)
                if entry.name.lower().endswith(_PACKED):
                    size += self._unpacked(entry.path, status)
        return Kept(upload=folder.name, files=tuple(sorted(files)), bytes=size)

    def _unpacked(self, path: str, status: os.stat_result) -> int:
        return _unpacked_bytes(path, status.st_size, status.st_mtime_ns, self._settings.uploads_of_token)

    def _release(self, who: Token, size: int) -> None:
        with self._lock:
            self._coming[who.token_id] -= size
            if not self._coming[who.token_id]:
                del self._coming[who.token_id]


def _sizes_in(archive: Path | str | BinaryIO, name: str, most: int) -> list[int]:
    """Return the unpacked size of each file of an archive called `name`, nested packed documents included.

    A compressed stream is read, up to `most` bytes. Raises one of `_BROKEN`.
    """
    if name.endswith(_STREAMS):
        size = 0
        with gzip.open(archive) as opened:  # the size that stands in it may be any
            while size <= most and (piece := opened.read(PIECE)):
                size += len(piece)
        return [max(size, _BLOCK)]
    with zipfile.ZipFile(archive) as packed:
        sizes = []
        for each in (one for one in packed.infolist() if not one.is_dir()):
            sizes.append(max(each.file_size, _BLOCK))
            inner = each.filename.lower()
            if inner.endswith(_PACKED) and not inner.endswith(".zip") and sum(sizes) <= most:
                with contextlib.suppress(*_BROKEN), packed.open(each) as file:  # told of when it is read
                    sizes.append(sum(_sizes_in(io.BytesIO(file.read(each.file_size)), inner, most)))
        return sizes


@lru_cache(maxsize=10_000)
def _unpacked_bytes(path: str, size: int, changed: int, most: int) -> int:
    """Return the unpacked size of a packed file of this size and time; 0 if it cannot be unpacked."""
    try:
        return sum(_sizes_in(path, path.lower(), most))
    except _BROKEN:
        return 0


def _unwritable(error: OSError) -> StoreUnavailable:
    return StoreUnavailable(f"the upload cannot be stored: {error.strerror or error}")
