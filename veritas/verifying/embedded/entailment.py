"""The entailment lens, the default one: calibrated probabilities learned from labelled claims, and a rule that abstains."""

from __future__ import annotations

from veritas.verifying.embedded.conflicts import compare_numbers, effective, polarity_conflicts
from veritas.verifying.embedded.evidence import Alignment
from veritas.verifying.embedded.features import features
from veritas.verifying.embedded.judging import EmbeddedJudge, Finding, shown
from veritas.verifying.embedded.model import probabilities

SUPPORT_THRESHOLD = 0.5
"""Probability from which `supports` may be said; below it the lens abstains unless `refutes` is likelier."""
REFUTE_THRESHOLD = 0.4
"""Probability from which `refutes` may be said."""


class EmbeddedLens(EmbeddedJudge):
    """The learned lens. `support_threshold` and `refute_threshold` are probabilities, 0 to 1; docs/lens.md shows the trade."""

    name = "embedded"
    family = "embedded:entailment"

    def __init__(self, *, support_threshold: float = SUPPORT_THRESHOLD, refute_threshold: float = REFUTE_THRESHOLD) -> None:
        self.support_threshold = support_threshold
        self.refute_threshold = refute_threshold

    def weigh(self, alignment: Alignment) -> Finding:
        """The label its probability allows, `silent` where neither threshold is reached."""
        chance = probabilities(features(alignment))
        supports, refutes, silent = chance["supports"], chance["refutes"], chance["silent"]
        if refutes >= self.refute_threshold and refutes >= max(supports, silent):
            return "refutes", refutes, self._why_refuted(alignment)
        if supports >= self.support_threshold and supports >= silent:
            return "supports", supports, self._why_supported(alignment)
        return "silent", silent, self._why_silent(alignment)

    def _why_supported(self, alignment: Alignment) -> str:
        best = alignment.best
        assert best is not None
        return f"{alignment.coverage[alignment.order[0]]:.0%} of the claim is covered, and nothing contradicted, by {shown(best.text)}"

    def _why_refuted(self, alignment: Alignment) -> str:
        best = alignment.best
        assert best is not None
        numbers = compare_numbers(alignment.claim, [alignment.passage.statements[i] for i in alignment.chain[:2]])
        against = [*numbers.conflicting, *effective(polarity_conflicts(alignment.claim, best))]
        if against:
            return f"{against[0].rationale}: {shown(best.text)}"
        return f"the passage speaks of the claim but does not bear it out: {shown(best.text)}"

    def _why_silent(self, alignment: Alignment) -> str:
        absent = [t.text for t, m in zip(alignment.words, alignment.anywhere, strict=True) if m == 0]
        if absent:
            heaviest = max(
                (w, t.text) for t, m, w in zip(alignment.words, alignment.anywhere, alignment.weights, strict=True) if m == 0
            )[1]
            return f"the passage never mentions {heaviest!r}"
        return f"no sentence says it: the nearest covers {alignment.coverage[alignment.order[0]]:.0%} of the claim"
