"""Words and their relations, as the comparison asks for them: the lexicon's word, and what no lexicon lists."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from veritas.text import wordnet
from veritas.text.stems import fold

_SPELLINGS = (("our", "or"), ("isation", "ization"), ("ise", "ize"), ("ising", "izing"), ("ised", "ized"),
              ("yse", "yze"),
              ("centre", "center"), ("metre", "meter"), ("litre", "liter"), ("programme", "program"))  # fmt: skip


@lru_cache(maxsize=1 << 16)
def bases(word: str) -> frozenset[str]:
    """Return a lower-case word's possible base forms, itself among them."""
    word = fold(word)
    found = {word, *wordnet.lemmas(word)}
    if len(found) == 1 and len(word) > 3 and word.isalpha() and not kinds(word):
        for ending, left in (("ies", "y"), ("es", ""), ("s", ""), ("ied", "y"), ("ed", ""), ("ed", "e"), ("ing", ""),
                             ("ing", "e")):  # fmt: skip
            if word.endswith(ending) and len(word) - len(ending) > 2 and not word.endswith("ss"):
                found.add(word[: -len(ending)] + left)
    if word.endswith("-to"):  # a phrase that works as one word: "belonged-to"
        found |= {f"{base}-to" for base in bases(word[:-3])}
    if word == "people":
        found.add("person")
    for british, american in _SPELLINGS:
        found |= {base.replace(british, american) for base in found if british in base and len(base) > 4}
    return frozenset(found)


@lru_cache(maxsize=1 << 16)
def verb_bases(word: str) -> frozenset[str]:
    """Return the base forms of a lower-case word as a verb, itself for a word that is none."""
    return wordnet.lemmas(word, "v")


@lru_cache(maxsize=1 << 16)
def kinds(word: str) -> frozenset[str]:
    """Return the parts of speech that a lower-case word may be: "n", "v", "a", "r"; none for an unknown word."""
    return frozenset(wordnet.parts_of_speech(word))


@lru_cache(maxsize=1 << 16)
def frequency(word: str, part: Literal["n", "v"]) -> int:
    """Return how often a word is seen as a noun or as a verb."""
    return wordnet.frequency(word, part)


@lru_cache(maxsize=1 << 16)
def synonyms(a: str, b: str) -> bool:
    return wordnet.synonyms(a, b)


@lru_cache(maxsize=1 << 16)
def antonyms(a: str, b: str) -> bool:
    """Return whether two words are opposites, or one is the other behind a prefix that denies it."""
    return wordnet.antonyms(a, b)
