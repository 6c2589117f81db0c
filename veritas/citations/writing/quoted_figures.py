"""Quotations of a few words with a figure in them, which is what is quoted: does the source have another there?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veritas.citations.writing.standing import compared

_FIGURE = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?![\w]|[.,]\d)")
_ANY = r"(?<![\w.,])(\d+(?:[.,]\d+)*)(?!\w|[.,]\d)"
_TELLING = re.compile(r"[^\W\d_]{4,}")
_BESIDE = 2
"""Words beside a figure by which it is found in the source."""


def other_figure(quoted: str, sources: Sequence[str]) -> str | None:
    """Return the words of a source that are those of a quotation but for a figure; None where a source has the figure
    beside these words, where none has any, and for a quotation without a figure."""
    said = compared(quoted).strip(" .,;:!?\"'").lower()
    if _FIGURE.search(said) is None:
        return None
    whole = [compared(each).lower() for each in sources]
    if any(_stands(said, each) for each in whole):
        return None
    for words in (said, *_windows(said)):
        if _FIGURE.search(words) is None or _TELLING.search(words) is None:
            continue
        if any(_stands(words, each) for each in whole):
            return None
        pieces = [re.escape(each) for each in _FIGURE.split(words)]
        alike = re.compile(rf"(?<!\w){_ANY.join(pieces)}(?!\w)")
        if found := next(filter(None, map(alike.search, whole)), None):
            return found.group()
    return None


def _stands(words: str, source: str) -> bool:
    return re.search(rf"(?<![\w.,]){re.escape(words)}(?!\w|[.,]\d)", source) is not None


def _windows(said: str) -> Iterator[str]:
    """Yield each figure with the words before it, and with those behind it."""
    words = said.split()
    for at, word in enumerate(words):
        if _FIGURE.search(word):
            yield from (" ".join(words[max(at - _BESIDE, 0) : at + 1]), " ".join(words[at : at + 1 + _BESIDE]))
