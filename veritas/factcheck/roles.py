"""Whether a sentence says a thing of whom the statement says it of: subjects, and who does what to whom."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veritas.factcheck.paraphrases import forms
from veritas.factcheck.rows import is_row
from veritas.meaning.embedded.claim_evidence import Statement
from veritas.text import wordnet
from veritas.text.stop_words import FUNCTION_WORDS
from veritas.text.tokens import Token

_PIVOTS = re.compile(
    r"(?i)\b(?:at the (?:cost|expense|price) of|in exchange for|instead of|rather than|in place of|"
    r"compared (?:to|with)|than|for|into|because|since|before|after|unlike)\b"
)
"""Words of grammar whose two sides are not each other's: "A at the cost of B"."""
_DENYING = re.compile(r"(?i)\b(?:instead of|rather than|in place of)\s+")
_AWAY = re.compile(
    r"(?i)\b(?:instead of|rather than|in place of|without|not|no|no longer|unlike|replac\w+|than|over|versus|vs)\b"
)
_BY = re.compile(r"(?i)\s+(?:by|with the help of)\s+")
_BE = re.compile(r"(?i)\b(?:is|are|was|were|be|been|being|get|gets|got)\s+(?:\w+\s+){0,2}\Z")
_ADJUNCT = frozenset(
    "in on at of during from with under over among within across near about against per by as via since until".split()
)
_REFERS = re.compile(
    r"(?i)\b(?:it|its|they|their|them|he|she|his|her|this|these|those|that|such|we|our|you|your|both|which|who)\b"
)
_REACH = 6
"""Words behind "by" or "instead of" among which what it governs stands."""


def astray(claim: Statement, near: Sequence[Statement], page: str, title: str) -> str:
    """Return why sentences that have the words of a claim do not say it of the same things; "" if nothing tells.

    `near` are the sentences that tell most of the claim, the best first, `page` is the page's text, `title` its title.
    What is found stops a support and contradicts nothing.
    """
    return _other_subject(claim, near, page, title) or next(_exchanged(claim, near[0]), "")


def _other_subject(claim: Statement, near: Sequence[Statement], page: str, title: str) -> str:
    """Return why a figure or a predicate is another's: a name of the statement stands on the page, but not where it
    is said. A sentence that means it by a pronoun, and the page's own subject, need not name it."""
    rows = [one for one in near if is_row(one.text)]
    figures = {q.written for q in claim.quantities if q.text.casefold() not in _ONE and q.kind != "year"
               and q.unit != "day"}  # fmt: skip
    full = [one for one in near if figures and figures <= {q.written for q in one.quantities}]
    first = next((t.start for t in claim.tokens if t.lower not in FUNCTION_WORDS), -1)
    for name in _names(claim):
        # The subject of a figure is named where the figure stands.
        where = near[:1] if rows and near[0] in rows else full[:1] if full and name.start == first else near
        if not rows and any(_REFERS.search(one.text) for one in where):
            continue
        held = {form for one in where for token in one.tokens for form in forms(token.text)}
        said = " ".join(one.text for one in where).casefold()
        word = name.text.casefold().removesuffix("'s").removesuffix("’s")
        if word in said or not held.isdisjoint(forms(name.text)) or word in title.casefold():
            continue
        if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", page.casefold()):
            return f"the source does not say it of “{name.text}” there"
    return ""


def _names(statement: Statement) -> Iterator[Token]:
    """Yield the names in front of the first verb of a statement: words with a capital inside a sentence, with a capital
    or a digit within, or that no dictionary has."""
    for token in statement.tokens:
        if token.lower in FUNCTION_WORDS or token.is_number:
            if _VERB.fullmatch(token.lower):
                return
            continue
        name = token.text
        inner = token.start > 0 and name[0].isupper()
        odd = any(c.isupper() or c.isdecimal() for c in name[1:])
        unknown = len(name) > 2 and name.isascii() and name.isalpha() and not wordnet.parts_of_speech(name)
        if inner or odd or (unknown and not wordnet.lemmas(name) - {name.lower()}):
            yield token
        elif token.start > 0 and wordnet.parts_of_speech(name) == frozenset(("v",)):
            return


_VERB = re.compile(r"is|are|was|were|has|have|had|can|cannot|could|will|would|does|do|did|may|might|must|should")


def _exchanged(claim: Statement, other: Statement) -> Iterator[str]:
    """Yield why two sentences with the same words say different things of them."""
    yield from _given_up(claim, other)
    pivots = [(m.group().casefold(), m.start(), m.end(), False) for m in _PIVOTS.finditer(claim.text)]
    pivots += [(t.stem, t.start, t.end, True) for t in claim.content if _may_be_verb(t)]
    for key, start, end, verb in pivots:
        found = list(_places(key, verb, other))
        if len(found) != 1:
            continue
        first, last = found[0]
        left, right = _side(claim, 0, start), _side(claim, end, len(claim.text))
        their_left, their_right = _side(other, 0, first), _side(other, last, len(other.text))
        if verb:
            by = [bool(_BY.match(text, at)) for text, at in ((claim.text, end), (other.text, last))]
            if by[0] != by[1] and not _participle_at(claim if by[0] else other, start if by[0] else first):
                continue
            if by[0] != by[1]:
                agent = _words_behind(claim if by[0] else other, end if by[0] else last)
                object_ = right if by[1] else their_right
                if agent & object_ and not (agent & (left if by[1] else their_left)):
                    yield f"who does it and to what it is done (“{claim.text[start:end]}”) is exchanged there"
                continue
            if _acts(claim, start, end) and _acted_on(claim, start, other, last) and not _BE.search(claim.text[:start]):
                yield f"who does it and to what it is done (“{claim.text[start:end]}”) is exchanged there"
                continue
            passive = [bool(_BE.search(t)) for t in (claim.text[:start], other.text[:first])]
            if passive[0] != passive[1]:
                continue
        mine, theirs = left - right, right - left
        if mine & (their_right - their_left) and theirs & (their_left - their_right):
            yield f"what stands before and behind “{claim.text[start:end]}” is exchanged there"


def _acts(claim: Statement, start: int, end: int) -> bool:
    """Return whether a verb of a claim has an object right behind it."""
    behind = next((t for t in claim.tokens if t.start >= end and t.lower not in ("the", "a", "an")), None)
    return behind is not None and behind.lower not in FUNCTION_WORDS and not behind.is_number


def _acted_on(claim: Statement, start: int, other: Statement, last: int) -> bool:
    """Return whether what acts in a claim is the object right behind the same verb in a sentence, and not before it."""
    actor = next((t for t in reversed(claim.tokens) if t.end <= start and t.lower not in FUNCTION_WORDS), None)
    object_ = next((t for t in other.tokens if t.start >= last and t.lower not in ("the", "a", "an")), None)
    if actor is None or object_ is None or actor.is_number or actor.stem != object_.stem:
        return False
    return not any(t.stem == actor.stem and t.end < last for t in other.tokens)


def _given_up(claim: Statement, other: Statement) -> Iterator[str]:
    """Yield what a statement puts aside ("instead of einsum") and a sentence does not."""
    for found in _DENYING.finditer(claim.text):
        aside = _words_behind(claim, found.start() + len(found[0].rstrip()), 1)
        tokens = [t for t in other.tokens if t.stem in aside]
        if tokens and not any(_AWAY.search(other.text[max(0, t.start - 40) : t.start]) for t in tokens):
            yield f"the source does not say “{found[0].strip()} {tokens[0].text}”"


_ONE = frozenset(("one", "a", "an"))
_SAYING = frozenset("say said tell told write wrote written state note add report ask explain call name put".split())
"""Verbs that stand before or behind what is said."""


def _may_be_verb(token: Token) -> bool:
    if not token.text[0].islower() or token.is_number or "v" not in wordnet.parts_of_speech(token.text):
        return False
    return _SAYING.isdisjoint(wordnet.lemmas(token.text))


def _is_participle(token: Token) -> bool:
    return token.lower not in wordnet.lemmas(token.text, "v") or token.lower.endswith(("ed", "en", "wn"))


def _participle_at(statement: Statement, at: int) -> bool:
    return any(token.start == at and _is_participle(token) for token in statement.tokens)


def _places(key: str, verb: bool, other: Statement) -> Iterator[tuple[int, int]]:
    if verb:
        yield from ((t.start, t.end) for t in other.content if t.stem == key and _may_be_verb(t))
        return
    yield from ((m.start(), m.end()) for m in re.finditer(rf"(?i)\b{re.escape(key)}\b", other.text))


def _side(statement: Statement, start: int, end: int) -> frozenset[str]:
    """Return the stems of the words of content of a stretch, without adjuncts, which may stand on either side."""
    found, adjunct = set(), False
    for token in statement.tokens:
        if not start <= token.start < end:
            continue
        if token.lower in FUNCTION_WORDS:
            adjunct = token.lower in _ADJUNCT or (adjunct and token.lower in ("the", "a", "an", "and", "its", "their"))
        elif not token.is_number and not adjunct:
            found.add(token.stem)
    return frozenset(found)


def _words_behind(statement: Statement, at: int, most: int = _REACH) -> frozenset[str]:
    behind = [t for t in statement.tokens if t.start >= at and t.lower not in FUNCTION_WORDS and not t.is_number]
    return frozenset(t.stem for t in behind[:most])
