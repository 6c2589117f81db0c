"""How a statement's words are met by sentences of a page: by themselves, by words for the same thing, or by their
opposite."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from veritas.factcheck.paraphrases import alike, forms, opposites
from veritas.factcheck.rounding import SHARES, as_much, as_share
from veritas.meaning.embedded.claim_evidence import Statement, weight
from veritas.text import wordnet
from veritas.text.stop_words import FUNCTION_WORDS
from veritas.text.tokens import Token, tokens

EQUAL, ALIKE, NEAR, BROADER = 1.0, 0.85, 0.8, 0.6
"""How far a word is met: by a form of itself, another word for the same, a synonym or derivation, a broader one."""
LIGHT_WEIGHT = 0.6
"""Weight of a word that says little by itself."""
_LIGHT = frozenset(
    "according say said says find found take took get got make made have has had be is are was were do did go went "
    "come also now then there here way thing number time total roughly about around still so case part place overall "
    "well own however just even really simply actually itself themselves herself himself first altogether such certain "
    "given known called named able use used there's that's people person since total only".split()
)
TURNING = frozenset(
    "more less fewer higher lower larger smaller all every none no only first last before after both most least never "
    "always many few up down over under above below longer shorter still already yet same without".split()
)
"""Words of grammar that have opposites which turn a statement over."""
_DIRECTIONS = frozenset(("up", "down"))
_PLAIN = FUNCTION_WORDS - TURNING
"""Words of grammar that turn nothing over."""
_NEGATORS = frozenset(
    "not no never none nothing nobody neither nor cannot hardly barely refuse refused refuses denied denies "
    "failed unable nowhere".split()
)
_STILL = re.compile(r"(?i)\bstill\b")
_ENDED = re.compile(r"(?i)\b(?:no longer|any ?more)\b")
_LACKING = frozenset("without lack lacks lacked lacking".split())
"""Words that deny a thing, and mostly not what the sentence says of it: "two hospitals without such rooms"."""
_MORE_NEGATORS = re.compile(
    r"(?i)\b(?:rather than|instead of|far from|except|cleared of|free (?:of|from)|only (?:a )?few|zero(?=-))\b"
)
AVOIDING = re.compile(r"(?i)\b(?:avoid|skip|omit|bypass|spare|eliminat|prevent)\w*\b")
"""Verbs that deny what stands before or behind them: "the shell can be avoided" is "without a shell"."""
_NO_DENIAL = re.compile(r"(?i)\b(?:not only|no (?:more|less|fewer) than|not least|a few|no later than)\b")
_BREAK = re.compile(r"[,;:.!?()]|\b(?:and|but|because|which|who|while|whereas|although|though|since|so|that|than)\b")
SCOPE = 4
"""Words of content that a denial reaches."""


@dataclass(frozen=True)
class Word:
    """A word of the statement: its weight, how far it is met, 0 to 1, and the word that opposes it there, or ""."""

    token: Token
    weight: float
    met: float
    against: str = ""


@dataclass(frozen=True)
class Likeness:
    """The words of a statement against some sentences."""

    words: tuple[Word, ...]


def likeness(claim: Statement, sentences: Sequence[Statement]) -> Likeness:
    """Return how the words of a claim are met by sentences together. Numbers are left to whoever compares them."""
    there = _words(" ".join(s.text for s in sentences))
    vocabulary = frozenset(form for _, each in there for form in each)
    mine = frozenset(o for _, each in _words(claim.text) for form in each for o in (form, *alike(form)))
    found = []
    spans = [(q.start, q.end) for q in claim.quantities]
    for token, own in _words(claim.text):
        if any(start <= token.start < end for start, end in spans):
            continue
        turning = token.lower in TURNING
        if token.is_number or (token.lower in FUNCTION_WORDS and not turning):
            continue
        met = _met(token, own, there, vocabulary)
        against = ""
        if met < EQUAL:
            rivals = frozenset(o for form in own for o in opposites(form)) - mine
            against = next((t.text for t, each in there if not each.isdisjoint(rivals)), "")
            if met >= NEAR and not turning:
                against = ""
        if turning and not against:
            continue
        share = SHARES.get(token.lower)
        if share is not None and any(as_share(q, share) for sentence in sentences for q in sentence.quantities):
            met = EQUAL
        light = token.lower in _LIGHT or turning
        own_weight = LIGHT_WEIGHT if light else weight(token.stem)
        found.append(Word(token, own_weight, 0.0 if against else met, against))
    return Likeness(tuple(found))


class Turned(NamedTuple):
    """Words of a claim that a sentence turns over. `flips` are pairs of a word of the claim and the one of the sentence
    that it stands for, of which one is denied, or is the other's opposite, and not both. `even`: some are denied on
    both sides, or denied and the opposite."""

    flips: tuple[tuple[str, str], ...]
    even: bool

    @property
    def said(self) -> str:
        """What differs, in words."""
        mine, theirs = self.flips[0]
        if forms(mine) & forms(theirs) or any(alike(form) & forms(theirs) for form in forms(mine)):
            return f"“{mine}” is denied in one of statement and source, and not in the other"
        return f"the source says “{theirs}” where the statement says “{mine}”"


NUMBER = 5.0
"""Weight of a number of the claim, on the scale of words' weights."""


class Best(NamedTuple):
    """The sentence that tells most of a claim. `framed` is the share of the claim that it speaks of, 0 to 1, with
    numbers and opposites counted; `numbers`: it has all numbers of the claim."""

    statement: Statement
    framed: float
    numbers: bool
    turned: Turned


def best_of(claim: Statement, sentences: Sequence[Statement]) -> Best | None:
    """Return the one of some sentences that tells most of a claim; None of none."""
    numbers = [q for q in claim.quantities if q.text.casefold() not in ("one", "a", "an")]
    found: Best | None = None
    for sentence in sentences:
        words = likeness(claim, [sentence]).words
        held = [any(as_much(q, other, claim.text) for other in sentence.quantities) for q in numbers]
        total = sum(word.weight for word in words) + NUMBER * len(numbers)
        met = sum(w.weight * max(w.met, 0.9 * bool(w.against)) for w in words) + NUMBER * sum(held)
        framed = met / total if total else 0.0
        if found is None or framed > found.framed:
            found = Best(sentence, framed, all(held), turned(claim, sentence))
    return found


def turned(claim: Statement, sentence: Statement) -> Turned:
    """Return the words of a claim that a sentence turns over, by a denial or an opposite."""
    mine, theirs = _words(claim.text), _words(sentence.text)
    own_denied = _denied(claim.text, True)
    their_denied = _denied(sentence.text, bool(own_denied))
    own_forms = frozenset(o for _, each in mine for form in each for o in (form, *alike(form)))
    bounds = [_bounds(claim), _bounds(sentence)]
    theirs = tuple((t, each) for t, each in theirs if not _inside(t, bounds[1]))
    flips: list[tuple[str, str]] = []
    kept = 0
    for token, own in mine:
        if _inside(token, bounds[0]) or (token.lower in FUNCTION_WORDS and token.lower not in TURNING):
            continue
        others = frozenset(o for form in own for o in alike(form))
        against = frozenset(o for form in own for o in opposites(form)) - own_forms
        same = [(t, 0) for t, each in theirs if not each.isdisjoint(own)]
        same = same or [(t, 0) for t, each in theirs if not each.isdisjoint(others)]
        pairs = same or [(t, 1) for t, each in theirs if not each.isdisjoint(against)]
        if not pairs or (token.lower in TURNING - _DIRECTIONS and same):
            continue
        signs = {(kind + (token.start in own_denied) + (t.start in their_denied)) % 2 for t, kind in pairs}
        if signs == {1} and (pairs[0][1] or not pairs[0][0].text[0].isupper()):
            flips.append((token.text, pairs[0][0].text))
        elif token.start in own_denied or any(kind or t.start in their_denied for t, kind in pairs):
            kept += 1
    if any(AVOIDING.search(text) for text in (claim.text, sentence.text)) or crossed(claim, sentence):
        return Turned((), True)
    still = [bool(_STILL.search(text)) - bool(_ENDED.search(text)) for text in (claim.text, sentence.text)]
    if still[0] * still[1] < 0 and not flips:
        words = [_STILL.search(text) or _ENDED.search(text) for text in (claim.text, sentence.text)]
        return Turned(tuple((w[0], o[0]) for w, o in [words] if w and o), False)
    return Turned(tuple(flips) if not kept else (), kept > 0)


def crossed(claim: Statement, sentence: Statement) -> bool:
    """Return whether two comparisons have their sides exchanged: "A is slower than B", "B is faster than A"."""
    sides = [_sides(statement) for statement in (claim, sentence)]
    if not all(sides):
        return False
    (left, right), (their_left, their_right) = (pair for pair in sides if pair)
    turned = bool(left & (their_right - their_left)) and bool(right & (their_left - their_right))
    return turned and not right & (their_right - their_left)


def _sides(statement: Statement) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return the stems in front of "than" and behind it, without those on both sides; None without a comparison."""
    at = next((token.start for token in statement.tokens if token.lower == "than"), None)
    if at is None:
        return None
    left = frozenset(token.stem for token in statement.tokens if token.start < at)
    right = frozenset(token.stem for token in statement.tokens if token.start > at)
    return left - right, right - left


def _bounds(statement: Statement) -> list[tuple[int, int]]:
    """Return the stretches of the numbers with the words that bound them: "more than 400"."""
    return [(min(q.first, q.start), max(q.last, q.end)) for q in statement.quantities]


def _inside(token: Token, spans: Sequence[tuple[int, int]]) -> bool:
    return token.is_number or any(start <= token.start < end for start, end in spans)


@lru_cache(maxsize=8192)
def _denied(text: str, lacking: bool) -> frozenset[int]:
    """Return where the words begin that a denial of the text reaches. `lacking`: "without" and "lack" count too."""
    denying = _NEGATORS | _LACKING if lacking else _NEGATORS
    skipped = [m.span() for m in _NO_DENIAL.finditer(text)]
    ends = [t.end for t, _ in _words(text) if (t.lower in denying or t.lower.endswith(("n't", "n’t")))
            and not any(a <= t.start < b for a, b in skipped)]
    ends += [m.end() for m in _MORE_NEGATORS.finditer(text)]
    found: set[int] = set()
    for end in ends:
        stop = _BREAK.search(text, end)
        limit = stop.start() if stop and stop.start() > end else len(text)
        reach = [t.start for t, _ in _words(text) if end <= t.start < limit and t.lower not in _PLAIN]
        found.update(reach[:SCOPE])
    return frozenset(found)


@lru_cache(maxsize=8192)
def _words(text: str) -> tuple[tuple[Token, frozenset[str]], ...]:
    return tuple((token, forms(token.text)) for token in tokens(text))


def _met(
    token: Token, own: frozenset[str], there: Sequence[tuple[Token, frozenset[str]]], vocabulary: frozenset[str]
) -> float:
    if not own.isdisjoint(vocabulary):
        return EQUAL
    if any(not alike(form).isdisjoint(vocabulary) for form in own):
        return ALIKE
    if token.text[0].isupper() and token.start and weight(token.stem) >= 7:
        return 0.0
    best = 0.0
    for other, _ in there:
        if other.is_number or other.lower in FUNCTION_WORDS:
            continue
        best = max(best, _related(token.text, other.text))
        if best >= NEAR:
            break
    if best < BROADER and len(token.stem) >= 6 and any(f[:5] == token.stem[:5] for f in vocabulary):
        best = BROADER
    return best


@lru_cache(maxsize=1 << 16)
def _related(mine: str, other: str) -> float:
    if wordnet.synonyms(mine, other) or wordnet.derived(mine, other):
        return NEAR
    if wordnet.broader(other, mine) or wordnet.broader(mine, other):
        return BROADER
    return 0.0
