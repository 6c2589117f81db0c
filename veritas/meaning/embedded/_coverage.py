"""The coverage lens. It asks whether the claim's words and names are in one place of the passage, with nothing against
it."""

from __future__ import annotations

from veritas.meaning.embedded.claim_evidence import Alignment
from veritas.meaning.embedded.conflicts import compare_numbers, effective, polarity_conflicts, reversed_roles
from veritas.meaning.embedded.edits import edits
from veritas.meaning.embedded.short_cuts import EmbeddedJudge, Finding, shown

SUPPORT_SENTENCE = 0.62
"""Share of the claim's weight (see `claim_evidence.weight`) that one sentence must cover to support it."""
SUPPORT_PAIR = 0.78
"""Share that the best two sentences must cover together."""
ABOUT = 0.5
"""Share one sentence must cover before a conflict in it refutes; below that it speaks of something else."""


class CoverageLens(EmbeddedJudge):
    """A lens by lexical and entity coverage with conflict checks; thresholds set by hand, nothing learned."""

    name = "embedded-coverage"
    family = "embedded:coverage"

    def weigh(self, alignment: Alignment) -> Finding:
        """Return `supports` if the claim is covered, names included, and unopposed; `refutes` if about the same and
        opposed; else `silent`."""
        best = alignment.best
        assert best is not None
        covered, pair = alignment.coverage[alignment.order[0]], alignment.chain_coverage(2)
        missing = [
            t.text for t, m in zip(alignment.words, alignment.anywhere, strict=True)
            if m == 0 and t.is_name and not t.is_number and t.start > 0
        ]
        numbers = compare_numbers(alignment.claim, [alignment.passage.statements[i] for i in alignment.chain])
        changed = edits(alignment.claim, best)
        turned = reversed_roles(alignment.claim, best)
        if turned is not None:
            against = [turned]
        elif changed is None:
            against = [*effective(polarity_conflicts(alignment.claim, best)), *numbers.conflicting]
        else:
            against = list(changed.conflicts)
        if covered >= ABOUT and against:
            return "refutes", min(0.9, 0.4 + 0.5 * covered), f"{against[0].rationale}: {shown(best.text)}"
        if changed and changed.swapped:
            return "silent", 0.7, f"{changed.swapped.rationale}: {shown(best.text)}"
        if missing:
            return "silent", min(0.95, 0.6 + 0.1 * len(missing)), f"the passage never mentions {missing[0]!r}"
        if numbers.missing:
            return "silent", 0.7, f"the passage does not give the number {numbers.missing[0].text!r}"
        if covered >= SUPPORT_SENTENCE or pair >= SUPPORT_PAIR:
            why = f"{covered:.0%} of the claim is covered by {shown(best.text)}"
            return "supports", min(0.95, max(covered, pair)), why
        return "silent", min(0.95, 1 - covered / 2), f"at most {covered:.0%} of the claim is covered by one sentence"
