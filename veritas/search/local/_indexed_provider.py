"""The part that the local providers share: scores that become hits."""

from __future__ import annotations

import asyncio
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from veritas.search.provider import SearchHit
from veritas.text.tokens import Query

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from veritas.search.local.segment import Segment

SNIPPET = 280
"""Most characters of a snippet."""

_WORDS_AT = re.compile(r"\S+")
_TOKENS = re.compile(r"[^\W_]+")


class Scored(NamedTuple):
    """The score of each of a segment's documents, 0 without a hit, and the part of document i's text that shows it
    best."""

    scores: NDArray[float32]
    window: Callable[[int, str], tuple[int, int]]


class IndexedProvider(ABC):
    """A provider over the segments of an index."""

    at_once: int | None = None
    """None, because it works in this process: any number may ask."""

    def __init__(self, segments: Callable[[], Sequence[Segment]]) -> None:
        """`segments` gives them at the first search, and may take its time."""
        self._segments = segments

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        """See `SearchProvider`. Works off the event loop."""
        return await asyncio.to_thread(self._hits, Query.read(query), limit, since)

    def _hits(self, query: Query, limit: int, since: date | None) -> Sequence[SearchHit]:
        """Return at most `limit` hits with a positive score, best first, ties by URL; a URL occurs once.

        With `since`, only documents known to be published on or after that day: one without a date is left out.
        """
        segments = self._segments()
        if limit <= 0 or not segments:
            return []
        found = self._scored(query)
        hits = []
        for url, part, i in _first(segments, [each.scores for each in found], limit, since):
            document = segments[part].documents[i]
            shown = _snippet(document.text, *found[part].window(i, document.text), query)
            hits.append(
                SearchHit(url=url, title=document.title, snippet=shown, published_at=document.published_at)
            )
        return hits

    @abstractmethod
    def _scored(self, query: Query) -> list[Scored]:
        """Return the scores of each segment's documents."""


def _first(
    segments: Sequence[Segment], scores: Sequence[NDArray[float32]], limit: int, since: date | None
) -> list[tuple[str, int, int]]:
    """Return URL, segment and place of the best `limit` documents with distinct URLs; of documents that share a URL and
    a score, the first."""
    import numpy as np

    # Rounded, because scores that differ only by the order of summation are ties.
    rounded = np.round(np.concatenate(scores), 5)
    counting = rounded > 0
    if since is not None:
        counting &= np.concatenate([segment.published for segment in segments]) >= since.toordinal()
    candidates = np.flatnonzero(counting)
    begins = np.cumsum([0, *map(len, scores)])
    enough = 2 * limit + 32
    while True:
        best = candidates
        if len(candidates) > enough:
            values = rounded[candidates]
            best = candidates[values >= np.partition(values, -enough)[-enough]]
        listed = []
        for at, part in zip(best.tolist(), (np.searchsorted(begins, best, side="right") - 1).tolist(), strict=True):
            i = at - int(begins[part])
            listed.append((-float(rounded[at]), segments[part].documents.url(i), part, i))
        chosen: dict[str, tuple[str, int, int]] = {}
        for _, url, part, i in sorted(listed):
            chosen.setdefault(url, (url, part, i))
        if len(chosen) >= limit or len(best) == len(candidates):
            return list(chosen.values())[:limit]
        enough = len(candidates)  # so many documents share a URL that the best were too few


def _snippet(text: str, start: int, end: int, query: Query) -> str:
    """Return the stretch of the window, cut at words, that holds the most of the query's stems; the earliest of
    equals."""
    stem, wanted = query.language.stem, query.stems
    words = [(start + m.start(), start + m.end(), m[0]) for m in _WORDS_AT.finditer(text[start:end])]
    if not words:
        return ""
    marks = [{key for token in _TOKENS.findall(word.lower()) if (key := stem(token)) in wanted} for _, _, word in words]
    best, chosen = -1, (0, 0)
    for i in [0, *(k for k, mark in enumerate(marks) if mark)]:
        first = max(0, i - 4)
        last = first
        while last + 1 < len(words) and words[last + 1][1] - words[first][0] <= SNIPPET:
            last += 1
        found = len(set().union(*marks[first : last + 1]))
        if found > best:
            best, chosen = found, (first, last)
    return " ".join(text[words[chosen[0]][0] : words[chosen[1]][1]].split())[:SNIPPET]
