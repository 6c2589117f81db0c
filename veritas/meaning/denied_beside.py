"""Words beside a statement, or over the whole page, by which a page carries it only to deny it or to play with it: a
fact check's verdict, a myth with its fact, a hypothesis that was rejected, a drill, a template."""

from __future__ import annotations

import re
from functools import lru_cache

from veritas.text.sentences import split_sentences

REACH = 300
"""Characters behind a statement in which the label of a verdict may stand."""
SENTENCES = 2
"""Sentences behind a statement in which running text may take it back."""
HEAD = 400
"""Characters at the beginning of a page in which a label for all of it stands."""

_FALSE = (
    r"(?:(?:mostly|completely|entirely|totally|all|simply|partly|largely|demonstrably)\s+)?"
    r"(?:false|fake|untrue|not true|not so|incorrect|wrong|misleading|hoax|a hoax|a lie|a myth|myth|rejected|refuted|"
    r"disproved|disproven|debunked|unfounded|baseless|unproven|made[- ]up|fabricated|pants on fire|not supported|"
    r"unsupported|dismissed)\b"
)
_TRUE = r"(?:(?:mostly|completely|entirely)\s+)?(?:true|correct|accurate|confirmed|verified|supported|accepted|right)\b"
_VERDICT = re.compile(
    r"(?i)\b(?:rating|verdict|fact[- ]?check|ruling|assessment|truth|our (?:rating|verdict|finding|conclusion))"
    rf"\b\W{{1,6}}(?:(?:this|it|that) (?:is|was)\s+|(?:the |this )?claim is\s+)?(?:(?P<false>{_FALSE})|{_TRUE})"
)
"""The label of a fact check with its verdict, behind the statement that it is of."""
_CELL = re.compile(rf"(?i)[|\t]\s*\**{_FALSE}\W*(?:[|\t\n]|\Z)")
"""A verdict in the next cell of a row."""
_ALONE = re.compile(rf"(?i)\A[\s.!|\"'”’)*_]*[\n|\t][\s|*_\"'“]*{_FALSE}\s*(?:[.!|\n]|\Z)")
"""A verdict on a line of its own."""
_MYTH = re.compile(
    r"(?i)(?:\A|[\n.!?|*#>-])\s*\W{0,4}(?:the )?(?:myth|misconception|false(?:hood)?|fake(?: news)?|hoax|rumou?r|lie|"
    r"debunked)(?: (?:no\.? ?|#)?\d+)?\s*[:–—]\s*[\"'“‘*_]*\Z"
)
_HYPOTHESIS = re.compile(
    r"(?i)(?:\A|[\n.!?;|*#>-])\s*\W{0,4}(?:H\s?\d[a-z]?|hypothes[ie]s(?: \d+[a-z]?)?|conjecture|prediction|"
    r"expected (?:results?|outcomes?)|anticipated results?)\s*[:–—]\s*[\"'“‘*_]*\Z"
)
_BORNE_OUT = re.compile(
    r"(?i)(?<!not )(?<!nor )\b(?:(?:was|were|is|are|been) (?:\w+ )?)(?:supported|confirmed|"
    r"accepted)\b"
)
_LED = re.compile(
    r"(?i)\b(?:argue[sd]?|arguing|argument|evidence|case|caution|warn(?:ed|s)?) against (?:the following|this|these)\b|"
    r"\bfollowing (?:\w+ )?(?:claims?|statements?|rumou?rs?|stor(?:y|ies)|posts?|messages?) (?:is|are|was|were|"
    r"has been) "
    rf"(?:\w+ )?{_FALSE}|"
    r"\b(?:(?:false|fake|wrong|untrue|debunked|invented|incorrect) (?:claims?|statements?|rumou?rs?|stories|"
    r"headlines?)|"
    r"(?:myths|hoaxes|misconceptions)) (?:include|are|such as)\b[^.]{0,40}\Z"
)
"""A sentence in front of a statement that introduces it as wrong."""
_THING = (
    r"(?:hypothes[ie]s|claims?|statements?|posts?|rumou?rs?|stor(?:y|ies)|video|image|photo|message|tweet|headline|"
    r"assertions?|allegations?|predictions?|arguments?|idea|theory|quote|quotation|expectation)"
)
_BE = r"(?:is|are|was|were|(?:has|have|had) been|turned out to be|proved(?: to be)?|could not be)"
_TAKEN_BACK = re.compile(
    rf"(?i)\b(?:this|that|the|these|those|both|our|such)\s+(?:(?!null\b)\w+\s+)?{_THING}\s+{_BE}\s+"
    rf"(?:(?:later|now|then|also|clearly|firmly|since|therefore|thus)\s+)?(?:{_FALSE}|not (?:\w+ )?(?:true|"
    rf"supported|borne "
    r"out|confirmed)|confirmed in no)|"
    r"\bnone of (?:these|this|them|those|the (?:above|claims|statements|rumou?rs|stories))\b[^.]{0,20}\b(?:true|"
    r"correct|"
    r"happened|so|accurate|real)\b|"
    rf"(?:\A|[.!?:\n]\s*|\b(?:but|however|yet),? )(?:that|this|it)['’]?(?:\s+(?:is|was)|s)\s+(?:\w+ )?{_FALSE}|"
    r"\bmade (?:that|this|it|them|all of (?:it|this)) up\b|"
    r"\b(?:fail(?:s|ed)? to|(?:could|can|did|do) not|unable to|were not able to|couldn['’]t|cannot) "
    rf"(?:(?:be )?(?:replicat|reproduc)\w*|confirm (?:this|that|it|these|them|the {_THING})\b)|"
    r"\b(?:f[io]u?nds?|saw|see|show(?:s|ed)?|observed?|detect(?:s|ed)?|there (?:is|was|were)|had|has|with) no such \w+|"
    r"\bfound no (?:\w+ )?(?:evidence|support|sign|trace)\w* (?:for|of|that|to support) (?:this|it|that|such|"
    r"the claim)\b|"
    r"\b(?:reject|dismiss|den[yi]|disput|refut|debunk|disprov)(?:e?s|e?d|es|ing)?\b (?:it|this|that|them|these|"
    rf"(?:the|this|that|these|those) (?:\w+['’]s? )?(?:{_THING}|case|reports?))\b(?! that\b)|"
    r"\bfavou?r(?:s|ed)? (?:the null|H\s?0)|"
    r"(?:\A|[.!?:\n]\s*)(?:No, )?(?:it|he|she|they|this|that) (?:did|does|do|was|were|is|are|has|have|had)(?: not|"
    r"n['’]t)"
    r"\s*[.!\n]"
)
"""A sentence right behind a statement that takes it back."""
_INSIGNIFICANT = re.compile(
    r"(?i)(\d[\d.,]*\d|\w+)(?:\s*%|\s+per ?cent)?\W*\([^()]*\b(?:not|"
    r"non)[- ]?(?:statistically )?significan\w*[^()]*\)"
)
_UNREAL = re.compile(
    r"(?i)\b(?:in (?:computer )?simulations?|in silico|in theory|on paper|in (?:a|the|"
    r"our) simulation)\b"
)
_STRUCK = re.compile(r"~~(.+?)~~", re.DOTALL)

_RETRACTED = re.compile(
    r"(?:\A|\n)\W*(?:RETRACTED|WITHDRAWN|RETRACTION)\b|"
    r"(?:\A|\n)\W*(?:Retracted|Withdrawn|Retraction)(?: (?:[Aa]rticle|[Pp]aper|[Nn]ote|[Nn]otice))?\s*(?:[:.\n]|\Z)"
)
_STAGED_HEAD = re.compile(
    r"(?i)\b(?:press[- ]release|letter|news|article|headline) (?:template|generator|sample)\b|"
    r"\b(?:random|fake|fake news) (?:\w+ )?generator\b|\bprediction market\b|\bcrisis (?:drill|exercise|simulation)\b|"
    r"\bchapter (?:\d+|[ivx]+|one|two|three|four|five|six|seven|eight|nine|ten)\b[^\n]{0,80}\bnovel\b|"
    r"(?:\A|\n)[^\n]{0,80}\ba (?:novel|short story)\s*(?:\n|\Z)|"
    r"(?:\A|\n)\W*draft\W{1,4}not for (?:release|publication)\b|\blorem ipsum\b|"
    r"\breplace the (?:names|text|example)\b|(?:\A|\n)\W*(?:example|sample) text\s*:"
)
"""At the head of a page: what follows is an example, a game or a story."""
_STAGED = re.compile(
    r"(?i)\bthis is (?:only )?an? (?:\w+ )?(?:exercise|drill)\b(?=\s*[.!\n])|\bend of (?:the )?(?:exercise|"
    r"drill)\b(?=\W)|"
    r"\bexercise,? exercise,? exercise\b|\bapril fools?\b['’]?s?!|"
    r"\b(?:this|the) (?:text|article|page|sample|story)\b[^.\n]{0,80}\b(?:is|are) not (?:factual|real)\b|"
    r"\bthe (?:article|page|story|report|post) that (?:stood|was|appeared) here (?:was|has been) "
    r"(?:withdrawn|removed|retracted|deleted|taken down)\b|"
    r"\babout us\W{1,4}[^.\n]{0,80}\bis an? (?:\w+ )?(?:satir\w+|parody|spoof)\b"
)
"""Anywhere on a page."""


@lru_cache(maxsize=256)
def _page_label(page: str) -> str:
    head = page[:HEAD]
    found = _RETRACTED.search(head) or _STAGED_HEAD.search(head) or _STAGED.search(page)
    return " ".join(found[0].split()) if found else ""


def staged(page: str, claim: str) -> str:
    """Return the label by which a page is retracted, an example, a game or a story; "" if it has none, or the claim is
    about it."""
    label = _page_label(page)
    return "" if label and label.strip(" .:!#*").lower() in claim.lower() else label


def denied_beside(page: str, start: int, end: int, claim: str) -> str:
    """Return the words beside `page[start:end]`, a sentence that has a claim's words, by which the page denies it or
    does not vouch for it; "" if there are none. Nothing that the claim says itself counts."""
    sentence, after = page[start:end], page[end : end + REACH]
    at = max(sentence.find(claim.strip(" .")[:20]), 0)
    lead = page[max(0, start - 80) : start] + sentence[:at]
    head = re.match(r"[^:–—]{1,40}[:–—]", sentence)
    leads = (lead, page[max(0, start - 80) : start] + head[0] if head else lead)
    found: re.Match[str] | None = next(filter(None, map(_MYTH.search, leads)), None)
    hypothesis = next(filter(None, map(_HYPOTHESIS.search, leads)), None)
    if found is None and hypothesis is not None and not _BORNE_OUT.search(after):
        found = hypothesis
    if found is None:
        verdict = _VERDICT.search(sentence + after)
        if verdict is not None and verdict.end() > at + len(claim) // 2 and verdict["false"]:
            found = verdict
        elif verdict is not None:
            return ""
    found = found or _CELL.search(sentence) or _ALONE.search(after) or _led(page, start)
    found = found or _TAKEN_BACK.search(_behind(page, end)) or _beside_figure(sentence, claim)
    found = found or _struck(sentence, page, start, end)
    told = "" if found is None else " ".join(found[0].split())[:80].strip(" .!?:;|#*>-–—\"'“”")
    return "" if told.lower() in claim.lower() else told


def _led(page: str, start: int) -> re.Match[str] | None:
    before = page[max(0, start - REACH) : start]
    spans = split_sentences(before)
    return _LED.search(before[spans[-1][0] :].rstrip()) if spans else None


def _behind(page: str, end: int) -> str:
    """Return the next sentences behind a place."""
    after = page[end : end + 2 * REACH]
    spans = split_sentences(after)[:SENTENCES]
    return after[: spans[-1][1]] + "\n" if spans else ""


def _beside_figure(sentence: str, claim: str) -> re.Match[str] | None:
    """Return that what a claim says is not significant, or so in a simulation only."""
    words = frozenset(re.findall(r"\w+", claim.lower()))
    for found in _INSIGNIFICANT.finditer(sentence):
        if found[1].lower() in words and "significan" not in claim.lower():
            return found
    unreal = _UNREAL.search(sentence)
    return None if unreal is None or words.issuperset(re.findall(r"\w+", unreal[0].lower())) else unreal


def _struck(sentence: str, page: str, start: int, end: int) -> re.Match[str] | None:
    """Return that a sentence or most of it is struck through, in Markdown."""
    for found in _STRUCK.finditer(page[max(0, start - 3) : end + REACH]):
        struck = found[1].strip(" .\n")
        if 2 * len(struck) >= len(sentence.strip("~ .\n").split("~~")[0]) and (
            struck in sentence or sentence.strip("~ .\n") in struck
        ):
            return found
    return None
