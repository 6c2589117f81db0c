"""Alternatives to an answer's first word with their probabilities, as the server returns them."""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, isfinite
from typing import Any

from veritas.keys import withheld

LONGEST = 32
"""Most characters of a word."""
BEFORE = 4
"""Tokens that may come before the first word: blanks, signs of a template."""
ROUNDING = 0.01
"""What probabilities may sum up to beyond 1."""

Alternatives = tuple[tuple[str, float], ...]


def first_word(choice: Any, most: int) -> Alternatives:
    """Return at most `most` alternatives to the first word of an answer, likeliest first; none if the server returns
    none, or if its values are no probabilities of different words."""
    tokens = _get(_get(choice, "logprobs"), "content")
    if not isinstance(tokens, list):
        return ()
    for token in tokens[:BEFORE]:
        word = _get(token, "token")
        if not isinstance(word, str):
            return ()
        if any(character.isalnum() for character in word):
            others = _get(token, "top_logprobs")
            return _sound([token, *(others[: 2 * most] if isinstance(others, list) else [])], most)
    return ()


def _sound(tokens: Iterable[Any], most: int) -> Alternatives:
    found: dict[str, float] = {}
    for token in tokens:
        word, log = _get(token, "token"), _get(token, "logprob")
        if not isinstance(word, str) or isinstance(log, bool) or not isinstance(log, int | float):
            return ()
        if not isfinite(log) or log > ROUNDING:
            return ()
        found[withheld(word)[:LONGEST]] = min(1.0, exp(log))
    if sum(found.values()) > 1 + ROUNDING:
        return ()
    return tuple(sorted(found.items(), key=lambda one: (-one[1], one[0]))[:most])


def _get(of: Any, name: str) -> Any:
    return of.get(name) if isinstance(of, dict) else getattr(of, name, None)
