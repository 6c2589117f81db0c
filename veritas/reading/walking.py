"""A folder's documents: a walk in a fixed order that never leaves the folder.

Files that VERITAS wrote are no documents: a run that read the report of an earlier one would confirm itself.
"""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from veritas.documents.metadata import SIDECAR_SUFFIXES
from veritas.errors import CorpusError
from veritas.reading.formats import kind_of

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


def walk(folder: Path, skipped: Callable[[str], None]) -> Iterator[Path]:
    """Yield the documents below `folder`, ordered by relative path.

    Hidden files and folders, symbolic links (they may lead out, or round in a circle), files of other kinds and
    VERITAS's own files in a `VERITAS_HOME` are skipped and counted; `skipped` is called once for each sort with a
    predicate of the folder. Raises `CorpusError` for a folder that cannot be listed or holds more than `MAX_FILES`
    files.
    """
    counts: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    found: list[Path] = []
    pending = [folder]
    while pending:
        here = pending.pop()
        try:
            with os.scandir(here) as listing:
                entries = list(listing)
        except OSError as error:
            if here == folder:
                raise CorpusError(f"{folder} cannot be listed: {error.strerror or error}") from error
            skipped(f"has a folder {here.relative_to(folder)} that cannot be listed ({error.strerror or error})")
            continue
        at_home = any(entry.name == _STORE for entry in entries)
        for entry in entries:
            path = Path(entry.path)
            if entry.name.startswith("."):
                counts["hidden file or folder"] += 1
            elif entry.is_symlink():
                counts["symbolic link"] += 1
            elif entry.is_dir(follow_symlinks=False):
                if at_home and entry.name in _OWN_FOLDERS:
                    counts["folder of VERITAS's own runs, reports and caches"] += 1
                else:
                    pending.append(path)
            elif not entry.is_file(follow_symlinks=False):
                counts["special file"] += 1
            elif kind_of(path) is not None:
                found.append(path)
            elif path.suffix.lower() == ".jsonl":
                counts[".jsonl inside a folder (name it as a corpus of its own to have it read)"] += 1
            elif not path.name.endswith(SIDECAR_SUFFIXES):
                unknown[path.suffix.lower() or "no suffix"] += 1
        if len(found) + len(pending) > MAX_FILES:
            raise CorpusError(f"{folder} holds more than {MAX_FILES} files: name the part of it that is the corpus")
    for what, count in sorted(counts.items()):
        skipped(f"has {count} × {what}, not read")
    if unknown:
        kinds = ", ".join(f"{count} {suffix}" for suffix, count in unknown.most_common(8))
        kinds += ", …" if len(unknown) > 8 else ""
        skipped(f"has {sum(unknown.values())} × a kind of file that is not read ({kinds})")
    yield from sorted(found, key=lambda path: path.relative_to(folder).as_posix())


def read_bytes(path: Path, *, follow: bool) -> bytes:
    """Return the content of a regular file of at most `MAX_FILE_BYTES`; with `follow` false, not through a symbolic
    link.

    Raises `CorpusError` with the reason as a predicate of the file.
    """
    # Neither a link nor a pipe that took the file's place since the walk shall be followed or waited for.
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
