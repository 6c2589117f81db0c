"""The documents of a folder: a walk in a fixed order that never leaves the folder.

Files that VERITAS wrote are no documents: a run that reads the report of an earlier one would confirm itself.
"""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Callable
from pathlib import Path, PurePath
from typing import NamedTuple

from veritas.documents.metadata import SIDECAR_SUFFIXES, sidecar_names
from veritas.errors import CorpusError
from veritas.reading.formats import kind_of
from veritas.search.local.segment import Stamp

MAX_FILE_BYTES = 50 * 1024 * 1024
"""Limit in bytes of a document."""
MAX_FILES = 500_000
"""Limit of files in a folder; a corpus is chosen, not a disk."""
_STORE = "veritas.duckdb"
_OWN_FOLDERS = frozenset({"approvals", "asked", "audits", "cache", "prefect", "reports", "runs"})
"""Folders that VERITAS keeps beside its store, in `VERITAS_HOME`. Other folders there may be a person's own."""
_GENERATOR = re.compile(rb"""(?i)<meta\s+name=["']?generator["']?\s+content=["']VERITAS\s""")
_ANSWER = re.compile(
    rb"(?:\xef\xbb\xbf)?# [^\r\n]+\r?\n\r?\n"
    rb"\*\S+ search by \d+ members? of the council, \d{1,2} \w+ \d{4}[^\r\n]*\*\r?\n"
)
_HEAD = 8192
"""Bytes at the beginning of a file in which its generator is named."""


class Found(NamedTuple):
    """A document in a folder: its path from there, with `/`, the stamp of its file, and the names of its sidecars."""

    relative: str
    stamp: Stamp
    sidecars: tuple[str, ...]


def walk(folder: Path, skipped: Callable[[str], None]) -> list[Found]:
    """Return the documents below `folder`, ordered by relative path.

    Hidden files and folders, symbolic links (they may lead out, or round in a circle), files of other kinds and
    VERITAS's own files in a `VERITAS_HOME` are skipped and counted; `skipped` is called once for each sort with a
    predicate of the folder. Raises `CorpusError` for a folder that cannot be listed or holds more than `MAX_FILES`
    files.
    """
    counts: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    found: list[Found] = []
    pending = [(folder, "")]
    while pending:
        here, above = pending.pop()
        try:
            with os.scandir(here) as listing:
                entries = list(listing)
        except OSError as error:
            if here == folder:
                raise CorpusError(f"{folder} cannot be listed: {error.strerror or error}") from error
            skipped(f"has a folder {here.relative_to(folder)} that cannot be listed ({error.strerror or error})")
            continue
        at_home = any(entry.name == _STORE for entry in entries)
        sidecars = frozenset(
            entry.name for entry in entries if entry.name.endswith(SIDECAR_SUFFIXES) and not entry.is_symlink()
        )
        for entry in entries:
            if entry.name.startswith("."):
                counts["hidden file or folder"] += 1
            elif entry.is_symlink():
                counts["symbolic link"] += 1
            elif entry.is_dir(follow_symlinks=False):
                if at_home and entry.name in _OWN_FOLDERS:
                    counts["folder of VERITAS's own runs, reports and caches"] += 1
                else:
                    pending.append((Path(entry.path), f"{above}{entry.name}/"))
            elif not entry.is_file(follow_symlinks=False):
                counts["special file"] += 1
            elif kind_of(PurePath(entry.name)) is not None:
                found.append(_found(entry, above, sidecars))
            elif entry.name.lower().endswith(".jsonl"):
                counts[".jsonl inside a folder (name it as a corpus of its own to have it read)"] += 1
            elif entry.name not in sidecars:
                unknown[PurePath(entry.name).suffix.lower() or "no suffix"] += 1
        if len(found) + len(pending) > MAX_FILES:
            raise CorpusError(f"{folder} holds more than {MAX_FILES} files: name the part of it that is the corpus")
    for what, count in sorted(counts.items()):
        skipped(f"has {count} × {what}, not read")
    if unknown:
        kinds = ", ".join(f"{count} {suffix}" for suffix, count in unknown.most_common(8))
        kinds += ", …" if len(unknown) > 8 else ""
        skipped(f"has {sum(unknown.values())} × a kind of file that is not read ({kinds})")
    return sorted(found)


def _found(entry: os.DirEntry[str], above: str, sidecars: frozenset[str]) -> Found:
    try:
        stamp = Stamp.of(entry.stat(follow_symlinks=False))
    except OSError:
        stamp = Stamp(-1, -1, -1, -1)  # and the reading of it will say what is the matter
    beside = tuple(name for name in sidecar_names(entry.name) if name in sidecars) if sidecars else ()
    return Found(above + entry.name, stamp, beside)


def read_bytes(path: Path, *, follow: bool) -> bytes:
    """Return the content of a regular file of at most `MAX_FILE_BYTES`; with `follow` false, not through a symbolic
    link.

    Raises `CorpusError` with the reason as a predicate of the file.
    """
    # A link or pipe that replaced the file since the walk must not be followed or waited for.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | (0 if follow else getattr(os, "O_NOFOLLOW", 0))
    try:
        with open(os.open(path, flags), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise CorpusError("is no regular file")
            if status.st_size > MAX_FILE_BYTES:
                most = MAX_FILE_BYTES >> 20
                raise CorpusError(f"has {status.st_size >> 20} MB; at most {most} MB are read: split it")
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise CorpusError(f"cannot be read: {error.strerror or error}") from error
    if len(data) > MAX_FILE_BYTES:
        raise CorpusError(f"has grown past {MAX_FILE_BYTES >> 20} MB while it was read")
    return data


def written_here(data: bytes) -> bool:
    """Return whether a file is a report (HTML) or an answer (Markdown) of VERITAS, by its head."""
    return bool(_GENERATOR.search(data[:_HEAD]) or _ANSWER.match(data[:_HEAD]))
