"""Verbatim claims: a passage states the claim word for word, or the text around takes it back."""

from __future__ import annotations

import re
from typing import Literal

from veritas.documents.verbatim import fold_whitespace
from veritas.meaning.beside import of_nearest
from veritas.meaning.compare import compare_passage
from veritas.meaning.displaced import excepted
from veritas.meaning.embedded.wording import unworded
from veritas.meaning.relation import DifferenceKind
from veritas.meaning.sides import framed

REACH = 240
"""Characters before and after the quoted words that can take them back."""
MIN_WORDS = 3
"""Least words of a claim that counts as quoted; a shorter one is too easily part of another statement."""
MOST = 50
"""Most places of the quoted words that are looked at."""
BINDING: frozenset[DifferenceKind] = frozenset(("condition", "exception", "modality", "polarity"))
"""Kinds of differences by which the rest of a sentence keeps a part of it from being stated."""

_DENIED = (
    r"(?:not (?:true|correct|the case|supported|so|valid)|untrue|false|incorrect|wrong|mistaken|erroneous|"
    r"a (?:common )?(?:myth|misconception|lie|hoax|fabrication)|an error|in error|unfounded|unsupported|baseless|"
    r"invalid|nonsense|disprove[dn]|refuted|debunked|rejected|contradicted|retracted|withdrawn|fabricated|discredited)\b"
)
_IS = r"(?:is|are|was|were|(?:has|have|had)(?: \w+)? been|had to be|turned out to be|proved|proved to be|being)"
_THING = (
    r"(?:claim|statement|finding|result|report|paper|article|study|assertion|conclusion|sentence|above|idea|belief|"
    r"notion|passage|publication|work)s?"
)
_THIS = rf"(?:this|that|it|which|these|those|they|(?:the|this|that|these|those|such|our|their) (?:\w+ )?{_THING})"
_UNREPEATED = (
    r"(?:could|can|did|do|does|would)(?: not|n['’]t| never) (?:be )?(?:confirm|replicat|reproduc|hold|stand)\w*"
)

_AFTER = re.compile(
    rf"^[\s.,;:\"'”’)!?\]]*(?:(?:but|however|yet|although|though|and),? )?{_THIS} (?:\w+ ){{0,2}}?"
    rf"(?:{_IS} (?:\w+ ){{0,3}}?{_DENIED}|{_UNREPEATED})"
    rf"|^[\"'”’)]*,? {_IS} (?:\w+ ){{0,3}}?{_DENIED}"
    rf"|^[\s.,;:\"'”’)]*(?:(?:but|however|yet),? )?(?:we|others|the authors?|the journal|the editors?) (?:\w+ ){{0,3}}?"
    rf"(?:retract|withdr[ae]w|reject|disput|refut|den[iy]|{_UNREPEATED})"
    rf"|(?:the|this|that) (?:\w+ )?{_THING} (?:\w+ )?{_IS} (?:\w+ ){{0,2}}?{_DENIED}",
    re.IGNORECASE,
)
_QUALIFIED = re.compile(r"^,? (?:in|for|with|among) (?:no|none|neither)\b|^,? only (?:if|when|in)\b", re.IGNORECASE)
_DENIED_BEFORE = re.compile(
    r"\b(?:no|not|not all|not every|none of the|none of|few|hardly any|never|neither|nor|no longer)[\s\"'“‘]*$"
    r"|(?:not (?:true|correct|the case|so)|untrue|false|incorrect|wrong\w*|mistaken\w*|erroneous\w*|myth|refut\w+|"
    r"disprov\w+|debunk\w*|reject\w*|den(?:y|ies|ied)|disput\w+|retract\w*|withdr[ae]w\w*|contradict\w*|contrary to|"
    r"rul(?:e|es|ed) out|evidence against)(?: \w+){0,4}?(?: that)[\s\"'“‘:,]*$"
    r"|\bretracted(?: \w+){0,2}:[\s\"'“‘]*$"
    rf"|\b{_THIS} (?:\w+ ){{0,2}}?{_IS} (?:\w+ ){{0,2}}?{_DENIED}:[\s\"'“‘]*$",
    re.IGNORECASE,
)
_REPORTED_BEFORE = re.compile(
    r"\b(?:whether|if|unless|no(?: \w+){0,2} evidence(?: \w+){0,2} that|little evidence that|not (?:clear|known|shown|"
    r"certain|established)(?: \w+)? (?:that|if)|(?:claim|myth|belief|idea|notion|assertion|rumou?r|hypothesis|view|"
    r"misconception|possibility|allegation)s? that|(?:hypothesi[sz]ed|speculated|claim(?:s|ed)?|alleged?|wondered|"
    r"asked|doubt(?:s|ed)?|believe[sd]?|assum(?:e|es|ed|ing)|suppos(?:e|es|ed)|fail(?:s|ed)? to (?:show|find|confirm))"
    r"(?: that)?)[\s\"'“‘:,]*$",
    re.IGNORECASE,
)
_ENDORSED = re.compile(
    r"\b(?:support|confirm|prove|establish|corroborat|demonstrat|consistent with)\w*\b", re.IGNORECASE
)
_LIMITED_BEFORE = re.compile(
    r"\b(?:at most|up to|no more than|not more than|less than|fewer than|rarely|seldom|except|"
    r"except for|excluding|other than|but not|almost|nearly|virtually|practically|marginally|partly|partially|barely|"
    r"scarcely|allegedly|reportedly|supposedly|purportedly|presumably|possibly|perhaps|maybe|close to|just under|"
    r"(?:some|half|part|most|many|several) of)[\s\"'“‘]*$",
    re.IGNORECASE,
)
_LIMITED_AFTER = re.compile(
    r"^[\"'”’)]*,? (?:except\w*|unless|with the exceptions? of)\b", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"[.!?][\"'”’)]*\s")

Standing = Literal["absent", "stated", "retracted", "reported", "limited"]


def standing(claim: str, passage: str) -> Standing:
    """Return how the claim stands in the passage, after whitespace folding (a final full stop is not part of it).

    "stated": word for word, and nothing near takes it back. It is "absent" if its words are a part of a sentence whose
    other words bind or deny it (`BINDING`). "retracted": wherever it stands, the words around deny or
    withdraw it. "reported": it stands only as a question, a condition, or something that others claim.
    "limited": only with a bound or an exception ("at most", "unless").
    """
    wanted = fold_whitespace(claim).rstrip(".!… ")
    if len(wanted) < 8 or len(wanted.split()) < MIN_WORDS:
        return "absent"
    text = fold_whitespace(passage)
    found: set[Standing] = set()
    for form in dict.fromkeys((wanted, wanted[0].lower() + wanted[1:], wanted[0].upper() + wanted[1:])):
        at = text.find(form)
        for _ in range(MOST):
            if at < 0:
                break
            end = at + len(form)
            if _whole(text, at, end):
                found.add(_around(text[max(0, at - REACH) : at], text[end : end + REACH]))
            at = text.find(form, at + 1)
    # One retraction outweighs any number of plain statements.
    order: tuple[Standing, ...] = ("retracted", "stated", "reported", "limited")
    how: Standing = next((how for how in order if how in found), "absent")
    if how == "stated" and unworded(claim, passage) is not None:
        if of_nearest(passage, claim, lambda sentence, said: excepted(said, sentence)) is not None:
            return "limited"
        decided = compare_passage(passage, claim).decisive
        return "absent" if decided is not None and decided.kind in BINDING else "stated"
    return how


def _whole(text: str, start: int, end: int) -> bool:
    """Return whether the match cuts no word or number in two."""
    before, after, following = text[start - 1 : start], text[end : end + 1], text[end + 1 : end + 2]
    if before.isalnum() or after.isalnum() or after == "%":
        return False
    if before in ("-", "‐", "‑") and text[start - 2 : start - 1].isalnum():
        return False  # "quasi-elastic" is another word than "elastic"
    return not (following.isalnum() and (after == "-" or (after in (".", ",") and following.isdigit())))


def _around(before: str, after: str) -> Standing:
    clause = _SENTENCE_END.split(before)[-1]
    if _AFTER.search(after) or (_DENIED_BEFORE.search(clause)):
        return "retracted"
    if _QUALIFIED.search(after) or framed(clause, after):
        return "reported"
    if _REPORTED_BEFORE.search(clause) and not _ENDORSED.search(clause):
        return "reported"
    if _LIMITED_AFTER.search(after) or _LIMITED_BEFORE.search(clause):
        return "limited"
    return "stated"


_HEDGES = re.compile(
    r"(?i)\b(?:claim\w*|alleg\w+|rumou?r\w*|suppos\w+|hop(?:e[ds]?|ing)|plan(?:s|ned|ning)?|expect\w*|believ\w+|"
    r"propos\w+|fail\w*|den(?:y|ies|ied)|refus\w+|reject\w*|unlikely|doubt\w*|myth|wrong\w*|false\w*|suggest\w*|"
    r"wish\w*|want\w*|intend\w*|ask\w*|call\w* for|once|former\w*|used to|no longer|deprecated)\b"
)
_CONDITIONS = re.compile(
    r"(?i)\b(?:if|unless|whether|provided|except|only|not|never|no|nor|nobody|few|rarely|seldom)\b"
)
_BOUND_BEHIND = re.compile(
    r"(?i)[\s,;(–—-]*(?:if|unless|except|only|provided|until|but not|or not|was wrong|is wrong)\b"
)


def qualified(sentence: str, claim: str) -> bool:
    """Return whether a sentence that has a claim word for word says it under a condition, a denial or a hope: the words
    of its clause in front of the claim, however far, and those right behind it."""
    at = sentence.casefold().find(claim.casefold())
    before, behind = sentence[: max(at, 0)], sentence[max(at, 0) + len(claim) :]
    clause = re.split(r"[;:.]|,\s+(?:and|but)\s", before)[-1]
    return bool(_HEDGES.search(clause) or _CONDITIONS.search(clause) or _BOUND_BEHIND.match(behind))
