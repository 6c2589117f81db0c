"""The local index: one corpus with the three providers over it."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence

from veritas.documents.document import Document
from veritas.search.local.bm25 import BM25Passages, BM25Titles
from veritas.search.local.ngrams import CharNgrams
from veritas.search.local.segment import GivenDocuments, Segment, segment_of
from veritas.search.provider import SearchProvider


class LocalIndex:
    """The three local providers over documents, in any order; the ranking does not depend on it, but for documents
    that share a URL. All members of a run share it."""

    def __init__(self, documents: Iterable[Document] = (), *, segments: Sequence[Segment] | None = None) -> None:
        """Take documents, which are indexed at the first search, or segments, which are indexed already."""
        self._documents = GivenDocuments(documents)
        self._held = segments
        self._lock = threading.Lock()
        self.passages = BM25Passages(self.segments)
        self.titles = BM25Titles(self.segments)
        self.ngrams = CharNgrams(self.segments)

    @property
    def providers(self) -> tuple[SearchProvider, ...]:
        """The three, in a fixed order."""
        return (self.passages, self.titles, self.ngrams)

    def segments(self) -> Sequence[Segment]:
        """Return the segments; index the documents unless that is done. Safe to call from any thread."""
        with self._lock:
            if self._held is None:
                self._held = (segment_of(self._documents),) if self._documents else ()
            return self._held


def local_providers(documents: Iterable[Document]) -> tuple[SearchProvider, ...]:
    """Return the local providers over one corpus."""
    return LocalIndex(documents).providers
