"""The entailment lens, the default one: probabilities learned from labelled claims, and a rule that abstains."""

from __future__ import annotations

from typing import NamedTuple

from veritas.meaning.embedded.claim_evidence import Alignment, Statement
from veritas.meaning.embedded.conflicts import Conflict, compare_numbers, effective, polarity_conflicts, reversed_roles
from veritas.meaning.embedded.edits import edits
from veritas.meaning.embedded.features import features
from veritas.meaning.embedded.model import Chances, Model, Verdict, fitted
from veritas.meaning.embedded.overruling import by_cells, overruled
from veritas.meaning.embedded.scope import Objection
from veritas.meaning.embedded.short_cuts import EmbeddedJudge, Finding, shown
from veritas.meaning.embedded.tabular import read_aligned

SUPPORT_THRESHOLD = 0.5
"""Least probability, 0 to 1, for `supports`; docs/lens.md has a table of what other values cost."""
REFUTE_THRESHOLD = 0.34
"""Least probability, 0 to 1, for `refutes`."""
STRICT_THRESHOLD = 0.6
"""Least probability for `supports` in strict mode (`veritas.meaning.strict`)."""
PLAIN = 0.65
"""Least share of the claim's weight in one sentence that makes a conflict in it no accident."""
VERBATIM = 0.9
"""Least share of the claim's words, in order, at which a sentence without a conflict or swap says the claim itself."""


def decide(chances: Chances, support_threshold: float, refute_threshold: float) -> Verdict:
    """Return the likeliest label whose threshold is reached; `silent` has none, so the lens abstains in a doubtful
    case."""
    allowed: list[Verdict] = ["silent"]
    if chances["supports"] >= support_threshold:
        allowed.append("supports")
    if chances["refutes"] >= refute_threshold:
        allowed.append("refutes")
    return max(allowed, key=lambda verdict: chances[verdict])


class EmbeddedLens(EmbeddedJudge):
    """The learned lens. Thresholds are probabilities, 0 to 1; raising `support_threshold` trades coverage for fewer
    false supports. `model` is for training and measuring; leave it out for the shipped one."""

    name = "embedded"
    family = "embedded:entailment"

    def __init__(
        self,
        *,
        support_threshold: float = SUPPORT_THRESHOLD,
        refute_threshold: float = REFUTE_THRESHOLD,
        model: Model | None = None,
    ) -> None:
        self.support_threshold = support_threshold
        self.refute_threshold = refute_threshold
        self.model = model

    def weigh(self, alignment: Alignment) -> Finding:
        """Return the label its probability allows, `silent` where no threshold is reached."""
        seen = plain(alignment)
        chances = self.chances(alignment, seen)
        verdict = decide(chances, self.support_threshold, self.refute_threshold)
        if verdict == "supports":
            return verdict, chances[verdict], _why_supported(alignment)
        if verdict == "refutes":
            return verdict, chances[verdict], _why_refuted(alignment, seen)
        return verdict, chances[verdict], _why_silent(alignment, seen)

    def chances(self, alignment: Alignment, seen: Plain) -> Chances:
        """Return the model's probabilities, reordered where `seen` demands it.

        With a conflict in a sentence that covers the claim, `supports` never has more than `refutes`; with a word
        swapped, never more than `silent`; with an objection (`overruling.py`), never more than its label; with the
        claim nearly word for word and none of these, never less than either.
        """
        chances = (self.model or fitted()).chances(features(alignment))
        higher: Verdict | None = "refutes" if seen.conflicts else "silent" if seen.swapped else None
        if higher is None and seen.against is not None:
            higher = seen.against.label
        if higher is not None:
            if chances["supports"] > chances[higher]:
                chances["supports"], chances[higher] = chances[higher], chances["supports"]
        elif seen.verbatim:
            most = max(chances, key=lambda verdict: chances[verdict])
            chances["supports"], chances[most] = chances[most], chances["supports"]
        return chances


class Plain(NamedTuple):
    """Plain findings in the claim's best sentence: conflicts with it, a swapped word, or nearly the claim; and in
    `against` the objection to `supports`, wherever the claim is found."""

    conflicts: tuple[Conflict, ...] = ()
    swapped: Conflict | None = None
    verbatim: bool = False
    against: Objection | None = None


def plain(alignment: Alignment) -> Plain:
    """Return the findings in the best sentence, if it is prose and covers the claim plainly (`PLAIN`), and the
    objection in any case."""
    return _sentence(alignment)._replace(against=overruled(alignment))


def _sentence(alignment: Alignment) -> Plain:
    best = alignment.best
    if best is None or by_cells(alignment):
        return Plain()
    if alignment.coverage[alignment.order[0]] < PLAIN:
        return _another_word(alignment.claim, best)
    turned = reversed_roles(alignment.claim, best)
    if turned is not None:
        return Plain((turned,))
    changed = edits(alignment.claim, best)
    if changed is not None:
        verbatim = changed.matched >= VERBATIM and not changed.conflicts and changed.swapped is None
        return Plain(changed.conflicts, changed.swapped, verbatim)
    numbers = compare_numbers(alignment.claim, [best])
    return Plain((*numbers.conflicting, *effective(polarity_conflicts(alignment.claim, best))))


def _another_word(claim: Statement, best: Statement) -> Plain:
    """Return a number or word of a short claim that the sentence has otherwise, all else alike: the missing word may be
    most of the claim's weight."""
    changed = edits(claim, best)
    if changed is None:
        return Plain()
    return Plain(tuple(c for c in changed.conflicts if c.kind == "number"), changed.swapped)


def _why_supported(alignment: Alignment) -> str:
    if by_cells(alignment):
        return f"the table's words and numbers bear the claim out, nearest {_quoted(alignment)}"
    return f"{_covered(alignment):.0%} of the claim is in {_quoted(alignment)} and nothing there contradicts it"


def _why_refuted(alignment: Alignment, seen: Plain) -> str:
    if seen.against and seen.against.label == "refutes" and not seen.conflicts:
        return f"{seen.against.why}: {_quoted(alignment)}"
    if by_cells(alignment):
        return read_aligned(alignment).why or "the table does not bear the claim out"
    for i in alignment.order[:3]:
        statement = alignment.passage.statements[i]
        found = seen.conflicts or [
            *compare_numbers(alignment.claim, [statement]).conflicting,
            *effective(polarity_conflicts(alignment.claim, statement)),
        ]
        if found:
            return f"{found[0].rationale}: {shown(statement.text)}"
    return f"the passage speaks of the same thing but does not bear the claim out: {_quoted(alignment)}"


def _why_silent(alignment: Alignment, seen: Plain) -> str:
    if seen.swapped:
        return f"{seen.swapped.rationale}: {_quoted(alignment)}"
    if seen.against:
        return f"{seen.against.why}: {_quoted(alignment)}"
    absent = [
        (w, t.text) for t, m, w in zip(alignment.words, alignment.anywhere, alignment.weights, strict=True) if m == 0
    ]
    if absent:
        return f"the passage never mentions {max(absent)[1]!r}"
    return f"no sentence says it: the nearest has {_covered(alignment):.0%} of the claim, {_quoted(alignment)}"


def _covered(alignment: Alignment) -> float:
    return alignment.coverage[alignment.order[0]]


def _quoted(alignment: Alignment) -> str:
    return shown(alignment.passage.statements[alignment.order[0]].text)
