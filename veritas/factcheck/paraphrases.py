"""Words that may stand for each other in a sentence, and opposites, more loosely than `everyday.py`.

They find where a page speaks of a statement and what turns it over there; they do not suffice to support one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from pathlib import Path

from veritas.text import wordnet
from veritas.text.stems import stem

_DATA = Path(__file__).parent / "paraphrases.txt"
_SHORTEST = 2
"""Letters of the shortest word that is looked up."""


def _lines() -> Iterator[list[str]]:
    for line in _DATA.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line.split("/")


@lru_cache(maxsize=1)
def _alike() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for sides in _lines():
        if len(sides) == 1:
            group = {stem(word) for word in sides[0].split()}
            for word in group:
                found.setdefault(word, set()).update(group - {word})
    return {word: frozenset(others) for word, others in found.items()}


@lru_cache(maxsize=1)
def _opposite() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for sides in _lines():
        if len(sides) == 2:
            one, other = ({stem(word) for word in side.split()} for side in sides)
            for mine, theirs in (*product(one, other), *product(other, one)):
                found.setdefault(mine, set()).add(theirs)
    return {word: frozenset(others) for word, others in found.items()}


@lru_cache(maxsize=1 << 15)
def forms(word: str) -> frozenset[str]:
    """Return the stems of a word as it is written and of its base forms: "thrown" is "throw"."""
    own = stem(word.lower())
    if len(word) < _SHORTEST or word[0].isdecimal():
        return frozenset((own,))
    return frozenset((own, *(stem(base) for base in wordnet.lemmas(word))))


def alike(stemmed: str) -> frozenset[str]:
    """Return the stems of everyday words that may stand for a word, by its stem."""
    return _alike().get(stemmed, frozenset())


def opposites(stemmed: str) -> frozenset[str]:
    """Return the stems of the opposites of a word, by its stem."""
    return _opposite().get(stemmed, frozenset())
