"""Claim types by rules: factual, numerical, interpretive or predictive (section V)."""

from __future__ import annotations

import re

from veritas.claims.envelope import ClaimType
from veritas.text.quantities import quantities

_PREDICTIVE = re.compile(
    r"(?i)\bwill\b[^.;]*\bby (?:the (?:year|end of) )?20\d\d\b|\bwill\b[^.;]*\b(?:over|in|within) the (?:next|coming) |"
    r"\b(?:is|are) (?:\w+ly )?(?:projected|forecast|forecasted) to\b|\bforecasts?\b.*\b20[2-9]\d\b|"
    # "The argument is expected to be a string" speaks of no future.
    r"\b(?:is|are) (?:\w+ly )?(?:expected|anticipated|predicted) to (?:(?:\w+ly )?(?:rise|grow|fall|increase|decrease|"
    r"decline|double|triple|halve|reach|exceed|continue|remain|become|happen|begin|end|arrive|launch|shrink|expand)\b|"
    r".*\b(?:by|in|over|until|within|next|future|20[2-9]\d)\b)"
)
_INTERPRETIVE = re.compile(
    r"(?i)\b(?:suggest(?:s|ed|ing)? that|may (?:\w+ly )?(?:indicate|reflect)|arguably|in our (?:view|opinion)|"
    r"(?:it )?could be argued|it (?:may|might|can) be argued|impl(?:y|ies|ied) that|"
    r"we (?:\w+ly )?(?:believe|think|argue|speculate|hypothesi[sz]e))\b"
)


def claim_type(claim: str) -> ClaimType:
    """Return the type of a claim. It is a name for the reader: claims of every type are verified. Predictive if it
    speaks of the future; numerical if it holds a quantity other than a bare date; interpretive if its author says
    outright that this is a reading of the source; else factual."""
    if _PREDICTIVE.search(claim):
        return "predictive"
    # A whole number without a unit is as likely a name ("phosphatase 4") as a count.
    if any(q.unit not in ("year", "day", "") or (not q.unit and q.low % 1) for q in quantities(claim)):
        return "numerical"
    return "interpretive" if _INTERPRETIVE.search(claim) else "factual"
