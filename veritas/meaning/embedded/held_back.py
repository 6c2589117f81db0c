"""What holds a lens's `supports` back: a sentence that denies, ends, bounds or qualifies what the claim says, or says it
of something else."""

from __future__ import annotations

import re

from veritas.meaning.beside import first_difference
from veritas.meaning.deletions import is_deletion, telling
from veritas.meaning.displaced import displaced
from veritas.meaning.embedded._nearest import nearest
from veritas.meaning.embedded.claim_evidence import Alignment
from veritas.meaning.embedded.overruling import by_cells
from veritas.meaning.relation import Difference, DifferenceKind

HELD = 0.5
"""Score of a `silent` by which a `supports` is held back."""
TURNING: frozenset[DifferenceKind] = frozenset((
    "modality", "polarity", "opposite", "condition", "exception", "attribution", "causality", "quantifier", "unit",
))  # fmt: skip
"""Kinds of doubts that turn what is said. On the developers' pairs, altered claims have them four times as often as
paraphrases, and one of twenty natural claims that are supported has one."""
SLIGHT: frozenset[DifferenceKind] = frozenset(("tense", "addition"))
"""Kinds of doubts that count where a sentence has at most `FEW` differences from the claim. A sentence with more is a
free restatement, in which they are mostly harmless."""
FEW = 2
CUT: frozenset[DifferenceKind] = frozenset(("comparison", "entity", "order"))
"""Kinds that count where the claim is a sentence of the passage with words left out."""


def held_back(alignment: Alignment) -> Difference | None:
    """Return the difference for which `supports` is not said, None if there is none. It need not decide. That words
    stay unexplained, stand in another place or are left out holds nothing back: strict mode asks for that
    (`veritas.meaning.strict`). Tables are read by their cells."""
    best = alignment.best
    if best is None or by_cells(alignment):
        return None
    claim, sentence = alignment.claim.text, best.text
    if (elsewhere := displaced(claim, sentence)) is not None:
        return elsewhere
    found = nearest(alignment)
    if found.entailed or found.doubt is None:
        return None
    if _used_for(found.doubt, sentence):
        return None
    if _holds(found.doubt, len(found.differences)) or (
        found.doubt.kind in CUT and is_deletion(claim, sentence) and telling(found.doubt, sentence)
    ):
        return found.doubt
    beside = first_difference(sentence, claim)
    return beside if beside is not None and beside.kind in TURNING else None


def _holds(doubt: Difference, number: int) -> bool:
    if doubt.kind in TURNING or (doubt.kind in SLIGHT and number <= FEW):
        return True
    return (doubt.kind == "number" and bool(doubt.second)) or (doubt.kind == "scope" and not doubt.first)


def _used_for(doubt: Difference, sentence: str) -> bool:
    """Return whether a thing is said to be used to do what the claim says that it does."""
    return doubt.kind == "modality" and bool(
        re.search(rf"(?i)\b(?:is|are|was|were|be|been) (?:\w+ )?used to (?:\w+ly )?{re.escape(doubt.first)}\b", sentence)
    )
