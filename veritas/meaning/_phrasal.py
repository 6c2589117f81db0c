"""Verbs with a particle as one word, where the other sentence has a verb that says the same: "take up", "absorb"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from veritas.meaning._rearrangement import Words
from veritas.meaning._vocabulary import broader, kinds, share_rare_meaning, synonyms
from veritas.text.wordlist import words as listed

_PARTICLES = listed("up down off out away back over on in apart aside through forward along around")


def phrasal(words: Words, other: Words) -> Words:
    """Write a verb and its particle as one word where a verb of the other sentence has its meaning, or is the same
    without the particle: "the mites killed off" where that has "the mites killed"."""
    for at in range(1, len(words) - 1):
        word, particle = words[at], words[at + 1].low
        if word.verb is None or word.low == "be" or particle not in _PARTICLES:
            continue
        rivals = frozenset(base for w in other if w.verb is not None and w.kind == "content" for base in w.bases)
        for one in _with_particle(word.bases, particle):
            if any(_alike(one, rival) for rival in rivals) and not _has(other, word.bases, particle):
                told = replace(word, low=one, text=f"{word.text} {particle}", bases=frozenset({one}))
                return (*words[:at], told, *words[at + 2 :])
    return words


def _with_particle(bases: frozenset[str], particle: str) -> Iterator[str]:
    """Yield the verbs of the lexicon that a verb and a particle make, by the verb's base forms."""
    yield from (one for base in sorted(bases) if "v" in kinds(one := f"{base} {particle}"))


@lru_cache(maxsize=1 << 14)
def _alike(one: str, rival: str) -> bool:
    return "v" in kinds(rival) and (
        synonyms(one, rival) or broader(one, rival) or share_rare_meaning(one, frozenset({rival}), verb=True)
    )  # fmt: skip


def _has(words: Words, bases: frozenset[str], particle: str) -> bool:
    """Return whether a sentence has the verb with the particle too."""
    return any(words[k].bases & bases and words[k + 1].low == particle for k in range(len(words) - 1))
