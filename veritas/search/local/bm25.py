"""BM25 over passage-sized windows, where a document ranks by its best one, and over titles and leads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from veritas.search.local._indexed_provider import IndexedProvider, Scored
from veritas.search.local._postings import Part, TermWriter, bm25
from veritas.text.tokens import Query

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from veritas.search.local.segment import Segment

WINDOW, STRIDE = 1200, 900
"""Characters of a window, and from one window's start to the next; they overlap, so that no sentence is cut in both."""
LEAD = 600
"""Characters of the text that count as its lead (an abstract's first half, a page's first paragraphs)."""
TITLE_WEIGHT = 3
"""Count of each word of the title."""


class Lexical:
    """A BM25 index (Lucene's variant) over units, each a list of terms, held in memory."""

    def __init__(self, units: Iterable[Iterable[str]]) -> None:
        writer = TermWriter()
        for unit in units:
            writer.add(unit)
        self._part = Part(writer.postings())
        self.size = len(writer)

    def scores(self, terms: Iterable[str]) -> NDArray[float32]:
        """Return the score of every unit for the terms of a query; all zero if none is known. A repeated term counts
        once."""
        return next(bm25([self._part], terms))


class BM25Passages(IndexedProvider):
    """A provider that ranks documents by the BM25 score of their best window; the title counts as part of every
    window."""

    name = "bm25-passages"

    def _scored(self, query: Query) -> list[Scored]:
        import numpy as np

        segments = self._segments()
        parts = [Part(segment.windows, segment.live_windows) for segment in segments]
        found = []
        for segment, scores in zip(segments, bm25(parts, (*query.terms, *query.names)), strict=True):
            best = np.maximum.reduceat(scores, segment.firsts[:-1]) if len(scores) else scores
            found.append(Scored(best, _best_window(segment, scores)))
        return found


def _best_window(segment: Segment, scores: NDArray[float32]) -> Callable[[int, str], tuple[int, int]]:
    def window(i: int, text: str) -> tuple[int, int]:
        at = int(scores[int(segment.firsts[i]) : int(segment.firsts[i + 1])].argmax())
        found = windows(text)
        return found[min(at, len(found) - 1)]

    return window


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


class BM25Titles(IndexedProvider):
    """A provider that ranks documents by BM25 over title (thrice) and lead."""

    name = "bm25-titles"

    def _scored(self, query: Query) -> list[Scored]:
        parts = [Part(segment.titles, segment.live) for segment in self._segments()]
        return [Scored(scores, lambda i, text: (0, min(LEAD, len(text)))) for scores in bm25(parts, query.terms)]
