"""Sentences: where a passage is cut so that one of its statements can be looked at alone."""

from __future__ import annotations

import re

MAX_SENTENCE = 1500
"""Characters; a longer stretch without an end is cut at a space, so that no sentence makes the work quadratic."""

_END = re.compile(r"(?<=[.!?])[\"'”’)\]]{0,2}\s+(?=[\"'“‘(\[]{0,2}[^\Wa-z_])|[\n\r\u2028\u2029]+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:et al|e\.g|i\.e|vs|cf|Fig|Figs|Eq|Dr|Mr|Mrs|Ms|Prof|St|No|approx|ca|c|Jr|Sr|resp|Suppl|Ref|Refs|Inc|Ltd|"
    r"Co|U\.S|U\.K|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec)|\b[A-Z])\.$"
)


def spans(text: str) -> list[tuple[int, int]]:
    """`[start, end)` of each sentence, trimmed, none empty. A line break ends a sentence; an abbreviation does not."""
    found: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(text):
        before = max(start, match.start() - 12)
        if not match.group().strip(" \t\"'”’)]") and _ABBREVIATION.search(text, before, match.start()):
            continue
        _add(found, text, start, match.end())
        start = match.end()
    _add(found, text, start, len(text))
    return found


def _add(found: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    while end - start > MAX_SENTENCE:
        cut = text.rfind(" ", start + MAX_SENTENCE // 2, start + MAX_SENTENCE)
        cut = cut if cut > 0 else start + MAX_SENTENCE
        _trim(found, text, start, cut)
        start = cut
    _trim(found, text, start, end)


def _trim(found: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    right = len(piece.rstrip())
    if right > left:
        found.append((start + left, start + right))
