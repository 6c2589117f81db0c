"""The numeric lens. It asks whether the quantities and the polarity of claim and passage agree, and weighs nothing
else."""

from __future__ import annotations

from veritas.meaning.embedded.claim_evidence import Alignment
from veritas.meaning.embedded.conflicts import compare_numbers, effective, polarity_conflicts, reversed_roles
from veritas.meaning.embedded.edits import edits
from veritas.meaning.embedded.short_cuts import EmbeddedJudge, Finding, shown

ABOUT = 0.4
"""Share of the claim's weight the sentences looked at must cover for a difference in them to be a conflict."""
ADEQUATE = 0.55
"""Share they must cover for agreement to be support when the claim has numbers."""
ADEQUATE_WITHOUT_NUMBERS = 0.7
"""Share they must cover for a claim without numbers, whose polarity alone says little."""


class NumericLens(EmbeddedJudge):
    """A lens that refutes on a conflict of number, negation or direction, and supports when all agree and coverage is
    adequate."""

    name = "embedded-numeric"
    family = "embedded:numeric"

    def weigh(self, alignment: Alignment) -> Finding:
        """Judge by numbers first, then by polarity."""
        best = alignment.best
        assert best is not None
        chosen = [alignment.passage.statements[i] for i in alignment.chain[:2]]
        covered = alignment.chain_coverage(2)
        numbers = compare_numbers(alignment.claim, chosen)
        changed = edits(alignment.claim, best)
        turned = reversed_roles(alignment.claim, best)
        if turned is not None:
            polarity = [turned]
        else:
            polarity = list(changed.conflicts) if changed else effective(polarity_conflicts(alignment.claim, best))
        if covered < ABOUT:
            return "silent", min(0.95, 1 - covered), "no sentence of the passage speaks of what the claim quantifies"
        if numbers.conflicting:
            return "refutes", min(0.9, 0.45 + 0.5 * covered), f"{numbers.conflicting[0].rationale}: {shown(best.text)}"
        if numbers.missing:
            everywhere = compare_numbers(alignment.claim, alignment.passage.statements)
            if everywhere.missing or everywhere.conflicting:
                return "silent", 0.7, f"the passage does not give the number {numbers.missing[0].text!r}"
        if polarity:
            return "refutes", min(0.85, 0.35 + 0.5 * covered), f"{polarity[0].rationale}: {shown(best.text)}"
        if changed and changed.swapped:
            return "silent", 0.6, f"{changed.swapped.rationale}: {shown(best.text)}"
        if covered >= (ADEQUATE if numbers.agreed else ADEQUATE_WITHOUT_NUMBERS):
            what = f"{numbers.agreed[0].text!r} and the polarity agree" if numbers.agreed else "the polarity agrees"
            return "supports", min(0.95, 0.2 + 0.75 * covered), f"{what}: {shown(best.text)}"
        return "silent", 0.6, f"nothing conflicts, but only {covered:.0%} of the claim is covered"
