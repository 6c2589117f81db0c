"""Decide whether a passage says the contrary of a statement on plain grounds, independent of a lens."""

from __future__ import annotations

import re

from veritas.meaning.compare import compare
from veritas.meaning.relation import NOWHERE, Comparison, Setting
from veritas.text import lexicon
from veritas.text.sentences import statements
from veritas.text.tokens import tokens

NOT_PLAIN = (
    "a lens reads it as saying otherwise, and nothing shows that both speak of the same thing and cannot both be true"
)

_LINK = r"^(?:(?:in (?:summary|conclusion)|therefore|thus|hence|overall|moreover|furthermore|however),?\s+)?"
_FOUND = (
    r"conclude[sd]?|find|found|show(?:ed)?|report(?:ed)?|observed?|demonstrate[sd]?",
    r"shown|found|known|concluded",
)
_THOUGHT = (
    _FOUND[0] + r"|hypothesi[sz]ed?|propose[sd]?|argued?|suggest(?:ed)?|claim(?:ed)?|predict(?:ed)?|expect(?:ed)?",
    _FOUND[1] + r"|hypothesi[sz]ed|expected",
)


def _lead(active: str, passive: str) -> re.Pattern[str]:
    return re.compile(
        rf"{_LINK}(?:(?:we|the authors|i)\s+(?:\w+ly\s+)?(?:{active})\s+that\s+"
        rf"|it (?:is|was|has been) (?:\w+ )?(?:{passive}) that\s+)",
        re.IGNORECASE,
    )


_ONE = Setting(document="one thing")
_DENIED = ("polarity", "opposite")
_STATED = _lead(*_THOUGHT)
_ASSERTED = _lead(*_FOUND)


def content(statement: str) -> str:
    """Return a statement without the words that name its speaker ("we conclude that")."""
    said = _STATED.sub("", " ".join(statement.split()))
    return said[:1].upper() + said[1:]


def opposes(
    statement: str, passage: str, *, of_statement: Setting = NOWHERE, of_passage: Setting = NOWHERE
) -> str | None:
    """Return why a sentence of the passage cannot be true beside the statement, or None. A passage that only supposes
    something contradicts nothing.

    What is denied of one thing is denied wherever it is said. Two figures exclude each other only if both are known to
    speak of the same thing: another document may have counted something else.
    """
    said = content(statement)
    for start, end in statements(passage):
        sentence = _ASSERTED.sub("", " ".join(passage[start:end].split()))
        alike = compare(sentence, said, of_first=_ONE, of_second=_ONE)
        if alike.relation != "excludes" or not aligned(alike, sentence, said):
            continue
        if alike.decisive is not None and alike.decisive.kind in _DENIED:
            return alike.reason
        found = compare(sentence, said, of_first=of_passage, of_second=of_statement)
        if found.relation == "excludes":
            return found.reason
    return None


def aligned(found: Comparison, one: str, other: str) -> bool:
    """Return whether two sentences that exclude each other speak of the same subject, measure, comparison and period:
    apart from what excludes, at most one of them says more than the other. "31 ms in the placebo group" and "25 ms in
    the drug group" both say more, though a placebo is a kind of drug."""
    met = " ".join(f"{p.first} {p.second}" for p in found.aligned if p.how not in ("broader", "narrower"))
    met += " ".join(f" {difference.first} {difference.second}" for difference in found.differences)
    known = _named(met)
    return not (_named(one) - _named(other) - known and _named(other) - _named(one) - known)


def _named(text: str) -> frozenset[str]:
    return frozenset(t.stem for t in tokens(text) if t.stem not in lexicon.STOP and not t.stem.isdigit())
