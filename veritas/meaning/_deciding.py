"""Which differences decide, and which are doubts: a difference of words may be a difference in wording alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from veritas.meaning._accounting import Account
from veritas.meaning._alignment import match
from veritas.meaning._word import Word, finite
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
    if not difference.first and _stands(source, found, difference.second):
        return replace(difference, decisive=False)
    if not difference.second and _of_another(found, difference.first):
        return replace(difference, decisive=False)
    return difference


def _stands(source: Sequence[Word], found: Account, text: str) -> bool:
    """Return whether a word that only the claim has stands elsewhere in the source."""
    word = next((w for w in found.second if w.text == text and w.content and w.quantity is None), None)
    if word is None or word.verb is not None:
        return False
    return any(w.content and (m := match(w, word)) is not None and m.how in ("same", "inflected") for w in source)


def _of_another(found: Account, text: str) -> bool:
    """Return whether what only the source says belongs to another verb than the claim's."""
    held = {p.first for p in found.pairs}
    verb = next((p.first for p in found.pairs if found.second[p.second].verb is not None), None)
    opening = text.split()[0] if text else ""
    at = next((k for k, w in enumerate(found.first) if k not in held and w.text == opening), None)
    if verb is None or at is None or at < verb:
        return False
    between = [w for k, w in enumerate(found.first[verb + 1 : at], verb + 1) if k not in held]
    return any(finite(w) or w.cls in ("and", "but") or w.low == ";" for w in between)
