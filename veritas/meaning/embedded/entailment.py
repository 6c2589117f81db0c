"""The entailment lens, the default one: probabilities learned from labelled claims, and a rule that abstains."""

from __future__ import annotations

from typing import NamedTuple

from veritas.meaning.bound_figures import rightly_bound
from veritas.meaning.embedded._nearest import nearest
from veritas.meaning.embedded._slot import one_value
from veritas.meaning.embedded.claim_evidence import Alignment, Statement
from veritas.meaning.embedded.conflicts import (
    Conflict,
    compare_numbers,
    deny_apart,
    effective,
    polarity_conflicts,
    reversed_roles,
)
from veritas.meaning.embedded.edits import edits
from veritas.meaning.embedded.features import features
from veritas.meaning.embedded.model import Chances, Model, Verdict, fitted
from veritas.meaning.embedded.overruling import by_cells, overruled
from veritas.meaning.embedded.scope import Objection
from veritas.meaning.embedded.short_cuts import EmbeddedJudge, Finding, shown
from veritas.meaning.embedded.tabular import read_aligned
from veritas.meaning.relation import Comparison, DifferenceKind

SUPPORT_THRESHOLD = 0.5
"""Least probability, 0 to 1, for `supports`; docs/lens.md has a table of what other values cost."""
REFUTE_THRESHOLD = 0.34
"""Least probability, 0 to 1, for `refutes`."""
DOUBTED = 0.6
"""Exponent on the odds of `supports` where the comparison has a doubt: it was right less often than it said. Of the
steps of 0.1, the one with the least logarithmic loss, on the developers' sets by fits to the others."""
SAID = 0.9
"""Least probability of `supports` where the comparison finds a sentence to say the claim; 19 of 20 such claims of the
developers' sets are supported."""
OTHER_CASE: frozenset[DifferenceKind] = frozenset(("entity", "population", "place", "period", "version"))
"""Kinds of differences that make a sentence speak of another case: it leaves room for the claim."""
OPPOSING: frozenset[DifferenceKind] = frozenset(("number", "unit", "opposite", "polarity"))
"""Kinds of differences by which a sentence about the same thing opposes the claim."""
SHORT = 2
"""Sentences up to which a passage alone gives the model too little to refute by: it called 42 % of the claims that such
passages support refuted. There a difference has to be named, or one value has to stand in the place of another."""
FAMILIAR = 0.5
"""Least familiarity of a form, 0 to 1, at which the rationale does not warn of it."""
PLAIN = 0.65
"""Least share of the claim's weight in one sentence that makes a conflict in it no accident."""


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
            why = _why_supported(alignment)
        elif verdict == "refutes":
            why = _why_refuted(alignment, seen)
        else:
            why = _why_silent(alignment, seen)
        return verdict, certainty(verdict, chances, seen), why + self._strangeness(alignment)

    def _strangeness(self, alignment: Alignment) -> str:
        known = (self.model or fitted()).familiarity(features(alignment))
        return "" if known > FAMILIAR else "; this form of text is unlike any that the lens was measured on"

    def chances(self, alignment: Alignment, seen: Plain) -> Chances:
        """Return the model's probabilities, reordered where `seen` demands it.

        With a sentence that the comparison finds to say the claim, `supports` has at least `SAID`, with one that it
        finds to exclude it, `refutes`; with a conflict in a
        sentence that covers the claim, never more than `refutes`; with a word swapped, never more than `silent`; with
        an objection (`overruling.py`), never more than its label. `refutes` never has more than `silent` where the
        sentence speaks of another case. What is left of `supports` falls towards a half where there is a doubt.
        """
        chances = (self.model or fitted()).chances(features(alignment))
        higher: Verdict | None = "refutes" if seen.conflicts else "silent" if seen.swapped else None
        if higher is None and seen.against is not None:
            higher = seen.against.label
        if higher is not None and chances["supports"] > chances[higher]:
            chances["supports"], chances[higher] = chances[higher], chances["supports"]
        told: Verdict | None = "supports" if seen.said else "refutes" if seen.excluded else None
        if (told == "refutes" or higher is None) and told is not None and chances[told] < SAID:
            rest = (1 - SAID) / (1 - chances[told])
            chances = {label: SAID if label == told else rest * chance for label, chance in chances.items()}
        if seen.elsewhere and chances["refutes"] > chances["silent"]:
            chances["refutes"], chances["silent"] = chances["silent"], chances["refutes"]
        return _doubted(chances) if seen.doubted else chances


def _doubted(chances: Chances) -> Chances:
    """Return the chances with less on `supports` where it is likelier than not."""
    supports = chances["supports"]
    if supports <= 0.5 or supports >= 1:
        return chances
    odds = (supports / (1 - supports)) ** DOUBTED
    rest = 1 / (1 + odds) / (1 - supports)
    return {label: odds / (1 + odds) if label == "supports" else rest * chance for label, chance in chances.items()}


class Plain(NamedTuple):
    """Plain findings: whether a sentence says the claim, or excludes it; the conflicts in its best sentence, a word
    swapped there, and in `against` the objection to `supports`, wherever the claim is found. `elsewhere`: without such
    a conflict, the sentence speaks of another case, which leaves room for both. `doubted`: the comparison names a
    difference."""

    said: bool = False
    conflicts: tuple[Conflict, ...] = ()
    swapped: Conflict | None = None
    against: Objection | None = None
    elsewhere: bool = False
    excluded: bool = False
    doubted: bool = False


def certainty(verdict: Verdict, chances: Chances, seen: Plain) -> float:
    """Return the score of a verdict, 0 to 1: its probability. Where the sentence speaks of another case, the lens may
    not refute and cannot tell `refutes` from `silent`: an abstention then has the mean of the two."""
    if verdict == "silent" and seen.elsewhere:
        return (chances["silent"] + chances["refutes"]) / 2
    return chances[verdict]


def plain(alignment: Alignment) -> Plain:
    """Return the findings: conflicts only of prose that covers the claim plainly (`PLAIN`)."""
    if alignment.best is None or by_cells(alignment):
        return Plain(against=overruled(alignment))
    found = nearest(alignment)
    if found.entailed:
        return Plain(said=True)
    conflicts, swapped = _words(alignment, alignment.best)
    if conflicts and rightly_bound(alignment.best.text, alignment.claim.text):
        conflicts = tuple(c for c in conflicts if c.kind != "number")  # the other figure is another group's
    elsewhere = not conflicts and any(d.decisive and d.kind in OTHER_CASE for d in found.differences)
    if len(alignment.passage.statements) <= SHORT:
        alike = edits(alignment.claim, alignment.best) is not None
        valued = not conflicts and one_value(found, alignment.claim.text, alignment.best.text)
        elsewhere = not (valued or _opposed(found, bool(conflicts) and alike))
    elsewhere = elsewhere or (not conflicts and deny_apart(alignment.claim, alignment.best))
    excluded, doubted = found.relation == "excludes", found.doubt is not None
    return Plain(False, conflicts, swapped, overruled(alignment), elsewhere, excluded, doubted)


def _opposed(found: Comparison, conflicting: bool) -> bool:
    """Return whether a sentence is found to exclude the claim, or differs in what opposes it and speaks of no other
    case."""
    if found.relation == "excludes":
        return True
    other_case = any(d.kind in OTHER_CASE and d.first and d.second for d in found.differences)
    opposing = [d for d in found.differences if d.kind in OPPOSING]
    decided = conflicting or any(d.kind in ("polarity", "opposite") for d in opposing)
    # What the claim leaves out beside it does not reconcile the two; another word in it may be another thing.
    alone = len(opposing) < 2 and all(
        d in opposing or d.kind == "tense" or not d.second for d in found.differences
    )
    return decided and alone and not other_case


def _words(alignment: Alignment, best: Statement) -> tuple[tuple[Conflict, ...], Conflict | None]:
    """Return the conflicts of the claim with its best sentence, and a word that is put in the place of another."""
    changed = edits(alignment.claim, best)
    if alignment.coverage[alignment.order[0]] < PLAIN:
        if changed is None:
            return (), None
        # The word that is missing may be most of a short claim's weight.
        return tuple(c for c in changed.conflicts if c.kind == "number"), changed.swapped
    turned = reversed_roles(alignment.claim, best)
    if turned is not None:
        return (turned,), None
    if changed is not None:
        return changed.conflicts, changed.swapped
    numbers = compare_numbers(alignment.claim, [best])
    return (*numbers.conflicting, *effective(polarity_conflicts(alignment.claim, best))), None


def _why_supported(alignment: Alignment) -> str:
    if by_cells(alignment):
        return f"the table's words and numbers bear the claim out, nearest {_quoted(alignment)}"
    if nearest(alignment).entailed:
        return f"every word of the claim is accounted for in {_quoted(alignment)}"
    why = f"{_covered(alignment):.0%} of the claim is in {_quoted(alignment)}"
    doubt = nearest(alignment).doubt
    return f"{why} and nothing there contradicts it" if doubt is None else f"{why}; in doubt: {doubt}"


def _why_refuted(alignment: Alignment, seen: Plain) -> str:
    if seen.against and seen.against.label == "refutes" and not seen.conflicts:
        return f"{seen.against.why}: {_quoted(alignment)}"
    if by_cells(alignment):
        return read_aligned(alignment).why or "found no cell that decides; the table as a whole does not bear it out"
    for i in alignment.order[:3]:
        statement = alignment.passage.statements[i]
        conflicts = seen.conflicts or [
            *compare_numbers(alignment.claim, [statement]).conflicting,
            *effective(polarity_conflicts(alignment.claim, statement)),
        ]
        if conflicts:
            return f"{conflicts[0].rationale}: {shown(statement.text)}"
    nearness = f"the nearest has {_covered(alignment):.0%} of the claim's words"
    found = "found no difference that decides; the passage as a whole speaks against it"
    return f"{found}, {nearness}: {_quoted(alignment)}"


def _why_silent(alignment: Alignment, seen: Plain) -> str:
    if seen.swapped:
        return f"{seen.swapped.rationale}: {_quoted(alignment)}"
    if seen.against:
        return f"{seen.against.why}: {_quoted(alignment)}"
    difference = None if by_cells(alignment) else nearest(alignment).doubt
    if difference is not None and difference.kind != "unexplained":
        return f"{difference}: {_quoted(alignment)}"
    nearness = f"the nearest has {_covered(alignment):.0%} of the claim's words"
    return f"found neither support nor a difference that decides; {nearness}: {_quoted(alignment)}"


def _covered(alignment: Alignment) -> float:
    return alignment.coverage[alignment.order[0]]


def _quoted(alignment: Alignment) -> str:
    return shown(alignment.passage.statements[alignment.order[0]].text)
