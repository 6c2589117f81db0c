"""BM25 over passage-sized windows: a document ranks by its best passage."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from veritas.documents.document import Document
from veritas.search.local.lexical import Lexical
from veritas.search.local.ranking import ranked
from veritas.search.provider import SearchHit
from veritas.text.tokens import index_terms

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

WINDOW, STRIDE = 1200, 900
"""Characters of a window, and from one window's start to the next; they overlap, so that no sentence is cut in both."""


class BM25Passages:
    """A provider that ranks documents by the BM25 score of their best window; the title counts as part of every
    window."""

    name = "bm25-passages"
    at_once: int | None = None
    """None, because it works in this process: any number may ask."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._lock = threading.Lock()
        self._built: tuple[Lexical, NDArray[int64]] | None = None

    def build(self) -> None:
        """Build the index unless it is there."""
        with self._lock:
            if self._built is None:
                import numpy as np

                counts = [len(windows(document.text)) for document in self._documents]
                firsts = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))
                self._built = (Lexical(self._units()), firsts)

    def _units(self) -> Iterator[list[str]]:
        for document in self._documents:
            title = index_terms(document.title)
            for start, end in windows(document.text):
                yield title + index_terms(document.text[start:end])

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        """See `SearchProvider`. Builds the index first if need be, off the event loop."""
        return await asyncio.to_thread(self._search, query, limit, since)

    def _search(self, query: str, limit: int, since: date | None) -> Sequence[SearchHit]:
        import numpy as np

        self.build()
        if self._built is None or not self._documents:
            return []
        lexical, firsts = self._built
        scores = lexical.scores(query)

        def best(i: int) -> tuple[int, int]:
            at = int(np.argmax(scores[firsts[i] : firsts[i + 1]]))
            return windows(self._documents[i].text)[at]

        whole = np.maximum.reduceat(scores, firsts[:-1])
        return ranked(self._documents, whole, query=query, limit=limit, since=since, window=best)


def windows(text: str) -> list[tuple[int, int]]:
    """Return the offsets of the windows of a text, cut at whitespace where there is some; at least one, even if
    empty."""
    found, start, length = [], 0, len(text)
    while True:
        end = min(length, start + WINDOW)
        if end < length and (space := text.rfind(" ", start + STRIDE, end)) > 0:
            end = space
        found.append((start, end))
        if end >= length:
            return found
        start += STRIDE
        if (space := text.find(" ", start, min(end, start + 100))) > 0:
            start = space + 1
