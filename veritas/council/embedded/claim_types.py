"""Claim types by rules: factual, numerical, interpretive or predictive (section V)."""

from __future__ import annotations

import re

from veritas.claims.envelope import ClaimType
from veritas.text.quantities import quantities

_PREDICTIVE = re.compile(
    r"(?i)\b(?:is|are|was|were) (?:expected|projected|predicted|forecast|estimated|likely|set|"
    r"anticipated) to\b.*\b(?:by|in|over|until|within|next|future|20[2-9]\d)\b|\bwill (?:likely |probably |soon |"
    r"eventually |continue )\b|\bwill\b.*\b(?:by 20\d\d|in the (?:next|coming|near)|in (?:the )?future|"
    r"over the next)\b|\b(?:forecasts?|projections?|predicts? that|prognos\w+)\b.*\b20[2-9]\d\b"
)
_INTERPRETIVE = re.compile(
    r"(?i)\b(?:suggest(?:s|ed|ing)?|seems?|appears?|may (?:reflect|explain|indicate|represent|be due)|might|"
    r"could (?:reflect|explain|indicate|represent|be)|arguably|presumably|perhaps|possibly|probably|likely|unlikely|"
    r"in our (?:view|opinion)|we (?:believe|think|argue|speculate|propose|hypothesi[sz]e)|impl(?:y|ies)|interpret\w*|"
    r"should be|ought to|promising|attractive|elegant|powerful|ideal|best (?:suited|practice|choice)|easy|simple to|"
    r"intuitive|remarkabl[ey]|interestingly|surprisingly)\b"
)


def claim_type(claim: str) -> ClaimType:
    """Predictive if it speaks of what will be; numerical if it holds a quantity other than a bare date; interpretive if
    it hedges or values; else factual. A number outranks a hedge: what can be checked is checked."""
    if _PREDICTIVE.search(claim):
        return "predictive"
    # A whole number without a unit is as likely a name ("phosphatase 4") as a count.
    if any(q.unit not in ("year", "day", "") or (not q.unit and q.low % 1) for q in quantities(claim)):
        return "numerical"
    return "interpretive" if _INTERPRETIVE.search(claim) else "factual"
