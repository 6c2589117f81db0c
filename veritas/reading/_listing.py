"""The files of a corpus, each with the SHA-256 of its bytes.

A file whose stamp (size, times, inode) is unchanged since its last hashing is not read again, unless it was changed so
shortly before that the file system's clock may not show it. A corpus is identified only by the hashes.
"""

from __future__ import annotations

import hashlib
import io
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from veritas.documents.metadata import sidecar_names
from veritas.errors import CorpusError
from veritas.long_waits import Counting, waiting_for
from veritas.reading._archive import unpacked
from veritas.reading.git_repository import MAX_SECONDS, documentation, git_named, packed
from veritas.reading.packages import package_files, package_named
from veritas.reading.walking import Found, read_bytes, walk
from veritas.search.local.segment import Stamp

_TICK = 2_000_000_000
"""Nanoseconds within which a file system may give two changes one time."""
_TRUSTED = os.name == "posix"
"""Elsewhere the third time of a stamp is that of creation, and a file of an older time may be copied over another."""
DOCSTRINGS = "docstrings"
_NOTHING = Stamp(-1, -1, -1, -1)


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file to be read: its path from its root, the SHA-256 of its bytes and of its sidecar's, or why it cannot be
    read."""

    relative: str
    digest: bytes
    sidecar: bytes = b""
    problem: str | None = None


@dataclass(frozen=True)
class Root:
    """A path that the user named, with the name of its documents in URLs, its files, and the skipped ones.

    The files of a folder, an archive or a package are in `folder`; `kind` is their format, by default from their
    extensions. The unpacked files of an archive exist until `held` is closed.
    """

    path: Path
    name: str
    folder: Path | None
    files: Sequence[ListedFile]
    passed_over: Sequence[str]
    kind: str | None = None
    held: IO[bytes] | None = None

    def close(self) -> None:
        """Allow the removal of unpacked files."""
        if self.held is not None:
            self.held.close()

    @property
    def shown(self) -> str:
        """The path for display."""
        repository = git_named(self.path)
        return repository.name if repository is not None else str(self.path)


class Hashes:
    """The hashes of files, by place and stamp."""

    def __init__(self, known: Mapping[bytes, tuple[Stamp, bytes]] | None = None, taken: int = 0) -> None:
        self._known, self._taken = known or {}, taken
        self._now = time.time_ns()
        self._found: dict[bytes, tuple[Stamp, bytes]] = {}

    def of(self, path: Path, stamp: Stamp, take: Callable[[], bytes]) -> bytes:
        """Return the SHA-256 of a file's bytes, computed by `take` unless it is known. Raises what `take` does."""
        place = hashlib.blake2b(os.fsencode(path), digest_size=16).digest()
        before = self._known.get(place)
        trusted = _TRUSTED and stamp.size >= 0 and stamp.changed < self._taken - _TICK
        digest = before[1] if trusted and before is not None and before[0] == stamp else take()
        self._found[place] = (stamp, digest)
        return digest

    def to_bytes(self) -> bytes:
        """Return the hashes for storage; they contain no file name."""
        import numpy as np

        out = io.BytesIO()
        np.savez(
            out,
            taken=np.array([self._now]),
            places=np.frombuffer(b"".join(self._found), dtype=np.uint8),
            stamps=np.array([stamp for stamp, _ in self._found.values()], dtype=np.int64).reshape(-1, 4),
            digests=np.frombuffer(b"".join(digest for _, digest in self._found.values()), dtype=np.uint8),
        )
        return out.getvalue()

    @property
    def changed(self) -> bool:
        """True if there are new hashes to store."""
        return self._found != self._known

    @classmethod
    def from_bytes(cls, data: bytes) -> Hashes:
        """Return stored hashes. Raises NumPy's errors for invalid bytes."""
        import numpy as np

        with np.load(io.BytesIO(data), allow_pickle=False) as kept:
            stamps, places, digests = kept["stamps"].tolist(), kept["places"].tobytes(), kept["digests"].tobytes()
            taken = int(kept["taken"][0])
        return cls(
            {
                places[16 * i : 16 * i + 16]: (Stamp(*stamp), digests[32 * i : 32 * i + 32])
                for i, stamp in enumerate(stamps)
            },
            taken,
        )


def list_root(path: Path, name: str, hashes: Hashes, counting: Counting, archives: Path) -> Root:
    """Return the files at a path; an archive or a repository is unpacked below `archives`.

    Raises `CorpusError` for a missing path, a folder that cannot be listed, or an invalid archive; `Unavailable` for a
    repository that does not answer.
    """
    if (package := package_named(path)) is not None:
        folder, entries = package_files(package)
        files = [_listed(folder, entry, hashes, follow=False) for entry in counting.through(entries, len(entries))]
        return Root(path, name, folder, files, (), DOCSTRINGS)
    repository = git_named(path)
    if repository is None and not os.path.lexists(path):
        raise CorpusError(f"{path} does not exist")
    folder, passed_over, held = path, list[str](), None
    if repository is not None:
        with waiting_for(f"git, which fetches {repository.url}", MAX_SECONDS):
            zipped = packed(repository, archives.with_name("git"))
        folder, passed_over, held = unpacked(zipped, archives)
    elif is_archive(path):
        folder, passed_over, held = unpacked(path, archives)
    elif not os.path.isdir(path):
        found = Found(path.name, _stamp(path), tuple(n for n in sidecar_names(path.name) if _is_file(path, n)))
        return Root(path, name, None, [_listed(path.parent, found, hashes, follow=True)], ())
    entries = walk(folder, passed_over.append)
    if repository is not None and repository.folder is None:
        entries = _documenting(entries, passed_over.append)
    files = [_listed(folder, entry, hashes, follow=False) for entry in counting.through(entries, len(entries))]
    return Root(path, name, folder, files, passed_over, held=held)


def _documenting(entries: list[Found], skipped: Callable[[str], None]) -> list[Found]:
    """Return the files of a repository's documentation; all, if there is no recognisable documentation."""
    names = documentation([entry.relative for entry in entries])
    if names is None or len(names) == len(entries):
        return entries
    count = len(entries) - len(names)
    skipped(f"has {count} × document outside of its documentation, not read (add #subdirectory=. to have all read)")
    return [entry for entry in entries if entry.relative in names]


def is_archive(path: Path) -> bool:
    """Return whether a path is a zip whose files are documents."""
    return path.suffix.lower() == ".zip" and os.path.isfile(path)


def content_key(roots: Iterable[Root], engine: str) -> str:
    """Return the SHA-256 (64 hex digits) of everything that determines a corpus: the engine, the names of the roots,
    and each file's place and content."""
    digest = hashlib.sha256(engine.encode())
    for root in roots:
        digest.update(f"\0{root.name}\0{root.folder is not None}\0{root.kind}\0{len(root.files)}".encode())
        for file in root.files:
            digest.update(b"\0".join((
                b"", os.fsencode(file.relative), file.digest.hex().encode(), file.sidecar.hex().encode(),
                (file.problem or "").encode("utf-8", "replace"),
            )))  # fmt: skip
    return digest.hexdigest()


def _listed(folder: Path, found: Found, hashes: Hashes, *, follow: bool) -> ListedFile:
    path = folder / found.relative
    sidecar = sidecar_digest(path.with_name(found.sidecars[0])) if found.sidecars else b""
    take = partial(_hash_of_records, path) if is_records(path) else partial(_hash, path, follow=follow)
    try:
        return ListedFile(found.relative, hashes.of(path, found.stamp, take), sidecar)
    except CorpusError as error:
        return ListedFile(found.relative, b"", b"", str(error))


def sidecar_digest(path: Path) -> bytes:
    """Return the SHA-256 of a sidecar's bytes, or of the reason why it cannot be read."""
    try:
        return hashlib.sha256(read_bytes(path, follow=True)).digest()
    except CorpusError as error:
        return hashlib.sha256(str(error).encode("utf-8", "replace")).digest()


def is_records(path: Path) -> bool:
    """Return whether a file is a `.jsonl` of records."""
    return path.suffix.lower() == ".jsonl"


def _hash(path: Path, *, follow: bool) -> bytes:
    return hashlib.sha256(read_bytes(path, follow=follow)).digest()


def _hash_of_records(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").digest()
    except OSError as error:
        raise CorpusError(f"cannot be read: {error.strerror or error}") from error


def _stamp(path: Path) -> Stamp:
    try:
        return Stamp.of(path.stat())
    except OSError:
        return _NOTHING


def _is_file(path: Path, name: str) -> bool:
    return path.with_name(name).is_file()
