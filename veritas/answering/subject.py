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
_WHOEVER = frozenset(
    "user users people person program programs command commands tool tools library software app application framework "
    "package project server client system computer machine word song show film book name number date".split()
)
"""Words for whoever asks, for what a whole documentation is about, or for what a name behind them tells."""
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
