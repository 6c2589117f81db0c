"""Preferences: what each embedded member would rather show, among parts that answer about equally well."""

from __future__ import annotations

import re
from collections.abc import Callable

from veritas.answering.features import Seen
from veritas.answering.question import Asked
from veritas.text.quantities import quantities

Preference = Callable[[Asked, Seen], float]
"""A function that gives a unit its bonus; a score of 1 more makes an answer about three times as likely."""

BONUS = 0.3
_COMPARES = re.compile(
    r"(?i)\b(?:than|versus|vs\.?|compared|higher|lower|greater|fewer|increas\w+|decreas\w+|reduc\w+|faster|slower|twice|"
    r"double|half|maximum|minimum|default|limit)\b"
)


def lead(asked: Asked, seen: Seen) -> float:
    """Prefer the first sentence of a paragraph."""
    return BONUS * (seen.unit.place == 0)


def salience(asked: Asked, seen: Seen) -> float:
    """Prefer nothing: the score alone decides."""
    return 0.0


def numeric(asked: Asked, seen: Seen) -> float:
    """Prefer quantities and comparisons."""
    said = seen.passage.text[seen.unit.start : seen.unit.end]
    measured = any(q.unit not in ("year", "day", "n") for q in quantities(said))
    return BONUS * measured + 0.5 * BONUS * bool(_COMPARES.search(said))
