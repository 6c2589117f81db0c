"""What the comparison says of the claim and its nearest sentences, as features and as an objection."""

from __future__ import annotations

from functools import lru_cache

from veritas.meaning.compare import compare
from veritas.meaning.embedded.claim_evidence import Alignment
from veritas.meaning.relation import Comparison, DifferenceKind, Setting

NEAREST = 3
"""Sentences that are compared with the claim: those that cover most of it."""
_HERE = Setting(document="passage")
"""Claim and passage are taken to speak of one thing."""
_GROUPS: dict[str, tuple[DifferenceKind, ...]] = {
    "amount": ("number", "unit", "measure", "comparison"),
    "denied": ("polarity", "opposite"),
    "who": ("entity", "role", "order", "population"),
    "where": ("place", "period", "version", "tense"),
    "sure": ("modality", "attribution", "causality"),
    "limit": ("condition", "exception", "quantifier", "scope"),
    "added": ("addition",),
    "unexplained": ("unexplained",),
}


def compared(alignment: Alignment) -> dict[str, float]:
    """Return the features of the comparison by name, 0 to 1."""
    found = nearest(alignment)
    words = max(1, len(alignment.words))
    loose = sum(a.how in ("synonym", "broader", "narrower", "derived", "converse") for a in found.aligned)
    decisive = [d for d in found.differences if d.decisive]
    kinds = {d.kind for d in found.differences}
    return {
        "says": float(found.entailed),
        "rules_out": float(found.relation == "excludes"),
        "apart": float(found.relation in ("unrelated", "compatible")),
        "accounted": min(1.0, len(found.aligned) / words),
        "accounted_loosely": min(1.0, loose / words),
        "decisive": min(len(decisive), 4) / 4,
        "doubts": min(len(found.differences) - len(decisive), 8) / 8,
        "claim_only": min(sum(not d.first for d in found.differences), 6) / 6,
        **{f"differs_{name}": float(not kinds.isdisjoint(group)) for name, group in _GROUPS.items()},
        **{
            f"decides_{name}": float(any(d.kind in group for d in decisive))
            for name, group in _GROUPS.items() if name != "unexplained"
        },
    }


@lru_cache(maxsize=1)  # the features ask first, and then the rules
def nearest(alignment: Alignment) -> Comparison:
    """Return the comparison with the one of the nearest sentences that comes nearest to saying the claim."""
    claim = alignment.claim.text
    near = [alignment.passage.statements[i].text for i in alignment.order[:NEAREST]]
    return min((compare(s, claim, of_first=_HERE, of_second=_HERE) for s in near), key=_distance)


def _distance(found: Comparison) -> tuple[bool, bool, int, int]:
    decisive = sum(d.decisive for d in found.differences)
    return not found.entailed, found.relation in ("unrelated", "cannot tell") and not found.aligned, decisive, len(
        found.differences
    )
