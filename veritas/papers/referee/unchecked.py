"""Numbers that the referee sees and does not recompute, as it recognises no second number to compare them with."""

from __future__ import annotations

import re
from collections.abc import Mapping

from veritas.papers.referee.finding import Check

_NUMBER = r"[-−–]?\d{0,4}[.·]\d{1,4}"
_FORMS: Mapping[str, tuple[re.Pattern[str], tuple[Check, ...]]] = {
    "percentage": (
        re.compile(r"\d\s?(?:%|per ?cent\b)(?!\s?(?:(?-i:CIs?|C\.I)|confidence|credible|power))", re.IGNORECASE),
        ("share", "change"),
    ),
    "interval": (
        re.compile(
            rf"[\[(]\s?{_NUMBER}\s?(?:–|—|-|−|to|,|;)\s?{_NUMBER}\s?[\])]"
            rf"|\b(?:CI|confidence intervals?)\s?[:=,]?\s?[\[(]?\s?{_NUMBER}\s?(?:–|—|-|−|to|,|;)\s?{_NUMBER}"
        ),
        ("confidence-interval",),
    ),
    "p-value": (
        re.compile(r"(?<![\w.])[pP](?:\s?[- ]?value)?(?:\s?\([^()]{1,12}\))?\s?(?:=|<|>|≤|≥|&lt;|&gt;)\s?[01]?[.·]?\d"),
        ("p-value",),
    ),
}


def unchecked(text: str, recomputed: Mapping[Check, int]) -> dict[str, int]:
    """Return the numbers of a text by form, without those that were recomputed. It is an estimate: a number may be
    compared twice or be printed in a form that is not counted."""
    found: dict[str, int] = {}
    for form, (pattern, checks) in _FORMS.items():
        seen = sum(1 for _ in pattern.finditer(text))
        left = seen - sum(recomputed.get(check, 0) for check in checks)
        if left > 0:
            found[form] = left
    return found
