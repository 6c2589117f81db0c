"""The folder in which read corpora are kept, `<VERITAS_HOME>/cache/corpora/`; all of it can be made anew.

- `<hash>.segment`: documents with their index, named by the hash of the file. It never changes.
- `<key>.corpus`: which documents of which segments are the corpus of this content.
- `<place>.place`: for the paths that a person named, their signs, the segments that were made from them, and what
  failed.
- `<place>.hashes`: the hashes of the files there.
- `passages.vectors`: what the encoder made of passages, by the hash of their text; the texts are not in it.
- `<hash>.segment.clean`: a sign of the keys that are known not to be in the segment. A key that was set after a corpus
  was read may stand in what was kept: that is made anew, without it.

Those of corpora, places and hashes begin with a checksum of their name and content.

Every file appears whole or not at all, so that any number of processes may read and write at once.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

from veritas.errors import StoreUnavailable
from veritas.files import write_whole
from veritas.keys import redactor, withheld
from veritas.reading._listing import Hashes
from veritas.search.local.segment import DamagedFile, Segment, Stamp, Stamped, read_segment

VECTORS = "passages.vectors"
_YOUNG = 3600
"""Seconds for which the process that made an unreferenced file may still refer to it."""
_UNUSED = 60 * 86400
"""Seconds after which an unused corpus is forgotten."""
MAX_KEPT = 16 * 1024**3
"""Bytes that the segments may take before the places are forgotten that were read longest ago."""
_IN_USE = 86400
"""Seconds for which a process may be reading what was made last."""
_MADE_ANEW = "was damaged; it is made anew"
_HELD_KEY = "held the value of a key that was set later; it is made anew without it"
_CLEAN, _SALT = ".clean", "salt"


@dataclass(frozen=True)
class KeptProblem:
    """A problem of a file or record: its root, its place below the root's path, and the reason."""

    root: int
    where: str
    reason: str
    kept: bool


@dataclass(frozen=True)
class KeptCorpus:
    """A stored corpus: `order` are its documents as pairs of segment and row."""

    segments: Sequence[Segment]
    stamps: Sequence[Stamped | None]
    order: Sequence[tuple[int, int]]
    problems: Sequence[KeptProblem]
    notes: dict[str, str]
    fingerprint: str


@dataclass
class Place:
    """What was made from the paths that the user named: segments, by name, with the number of included documents, and
    the unreadable items, by key, with the reason."""

    segments: dict[str, tuple[Stamp, int]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    corpus: str = ""


def sign_of(path: Path) -> str:
    """Return the sign (a hash) of a path that the user named, with which its results can be forgotten."""
    return hashlib.sha256(os.fsencode(path.absolute())).hexdigest()


class Shelf:
    """The folder. `said` is called for every damaged file, with the path and the consequence; files that cannot be
    written are ignored. `named` are the signs of the paths being read."""

    def __init__(
        self, folder: Path, today: date, said: Callable[[str, str], None], named: Sequence[str] = ()
    ) -> None:
        self.folder, self._today, self._said, self._named = folder, today, said, list(named)
        self._salted = b""

    def hashes(self, place: str) -> Hashes:
        """Return the hashes of the files at a place."""
        data = self._read(f"{place}.hashes")
        return Hashes() if data is None else Hashes.from_bytes(data)

    def keep_hashes(self, place: str, hashes: Hashes) -> None:
        """Store the hashes of the files at a place."""
        if hashes.changed:
            self._write(f"{place}.hashes", hashes.to_bytes())

    def place(self, place: str) -> Place:
        """Return what was made at a place; nothing if that is unknown."""
        fields = self._fields(f"{place}.place")
        if fields is None:
            return Place()
        segments = {name: (Stamp(*stamp), int(live)) for name, stamp, live in fields["segments"]}
        return Place(segments, fields["failed"], fields["corpus"])

    def keep_place(self, place: str, made: Place) -> None:
        """Store what was made at a place."""
        self._keep_fields(f"{place}.place", {
            "segments": [[name, stamp, live] for name, (stamp, live) in made.segments.items()],
            "failed": made.failed, "corpus": made.corpus, "named": self._named,
        })  # fmt: skip

    def segment(self, name: str, known: Stamp) -> tuple[Segment, Stamp] | None:
        """Return the segment in a file of this name, with the file's stamp; None if it is gone or damaged."""
        path = self.folder / name
        try:
            if self._without_keys(path):
                return read_segment(path, known, self._today)
            self._said(str(path), _HELD_KEY)
            path.unlink()
            return None
        except OSError:
            return None
        except DamagedFile:
            self._said(str(path), _MADE_ANEW)
            with suppress(OSError):
                path.unlink()
            return None

    def _without_keys(self, path: Path) -> bool:
        """Return whether a segment contains no value of this process's keys. It is searched once for each set of keys.
        """
        keys = redactor()
        if not keys.sign(b""):
            return True
        sign = keys.sign(self._salt())
        mark = path.with_name(f"{path.name}{_CLEAN}")
        with suppress(OSError):
            if mark.read_text() == sign:
                return True
        with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
            if keys.within(data):
                mark.unlink(missing_ok=True)
                return False
        with suppress(StoreUnavailable):
            write_whole(mark, sign.encode())
        return True

    def _salt(self) -> bytes:
        """Return this installation's secret salt for the signs of keys."""
        if not self._salted:
            path = self.folder / _SALT
            with suppress(OSError):
                self._salted = path.read_bytes()
            if len(self._salted) < 16:
                self._salted = secrets.token_bytes(16)
                with suppress(StoreUnavailable):
                    write_whole(path, self._salted)
        return self._salted

    def corpus(self, key: str) -> KeptCorpus | None:
        """Return the corpus of this content; None if it is not stored completely."""
        fields = self._fields(f"{key}.corpus")
        if fields is None:
            return None
        opened = [self.segment(name, Stamp(*stamp)) for name, stamp in fields["segments"]]
        found = [each for each in opened if each is not None]
        if len(found) < len(opened):
            return None
        stamps = [(name, stamp) for (name, _), (_, stamp) in zip(fields["segments"], found, strict=True)]
        order = fields["order"]
        kept = KeptCorpus(
            segments=[segment for segment, _ in found],
            stamps=stamps,
            order=list(zip(order[::2], order[1::2], strict=True)),
            problems=[KeptProblem(*problem) for problem in fields["problems"]],
            notes=fields["notes"],
            fingerprint=fields["fingerprint"],
        )
        with suppress(OSError):
            path = self.folder / f"{key}.corpus"
            if any(Stamp(*stamp) != known for (_, stamp), (_, known) in zip(fields["segments"], stamps, strict=True)):
                self.keep_corpus(key, kept)  # restored from a copy: it need not be compared whole again
            elif time.time() - path.stat().st_mtime > 86400:
                os.utime(path)
        return kept

    def keep_corpus(self, key: str, corpus: KeptCorpus) -> None:
        """Store the corpus of this content, if all its segments are stored."""
        if all(corpus.stamps):
            self._keep_fields(f"{key}.corpus", {
                "segments": list(corpus.stamps),
                "order": [number for pair in corpus.order for number in pair],
                "problems": [[p.root, p.where, p.reason, p.kept] for p in corpus.problems],
                "notes": corpus.notes, "fingerprint": corpus.fingerprint,
            })  # fmt: skip

    def forget(self, named: Iterable[str]) -> None:
        """Remove what was made only from paths with these signs."""
        signs = set(named)
        with suppress(OSError):
            (self.folder / VECTORS).unlink(missing_ok=True)
        gone, stay = set[str](), {_SALT}
        for path in self.folder.glob("*.place"):
            fields = self._fields(path.name) or {}
            corpus = f"{fields.get('corpus')}.corpus"
            made = {corpus}
            for held in (fields, self._fields(corpus) or {}):
                made |= {segment[0] for segment in held.get("segments", ())}
            if signs.isdisjoint(fields.get("named", ())):
                stay |= made
            else:
                gone |= made | {path.name, f"{path.stem}.hashes"}
        for name in gone - stay:
            for each in (name, f"{name}{_CLEAN}"):
                with suppress(OSError):
                    (self.folder / each).unlink(missing_ok=True)

    def tidy(self, now: float | None = None) -> None:
        """Remove unreferenced files, files not used for long, and, if the segments take more than `MAX_KEPT`, those not
        read for the longest time. Files that may be in use stay."""
        now = time.time() if now is None else now
        with suppress(OSError):
            with os.scandir(self.folder) as entries:
                found = {entry.name: status for entry in entries if (status := _status(entry)) is not None}
            ages = {name: now - status.st_mtime for name, status in found.items()}
            places = [name for name, age in ages.items() if name.endswith(".place") and age < _UNUSED]
            held = {name: self._fields(name) or {} for name in places}
            sizes = {name: status.st_size for name, status in found.items()}
            for name in _too_many(held, ages, sizes):
                places.remove(name)
                del held[name]
            current = {f"{fields.get('corpus')}.corpus" for fields in held.values()}
            wanted = {*places, *(f"{name.removesuffix('.place')}.hashes" for name in places)}
            for name in current & ages.keys():
                held[name] = self._fields(name) or {}
                wanted.add(name)
            segments = {segment[0] for fields in held.values() for segment in fields.get("segments", ())}
            wanted |= {_SALT, VECTORS, *segments, *(f"{segment}{_CLEAN}" for segment in segments)}
            for name in ages.keys() - wanted:
                if ages[name] > _YOUNG:
                    (self.folder / name).unlink(missing_ok=True)

    def _fields(self, name: str) -> dict[str, Any] | None:
        data = self._read(name)
        if data is not None and redactor().within(data):
            with suppress(OSError):
                (self.folder / name).unlink()
            return None
        return None if data is None else json.loads(data)

    def _keep_fields(self, name: str, fields: dict[str, Any]) -> None:
        self._write(name, withheld(json.dumps(fields)).encode())

    def _read(self, name: str) -> bytes | None:
        path = self.folder / name
        try:
            checksum, _, body = path.read_bytes().partition(b"\n")
        except OSError:
            return None
        if _checksum(name, body) != checksum:
            self._said(str(path), _MADE_ANEW)
            with suppress(OSError):
                path.unlink()
            return None
        return body

    def _write(self, name: str, body: bytes) -> None:
        with suppress(StoreUnavailable):
            write_whole(self.folder / name, _checksum(name, body) + b"\n" + body)


def _checksum(name: str, body: bytes) -> bytes:
    """Return the checksum before a file's content. It covers the name, so that a file under another name is invalid."""
    return hashlib.sha256(name.encode() + b"\n" + body).hexdigest().encode()


def _too_many(
    held: Mapping[str, Mapping[str, Any]], ages: Mapping[str, float], sizes: Mapping[str, int]
) -> list[str]:
    """Return the places to forget because their segments take too much room: those not read for the longest time."""
    found, taken = list[str](), 0
    for age, name in sorted(
        (min(ages[name], ages.get(f"{fields.get('corpus')}.corpus", ages[name])), name) for name, fields in held.items()
    ):
        taken += sum(sizes.get(segment[0], 0) for segment in held[name].get("segments", ()))
        if taken > MAX_KEPT and age > _IN_USE:
            found.append(name)
    return found


def _status(entry: os.DirEntry[str]) -> os.stat_result | None:
    """Return the size and time of a file; None if another process has removed it."""
    try:
        return entry.stat()
    except OSError:
        return None
