"""Edits: a claim that is nearly a sentence of the passage, word for word, and the few words that differ."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from veritas.meaning.embedded.claim_evidence import Said, Statement, weight
from veritas.meaning.embedded.conflicts import Conflict
from veritas.text import lexicon
from veritas.text.numerals import NUMBER_WORDS, in_digits
from veritas.text.quantity_relation import relation
from veritas.text.tokens import Token

NEARLY = 0.8
"""Least share of the claim's words that must stand in the sentence in the claim's order; of a short claim, all but
one."""
MIN_WORDS = 3
INSERTED = 4
"""Words beyond which a stretch that only the sentence has is a part the claim left out; a negation in it denies
something else."""
_POINTED = re.compile(r"\d{1,3}(?:\.\d{3}){2,}")
"""A number with points between its thousands: "1.250.000"."""
_TIMES = {"once": "one", "twice": "two", "thrice": "three"}
SAYS = 1.4
"""Least weight (see `claim_evidence.weight`) at which a word put in the place of another changes what is said."""


class Edits(NamedTuple):
    """The edits between claim and sentence. `matched` is the share of the claim's words kept, in order. `conflicts`
    turn the sentence round; `swapped` puts one thing in the place of another ("in mice", "in humans"), which is neither
    support nor refutation."""

    matched: float
    conflicts: tuple[Conflict, ...]
    swapped: Conflict | None


def edits(claim: Statement, statement: Statement) -> Edits | None:
    """Return the edits between them; None if the claim is not nearly a part of the sentence."""
    matcher = _nearly(claim, statement)
    if matcher is None:
        return None
    blocks = [b for b in matcher.get_matching_blocks() if b.size]
    first, last = blocks[0].b, blocks[-1].b + blocks[-1].size
    conflicts: list[Conflict] = []
    swapped: Conflict | None = None
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal" or (kind == "insert" and not first < c < last):
            continue
        said, others = claim.said[a:b], statement.said[c:d]
        if len(others) > len(said) + INSERTED:
            others = others[: len(said)] if said else []
        told = [relation(m.quantity, t.quantity) for m in said for t in others if m.quantity and t.quantity]
        if "different" not in told and not set(told) <= {"same", "close"}:
            one, two = (next(s.quantity.text for s in side if s.quantity) for side in (said, others))
            swapped = swapped or Conflict("number", one, two)
        if told:
            said, others = ([s for s in side if not s.quantity] for side in (said, others))
        ours, theirs = _words(claim, said), _words(statement, others)
        found = _conflict(claim, ours, statement, theirs)
        if "different" in told and "same" not in told and "close" not in told:
            one, two = (next(s.quantity.text for s in side[x:y] if s.quantity)
                        for side, x, y in ((claim.said, a, b), (statement.said, c, d)))  # fmt: skip
            found = Conflict("number", one, two)
        if found:
            conflicts.append(found)
        elif swapped is None and ours and theirs:
            swapped = _swap(ours, theirs, statement)
    return Edits(sum(b.size for b in blocks) / len(claim.said), tuple(conflicts), swapped)


def substitutions(claim: Statement, statement: Statement) -> list[tuple[range, range]]:
    """Return the places where a claim that is nearly a part of the sentence has other words, in the claim and in the
    sentence. Empty if it is not nearly a part of it."""
    matcher = _nearly(claim, statement)
    opcodes = matcher.get_opcodes() if matcher else ()
    return [
        (_places(claim.said[a:b]), _places(statement.said[c:d])) for kind, a, b, c, d in opcodes if kind == "replace"
    ]


def _places(said: Sequence[Said]) -> range:
    return range(said[0].first, said[-1].last + 1)


def _nearly(claim: Statement, statement: Statement) -> SequenceMatcher[str] | None:
    """Return the claim's words and quantities matched with the sentence's; None if it is not nearly a part of it."""
    mine, theirs = [s.key for s in claim.said], [s.key for s in statement.said]
    if len(mine) < MIN_WORDS or len(set(mine) & set(theirs)) < NEARLY * len(set(mine)) - 2:
        return None
    matcher = SequenceMatcher(None, mine, theirs, autojunk=False)
    kept = sum(b.size for b in matcher.get_matching_blocks())
    return matcher if kept >= min(NEARLY * len(mine), len(mine) - 1) else None


def _words(statement: Statement, said: Sequence[Said]) -> list[Token]:
    return [token for s in said for token in statement.tokens[s.first : s.last + 1]]


def _conflict(
    claim: Statement, ours: Sequence[Token], statement: Statement, others: Sequence[Token]
) -> Conflict | None:
    negated = [t for t in others if _negates(statement, t)]
    denies = [t for t in ours if _negates(claim, t)]
    if len(negated) % 2 != len(denies) % 2:
        if negated:
            return Conflict("negation", "", _text(statement, negated[0]))
        return Conflict("negation", _text(claim, denies[0]), "")
    for mine in ours:
        for theirs in others:
            if _slashed(claim, mine) == _slashed(statement, theirs) and _other_number(mine, theirs):
                return Conflict("number", mine.text, theirs.text)
            if theirs.stem in lexicon.ANTONYMS.get(mine.stem, ()):
                return Conflict("antonym", mine.text, theirs.text)
            for up, down in ((lexicon.UP, lexicon.DOWN), (lexicon.DOWN, lexicon.UP)):
                if mine.stem in up and mine.stem not in down and theirs.stem in down and theirs.stem not in up:
                    return Conflict("direction", mine.text, theirs.text)
    return None


def _other_number(mine: Token, theirs: Token) -> bool:
    """Return whether both are numbers, not the same, and neither is the other named more loosely ("2.1" and "2")."""
    one, two = (_TIMES.get(t.lower, t.lower) for t in (mine, theirs))
    if one == two or not (_numeric(mine) and _numeric(theirs)) or _part_of(one, two) or _part_of(two, one):
        return False
    if any(_POINTED.fullmatch(x) and x.replace(".", "") == y.replace(",", "") for x, y in ((one, two), (two, one))):
        return False
    if one[:1] == "0" or two[:1] == "0":
        ours, others = in_digits(one, 0), in_digits(two, 0)
        return ours is None or others is None or ours.value != others.value
    return True


def _slashed(statement: Statement, token: Token) -> bool:
    """Return whether it is part of a date or ratio: "13/05/2019"."""
    text = statement.text
    return "/" in (text[token.start - 1 : token.start], text[token.end : token.end + 1])


def _numeric(token: Token) -> bool:
    return token.is_number or token.lower in NUMBER_WORDS or token.lower in _TIMES or token.lower.startswith("0x")


def _part_of(whole: str, part: str) -> bool:
    """Return whether a version names the other more loosely ("2.1", "2"), or without the letter that its first part
    has."""
    return whole.startswith(f"{part}.") or (whole.count(".") > 1 and whole.endswith(f".{part}"))


def _negates(statement: Statement, token: Token) -> bool:
    return any(statement.tokens[i].start == token.start for i in statement.negations)


def _text(statement: Statement, token: Token) -> str:
    at = next(i for i, t in enumerate(statement.tokens) if t.start == token.start)
    return " ".join(t.text for t in statement.tokens[max(0, at - 1) : at + 3])


def _swap(ours: Sequence[Token], others: Sequence[Token], statement: Statement) -> Conflict | None:
    """Return the weightiest word of each side, where both say something and neither is a synonym of the other. One that
    the sentence has elsewhere is no word in the place of another, but one in another place."""
    mine = max(ours, key=lambda t: weight(t.stem))
    theirs = max(others, key=lambda t: weight(t.stem))
    if min(weight(mine.stem), weight(theirs.stem)) < SAYS or theirs.stem in lexicon.SYNONYMS.get(mine.stem, ()):
        return None
    if mine.stem[:4] == theirs.stem[:4]:
        return None
    return Conflict("place" if mine.stem in statement.stems else "word", mine.text, theirs.text)
