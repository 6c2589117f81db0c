"""What holds a lens's `supports` back: a sentence that denies, ends or qualifies what the claim says, or says it of
something else."""

from __future__ import annotations

import re

from veritas.meaning.beside import first_difference
from veritas.meaning.deletions import is_deletion, telling
from veritas.meaning.displaced import displaced
from veritas.meaning.embedded._nearest import nearest
from veritas.meaning.embedded.claim_evidence import Alignment
from veritas.meaning.embedded.overruling import by_cells
from veritas.meaning.relation import Difference, DifferenceKind
from veritas.text.stop_words import FUNCTION_WORDS
from veritas.text.tokens import tokens

HELD = 0.5
"""Score of a `silent` by which a `supports` is held back."""
TURNING: frozenset[DifferenceKind] = frozenset((
    "modality", "polarity", "opposite", "condition", "exception", "attribution", "causality", "quantifier",
))  # fmt: skip
"""Kinds of doubts that turn what is said. On the developers' pairs, altered claims have them four times as often as
paraphrases, and one of twenty natural claims that are supported has one."""
FEW = 2
"""Differences up to which an added word and another tense count. A sentence with more is a free restatement, in which
they are mostly harmless."""
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
    if _holds(found.doubt, len(found.differences), sentence) or (
        found.doubt.kind in CUT and is_deletion(claim, sentence) and telling(found.doubt, sentence)
    ):
        return found.doubt
    beside = first_difference(sentence, claim)
    return beside if beside is not None and beside.kind in TURNING else None


_OVER = re.compile(
    r"(?i)\b(?:until|till|once|former\w*|previously|originally|initially|at first|in the past|had|will|would|if|"
    r"earlier|before|no longer)\b"
)
"""Words by which a sentence in the past or future does not say what is so; a finding of the past may be told as so."""
_ALL = frozenset("all every each both".split())
_SOME = frozenset("some several many most".split())


def _holds(doubt: Difference, number: int, sentence: str) -> bool:
    first, second = doubt.first, doubt.second
    match doubt.kind:
        case "modality":
            return not re.search(rf"(?i){_USED} (?:\w+ly )?{re.escape(first)}\b", sentence)
        case "quantifier":
            return not (_ALL & set(first.lower().split()) and _SOME & set(second.lower().split()))
        case "number":
            return bool(second) and _digits(first) != _digits(second)
        case "tense":
            return number <= FEW and _OVER.search(sentence) is not None
        case "addition":
            added = {token.stem for token in tokens(second) if token.lower not in FUNCTION_WORDS}
            return number <= FEW and not added <= {token.stem for token in tokens(sentence)}
        case "scope":
            return not first
    return doubt.kind in TURNING


_USED = r"\b(?:is|are|was|were|be|been) (?:\w+ )?used to"
"""A thing that is used to do something does it."""


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)
