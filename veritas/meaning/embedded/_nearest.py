"""The comparison of the claim with the sentences of the passage that cover most of it."""

from __future__ import annotations

from functools import lru_cache

from veritas.meaning.compare import compare
from veritas.meaning.embedded.claim_evidence import Alignment
from veritas.meaning.relation import Comparison, Setting

NEAREST = 2
"""Sentences that are compared with the claim."""
AS_NEAR = 0.6
"""Least share of the best sentence's coverage at which another one can say the claim in its stead."""
_HERE = Setting(document="passage")
"""Claim and passage are taken to speak of one thing."""


@lru_cache(maxsize=1)  # asked for the chances, for an objection and for the rationale
def nearest(alignment: Alignment) -> Comparison:
    """Return the comparison with the sentence that comes nearest to saying the claim; it cannot tell of no sentence."""
    found = [
        compare(alignment.passage.statements[i].text, alignment.claim.text, of_first=_HERE, of_second=_HERE)
        for i in alignment.order[:NEAREST]
        if alignment.coverage[i] >= AS_NEAR * alignment.coverage[alignment.order[0]]
    ]
    return min(found, key=_distance, default=Comparison("cannot tell"))


def _distance(found: Comparison) -> tuple[bool, int, int]:
    return not found.entailed, sum(d.decisive for d in found.differences), len(found.differences)
