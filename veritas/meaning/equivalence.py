"""Claims in the same words in the same order (`veritas.text.same_words`): the plainest case of equivalence."""

from __future__ import annotations

from veritas.text.same_words import said


def equivalent(a: str, b: str) -> bool:
    """Return whether two claims say the same thing."""
    return _words(a) == _words(b)


def _words(text: str) -> tuple[str, ...]:
    return said(text) or (text,)
