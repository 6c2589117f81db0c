"""The local index: one corpus, held once, with the three providers over it; each builds its part on first use."""

from __future__ import annotations

from collections.abc import Iterable

from veritas.documents.document import Document
from veritas.search.local.bm25 import BM25Passages, BM25Titles
from veritas.search.local.ngrams import CharNgrams
from veritas.search.provider import SearchProvider


class LocalIndex:
    """The three local providers over `documents`, in any order; the ranking does not depend on it, but for documents
    that share a URL.

    A document's title and text are searched, never its `note`. All members of a run share it.
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        self.documents: tuple[Document, ...] = tuple(documents)
        self.passages = BM25Passages(self.documents)
        self.titles = BM25Titles(self.documents)
        self.ngrams = CharNgrams(self.documents)

    @property
    def providers(self) -> tuple[SearchProvider, ...]:
        """The three, in a fixed order."""
        return (self.passages, self.titles, self.ngrams)

    def build(self) -> None:
        """Build now what would be built at the first search. Safe to call from any thread, and more than once."""
        self.passages.build()
        self.titles.build()
        self.ngrams.build()


def local_providers(documents: Iterable[Document]) -> tuple[SearchProvider, ...]:
    """Return the local providers over one corpus."""
    return LocalIndex(documents).providers
