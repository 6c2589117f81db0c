"""Preferences: which sentence each embedded member would rather assert, among those of a passage that answer about
equally well. All members see the same passages in the same order."""

from __future__ import annotations

from collections.abc import Callable

from veritas.text.quantities import quantities

Preference = Callable[[str, int], float]
"""A function that gives a sentence, by its text and its place in the passage, its bonus; a closeness of 1 is all that
there is."""

BONUS = 0.02


def lead(sentence: str, place: int) -> float:
    """Prefer the first sentence."""
    return BONUS * (place == 0)


def salience(sentence: str, place: int) -> float:
    """Prefer nothing: closeness alone decides."""
    return 0.0


def numeric(sentence: str, place: int) -> float:
    """Prefer quantities."""
    return BONUS * any(q.unit not in ("year", "day", "n") for q in quantities(sentence))
