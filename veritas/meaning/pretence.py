"""Words of a passage by which it does not say what stands in it: a search that echoes, a quiz, satire, a supposition, a
correction."""

from __future__ import annotations

import re
from functools import lru_cache

from veritas.meaning.denied_beside import denied_beside, staged
from veritas.meaning.relation import Difference
from veritas.text import wordnet
from veritas.text.sentences import split_sentences
from veritas.text.stop_words import FUNCTION_WORDS
from veritas.text.tokens import tokens

HELD = 0.6
"""Least share of the claim's words in a sentence that makes it the place where the claim stands."""
NEAR = 300
"""Characters before and behind that place in which a quiz has its question and its answer."""
DENIED = 2
"""Least number of the claim's words that a correction takes up to be about the claim."""

_INVENTED = r"(?:satir(?:e|ical)|parod(?:y|ies)|spoof|fiction(?:al)?|fictitious|made[- ]up|invented|hoax|imaginary)"
_TEXT = r"(?:articles?|story|stories|news|site|website|page|post|text|piece|column|report|account|scenario|exercise)"
_LABEL = re.compile(
    rf"(?i)\b(?:this|the following|the above) {_TEXT}\W+(?:is|was|are)(?:\W+\w+){{0,3}}?\W+{_INVENTED}\b|"
    rf"\b(?:this|the following|it) is an? (?:\w+ )?{_INVENTED} {_TEXT}\b|"
    rf"(?:\A|\n)\s*[\[(]?(?:satire|parody|fiction)[\])]?\s*(?:\n|[:|·—–-])"
)
"""A label for the whole page."""
_SUPPOSED = re.compile(
    r"(?i)(?:\A|[.!?:;]\s+|\n)\W*(?:(?:let us|let['’]s|please|now|just)\s+)?(?:suppose|imagine|assume|pretend|say that|"
    r"consider the following|what if)\b|"
    r"\bin (?:the|this|that|our|a|an) (?:\w+ )?(?:scenario|exercise|novel|film|movie|simulation|short story|"
    r"thought experiment)\b|\bfor the sake of (?:the )?argument\b|\bhypothetically\b"
)
_ECHOED = re.compile(
    r"(?i)\b(?:you (?:have )?(?:searched|asked|looked) for|you (?:have )?(?:asked|entered)|"
    r"(?:search(?:ing)? |showing (?:\w+ ){0,3})?results? for|"
    r"search (?:query|term)s?|your (?:search|query|question)|no (?:results|matches|articles|pages) "
    r"(?:were )?(?:found )?for)\b\W*"
)
_ASKED = re.compile(
    r"(?i)\btrue or false\b|\bwhich of the following\b|\bmultiple choice\b|\?\s+\(?a[.)]\s|"
    r"\bwhich (?:\w+ )?(?:statement|claim|sentence)s? (?:is|are) (?:not )?(?:wrong|false|incorrect|true|correct|"
    r"right)\b"
)
"""Before a statement of a quiz, which may be a wrong answer."""
_ANSWER = re.compile(
    r"(?i)\b(?:correct|right) answer\b|\banswer:\s*(?:false|true|wrong|right|no|yes|\(?[a-e]\b)"
)
"""Behind it; the answer of a list of questions stands behind its mark."""
_CORRECTED = re.compile(
    r"(?i)\b(?:correction|corrected|erratum|editor['’]s note|clarification|update)\b[^.!?\n]{0,40}?[:.)\]–—-]\s*"
    r"|\b(?:an|the) (?:earlier|previous|original|first) version of this\b"
)
_WRONG = re.compile(
    r"(?i)\b(?:incorrect\w*|wrong\w*|mistaken\w*|in error|erroneous\w*|misstat\w+|false\w*|untrue|inaccurate\w*|"
    r"it (?:did|was|has|had|does|is) not|"
    r"(?:earlier|previous|original|first) version)\b"
)


def pretended(passage: str, claim: str, page: str = "") -> Difference | None:
    """Return the words by which a passage has a claim's words and does not say them, as a difference that is a doubt;
    None if it says them in one place without such words.

    A search page that echoes what was asked, a quiz, satire and fiction, a supposition, a statement that is
    corrected further on, and one that a fact check or the next sentences deny are known. `page` is the whole text that
    the passage stands in, if more is at hand.
    """
    wanted = _bases(claim)
    if not wanted:
        return None
    page = page or passage
    found = _page_wide(page, claim) or staged(page, claim) or _corrected(page, wanted)
    if found:
        return Difference("modality", found, "", False)
    spans = split_sentences(passage) or [(0, len(passage))]
    places = [at for at, (start, end) in enumerate(spans) if _share(wanted, passage[start:end]) >= HELD]
    framed = [_framed(passage, spans, at, claim) or _denied(page, passage, spans[at], claim) for at in places]
    if framed and all(framed):
        return Difference("modality", framed[0], "", False)
    return None


@lru_cache(maxsize=256)
def _labelled(page: str) -> str:
    found = _LABEL.search(page)
    return " ".join(found[0].split()) if found else ""


def _page_wide(page: str, claim: str) -> str:
    """Return the label by which a page says that it is made up, "" if it has none or the claim is about it."""
    label = _labelled(page)
    return "" if label and re.search(rf"(?i)\b{_INVENTED}\b", claim) else label


def _corrected(page: str, wanted: frozenset[str]) -> str:
    """Return a correction on a page that takes up words of a claim, "" if there is none."""
    for found in _CORRECTED.finditer(page):
        said = page[found.start() : found.start() + 2 * NEAR]
        about = said.split("\n\n", 1)[0]
        if _WRONG.search(about) and len(wanted & _bases(about)) >= min(DENIED, len(wanted)):
            return " ".join(about.split())[:80]
    return ""


def _framed(passage: str, spans: list[tuple[int, int]], at: int, claim: str) -> str:
    """Return the words that keep a sentence of a passage from saying a claim, "" if it says it."""
    start, end = spans[at]
    sentence = passage[start:end]
    before = passage[spans[at - 1][0] : spans[at - 1][1]] if at else ""
    opening = _SUPPOSED.search(sentence) or _ECHOED.match(sentence.lstrip(" \"'“‘#*>-"))
    if opening and opening[0].split()[-1].strip(" .:\"'“”").lower() not in claim.lower():
        return _told(opening)
    if at and (led := _SUPPOSED.search(before)) and (len(tokens(before)) <= SHORT or before.rstrip().endswith(":")):
        return _told(led)
    if at and (echo := _ECHOED.search(before)) and not before[echo.end() :].strip(" .:\"'“”"):
        return _told(echo)
    asked = _ASKED.search(f"{passage[max(0, start - NEAR) : start]} {sentence[:QUESTION]}")
    answer = _ANSWER.search(passage[end : end + NEAR])
    return _told(answer) if asked and answer else ""


def _denied(page: str, passage: str, span: tuple[int, int], claim: str) -> str:
    """Return the words beside a sentence of a passage that deny it, read on the page if it is found there."""
    said = passage[span[0] : span[1]].rstrip(".")
    at = page.find(said)
    if at < 0:
        return denied_beside(passage, *span, claim)
    rest = _REST.match(page, at + len(said))  # the passage may be a part of its sentence
    return denied_beside(page, at, rest.end() if rest else at + len(said), claim)


_REST = re.compile(r"(?:(?![.!?](?:\s|\Z))[^\n]){0,300}[.!?]?")
QUESTION = 20
"""Characters of a sentence in which the letter of its answer may stand."""
SHORT = 6
"""Most words of a sentence that only opens a supposition: "Suppose the following." """


def _told(found: re.Match[str]) -> str:
    return " ".join(found[0].split()).strip(" .!?:;\"'“”‘’")


def _share(wanted: frozenset[str], sentence: str) -> float:
    return len(wanted & _bases(sentence)) / len(wanted)


@lru_cache(maxsize=4096)
def _bases(text: str) -> frozenset[str]:
    """Return the dictionary forms of the words of a text: "froze" and "frozen" are one."""
    return frozenset(
        base
        for token in tokens(text)
        if token.lower not in FUNCTION_WORDS and not token.is_number
        for base in (min(wordnet.lemmas(token.text, "v") or {token.stem}),)
    )
