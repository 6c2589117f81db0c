"""A pool of passages in which a question is asked: how rare its words are there, and where each of them is met."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from veritas.answering.question import Asked
from veritas.claims.sources import Passage
from veritas.text import wordnet
from veritas.text.languages import ENGLISH, by_language
from veritas.text.tokens import index_terms, tokenise

AKIN, CALLED = 0.6, 0.7
"""How much a synonym or a derived word counts against the word itself, and a word that manuals use for it."""
COMMON = 5_000
"""How often the commonest words stand in WordNet's tagged texts."""

Met = Mapping[int, float]


@by_language(maxsize=8192)
def stems_of(text: str) -> frozenset[str]:
    """Return the stems of the content words of a text, and of the parts of its identifiers."""
    return frozenset(index_terms(text))


@lru_cache(maxsize=8192)
def _spelled(text: str) -> frozenset[str]:
    return frozenset(tokenise(text))


@lru_cache(maxsize=1 << 16)
def _akin(word: str, other: str) -> bool:
    """Return whether two words mean the same or one is formed from the other."""
    return wordnet.synonyms(word, other) or wordnet.derived(word, other)


def heads(passage: Passage) -> str:
    """Return the words above a passage: the title of its document, and the heading that it stands under."""
    return f"{passage.title}\n{passage.heading}"


class Pool:
    """The passages of a pool, and where the terms of a question are met in them. `weights[i]` is the weight of the i-th
    term; they sum to 1, unless the question has no term."""

    def __init__(self, asked: Asked, passages: Sequence[Passage]) -> None:
        self.asked = asked
        whole = [stems_of(passage.text) | stems_of(heads(passage)) for passage in passages]
        self._hits = self._met_by(passages)
        weights = []
        for term in asked.terms:
            having = sum(term.stem in stems for stems in whole)
            rarity = math.log(1 + (len(whole) - having + 0.5) / (having + 0.5)) / math.log(2 + 2 * len(whole))
            known = asked.language is ENGLISH and not term.name
            usual = math.log1p(wordnet.frequency(term.word)) / math.log1p(COMMON) if known else 0.0
            weights.append(term.weight * (0.35 + 0.65 * rarity) * (1 - 0.5 * min(1.0, usual)))
        total = sum(weights)
        self.weights = tuple(w / total for w in weights) if total else ()

    def _met_by(self, passages: Sequence[Passage]) -> dict[str, dict[int, float]]:
        """Return for each stem of the pool the terms that it meets, and how well."""
        known: dict[str, str] = {}
        language = self.asked.language
        for passage in passages:
            for word in _spelled(passage.text) | _spelled(heads(passage)):
                known.setdefault(language.stem(word), word)
        hits: dict[str, dict[int, float]] = {}
        for at, term in enumerate(self.asked.terms):
            for key in term.kin:
                hits.setdefault(key, {})[at] = CALLED
            hits.setdefault(term.stem, {})[at] = 1.0
            if not term.word.isalpha() or len(term.word) < 3 or term.name:
                continue
            low = term.word.casefold()
            for key, word in known.items():
                if key == term.stem or len(word) <= 2 or not word.isalpha():
                    continue
                if _akin(low, word) if language is ENGLISH else language.kin(term.stem, key):
                    hits.setdefault(key, {}).setdefault(at, AKIN)
        return hits

    def met(self, stems: Iterable[str]) -> dict[int, float]:
        """Return the terms that some stems meet, each with the best of its meetings, 0 to 1."""
        found: dict[int, float] = {}
        for key in stems:
            for at, strength in self._hits.get(key, {}).items():
                found[at] = max(found.get(at, 0.0), strength)
        return found

    def covered(self, met: Met) -> float:
        """Return the share of the question that is met, by weight, 0 to 1."""
        return sum(self.weights[at] * strength for at, strength in met.items())
