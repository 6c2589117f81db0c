"""The artifacts of a project, each read again only when its file changes."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from veritas.citations._artifact_body import ABSTRACT, EXCERPTS, excerpts, restored, sections
from veritas.citations.checking.artifact import TEXTS, Checked, check_content, is_artifact_name
from veritas.citations.frontmatter import MAX_BYTES, NotFrontmatter, load, split_artifact

Stamp = tuple[int, int, int]

_TICK = 100_000_000
"""Nanoseconds in which two changes of a folder may bear the same time."""
_MOST_LOOKED_AT = 1_000
"""Most files of a folder of which it is asked each time whether they changed."""


@dataclass(frozen=True, slots=True, eq=False)
class KnownArtifact:
    """An artifact: the result of its check, its fields and what it keeps of the work. It is equal to itself alone: a
    file that is read again gives another one.

    `text` is the work's whole text if it is stored. `digest` changes with every change of the file.
    """

    path: str
    checked: Checked
    fields: Mapping[str, Any]
    digest: str
    abstract: str = ""
    excerpts: tuple[tuple[str, str], ...] = ()
    text: str | None = None

    @property
    def kept(self) -> tuple[str, ...]:
        """All that is kept of the work's own words."""
        return (*(quote for quote, _ in self.excerpts), self.abstract, *((self.text,) if self.text else ()))

    @property
    def title(self) -> str:
        """The work's title."""
        said = self.fields.get("title")
        return said if isinstance(said, str) else ""

    @property
    def standing(self) -> str:
        """The standing of the paper when it was last verified or audited."""
        said = self.fields.get("standing")
        return said if isinstance(said, str) else "current"


@dataclass(frozen=True, slots=True, eq=False)
class ArtifactFolder:
    """The artifacts of a folder: the path of each by its citation keys and its file's name, and by its DOI, which is in
    lower case. Nobody may change it."""

    stamp: Stamp
    sure: bool
    """Whether the folder's stamp changes with the next file: it does not while the clock of files stands still."""
    paths: tuple[str, ...]
    by_key: Mapping[str, str]
    by_doi: Mapping[str, str]


@dataclass(slots=True)
class KnownArtifacts:
    """The artifacts that were read, by path. Not for use by several threads at once, but a race only costs a second
    reading."""

    now: datetime
    _read: dict[str, tuple[Stamp, KnownArtifact]] = field(default_factory=dict)
    _folders: dict[str, ArtifactFolder] = field(default_factory=dict)
    _next: dict[str, int] = field(default_factory=dict)

    def folder(self, path: str) -> ArtifactFolder:
        """Return the artifacts of a folder. It is read again when a file comes or goes. Of the files that stay, some
        are looked at each time, one after the other: a change of one of a few thousand that is written in its place is
        seen at once only by `get`, and by all after `look_again`."""
        stamp, known = stamp_of(path), self._folders.get(path)
        if known is not None and known.stamp == stamp and known.sure:
            begin = self._next.get(path, 0)
            some = known.paths[begin : begin + _MOST_LOOKED_AT]
            self._next[path] = begin + len(some) if begin + len(some) < len(known.paths) else 0
            if all(self._read[each][0] == stamp_of(each) for each in some):
                return known
        known = self._folders[path] = self._listed(path, stamp)
        return known

    def look_again(self) -> None:
        """Look at every file of a folder when it is asked for next."""
        self._folders.clear()

    def _listed(self, folder: str, stamp: Stamp) -> ArtifactFolder:
        sure = time.time_ns() - stamp[0] > _TICK
        names = os.listdir(folder) if os.path.isdir(folder) else []
        paths = [os.path.join(folder, name) for name in sorted(filter(is_artifact_name, names))]
        by_key: dict[str, str] = {}
        for path in paths:
            for key in (*self.get(path).checked.keys, os.path.basename(path).removesuffix(".md")):
                by_key.setdefault(key, path)
        found = ((self.get(path).checked.doi, path) for path in dict.fromkeys(by_key.values()))
        return ArtifactFolder(stamp, sure, tuple(paths), by_key, {doi: path for doi, path in found if doi})

    def get(self, path: str) -> KnownArtifact:
        """Return the artifact at a path, as its file is now; one that is not there fails its check."""
        stamp = stamp_of(path)
        known = self._read.get(path)
        if known is None or known[0] != stamp:
            known = self._read[path] = stamp, read(path, self.now)
        return known[1]

    def known(self) -> tuple[KnownArtifact, ...]:
        """Return the artifacts that were read so far; none is read for it."""
        return tuple(each for _, each in self._read.values())


def stamp_of(path: str) -> Stamp:
    """Return what tells one state of a file from another; zeros for a file that is not there."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return 0, 0, 0
    return found.st_mtime_ns, found.st_size, found.st_ino


def read(path: str, now: datetime, raw: bytes | None = None) -> KnownArtifact:
    """Read and check the artifact at `path`, or its content `raw` if it is not written yet. Never raises."""
    if raw is None:
        try:
            with open(path, "rb") as file:
                raw = file.read(MAX_BYTES + 1)
        except (OSError, ValueError) as error:
            checked = Checked()
            checked.problems.append(("unreadable", f"it cannot be read: {getattr(error, 'strerror', None) or error}"))
            return KnownArtifact(path, checked, {}, "")
    checked = check_content(Path(path), raw, now=now)
    digest = hashlib.sha256(raw).hexdigest()
    try:
        front, body = split_artifact(raw.decode("utf-8").replace("\r\n", "\n"))
        fields, parts = load(front), sections(body)
    except (UnicodeDecodeError, NotFrontmatter):
        return KnownArtifact(path, checked, {}, digest)
    return KnownArtifact(
        path,
        checked,
        fields,
        digest,
        restored(parts.get(ABSTRACT, "")),
        tuple(excerpts(parts.get(EXCERPTS, ""))),
        _text(path, fields.get("text_sha256")),
    )


def _text(path: str, digest: Any) -> str | None:
    """Return the stored text of an artifact, if it is there and the one that was read."""
    if not isinstance(digest, str):
        return None
    stored = Path(path)
    try:
        raw = (stored.parent / TEXTS / f"{stored.stem}.txt").read_bytes()
    except (OSError, ValueError):
        return None
    if hashlib.sha256(raw).hexdigest() != digest:
        return None
    return raw.decode("utf-8", "surrogatepass")
