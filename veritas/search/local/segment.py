"""A segment: documents that were indexed together and never change, in memory or in a file.

An index is a number of segments with the included documents of each. A new document makes a new segment and leaves the
others unchanged.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from veritas.documents.document import Document
from veritas.documents.passages import cut_passages
from veritas.search.local._array_file import DamagedFile, Stamp, read_arrays, write_arrays
from veritas.search.local._stored_documents import DocumentWriter, StoredDocuments, row_of
from veritas.search.postings import Postings, TermWriter
from veritas.search.ranking import passage_terms, told
from veritas.text.languages import read_in, speaking

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

SUFFIX = ".segment"
Stamped = tuple[str, Stamp]
"""The name of a segment's file, and the file's stamp."""
FULL_WINDOWS, FULL_BYTES = 1 << 14, 32 << 20
"""Windows, or bytes of text, from which a segment is full: what is held in memory while one is made stays small."""


class Documents(Protocol):
    """The documents of a segment."""

    def __len__(self) -> int: ...

    def __getitem__(self, i: int) -> Document: ...

    def url(self, i: int) -> str: ...


class GivenDocuments(tuple[Document, ...]):
    """Documents held in memory."""

    __slots__ = ()

    def url(self, i: int) -> str:
        """Return the URL of document i."""
        return self[i].url


@dataclass(frozen=True)
class Segment:
    """A segment. `windows` are the documents' passages; `firsts[i]` is the first of document i, `published[i]` its day
    of publication (a proleptic ordinal, 0 if unknown).

    `live` marks the included documents, `live_windows` their passages; None if all are included.
    """

    documents: Documents
    windows: Postings
    firsts: NDArray[Any]
    published: NDArray[Any]
    live: NDArray[bool_] | None = None
    live_windows: NDArray[bool_] | None = None

    def of_live(self, live: NDArray[bool_]) -> Segment:
        """Return the segment with only these documents included."""
        import numpy as np

        if live.all():
            return replace(self, live=None, live_windows=None)
        return replace(self, live=live, live_windows=np.repeat(live, np.diff(self.firsts)))


class SegmentWriter:
    """Collects documents as the arrays of a segment."""

    def __init__(self) -> None:
        self._windows = TermWriter()
        self._firsts, self._published = array("L", [0]), array("l")

    def __len__(self) -> int:
        return len(self._published)

    def add(self, document: Document) -> None:
        """Add a document by the rules of its language: its passages with their headings, never its `note`."""
        with speaking(read_in(document.text)):
            for passage in cut_passages(document):
                self._windows.add(passage_terms(told(passage)))
        self._firsts.append(len(self._windows))
        self._published.append(document.published_at.toordinal() if document.published_at else 0)

    @property
    def windows(self) -> int:
        """Number of windows so far."""
        return len(self._windows)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of all documents added."""
        import numpy as np

        return {
            "firsts": np.array(self._firsts, dtype=np.int64),
            "published": np.array(self._published, dtype=np.int32),
            **self._windows.postings().named("windows"),
        }


class StoredSegmentWriter:
    """A segment with its documents and their additional data."""

    def __init__(self) -> None:
        self._postings, self._documents = SegmentWriter(), DocumentWriter()

    def __len__(self) -> int:
        return len(self._postings)

    def add(self, document: Document, key: bytes, beside: Mapping[str, Any]) -> None:
        """Add a document with the key (32 bytes) of its inputs."""
        self._postings.add(document)
        self._documents.add(document, key, beside)

    @property
    def full(self) -> bool:
        """Whether the segment should be closed."""
        return self._postings.windows >= FULL_WINDOWS or self._documents.size >= FULL_BYTES

    def close(self, folder: Path, fetched_at: date) -> tuple[Segment, Stamped | None]:
        """Return the segment, written into `folder` and mapped from there, with its file's name and stamp; in memory,
        and None, if nothing can be written."""
        arrays = {**self._postings.arrays(), **self._documents.arrays()}
        try:
            path = write_arrays(folder, SUFFIX, {}, arrays)
            segment, stamp = read_segment(path, None, fetched_at)
        except (OSError, DamagedFile):
            return _segment(arrays, StoredDocuments(arrays, fetched_at)), None
        return segment, (path.name, stamp)


def read_segment(path: Path, known: Stamp | None, fetched_at: date) -> tuple[Segment, Stamp]:
    """Return the segment in a file, mapped into memory, and the file's stamp. Raises `OSError` or
    `DamagedFile`."""
    _, arrays, stamp = read_arrays(path, known)
    try:
        return _segment(arrays, StoredDocuments(arrays, fetched_at)), stamp
    except KeyError as error:
        raise DamagedFile(f"{path.name} is not of this version") from error


def segment_of(documents: Iterable[Document]) -> Segment:
    """Return a segment of documents held in memory."""
    writer, held = SegmentWriter(), GivenDocuments(documents)
    for document in held:
        writer.add(document)
    return _segment(writer.arrays(), held)


def _segment(arrays: Mapping[str, NDArray[Any]], documents: Documents) -> Segment:
    return Segment(
        documents=documents,
        windows=Postings.among(arrays, "windows"),
        firsts=arrays["firsts"],
        published=arrays["published"],
    )


__all__ = [
    "DamagedFile", "Documents", "GivenDocuments", "Segment", "SegmentWriter", "Stamp", "Stamped",
    "StoredDocuments", "StoredSegmentWriter", "read_segment", "row_of", "segment_of",
]  # fmt: skip
