"""Whether a sentence says a statement with its own words in its own order, and leaves some words in between out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veritas.meaning.compare import compare_passage
from veritas.meaning.embedded import retraction
from veritas.meaning.embedded.claim_evidence import Statement
from veritas.meaning.relation import Setting
from veritas.text.stop_words import FUNCTION_WORDS
from veritas.text.tokens import Token

LEAST = 3
"""Words of content that a statement must have: fewer stand in that order by chance."""
_TURNING = frozenset(
    "not no never none nothing nobody neither nor cannot without except unless until if whether hardly barely rarely "
    "seldom only all every always most more less fewer least both before after first last may might could would should "
    "will must can than instead rather but although though because unlike against despite "
    "some few many several often sometimes usually mostly almost nearly up down over under".split()
)
"""Words of grammar that a statement and its source must have alike."""
_HEDGES = re.compile(
    r"(?i)\b(?:claim\w*|alleg\w+|rumou?r\w*|suppos\w+|hop(?:e[ds]?|ing)|plan(?:s|ned|ning)?|expect\w*|believ\w+|"
    r"propos\w+|fail\w*|den(?:y|ies|ied)|refus\w+|reject\w*|unlikely|doubt\w*|myth|wrong\w*|false\w*|suggest\w*|"
    r"wish\w*|want\w*|intend\w*|ask\w*|call\w* for|once|former\w*|used to|no longer|deprecated)\b"
)


_CONDITIONS = re.compile(
    r"(?i)\b(?:if|unless|whether|provided|except|only|not|never|no|nor|nobody|few|rarely|seldom)\b"
)
_BEHIND = re.compile(r"(?i)[\s,;(–—-]*(?:if|unless|except|only|provided|until|but not|or not|was wrong|is wrong)\b")


def qualified(sentence: str, claim: str) -> bool:
    """Return whether a sentence that has a claim word for word says it under a condition, a denial or a hope."""
    at = sentence.casefold().find(claim.casefold())
    before, behind = sentence[: max(at, 0)], sentence[max(at, 0) + len(claim) :]
    clause = re.split(r"[;:.]|,\s+(?:and|but)\s", before)[-1]
    return bool(_HEDGES.search(clause) or _CONDITIONS.search(clause) or _BEHIND.match(behind))


def in_order(claim: Statement, sentence: Statement, window: str) -> bool:
    """Return whether a sentence has every word of content of a claim in the claim's order, the same words of grammar
    that turn a sentence over, and no hedge of its own. `window` is the sentence with those beside it."""
    wanted = [t for t in claim.tokens if t.lower not in FUNCTION_WORDS]
    if len(wanted) < LEAST or sentence.text.rstrip().endswith("?"):
        return False
    there = [t for t in sentence.tokens if t.lower not in FUNCTION_WORDS]
    at, matched = 0, []
    for token in wanted:
        found = next((i for i in range(at, len(there)) if _same(token, there[i])), None)
        if found is None:
            return False
        matched.append(there[found])
        at = found + 1
    if _grammar(claim.tokens) != _grammar(sentence.tokens, matched[-1]):
        return False
    if _HEDGES.search(sentence.text) and not _HEDGES.search(claim.text):
        return False
    if retraction.standing(claim.text, window) == "retracted":
        return False
    return compare_passage(sentence.text, claim.text, setting=Setting(document="the page")).decisive is None


def _same(mine: Token, other: Token) -> bool:
    return mine.stem == other.stem and mine.is_number == other.is_number


def _grammar(words: Sequence[Token], last: Token | None = None) -> list[str]:
    """Return the words of grammar that turn a sentence over, those behind the last matched word left out."""
    return sorted(
        t.lower for t in words
        if (t.lower in _TURNING or t.lower.endswith(("n't", "n\u2019t"))) and (last is None or t.start <= last.start)
    )
