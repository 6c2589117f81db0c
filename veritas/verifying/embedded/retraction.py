"""Verbatim claims: does the passage state the claim word for word, and does the text around take it back?"""

from __future__ import annotations

import re
from typing import Literal

from veritas.reading.verbatim import fold_whitespace

REACH = 240
"""How many characters before and after the quoted words can take them back."""
MIN_WORDS = 3
"""A claim of fewer words is too easily part of another statement to count as quoted."""

_BEFORE = re.compile(
    r"(?:not (?:true|correct|the case|clear|known|certain|established)|untrue|false|incorrect|wrong(?:ly)?|mistaken(?:ly)?|"
    r"erroneous(?:ly)?|no evidence|little evidence|unclear|unknown|doubt(?:s|ed|ful)?|den(?:y|ies|ied)|refut(?:e|es|ed)|"
    r"reject(?:s|ed)?|disprov(?:e|es|ed|en)|debunk(?:s|ed)?|contrary to (?:the )?(?:claim|belief|idea|view|hypothesis)|"
    r"(?:the )?(?:claim|myth|belief|idea|notion|assertion|rumou?r|hypothesis|view|misconception)"
    r"(?: \w+){0,3}|whether|if|rather than|far from|fail(?:s|ed)? to show|not|never|cannot say)"
    r"(?: \w+){0,2}(?: that| whether| if)?[\s:,\"'“‘(]*$",
    re.IGNORECASE,
)
_SOFT = re.compile(
    r"(?:the )?(?:claim|myth|belief|idea|notion|assertion|rumou?r|hypothesis|view|misconception)(?: \w+){0,3}?"
    r"(?: that)?[\s:,\"'“‘(]*$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"^[\s.,;:\"'”’)!]*(?:but |however,? |yet |although )?(?:"
    r"(?:this|that|it|which|the (?:claim|statement|finding|result|paper|article|study|assertion|sentence|above))"
    r"(?: \w+){0,3}? (?:is|was|has been|have been|were|turned out|proved|proves|later|since)(?: \w+){0,4}? ?"
    r"(?:to be )?(?:not (?:true|correct|the case)|untrue|false|incorrect|wrong|mistaken|erroneous|a myth|retracted|withdrawn|"
    r"refuted|disproved|disproven|debunked|rejected|contradicted|unfounded|unsupported|fabricated|in error|a lie|an error)"
    r"|(?:is|was|has been|were|are) (?:\w+ ){0,3}?(?:not (?:true|correct|the case)|untrue|false|incorrect|wrong|mistaken|"
    r"erroneous|a myth|retracted|withdrawn|refuted|disproved|disproven|debunked|rejected|unfounded|unsupported)"
    r"|(?:we |the authors |the journal )?(?:now )?(?:retract|withdraw|reject|dispute|refute)(?:s|ed)?\b"
    r"|(?:this |that |it |which )?(?:could|can|did|do|does)(?: not|n['’]t) (?:be (?:confirmed|replicated|reproduced|true)|hold))",
    re.IGNORECASE,
)

Standing = Literal["absent", "stated", "retracted", "reported"]


def standing(claim: str, passage: str) -> Standing:
    """How the claim stands in the passage, after whitespace folding (a final full stop is not part of it).

    "stated": word for word, and nothing near takes it back. "retracted": every place where it stands is denied or
    withdrawn by the words around. "reported": it stands only inside a report of a claim or a question ("whether …").
    """
    wanted = fold_whitespace(claim).rstrip(".!… ")
    if len(wanted) < 8 or len(wanted.split()) < MIN_WORDS:
        return "absent"
    text = fold_whitespace(passage)
    at = text.find(wanted)
    if at < 0 and wanted[:1].isupper():
        wanted = wanted[0].lower() + wanted[1:]
        at = text.find(wanted)
    best: Standing = "absent"
    looked = 0
    while at >= 0 and looked < 50:
        looked += 1
        end = at + len(wanted)
        if _whole(text, at, end):
            found = _around(text[max(0, at - REACH) : at], text[end : end + REACH])
            if found == "stated":
                return found
            best = found if best in ("absent", "reported") else best
        at = text.find(wanted, at + 1)
    return best


def _whole(text: str, start: int, end: int) -> bool:
    """True if the match does not cut a word or number in two."""
    before, after = text[start - 1 : start], text[end : end + 1]
    following = text[end + 1 : end + 2]
    return not (before.isalnum() or after.isalnum() or (after in ".,%" and after and following.isdigit()) or after == "%")


def _around(before: str, after: str) -> Standing:
    clause = re.split(r"[.!?]\s", before)[-1]
    if _AFTER.search(after):
        return "retracted"
    if _BEFORE.search(clause):
        soft = re.search(r"\b(?:whether|if|claim|idea|notion|view|hypothesis|belief|assertion|unclear|unknown|doubt\w*)\W*(?:that|whether|if)?\W*$",
                         clause, re.IGNORECASE)
        return "reported" if soft else "retracted"
    return "stated"
