"""BM25, by bm25s: over passage-sized windows, where a document ranks by its best one, and over titles and leads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from veritas.search.local._indexed_provider import IndexedProvider, Query, Scored
from veritas.text.tokens import index_terms

if TYPE_CHECKING:
    from numpy import float32, int64
    from numpy.typing import NDArray

K1, B = 1.2, 0.75
WINDOW, STRIDE = 1200, 900
"""Characters of a window, and from one window's start to the next; they overlap, so that no sentence is cut in both."""
LEAD = 600
"""Characters of the text that count as its lead (an abstract's first half, a page's first paragraphs)."""
TITLE_WEIGHT = 3
"""Count of each word of the title."""


class Lexical:
    """A BM25 index (Lucene's variant) over units, each a list of terms."""

    def __init__(self, units: Iterable[Iterable[str]]) -> None:
        vocabulary: dict[str, int] = {}
        ids = [[vocabulary.setdefault(term, len(vocabulary)) for term in unit] for unit in units]
        self.size = len(ids)
        self._index: Any = None
        if vocabulary:
            import logging

            import bm25s

            # bm25s sets itself to DEBUG, which a listening root logger (Prefect's) would print.
            logging.getLogger("bm25s").setLevel(logging.WARNING)
            self._index = bm25s.BM25(k1=K1, b=B, method="lucene", backend="numpy")
            self._index.index((ids, vocabulary), create_empty_token=False, show_progress=False)

    def scores(self, terms: Iterable[str]) -> NDArray[float32]:
        """Return the score of every unit for the terms of a query; all zero if none is known. A repeated term counts
        once."""
        import numpy as np

        known = [] if self._index is None else self._index.get_tokens_ids(list(dict.fromkeys(terms)))
        if not known:
            return np.zeros(self.size, dtype=np.float32)
        found: NDArray[float32] = self._index.get_scores_from_ids(known)
        return found


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

    def _scored(self, query: Query) -> Scored:
        import numpy as np

        lexical, firsts = self.build()
        scores = lexical.scores(query.terms)

        def best(i: int) -> tuple[int, int]:
            at = int(np.argmax(scores[firsts[i] : firsts[i + 1]]))
            return windows(self._documents[i].text)[at]

        return Scored(np.maximum.reduceat(scores, firsts[:-1]), best)


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


class BM25Titles(IndexedProvider[Lexical]):
    """A provider that ranks documents by BM25 over title (thrice) and lead."""

    name = "bm25-titles"

    def _index(self) -> Lexical:
        return Lexical(
            index_terms(document.title) * TITLE_WEIGHT + index_terms(document.text[:LEAD])
            for document in self._documents
        )

    def _scored(self, query: Query) -> Scored:
        return Scored(self.build().scores(query.terms), lambda i: (0, min(LEAD, len(self._documents[i].text))))
