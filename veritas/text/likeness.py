"""How alike two texts are, sign by sign, from 0 to 100, by RapidFuzz. It is loaded at its first use: a check of a whole
tree compares nothing."""

from __future__ import annotations

from typing import NamedTuple


class Window(NamedTuple):
    """A part of a text, from `start` to `end`, and its `ratio` to what was looked for."""

    score: float
    start: int
    end: int


def ratio(one: str, other: str) -> float:
    """Return 100 for equal texts and 0 for texts without a common sign.

    It is twice the length of the longest common subsequence, in hundredths of the length of both. Two empty texts are
    equal. Case and spaces count.
    """
    if one == other:
        return 100.0
    from rapidfuzz import fuzz

    return fuzz.ratio(one, other)


def token_sort_ratio(one: str, other: str) -> float:
    """Return the `ratio` of the words in the order of the alphabet."""
    return ratio(" ".join(sorted(one.split())), " ".join(sorted(other.split())))


def token_set_ratio(one: str, other: str) -> float:
    """Return the highest `ratio` among three texts: the common words, and with them the other words of each text.

    A repeated word counts once. It is 100 if all words of one text are in the other, and 0 if one has no word.
    """
    from rapidfuzz import fuzz

    return fuzz.token_set_ratio(one, other)


def partial_ratio(one: str, other: str, *, least: float = 0.0) -> float:
    """Return the `ratio` of the shorter text to that part of the longer one which is most like it; 0 below `least`."""
    if len(one) > len(other):
        one, other = other, one
    found = best_window(one, other, least=least)
    if len(one) == len(other):
        back = best_window(other, one, least=least)
        found = max(found, back, key=lambda each: each.score) if found and back else found or back
    return found.score if found else 0.0


def best_window(wanted: str, text: str, *, least: float = 0.0) -> Window | None:
    """Return the first part of `text` that is most like `wanted`, None if none has a ratio of `least` (0 to 100).

    The parts are as long as `wanted`; at the beginning and the end of the text they may be shorter. A text that is
    shorter than `wanted` is one part.
    """
    size = len(wanted)
    if not wanted or size > len(text):
        score = ratio(wanted, text)
        return Window(score, 0, len(text)) if score >= least and bool(wanted) == bool(text) else None
    begin = text.find(wanted)
    if begin >= 0:
        return Window(100.0, begin, begin + size)
    from rapidfuzz import fuzz

    found = fuzz.partial_ratio_alignment(wanted, text, score_cutoff=least)
    return Window(found.score, found.dest_start, found.dest_end) if found is not None else None
