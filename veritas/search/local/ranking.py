"""Ranking: a score for each document becomes hits in a fixed order, each with the passage that shows why."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING

from veritas.documents.document import Document
from veritas.search.provider import SearchHit
from veritas.text.stems import stem
from veritas.text.stop_words import STOP_WORDS
from veritas.text.tokens import tokenise

if TYPE_CHECKING:
    from numpy import float32, intp
    from numpy.typing import NDArray

SNIPPET = 280
"""Most characters of a snippet."""

_WORDS_AT = re.compile(r"\S+")
_TOKENS = re.compile(r"[^\W_]+")


def ranked(
    documents: Sequence[Document],
    scores: NDArray[float32],
    *,
    query: str,
    limit: int,
    since: date | None,
    window: Callable[[int], tuple[int, int]],
) -> list[SearchHit]:
    """Return at most `limit` hits with a positive score, best first, ties by URL; a URL occurs once.

    With `since`, only documents known to be published on or after that day: one without a date is left out.
    `window(i)` is the part of document i's text that the snippet is taken from.
    """
    import numpy as np

    if limit <= 0:
        return []
    # Rounded, since scores that differ by the order of summation alone are ties.
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
    wanted = {stem(token) for token in tokenise(query) if token not in STOP_WORDS}
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


def _snippet(text: str, start: int, end: int, wanted: set[str]) -> str:
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
