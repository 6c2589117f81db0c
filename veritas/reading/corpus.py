"""A corpus: the documents that its owner named, each under one URL, and the problems of the unread ones."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import overload

from veritas.documents.document import Document
from veritas.errors import Unavailable
from veritas.reading.reader import Confirming, Reader
from veritas.search.local import LocalIndex
from veritas.search.local.segment import Segment, StoredDocuments, row_of


@dataclass(frozen=True, slots=True)
class CorpusProblem:
    """A file or record that was left out, or with `kept` was read with a doubt; a row in the claim graph (I7). `reason`
    is a predicate for `path`: "is encrypted"."""

    path: str
    reason: str
    kept: bool = False

    def __str__(self) -> str:
        return f"{self.path} {self.reason}"


class Corpus:
    """An immutable corpus. `documents` are in a fixed order, `by_url` has each under its URL; `index` searches them,
    and `notes` are the owner's, by URL.

    A loaded corpus is on disk, and a document is in memory only while it is used.
    """

    documents: Sequence[Document]
    by_url: Mapping[str, Document]
    index: LocalIndex
    notes: Mapping[str, str]

    def __init__(self, documents: Iterable[Document], problems: Iterable[CorpusProblem] = ()) -> None:
        """Keep the first of several documents with one URL; `load_corpus` reports the others."""
        by_url: dict[str, Document] = {}
        for document in documents:
            by_url.setdefault(document.url, document)
        self.by_url = MappingProxyType(by_url)
        self.documents = tuple(by_url.values())
        self.index = LocalIndex(self.documents)
        self.notes = {document.url: document.note for document in self.documents if document.note}
        self.problems: tuple[CorpusProblem, ...] = tuple(problems)

    @classmethod
    def kept(
        cls, segments: Sequence[Segment], order: Sequence[tuple[int, int]], fingerprint: str, notes: Mapping[str, str],
        problems: Iterable[CorpusProblem], vectors: Path | None = None,
    ) -> Corpus:
        """Return a corpus of the documents in segments that `order` names, as pairs of segment and row. `vectors` is
        the file with the encoder's vectors."""
        corpus = cls.__new__(cls)
        corpus.documents = _KeptDocuments(segments, order)
        live = with_live(segments, order)
        corpus.by_url = _ByUrl(live, corpus.documents)
        corpus.index = LocalIndex(segments=live, vectors=vectors)
        corpus.notes = notes
        corpus.problems = tuple(problems)
        corpus.fingerprint = fingerprint
        return corpus

    def __len__(self) -> int:
        return len(self.documents)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 (64 hex digits) of everything a run can see of the documents, except the day of reading."""
        return fingerprint_of(map(row_of, sorted(self.documents, key=lambda document: document.url)))

    def undated_and_older(self, since: date) -> tuple[int, int]:
        """Return the number of documents without a date, and of those published before a day."""
        undated = older = 0
        for segment in self.index.segments():
            published = segment.published if segment.live is None else segment.published[segment.live]
            undated += int((published == 0).sum())
            older += int(((published > 0) & (published < since.toordinal())).sum())
        return undated, older


def fingerprint_of(rows: Iterable[bytes]) -> str:
    """Return the SHA-256 of the rows of documents, ordered by URL. The text is in the row's `document_id`."""
    digest = hashlib.sha256()
    for row in rows:
        digest.update(row + b"\n")
    return digest.hexdigest()


def with_live(segments: Sequence[Segment], order: Sequence[tuple[int, int]]) -> list[Segment]:
    """Return the segments with only the documents of a corpus included."""
    import numpy as np

    masks = [np.zeros(len(segment.documents), dtype=bool) for segment in segments]
    pairs = np.array(order, dtype=np.int64).reshape(-1, 2)
    for number, mask in enumerate(masks):
        mask[pairs[pairs[:, 0] == number, 1]] = True
    return [segment.of_live(mask) for segment, mask in zip(segments, masks, strict=True)]


class _KeptDocuments(Sequence[Document]):
    def __init__(self, segments: Sequence[Segment], order: Sequence[tuple[int, int]]) -> None:
        self._segments, self._order = segments, order

    def __len__(self) -> int:
        return len(self._order)

    @overload
    def __getitem__(self, at: int) -> Document: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Document]: ...

    def __getitem__(self, at: int | slice) -> Document | Sequence[Document]:
        if isinstance(at, slice):
            return _KeptDocuments(self._segments, self._order[at])
        part, row = self._order[at]
        return self._segments[part].documents[row]


class _ByUrl(Mapping[str, Document]):
    def __init__(self, segments: Sequence[Segment], documents: Sequence[Document]) -> None:
        self._segments, self._documents = segments, documents

    def __len__(self) -> int:
        return len(self._documents)

    def __iter__(self) -> Iterator[str]:
        return (document.url for document in self._documents)

    def __contains__(self, url: object) -> bool:
        return isinstance(url, str) and self._place(url) is not None

    def __getitem__(self, url: str) -> Document:
        place = self._place(url)
        if place is None:
            raise KeyError(url)
        segment, row = place
        return segment.documents[row]

    def _place(self, url: str) -> tuple[Segment, int] | None:
        for segment in self._segments:
            if isinstance(segment.documents, StoredDocuments):
                for row in segment.documents.places(url):
                    if segment.live is None or segment.live[row]:
                        return segment, row
        return None


class CorpusReader:
    """A `Reader` of a corpus; anything outside it is unavailable."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    async def read(self, url: str) -> Document:
        """Return the document under `url`. Raises `Unavailable` if the corpus has none."""
        document = self._corpus.by_url.get(url)
        if document is None:
            raise Unavailable(f"no document of the corpus has the URL {url}")
        return document


class CorpusFirstReader:
    """A `Reader` of a corpus, and of the web for anything outside it."""

    def __init__(self, corpus: Corpus, web: Reader) -> None:
        self._held = corpus.by_url
        self._corpus, self._web = CorpusReader(corpus), web

    async def read(self, url: str) -> Document:
        """Read a document. Raises `Unavailable` if neither has it."""
        return await (self._corpus if url in self._held else self._web).read(url)

    async def confirm(self, document: Document, quotes: Sequence[str] = ()) -> None:
        """Check a document of the web (see `Confirming`); a corpus does not change while it is used."""
        if document.url not in self._held and isinstance(self._web, Confirming):
            await self._web.confirm(document, quotes)
