"""A claim that has nearly all words of a sentence and says another thing: roles exchanged, a narrowing word dropped,
values told the wrong way round, words added that the sentence lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from veritas.meaning.relation import Difference
from veritas.text import wordnet
from veritas.text.stop_words import FUNCTION_WORDS
from veritas.text.tokens import Token, tokens

COVERED = 0.8
"""Least share of the words before an addition that stand in the sentence."""
LEAST = 3
"""Least number of those words."""

_LIKE = re.compile(r"(?i)\b(?:like|unlike)\s+(?:the\s+)?[`\"'“]?(\w[\w-]*)[`\"'”]?(?=\s*[,.;])")
_NARROW = re.compile(
    r"(?i)\b(contiguous|continental|conterminous|mainland|unit|marginal|proposed|draft|alleged|active|surviving|"
    r"would-be|acting|former|interim)\s+([A-Za-z]{4,})"
)
_PLANNED = re.compile(
    r"(?i)\b(?:a |the )?(proposals?|drafts?|plans?|bills?|petitions?|calls?|requests?|bids?) "
    r"(?:for|of) (?:an? |the |new )*([a-z]{4,})"
)
_COMPOUND = re.compile(r"\w+-\w+")
_EXCLUDING = re.compile(r"(?i)\((?:excluding|excl\.|without|not counting|except|other than)\s+([^()]{3,60})\)")
_FIGURE = r"[-−–]?\d[\d,]*(?:\.\d+)?"
_FROM_TO = re.compile(rf"(?i)\bfrom\s+\D{{0,3}}({_FIGURE})\D{{0,30}}?\s+to\s+\D{{0,3}}({_FIGURE})")
_AGAINST = re.compile(
    rf"(?i)(?<![\w.,-])({_FIGURE})\D{{0,40}}?(?:\bagainst|\bcompared (?:to|with)|\b(?:up|down) from|\bafter|\bversus)"
    rf"\s+\D{{0,3}}?({_FIGURE})"
)
_BRACKETED = re.compile(rf"(?<![\w.,])({_FIGURE})[^()\d]{{0,30}}\((?:[^()]{{0,20}}:\s*)?({_FIGURE})[^()\d]{{0,20}}\)")
_RISE = re.compile(r"(?i)\b(?:grew|rose|increased|improved|climbed|went up|gained|jumped|expanded)\W+from\b")
_ONLY = re.compile(
    r"(?i)([^.;:,()]*?)\b(?:only|solely|exclusively)\s+"
    r"((?:from|in|by|on|at|via|through|to|for|under|with|during)\s+[^.;:()]{2,60})"
)
"""What is so only there: the words in front of "only", and the place, time or means behind it."""
_MIGHT = re.compile(
    r"(?i)\b(would|could|might)\s+(?:\w+ly\s+|also\s+|not\s+|then\s+)*(?:have\s+)?(?:be\s+)?([a-z]{3,})"
)
_UNSURE = re.compile(
    r"(?i)\b(?:would|could|might|may|can|cannot|should|if|propos\w+|plan\w*|suggest\w*|intend\w*|"
    r"aim\w*|hop(?:e|ed|es)|"
    r"expect\w*|possib\w+|potential\w*|likely|seek\w*|sought|allow\w*|enabl\w*|able|going to|due to|will|to be)\b"
)
_EVEN = re.compile(
    r"(?i)\b(?:even (?:if|when|though|without|with)|regardless of|whether or not|irrespective of|no matter)\b"
)
_GIVEN = re.compile(r"(?i)\b(?:if|when|whenever|unless|provided|only with)\b")
_BASE = re.compile(
    r"(?i)\b(?:(?:measured |counted )?from (?:its|their|the) (?:\w+ )?(?P<base>base|foot|floor|bottom|start)|"
    r"by (?:\w+ )?(?P<by>area|volume|population|length|revenue|weight|mass|value|size|height|land area|market share)|"
    r"per (?P<per>capita|head|person|unit|seat|hectare|employee)|in (?:relative|absolute|real|nominal) (?P<in>terms)|"
    r"(?P<adj>adjusted|relative to|in proportion to|for its size))\b"
)
_COMPARED = re.compile(
    r"(?i)\b(?:than|most|least|(?!(?:rest|best|test|west|east|forest|interest|request)\b)\w{3,}est)\b"
)
_HALVES = re.compile(r"(?i)(?:,\s*(?:and|while|whereas|but)\s+|;\s+)")
_TAIL = re.compile(
    r"(?i)(?:,\s+(?:and\s+|but\s+|with\s+|including\s+|mostly\s+|(?:most|many|some|half|all|none|few) of (?:them|whom|"
    r"which)\s+)|\s+and\s+)"
)
_HARMLESS = FUNCTION_WORDS | frozenset(
    "also approximately roughly around total overall altogether then currently namely respectively one two people "
    "called named known just still even later both about against versus without".split()
)


def overdrawn(claim: str, sentence: str) -> Difference | None:
    """Return how a claim says another thing, or more, than a sentence that has most of its words, as a doubt; None if
    none is found."""
    return next(_found(claim, sentence), None)


def _found(claim: str, sentence: str) -> Iterator[Difference]:
    mine, theirs = _LIKE.search(claim), _LIKE.search(sentence)
    other = mine and theirs and mine[1].lower() != theirs[1].lower()
    if mine and theirs and other and _says(claim, theirs[1]):
        yield Difference("role", theirs[0], mine[0], False)
    for pattern in (_NARROW, _PLANNED):
        for found in pattern.finditer(sentence):
            rest = _COMPOUND.sub(" ", sentence[: found.start()] + " " + sentence[found.end() :])
            if _says(claim, found[2]) and not _says(claim, found[1]) and not _says(rest, found[2]):
                yield Difference("scope", found[0], found[2], False)
    for found in _EXCLUDING.finditer(sentence):
        before = [token.stem for token in tokens(sentence[: found.start()]) if token.lower not in FUNCTION_WORDS]
        if before and before[-1] in _stems(claim) and not _stems(found[1]) & _stems(claim):
            yield Difference("exception", found[0], before[-1], False)
    yield from _bounded(claim, sentence)
    yield from _values(claim, sentence)
    if _crossed(claim, sentence):
        yield Difference("role", sentence[:60], claim[:60], False)
    yield from _more(claim, sentence)


def _bounded(claim: str, sentence: str) -> Iterator[Difference]:
    """Yield what a sentence says only of one place, in a case, as possible, or by one measure, and a claim at large."""
    own = _stems(claim)
    for found in _ONLY.finditer(sentence):
        said, place = _stems(found[1]), found[2].strip()
        named = any(word.lower() in claim.lower() for word in re.findall(r"\w*[_/.]\w+|[A-Z]{3,}", place))
        plain = _stems(re.sub(r"\w*[_/.]\w+", " ", place))
        if said and said <= own and own - said and not named and not plain & own:
            yield Difference("exception", f"only {place}", "", False)
    if not _UNSURE.search(claim):
        for found in _MIGHT.finditer(sentence):
            rest = sentence[: found.start()] + " " + sentence[found.end() :]
            if _says(claim, found[2]) and not _says(rest, found[2]):
                yield Difference("modality", found[0], found[2], False)
    even = _EVEN.search(claim)
    if even and not _EVEN.search(sentence) and _GIVEN.search(sentence):
        yield Difference("exception", "", even[0], False)
    base = _BASE.search(sentence) if _COMPARED.search(claim) else None
    if base is not None:
        word = next(group for group in base.groups() if group)
        if not _says(claim, word.split()[0]):
            yield Difference("comparison", base[0], "", False)


def _values(claim: str, sentence: str) -> Iterator[Difference]:
    """Yield that the value of the year before, in brackets, is told as the later one."""
    changed = _FROM_TO.search(claim)
    if changed and _RISE.search(claim):
        before, after = _number(changed[1]), _number(changed[2])
        if before is not None and after is not None and before > after >= 0:
            yield Difference("comparison", "", changed[0], False)
    against = _AGAINST.search(claim)
    for found in _BRACKETED.finditer(sentence):
        now, then = found[1], found[2]
        turned = changed and (changed[1], changed[2]) == (now, then)
        if turned or (against and (against[1], against[2]) == (then, now)):
            yield Difference("comparison", found[0], (changed or against or found)[0], False)


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", "").replace("−", "-").replace("–", "-"))
    except ValueError:
        return None


def _crossed(claim: str, sentence: str) -> bool:
    """Return whether two things that a sentence tells in two halves are exchanged."""
    mine, theirs = _HALVES.split(claim), _HALVES.split(sentence)
    if len(mine) != 2 or len(theirs) != 2:
        return False
    one, two = _stems(theirs[0]) - _stems(theirs[1]), _stems(theirs[1]) - _stems(theirs[0])
    halves = [_stems(half) for half in mine]
    apart = [halves[0] - halves[1], halves[1] - halves[0]]
    if any(half - one - two for half in apart):
        return False
    return all(half & one and half & two for half in apart)


def _more(claim: str, sentence: str) -> Iterator[Difference]:
    """Yield what a claim adds behind or between the words of a sentence."""
    told = _bases(sentence)
    for found in _TAIL.finditer(claim):
        head, tail = _content(claim[: found.start()]), _content(claim[found.end() :])
        covered = sum(not told.isdisjoint(_forms(token)) for token in head)
        near = bool(tail) and len(head) >= LEAST and covered >= COVERED * len(head)
        if near and all(not _number_of(token) and _absent(token, told) for token in tail):
            yield Difference("addition", "", claim[found.start() :].strip(" ,."), False)
    own, there = tokens(claim), [token.stem for token in tokens(sentence)]
    beside = set(pairwise(there))
    for (before, token), (_, after) in pairwise(pairwise(own)):
        bare = token.lower not in _HARMLESS and not _number_of(token) and token.lower == token.text
        between = (before.stem, after.stem) in beside and after.lower not in FUNCTION_WORDS
        if between and (bare or token.lower in ("much", "far")) and _absent(token, told):
            yield Difference("addition", "", token.text, False)


def _number_of(token: Token) -> bool:
    return token.is_number or token.text[0].isdecimal()


def _content(text: str) -> list[Token]:
    return [token for token in tokens(text) if token.lower not in _HARMLESS]


def _forms(token: Token) -> frozenset[str]:
    return frozenset((token.stem, token.lower)) | wordnet.lemmas(token.text)


def _absent(token: Token, told: frozenset[str]) -> bool:
    """Return whether no word told is a form of a word, one of its meaning, above or beneath it, or derived from it."""
    forms = _forms(token)
    return told.isdisjoint(forms) and not any(
        wordnet.synonyms(base, other) or wordnet.broader(base, other) or wordnet.broader(other, base)
        or wordnet.derived(base, other)
        for base in forms
        for other in told
    )  # fmt: skip


def _bases(text: str) -> frozenset[str]:
    return frozenset(form for token in tokens(text) for form in _forms(token))


def _stems(text: str) -> frozenset[str]:
    return frozenset(token.stem for token in tokens(text) if token.lower not in FUNCTION_WORDS)


def _says(text: str, word: str) -> bool:
    return not _bases(text).isdisjoint(_bases(word))
