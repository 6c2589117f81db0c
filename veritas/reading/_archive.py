"""A zip as a corpus: its documents are unpacked into the cache under the hash of the archive.

Names that lead out, links, encrypted files and nested archives are skipped, and an archive that is too large is refused
before anything is unpacked.
"""

from __future__ import annotations

import errno
import hashlib
import json
import lzma
import os
import secrets
import shutil
import stat
import struct
import time
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import IO

from veritas.documents.metadata import SIDECAR_SUFFIXES
from veritas.errors import CorpusError
from veritas.long_waits import still_waited_for
from veritas.reading.formats import kind_of
from veritas.reading.walking import MAX_FILE_BYTES, MAX_FILES
from veritas.search.local.segment import Stamp

MAX_UNPACKED = 2 * 1024**3
"""Limit in bytes that the documents of an archive may unpack to. Of each no more is unpacked than it states."""
_BROKEN = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, NotImplementedError, RuntimeError,
    ValueError,
)  # fmt: skip
FILES, _LISTING = "files", "listing"
"""What lies in the folder of an archive: its documents, and a list of them with their stamps."""
_MAX_NAME, _MAX_DEPTH = 1000, 100
"""Limits of a name, in bytes and in folders."""
_YOUNG = 3600
"""Seconds for which another process may be at work on a folder that is not whole."""
_UNUSED = 30 * 86400
"""Seconds after which unused files are removed."""
MAX_KEPT = 8 * 1024**3
"""Bytes that the cache of archives may take before what was used longest ago is removed."""
_IN_USE = 86400
"""Seconds for which a process may be reading what it used last."""


def unpacked(path: Path, cache: Path) -> tuple[Path, list[str], IO[bytes]]:
    """Return the folder with the documents of an archive, the reasons for skipped files, and an open file that prevents
    the folder's removal. Raises `CorpusError` for a file that is no zip, or too large."""
    try:
        with path.open("rb") as file, zipfile.ZipFile(file) as archive:
            entries = archive.infolist()
            if len(entries) > MAX_FILES:
                raise CorpusError(f"{path} holds more than {MAX_FILES} files: name the part of it that is the corpus")
            chosen, counts = _chosen(entries)
            size = sum(entry.file_size for entry in chosen.values())
            if size > MAX_UNPACKED:
                limit = MAX_UNPACKED >> 20
                raise CorpusError(f"{path} unpacks to {size >> 20} MB; at most {limit} MB are unpacked: split it")
            file.seek(0)
            folder = cache / hashlib.file_digest(file, "sha256").hexdigest()
            held = _unpack(archive, chosen, folder, counts)
            folder /= FILES
    except _BROKEN as error:
        raise CorpusError(f"{path} is no zip that can be read: {error}") from error
    except OSError as error:
        raise CorpusError(f"{path} cannot be unpacked: {error.strerror or error}") from error
    return folder, [f"has {count} × {what}, not read" for what, count in sorted(counts.items())], held


def _chosen(entries: list[zipfile.ZipInfo]) -> tuple[dict[str, zipfile.ZipInfo], Counter[str]]:
    """Return the entries that are documents or their sidecars, by name, and the number of others, by reason."""
    chosen: dict[str, zipfile.ZipInfo] = {}
    counts: Counter[str] = Counter()
    folders: set[str] = set()
    for entry in entries:
        if entry.is_dir():
            continue
        why = _why_not(entry)
        name = PurePosixPath(entry.filename)
        above = {str(folder) for folder in name.parents} if why is None else set[str]()
        if why is None and (str(name) in chosen or str(name) in folders or not above.isdisjoint(chosen)):
            why = "file of a name that stands there twice"
        if why is None:
            chosen[str(name)] = entry
            folders |= above
        else:
            counts[why] += 1
    return chosen, counts


def _why_not(entry: zipfile.ZipInfo) -> str | None:
    name = PurePosixPath(entry.filename)
    mode = entry.external_attr >> 16
    if name.is_absolute() or ".." in name.parts or any(sign in entry.filename for sign in "\\\0:"):
        return "name that leads out of the archive"
    sizes = [len(part.encode("utf-8", "surrogatepass")) for part in name.parts]
    if sum(sizes) + len(sizes) > _MAX_NAME or len(sizes) > _MAX_DEPTH or max(sizes, default=0) > 255:
        return "name that is too long"
    if any(part.startswith(".") or part == "__MACOSX" for part in name.parts):
        return "hidden file or folder"
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return "symbolic link" if stat.S_ISLNK(mode) else "special file"
    if entry.flag_bits & 1:
        return "encrypted file"
    if kind_of(name) is None and not name.name.endswith(SIDECAR_SUFFIXES):
        return f"file of a kind that is not read ({name.suffix.lower() or 'no suffix'})"
    if entry.file_size > MAX_FILE_BYTES:
        return f"file of more than {MAX_FILE_BYTES >> 20} MB"
    return None


def _unpack(
    archive: zipfile.ZipFile, chosen: dict[str, zipfile.ZipInfo], folder: Path, counts: Counter[str]
) -> IO[bytes]:
    """Unpack the entries into `folder`, which appears whole or not at all; an existing one is left as it is. Return the
    file that protects it."""
    while True:
        failed = _failed_before(folder)
        with suppress(OSError):
            os.utime(folder / _LISTING)
        if failed is None:
            failed = _made(archive, chosen, folder)
        if (held := _held(folder)) is not None:  # else it was just removed
            break
    if failed:
        counts["file that is damaged in the archive"] = failed
    return held


def _made(archive: zipfile.ZipFile, chosen: dict[str, zipfile.ZipInfo], folder: Path) -> int:
    """Unpack the entries into an incomplete folder, and return the number of damaged ones."""
    _sweep(folder.parent)
    tidy(folder.parent)
    aside = _aside(folder)
    try:
        failed = _fill(archive, chosen, aside)
        if _failed_before(folder) is None:  # else another process was faster, and may read there already
            with suppress(FileNotFoundError):
                os.rename(folder, old := _aside(folder))
                _remove(old)
        with suppress(FileExistsError, NotADirectoryError):
            os.rename(aside, folder)
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise
    finally:
        _remove(aside)
    return failed


def _held(folder: Path) -> IO[bytes] | None:
    """Return the list of a folder, open, so that the folder is not removed until it is closed; None if the folder is
    missing or being removed."""
    try:
        file = (folder / _LISTING).open("rb")
    except OSError:
        return None
    try:
        if _locked(file, shared=True) and os.path.samestat(os.fstat(file.fileno()), os.stat(folder / _LISTING)):
            return file
    except OSError:
        pass
    file.close()
    return None


def _locked(file: IO[bytes], *, shared: bool) -> bool:
    """Lock a file until it is closed, and return whether that was possible. A system without such locks does not allow
    removing open files."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


def removed(folder: Path, first: Callable[[Path], None] = lambda path: None) -> bool:
    """Remove an unpacked folder unless it is in use, and return whether it is gone. `first` is called with each
    document before."""
    try:
        with (folder / _LISTING).open("rb") as listing:
            if not _locked(listing, shared=False):
                return False
            for file in (folder / FILES).rglob("*"):
                first(file)
            aside = _aside(folder)
            os.rename(folder, aside)  # it is gone at once, and removed then
    except FileNotFoundError:
        _remove(folder)
        return True
    except OSError:
        return False
    _remove(aside)
    return True


def _fill(archive: zipfile.ZipFile, chosen: dict[str, zipfile.ZipInfo], aside: Path) -> int:
    """Unpack the entries into `aside`, list them, and return the number of damaged ones."""
    files = aside / FILES
    files.mkdir(parents=True)
    failed = 0
    for name, entry in chosen.items():
        still_waited_for()
        target = files / name
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as copy:
            try:
                with archive.open(entry) as source:
                    while block := _block(source):
                        copy.write(block)
                continue
            except _BROKEN:
                failed += 1
        target.unlink()
    (aside / _LISTING).write_text(json.dumps({"failed": failed, "files": _stamps(files)}))
    return failed


def _block(source: IO[bytes]) -> bytes:
    try:
        return source.read(1 << 16)
    except OSError as error:  # of bz2, whose data is damaged
        raise zipfile.BadZipFile(str(error)) from error


def _failed_before(folder: Path) -> int | None:
    """Return the number of damaged files when the folder was made; None if the folder is incomplete."""
    try:
        listing = json.loads((folder / _LISTING).read_bytes())
        whole = not folder.is_symlink() and listing["files"] == _stamps(folder / FILES)
        return int(listing["failed"]) if whole else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _stamps(folder: Path) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for here, _, names in os.walk(folder):
        for name in names:
            path = Path(here, name)
            found[path.relative_to(folder).as_posix()] = list(Stamp.of(path.lstat()))
    return found


def _aside(folder: Path) -> Path:
    return folder.with_name(f".{secrets.token_hex(6)}.part")


def tidy(cache: Path, now: float | None = None) -> None:
    """Remove unpacked or fetched folders of a cache that were not used for long, and, if all of them take more than
    `MAX_KEPT`, those not used for the longest time. Folders in use stay."""
    now = time.time() if now is None else now
    held: list[tuple[float, int, Path]] = []
    with suppress(OSError):
        for entry in cache.iterdir():
            if not entry.name.startswith("."):
                held.append((_used(entry), _size(entry), entry))
    total = sum(size for _, size, _ in held)
    for used, size, entry in sorted(held):
        if now - used > _UNUSED or (total > MAX_KEPT and now - used > _IN_USE):
            if entry.is_dir() and not entry.is_symlink():
                gone = removed(entry)
            else:
                _remove(entry)
                gone = True
            total -= size * gone


def _used(entry: Path) -> float:
    """Return when a folder of a cache was last used, in seconds."""
    listing = entry / _LISTING
    return (listing if listing.is_file() else entry).lstat().st_mtime


def _size(entry: Path) -> int:
    try:
        listed = json.loads((entry / _LISTING).read_bytes())["files"]
        return sum(stamp[0] for stamp in listed.values())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return entry.lstat().st_size


def _sweep(cache: Path) -> None:
    """Remove leftovers of killed processes."""
    for left in cache.glob(".*.part"):
        with suppress(OSError):
            if time.time() - left.lstat().st_mtime > _YOUNG:
                _remove(left)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink(missing_ok=True)
