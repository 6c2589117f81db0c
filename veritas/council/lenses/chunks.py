"""Passages that are too long for a lens, cut between sentences into chunks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from veritas.text.sentences import split_sentences
from veritas.text.tokens import weigh

MOST = 16
"""Most chunks of a passage that are judged for one claim: those that share most with it."""
WIDEST = 16
"""Characters for each unit of room beyond which a text is cut without being measured."""


def chunks(text: str, size: Callable[[str], int], room: int) -> list[str]:
    """Return the text in chunks of at most `room`, as `size` measures them, cut between sentences, a longer sentence
    between words, a longer word anywhere. The size of a chunk counts as that of its sentences together."""
    made: list[str] = []
    start = end = used = 0
    for first, last in split_sentences(text) or [(0, len(text))]:
        while last - first > WIDEST * room or size(text[first:last]) > room:
            if end > start:
                made.append(text[start:end])
            at = _longest(text, first, last, size, room)
            made.append(text[first:at])
            first = start = end = at
            used = 0
        more = size(text[first:last])
        if end > start and used + more > room:
            made.append(text[start:end])
            start, used = first, 0
        elif end == start:
            start = first
        end, used = last, used + more
    made.append(text[start:end])
    return [chunk.strip() for chunk in made if chunk.strip()]


def nearest(given: Sequence[str], claim: str, most: int = MOST) -> list[str]:
    """Return at most so many chunks, in their order: those that share most words with the claim."""
    if len(given) <= most:
        return list(given)
    weights = weigh(claim)
    match = [sum(weights.get(term, 0.0) for term in weigh(chunk)) for chunk in given]
    best = sorted(range(len(given)), key=lambda i: (-match[i], i))[:most]
    return [given[i] for i in sorted(best)]


def _longest(text: str, start: int, end: int, size: Callable[[str], int], room: int) -> int:
    """Return where the longest part from `start` that fits ends: between words if it can, and always after `start`."""
    low, high = start + 1, min(end, start + WIDEST * room)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if size(text[start:middle]) <= room else (low, middle - 1)
    space = max((i for i in range(start + 1, low) if text[i].isspace()), default=0)
    return space if space and low < end else low
