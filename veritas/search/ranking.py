"""The one ranking: passages by their words (BM25) and by their meaning (an encoder), fused.

The encoder reads the `READ` passages that share most with a question by words, and both scores, each as a share of the
best, are added. In other languages than English only the words count, because the encoder reads English.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from veritas.claims.sources import Passage
from veritas.search.encoder import encoder
from veritas.search.postings import Lexical
from veritas.text.languages import ENGLISH, Language, by_language, read_in, speaking
from veritas.text.tokens import index_terms

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

READ = 40
"""Passages that the encoder reads for a question, the best by words. Reading all of a corpus put no more right passages
first (`benchmarks/ranking.py`)."""
MEANING = 0.65
"""Share of the meaning in the fused score."""


def mechanism() -> str:
    """Return an identifier of the ranking, for the input hash of a stage that ranks: the encoder, or "words"."""
    reader = encoder()
    return "words" if reader is None else reader.fingerprint


SATURATED = 1.2
"""Occurrences of a word that count for as much as all further ones together."""


class Ranked(NamedTuple):
    """A ranked passage: its place in the input, its fused score (0 to 1, relative to the best of its pool), its
    closeness in meaning (-1 to 1; None if no encoder read it), and its saturated share of the question's words (0 to
    1)."""

    at: int
    score: float
    meaning: float | None
    words: float


def told(passage: Passage) -> str:
    """Return a passage as it is ranked: with the title of its document and the headings above it."""
    above = (passage.title, *(heading.text for heading in passage.path), passage.heading)
    return "\n".join((*dict.fromkeys(filter(None, above)), passage.text))


@by_language(maxsize=1 << 14)
def passage_terms(text: str) -> tuple[str, ...]:
    """Return the index terms of a passage as it is told."""
    return tuple(index_terms(text))


@lru_cache(maxsize=256)
def question_terms(question: str, language: Language) -> tuple[str, ...]:
    """Return the distinct index terms of a question, by the rules of its language; in other languages than English
    stemmed in both ways, because documents are indexed by the rules of their own language."""
    with speaking(language):
        found = index_terms(question)
    if language is not ENGLISH:
        found += index_terms(question)
    return tuple(dict.fromkeys(found))


def fused(
    question: str, language: Language, scores: NDArray[float32], text: Callable[[int], str], kept: Path | None = None
) -> list[Ranked]:
    """Return the best passages of a pool, at most `READ`, best first; none for a question without a word.

    `scores` are those by words, `text(i)` gives the ranked text of passage i, and `kept` is a file of earlier vectors.
    """
    import numpy as np

    terms = question_terms(question, language)
    found = np.argsort(-np.round(scores, 5), kind="stable")[: READ if terms else 0].tolist()
    if language is not ENGLISH or encoder() is None:
        found = [at for at in found if scores[at] > 0]
    if not found:
        return []
    texts = [text(at) for at in found]
    worth = [float(scores[at]) / (float(scores[found].max()) or 1.0) for at in found]
    close = _meanings(question, texts, language, kept)
    most = max((one for one in close if one is not None), default=0.0)
    rows = {
        Ranked(
            at, word if one is None else (1 - MEANING) * word + MEANING * one / max(most, 1e-6), one,
            _share(terms, told, language),
        ): told
        for at, word, one, told in zip(found, worth, close, texts, strict=True)
    }  # fmt: skip
    return sorted(rows, key=lambda one: (-round(one.score, 5), rows[one], one.at))


def measured(question: str, passages: Sequence[Passage]) -> list[Ranked]:
    """Return the closeness of each passage to a question, in the given order, which is taken as that of their scores.
    """
    language = read_in(question, (passage.text for passage in passages))
    texts = [told(passage) for passage in passages]
    terms = question_terms(question, language)
    return [
        Ranked(at, 1.0, close, _share(terms, text, language))
        for at, (text, close) in enumerate(zip(texts, _meanings(question, texts, language), strict=True))
    ]


def closeness(question: str, texts: Sequence[str]) -> list[float]:
    """Return the closeness of each of a few short texts to a question: meaning and words, fused."""
    language = read_in(question, texts)
    terms = question_terms(question, language)
    shares = [_share(terms, text, language) for text in texts]
    close = _meanings(question, texts, language)
    return [
        share if one is None else (1 - MEANING) * share + MEANING * one
        for share, one in zip(shares, close, strict=True)
    ]


def _meanings(
    question: str, texts: Sequence[str], language: Language, kept: Path | None = None
) -> list[float] | list[None]:
    """Return the closeness in meaning of each text to a question; None for each if no encoder reads the language."""
    reader = encoder() if language is ENGLISH else None
    if reader is None:
        return [None] * len(texts)
    found: list[float] = (reader.vectors(texts, kept) @ reader.vectors([question])[0]).round(4).tolist()
    return found


def _share(terms: Sequence[str], text: str, language: Language) -> float:
    with speaking(language):
        held = passage_terms(text)
    counts = [held.count(term) for term in terms]
    return sum(count / (count + SATURATED) for count in counts) / max(1, len(terms)) if counts else 0.0


def rank(question: str, passages: Sequence[Passage]) -> list[Ranked]:
    """Return the passages that are closest to a question, at most `READ`, best first."""
    if not passages:
        return []
    language = read_in(question, (passage.text for passage in passages))
    texts = [told(passage) for passage in passages]
    with speaking(language):
        index = Lexical(map(passage_terms, texts))
    return fused(question, language, index.scores(question_terms(question, language)), texts.__getitem__)


def best(question: str, passages: Sequence[Passage], limit: int) -> list[Passage]:
    """Return at most `limit` of the passages, those closest to a question, best first."""
    return [passages[one.at] for one in rank(question, passages)[: max(0, limit)]]


OTHERS = slice(4, 10)
"""Places whose passages seldom answer: how far a passage stands out from them is what tells whether it answers."""
WEIGHTS = (-2.8, 14.6, 6.6)
"""Of the logistic curve: constant, meaning, words (`benchmarks/ranking.py --fit`). In a pool of few passages the others
are taken to be as close as they are on average: `USUAL`."""
WORDS_ALONE = (-0.8, 5.7)
"""The same without an encoder."""
USUAL = (0.40, 0.26)
LEAST = 0.01
"""Least chance that is stated, and what the greatest lacks of 1."""


def chances(ranked: Sequence[Ranked]) -> list[float]:
    """Return for each passage, best first, the calibrated chance, 0 to 1, that it answers; the chances never increase.
    """
    others = ranked[OTHERS]
    rest = OTHERS.stop - OTHERS.start - len(others)
    count = len(others) + rest
    words = (sum(one.words for one in others) + rest * USUAL[1]) / count
    meaning = (sum(one.meaning or 0.0 for one in others) + rest * USUAL[0]) / count
    found: list[float] = []
    for one in ranked:
        if one.meaning is None:
            said = WORDS_ALONE[0] + WORDS_ALONE[1] * (one.words - words)
        else:
            said = WEIGHTS[0] + WEIGHTS[1] * (one.meaning - meaning) + WEIGHTS[2] * (one.words - words)
        found.append(min(max(LEAST, 1 / (1 + math.exp(-said))), *found[-1:], 1 - LEAST))
    return found
