"""The part that the local providers share: an index built once, a query read once, and scores that become hits."""

from __future__ import annotations

import asyncio
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence, Set
from datetime import date
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from veritas.documents.document import Document
from veritas.search.provider import SearchHit
from veritas.text.stems import stem
from veritas.text.stop_words import STOP_WORDS
from veritas.text.tokens import index_terms, normalise, terms

if TYPE_CHECKING:
    from numpy import float32, intp
    from numpy.typing import NDArray

T = TypeVar("T")
SNIPPET = 280
"""Most characters of a snippet."""

_GAP = re.compile(r"[\W_]+")
_WORDS_AT = re.compile(r"\S+")
_TOKENS = re.compile(r"[^\W_]+")


class Query(NamedTuple):
    """The words of a query without stop words: as they are spelled in lower case, as terms of an index, and
    as stems."""

    words: tuple[str, ...]
    terms: tuple[str, ...]
    stems: frozenset[str]

    @classmethod
    def read(cls, text: str) -> Query:
        """Return the words of `text`."""
        spelled = _GAP.split(normalise(text).casefold())
        return cls(
            tuple(word for word in spelled if word not in STOP_WORDS),
            tuple(index_terms(text)),
            frozenset(terms(text)),
        )


class Scored(NamedTuple):
    """The score of every document, 0 without a hit, and the part of document i's text that shows it best."""

    scores: NDArray[float32]
    window: Callable[[int], tuple[int, int]]


class IndexedProvider(ABC, Generic[T]):
    """A provider over documents. Its index is built at the first search, or before it by `build`."""

    at_once: int | None = None
    """None, because it works in this process: any number may ask."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._lock = threading.Lock()
        self._built: T | None = None

    def build(self) -> T:
        """Return the index; build it unless it is there."""
        with self._lock:
            if self._built is None:
                self._built = self._index()
            return self._built

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        """See `SearchProvider`. Builds the index first if need be, off the event loop."""
        return await asyncio.to_thread(self._hits, Query.read(query), limit, since) if self._documents else []

    def _hits(self, query: Query, limit: int, since: date | None) -> Sequence[SearchHit]:
        scores, window = self._scored(query)
        return _ranked(self._documents, scores, wanted=query.stems, limit=limit, since=since, window=window)

    @abstractmethod
    def _index(self) -> T: ...

    @abstractmethod
    def _scored(self, query: Query) -> Scored: ...


def _ranked(
    documents: Sequence[Document],
    scores: NDArray[float32],
    *,
    wanted: Set[str],
    limit: int,
    since: date | None,
    window: Callable[[int], tuple[int, int]],
) -> list[SearchHit]:
    """Return at most `limit` hits with a positive score, best first, ties by URL; a URL occurs once.

    With `since`, only documents known to be published on or after that day: one without a date is left out.
    `window(i)` is the part of document i's text that the snippet is taken from, by the stems in `wanted`.
    """
    import numpy as np

    if limit <= 0:
        return []
    # Rounded, because scores that differ only by the order of summation are ties.
    rounded = np.round(scores, 5)
    candidates = np.flatnonzero(rounded > 0)
    if since is not None:
        candidates = np.array([i for i in candidates.tolist() if _published(documents[i], since)], dtype=np.intp)
    enough = 2 * limit + 32
    best = candidates
    if len(candidates) > enough:
        values = rounded[candidates]
        best = candidates[values >= np.partition(values, -enough)[-enough]]
    chosen = _first(documents, rounded, best, limit)
    if len(chosen) < limit and len(best) < len(candidates):
        # So many documents share a URL that the best were too few.
        chosen = _first(documents, rounded, candidates, limit)
    return [
        SearchHit(
            url=documents[i].url,
            title=documents[i].title,
            snippet=_snippet(documents[i].text, *window(i), wanted),
            published_at=documents[i].published_at,
        )
        for i in chosen
    ]


def _published(document: Document, since: date) -> bool:
    return document.published_at is not None and document.published_at >= since


def _first(
    documents: Sequence[Document], scores: NDArray[float32], candidates: NDArray[intp], limit: int
) -> list[int]:
    """Return the best `limit` of the candidates with distinct URLs; of documents that share a URL and a score, the
    first."""
    order = sorted(candidates.tolist(), key=lambda i: (-float(scores[i]), documents[i].url, i))
    chosen: dict[str, int] = {}
    for i in order:
        chosen.setdefault(documents[i].url, i)
        if len(chosen) == limit:
            break
    return list(chosen.values())


def _snippet(text: str, start: int, end: int, wanted: Set[str]) -> str:
    """Return the stretch of the window, cut at words, that holds the most of the wanted stems; the earliest of
    equals."""
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
