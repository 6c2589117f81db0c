"""A zip as a corpus: its documents, unpacked into the cache under the hash of the archive.

Names that lead out, links, encrypted files and archives in the archive are passed over, and an archive that is too
large is refused before anything of it is unpacked.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import stat
import zipfile
import zlib
from collections import Counter
from contextlib import suppress
from pathlib import Path, PurePosixPath

from veritas.documents.metadata import SIDECAR_SUFFIXES
from veritas.errors import CorpusError
from veritas.reading.formats import kind_of
from veritas.reading.walking import MAX_FILE_BYTES, MAX_FILES

MAX_UNPACKED = 2 * 1024**3
"""Limit in bytes that the documents of an archive may unpack to. Of each no more is unpacked than it states."""
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)


def unpacked(path: Path, cache: Path) -> tuple[Path, list[str]]:
    """Return the folder that holds the documents of an archive, and what was passed over, as predicates of the archive.

    Raises `CorpusError` for a file that is no zip, or too large.
    """
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
            _unpack(archive, chosen, folder, counts)
    except _BROKEN as error:
        raise CorpusError(f"{path} is no zip that can be read: {error}") from error
    except OSError as error:
        raise CorpusError(f"{path} cannot be unpacked: {error.strerror or error}") from error
    return folder, [f"has {count} × {what}, not read" for what, count in sorted(counts.items())]


def _chosen(entries: list[zipfile.ZipInfo]) -> tuple[dict[str, zipfile.ZipInfo], Counter[str]]:
    """Return the entries that are documents or their sidecars, by name, and the number of others, by sort."""
    chosen: dict[str, zipfile.ZipInfo] = {}
    counts: Counter[str] = Counter()
    for entry in entries:
        if entry.is_dir():
            continue
        why = _why_not(entry)
        if why is None and entry.filename in chosen:
            why = "file of a name that stands there twice"
        if why is None:
            chosen[entry.filename] = entry
        else:
            counts[why] += 1
    return chosen, counts


def _why_not(entry: zipfile.ZipInfo) -> str | None:
    name = PurePosixPath(entry.filename)
    mode = entry.external_attr >> 16
    if name.is_absolute() or ".." in name.parts or any(sign in entry.filename for sign in "\\\0:"):
        return "name that leads out of the archive"
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
) -> None:
    """Unpack the entries into `folder`, which appears whole or not at all; one that is there is left as it is."""
    broken = folder.with_suffix(".broken")
    if not folder.is_dir():
        aside = folder.with_name(f".{secrets.token_hex(6)}.part")
        failed = 0
        try:
            aside.mkdir(parents=True)
            for name, entry in chosen.items():
                target = aside / name
                target.parent.mkdir(parents=True, exist_ok=True)
                try:
                    with archive.open(entry) as source, target.open("xb") as copy:
                        shutil.copyfileobj(source, copy)
                except _BROKEN:
                    target.unlink()
                    failed += 1
            if failed:
                broken.write_text(str(failed))
            with suppress(FileExistsError, NotADirectoryError):
                os.rename(aside, folder)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    if broken.exists():
        counts["file that is damaged in the archive"] = int(broken.read_text())
