"""BM25 over passage-sized windows: a document ranks by its best passage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from veritas.search.local.indexed_provider import IndexedProvider
from veritas.search.local.lexical import Lexical
from veritas.search.local.ranking import ranked
from veritas.search.provider import SearchHit
from veritas.text.tokens import index_terms

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

WINDOW, STRIDE = 1200, 900
"""Characters of a window, and from one window's start to the next; they overlap, so that no sentence is cut in both."""


class BM25Passages(IndexedProvider["tuple[Lexical, NDArray[int64]]"]):
    """A provider that ranks documents by the BM25 score of their best window; the title counts as part of every
    window."""

    name = "bm25-passages"

    def _index(self) -> tuple[Lexical, NDArray[int64]]:
        import numpy as np

        counts = [len(windows(document.text)) for document in self._documents]
        return Lexical(self._units()), np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))

    def _units(self) -> Iterator[list[str]]:
        for document in self._documents:
            title = index_terms(document.title)
            for start, end in windows(document.text):
                yield title + index_terms(document.text[start:end])

    def _search(self, query: str, limit: int, since: date | None) -> Sequence[SearchHit]:
        import numpy as np

        lexical, firsts = self.build()
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
