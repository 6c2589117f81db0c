"""Which differences decide, and which are doubts: a difference of words may be a difference in wording alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from veritas.meaning._accounting import Account
from veritas.meaning._word import Word
from veritas.meaning.relation import Difference

COVERED = 0.5
"""Least share of the claim's content words that the source has, for a difference of the two to decide. Two sentences
with less in common, or with a second difference that is a doubt, may say one thing in other words."""
_LOGICAL = frozenset({"polarity", "quantifier", "opposite", "exception", "condition", "comparison", "number", "scope"})
"""Kinds of which two may undo each other: "not all", "some … not"; "up to 3", "not more than 3"."""


def weighed(found: Account, source: Sequence[Word]) -> tuple[Difference, ...]:
    """Return the differences of an account of a source (or of one of its statements), as doubts where they do not
    decide."""
    differences = tuple(_weighed(found, d, source) for d in found.differences)
    decisive = [d for d in differences if d.decisive]
    undone = len(decisive) > 1 and any(d.kind == "polarity" for d in decisive) and (
        all(d.kind in _LOGICAL for d in decisive)
    )  # fmt: skip
    if found.covered < COVERED or len(decisive) < len(differences) or undone:
        return tuple(replace(d, decisive=False) for d in differences)
    return differences


def _weighed(found: Account, difference: Difference, source: Sequence[Word]) -> Difference:
    if not difference.decisive:
        return difference
    if not difference.second:
        return replace(difference, decisive=False)
    return difference
