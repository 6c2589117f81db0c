"""The subject of a question, as "crypt" of "Does crypt keep hashes?", and the passages that never speak of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veritas.answering.pool import Pool, heads, stems_of
from veritas.answering.question import GENERIC, Asked, Term
from veritas.answering.units import Unit
from veritas.claims.sources import Passage
from veritas.text import wordnet
from veritas.text.languages import ENGLISH
from veritas.text.stop_words import FUNCTION_WORDS

_SUBJECT = re.compile(
    r"(?i)^\W*(?:(?:and|but|so|also) )?(?:(?:how|why|when|where|from where|since when)\s+)?"
    r"(?:does|do|did|is|are|was|were|can|could|has|have|had|will|would|should)\s+"
    r"(?:(?:the|a|an)\s+)?(?P<noun>[a-z]+)\s+(?P<next>[\w\"'“-]+)"
)
_SIDES = re.compile(
    r"(?i)(?:\bdifferences?\s+(?:is\s+there\s+)?between\s+(?P<a>.+?)\s+and\s+(?P<b>.+)"
    r"|\bhow\s+(?:does|do|is|are)\s+(?P<c>.+?)\s+(?:differ|different)\s+from\s+(?P<d>.+)"
    r"|(?:\bcompare\s+)?(?P<e>\S+(?:\s+\S+){0,2}?)\s+(?:vs\.?|versus)\s+(?P<f>\S+(?:\s+\S+){0,2}))\s*\??\s*$"
)
_WHOEVER = frozenset(
    "user users people person program programs command commands tool tools library software app application framework "
    "package project server client system computer machine word song show film book name number date".split()
)
"""Words for whoever asks, for what a whole documentation is about, or for what a name behind them tells."""
_WORD = re.compile(r"[^\W_][\w.-]*\w|[^\W_]")
FEW = 1 / 3
"""Share of a pool's passages from which on a word may be what all of them are about, so that none need say it."""


def subject_of(asked: Asked) -> Term | None:
    """Return the subject of an English question if it is a plain noun: of one that can be said yes or no to, or that
    asks how, why, when or where; None for any other."""
    found = _SUBJECT.match(asked.text) if asked.language is ENGLISH else None
    if found is None or found["noun"] in _WHOEVER or found["noun"] in FUNCTION_WORDS:
        return None
    noun, behind = found["noun"], found["next"]
    if not behind[0].islower() or "n" not in wordnet.parts_of_speech(noun):
        return None
    if 2 * wordnet.frequency(noun, "n") < wordnet.frequency(noun) or _is_noun(behind):
        return None  # "the head office": its second word is the subject
    return next((t for t in asked.terms if t.word == noun and not t.name and t.weight > GENERIC), None)


def sides_of(asked: Asked) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return the words of the two things whose difference an English question asks for, those that tell them apart;
    None for any other question."""
    found = _SIDES.search(asked.text) if asked.language is ENGLISH and asked.kind == "difference" else None
    if found is None:
        return None
    one, other = (frozenset(_WORD.findall(side.lower())) - FUNCTION_WORDS for side in found.groups() if side)
    return (one - other, other - one) if one - other and other - one else None


def names_both(sides: tuple[frozenset[str], frozenset[str]], text: str) -> bool:
    """Return whether a text names both of two things, each by one of the words that tell it from the other."""
    words = frozenset(_WORD.findall(text.lower()))
    return all(not words.isdisjoint(side | {f"{word}s" for word in side}) for side in sides)


def _is_noun(word: str) -> bool:
    return word not in FUNCTION_WORDS and not wordnet.parts_of_speech(word) & {"v", "a", "r"}


def silent_of(subject: Term, pool: Pool, passages: Sequence[Passage]) -> bool:
    """Return whether so few of a pool's passages speak of a subject that it is not what all of them are about."""
    at = pool.asked.terms.index(subject)
    speaking = sum(at in pool.met(stems_of(f"{heads(each)}\n{each.text}")) for each in passages)
    return speaking < FEW * len(passages)


def speaks_of(subject: Term, pool: Pool, passage: Passage, unit: Unit) -> bool:
    """Return whether a unit, with what is shown with it and what stands above it, has a subject or a word for it."""
    above = "\n".join((heads(passage), unit.heading, *(heading.text for heading in passage.path)))
    shown = passage.text[unit.shown_start : unit.shown_end]
    return pool.asked.terms.index(subject) in pool.met(stems_of(f"{above}\n{shown}"))
