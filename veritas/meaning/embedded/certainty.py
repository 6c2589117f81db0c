"""Certainty: claims that say something more often, of more, or more surely than the sentence that has their words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from veritas.meaning.embedded.claim_evidence import Statement, met
from veritas.meaning.embedded.conflicts import clause
from veritas.meaning.embedded.edits import substitutions
from veritas.meaning.embedded.scope import Objection
from veritas.text import lexicon
from veritas.text.tokens import Token

Sort = Literal["how surely", "how many", "how known"]

_RARE, _SOME, _MANY, _MOST, _ALL = range(5)
_WORDS: dict[Sort, tuple[str, str, str, str, str]] = {
    "how surely": (
        "rarely seldom hardly scarcely infrequently",
        "may might can could sometimes occasionally possibly perhaps potentially conceivably",
        "often frequently commonly regularly likely probably presumably should",
        "usually mostly mainly generally typically normally",
        "always will shall must never certainly definitely undoubtedly inevitably invariably necessarily surely "
        "unfailingly constantly whenever everywhere",
    ),
    "how many": (
        "few", "some", "many several numerous multiple", "most", "all every each any everyone everybody everything",
    ),
    "how known": (
        "", "suggest suggests suggested appear appears seem seems seemed suspected thought believed", "", "",
        "prove proves proved proven proof guaranteed guarantees",
    ),
}  # fmt: skip
_GRADES: dict[str, tuple[Sort, int]] = {
    word: (sort, grade) for sort, rows in _WORDS.items() for grade, row in enumerate(rows) for word in row.split()
}
_PHRASES: dict[tuple[str, ...], tuple[Sort, int] | None] = {
    ("a", "few"): ("how many", _SOME), ("at", "most", "one"): ("how many", _RARE),
    ("no", "more", "than", "one"): ("how many", _RARE), ("not", "more", "than", "one"): ("how many", _RARE),
    ("almost", "never"): ("how surely", _RARE), ("hardly", "ever"): ("how surely", _RARE),
    ("almost", "always"): ("how surely", _MOST), ("nearly", "always"): ("how surely", _MOST),
    ("almost", "all"): ("how many", _MOST), ("nearly", "all"): ("how many", _MOST),
    ("almost", "every"): ("how many", _MOST), ("nearly", "every"): ("how many", _MOST),
    ("without", "exception"): ("how many", _ALL), ("at", "all"): None, ("after", "all"): None, ("above", "all"): None,
    ("first", "of", "all"): None, ("at", "most"): None, ("at", "some"): None, ("can", "not"): None,
    ("thought", "to"): ("how known", _SOME),
}  # fmt: skip
"""Phrases that grade otherwise than their words do alone; None: not at all."""
_LONGEST = max(map(len, _PHRASES))
_NOUNS = frozenset(("may", "might", "can", "will", "must", "thought"))
_OWNERS = frozenset("a an the his her its their our my your free good last own".split())
_AFTER, _BEFORE = 3, 2
"""Most content words behind, and before, a word of certainty that it may speak of."""


class Grade(NamedTuple):
    """A word of certainty: its sort, its grade from `_RARE` to `_ALL`, and its text."""

    sort: Sort
    grade: int
    text: str


def overstated(claim: Statement, statement: Statement) -> Objection | None:
    """Return an objection to the claim's word of certainty where the sentence has a weaker one; None otherwise. "may"
    made "always" and "some" made "most" are silent; "rarely" made "often" says the opposite. A hedge merely left out is
    no objection."""
    for ours, others in substitutions(claim, statement):
        put, taken = list(_grades(claim, None, ours)), list(_grades(statement, None, others))
        if put and taken and (found := _beyond(put, taken)):
            return found
        if put and (found := _beyond_share(put, statement, others)):
            return found
    return _beyond(list(_grades(claim, statement)), list(_grades(statement, claim)))


def _beyond(mine: list[Grade], theirs: list[Grade]) -> Objection | None:
    for strong in mine:
        if any(g.sort == strong.sort and g.grade >= strong.grade for g in theirs):
            continue
        for weak in theirs:
            kept = any(g.sort == weak.sort and g.grade <= weak.grade for g in mine)
            if not kept and _too_far(weak.grade, strong.grade):
                opposed = weak.grade == _RARE and strong.text.lower() != "never"
                why = f"the passage says only {weak.text!r} where the claim says {strong.text!r}"
                return Objection("refutes" if opposed else "silent", why)
    return None


def _beyond_share(mine: list[Grade], statement: Statement, among: range) -> Objection | None:
    """Return an objection to "all of them" where the sentence has "40% of them", or "most" where it has less than
    half."""
    words = statement.tokens[among.start : among.stop]
    for share in statement.quantities:
        stands = share.unit == "%" and share.bound == "=" and any(share.start <= t.start < share.end for t in words)
        for strong in mine if stands else ():
            most = 100 if strong.grade == _ALL else 50 if strong.grade == _MOST else 0
            if strong.sort == "how many" and share.high < most:
                why = f"the passage says {share.text!r} where the claim says {strong.text!r}"
                return Objection("refutes", why)
    return None


def _too_far(weak: int, strong: int) -> bool:
    return strong > weak and (strong == _ALL or (strong == _MOST and weak <= _SOME) or weak == _RARE < _MANY <= strong)


def _grades(statement: Statement, other: Statement | None, among: range | None = None) -> Iterator[Grade]:
    """Yield the words of certainty among these words that speak of something the other statement, if given, speaks
    of."""
    words, at = statement.tokens, among.start if among else 0
    while at < (among.stop if among else len(words)):
        size, found = _graded(words, at)
        if found is not None and (other is None or _speaks(statement, at, size, other)):
            yield Grade(*found, " ".join(t.text for t in words[at : at + size]))
        at += size


def _graded(words: list[Token], at: int) -> tuple[int, tuple[Sort, int] | None]:
    for size in range(_LONGEST, 1, -1):
        phrase = tuple(t.lower for t in words[at : at + size])
        if phrase in _PHRASES:
            return size, _PHRASES[phrase]
    word = words[at]
    if word.lower in _NOUNS and at and (words[at - 1].lower in _OWNERS or word.text[0].isupper()):
        return 1, None
    if word.lower == "may" and at + 1 < len(words) and words[at + 1].is_number:
        return 1, None
    if word.lower == "most" and at and (words[at - 1].lower == "the" or words[at - 1].stem == "be"):
        return 1, None  # a superlative
    found = _GRADES.get(word.lower)
    if found is not None and found[1] > _SOME and at and _denies(words[at - 1]):
        return 1, (found[0], _SOME)  # "not all", "not often"
    return 1, found


def _denies(word: Token) -> bool:
    return word.lower in ("not", "cannot", "hardly") or word.lower.endswith(lexicon.CONTRACTED)


def _speaks(statement: Statement, at: int, size: int, other: Statement) -> bool:
    """Return whether one of the next content words in its clause, or else of the last ones before it, is also in the
    other."""
    start, end = clause(statement, at)
    after = [t for t in statement.tokens[at + size : end] if _says(t)][:_AFTER]
    before = [t for t in statement.tokens[start:at] if _says(t)][-_BEFORE:]
    return any(met(t, other.vocabulary, other.prefixes, {}) for t in after or before)


def _says(token: Token) -> bool:
    return token.stem not in lexicon.STOP and token.lower not in _GRADES
