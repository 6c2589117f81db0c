"""Whether a sentence that has a statement word for word says it under a condition, a denial or a hope."""

from __future__ import annotations

import re

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
