"""Claims in the same words in the same order (`veritas.text.same_words`): the plainest case of equivalence."""

from __future__ import annotations

import re

from veritas.text.same_words import said

_LONG = re.compile(r"\b[a-z]{8,}")
"""A long word: of these `said` folds the last letters only."""
_BEGINNING = 5


def equivalent(a: str, b: str) -> bool:
    """Return whether two claims say the same thing."""
    return not _plainly_other(a, b) and _words(a) == _words(b)


def _plainly_other(a: str, b: str) -> bool:
    """Return whether a long word of one is none of the other, which is soon told."""
    if not (a.isascii() and b.isascii()):
        return False
    rest = b.casefold()
    return any(long[:_BEGINNING] not in rest for long in _LONG.findall(a.casefold()))


def _words(text: str) -> tuple[str, ...]:
    return said(text) or (text,)
