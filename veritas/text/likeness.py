"""How alike two texts are, sign by sign, from 0 to 100: by RapidFuzz, or where it is not installed by the same ratios
in Python. RapidFuzz is 12 MB of compiled variants, for which the small install has no room."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import NamedTuple


class Window(NamedTuple):
    """A part of a text, from `start` to `end`, and its `ratio` to what was looked for."""

    score: float
    start: int
    end: int


@cache
def _compiled() -> ModuleType | None:
    try:
        from rapidfuzz import fuzz
    except ImportError:
        return None
    return fuzz


def ratio(one: str, other: str) -> float:
    """Return 100 for equal texts and 0 for texts without a common sign.

    It is twice the length of the longest common subsequence, in hundredths of the length of both. Two empty texts are
    equal. Case and spaces count.
    """
    if one == other:
        return 100.0
    if (library := _compiled()) is not None:
        return float(library.ratio(one, other))
    return _share(len(one) + len(other) - 2 * _in_common(one, other), len(one) + len(other))


def token_sort_ratio(one: str, other: str) -> float:
    """Return the `ratio` of the words in the order of the alphabet."""
    return ratio(" ".join(sorted(one.split())), " ".join(sorted(other.split())))


def token_set_ratio(one: str, other: str) -> float:
    """Return the highest `ratio` among three texts: the common words, and with them the other words of each text.

    A repeated word counts once. It is 100 if all words of one text are in the other, and 0 if one has no word.
    """
    if (library := _compiled()) is not None:
        return float(library.token_set_ratio(one, other))
    mine, theirs = set(one.split()), set(other.split())
    both = mine & theirs
    if not mine or not theirs:
        return 0.0
    if both in (mine, theirs):
        return 100.0
    rest, other_rest = " ".join(sorted(mine - both)), " ".join(sorted(theirs - both))
    shared = len(" ".join(both))
    gap = 1 if shared else 0
    whole, other_whole = shared + gap + len(rest), shared + gap + len(other_rest)
    apart = len(rest) + len(other_rest) - 2 * _in_common(rest, other_rest)
    best = _percent(apart, whole + other_whole)
    if not shared:
        return best
    return max(best, _percent(gap + len(rest), shared + whole), _percent(gap + len(other_rest), shared + other_whole))


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
    if (library := _compiled()) is not None:
        found = library.partial_ratio_alignment(wanted, text, score_cutoff=least)
        return Window(found.score, found.dest_start, found.dest_end) if found is not None else None
    search = _Search(wanted, text, least)
    search.between(range(len(text) - size + 1))
    search.along([(0, end) for end in range(size - 1, 0, -1)])
    search.along([(start, len(text)) for start in range(len(text) - size + 1, len(text))])
    return search.aligned()


class _Search:
    """The search for the best window. It passes over the windows that cannot be like enough."""

    def __init__(self, wanted: str, text: str, least: float) -> None:
        self.size, self.text, self.best = len(wanted), text, least
        self.first = wanted[0]
        self.found: Window | None = None
        self._places, self._every = _places(wanted), (1 << len(wanted)) - 1

    def between(self, starts: range) -> None:
        """Look at the windows of full length that begin in `starts`. What holds a stretch of windows holds each, so if
        even the stretch has too few signs in common, none of them is like enough."""
        waiting = [starts[at : at + 2 * self.size] for at in range(0, len(starts), 2 * self.size)][::-1]
        while waiting:
            these = waiting.pop()
            score = _share(self._apart(these[0], these[-1] + self.size, 2 * self.size), 2 * self.size)
            if not self._better(score):
                continue
            if len(these) == 1:
                self.best, self.found = score, Window(score, these[0], these[0] + self.size)
            else:
                half = len(these) // 2
                waiting += [these[half:], these[:half]]

    def along(self, windows: list[tuple[int, int]]) -> None:
        """Look at windows of which each has one sign less than the one before, so that none is nearer by more than
        two."""
        passed = 0
        for start, end in windows:
            if passed:
                passed -= 1
                continue
            total = self.size + end - start
            apart = self._apart(start, end, total)
            score = _share(apart, total)
            if self._better(score):
                self.best, self.found = score, Window(score, start, end)
            passed = max(int((apart - total * (1 - self.best / 100) - 1) // 2), 0)

    def aligned(self) -> Window | None:
        """Return what was found. Of windows that overlap and are equally like, that which begins as `wanted` does."""
        if self.found is not None and self.text[self.found.start] != self.first:
            score, start, end = self.found
            for on in range(1, min(end - start, len(self.text) - end + 1, 9)):
                if self.text[start + on] == self.first:
                    total = self.size + end - start
                    if _share(self._apart(start + on, end + on, total), total) == score:
                        return Window(score, start + on, end + on)
        return self.found

    def _apart(self, start: int, end: int, total: int) -> int:
        return total - 2 * _common_with(self._places, self._every, self.text[start:end])

    def _better(self, score: float) -> bool:
        return score > self.best or (self.found is None and score >= self.best)


def _share(apart: int, total: int) -> float:
    return (1.0 - apart / total) * 100


def _percent(apart: int, total: int) -> float:
    return 100 - 100 * apart / total


def _in_common(one: str, other: str) -> int:
    """Return the length of the longest common subsequence."""
    if not one or not other:
        return 0
    begin, end = 0, 0
    shorter = min(len(one), len(other))
    while begin < shorter and one[begin] == other[begin]:
        begin += 1
    while end < shorter - begin and one[-1 - end] == other[-1 - end]:
        end += 1
    one, other = one[begin : len(one) - end], other[begin : len(other) - end]
    if not one or not other:
        return begin + end
    return begin + end + _common_with(_places(one), (1 << len(one)) - 1, other)


def _places(text: str) -> dict[str, int]:
    """Return the places of every sign as the bits of a number."""
    places: dict[str, int] = {}
    bit = 1
    for sign in text:
        places[sign] = places.get(sign, 0) | bit
        bit <<= 1
    return places


def _common_with(places: dict[str, int], every: int, other: str) -> int:
    """Return the length of the longest common subsequence with a text of which `places` are the places (Hyyrö 2004)."""
    row, find = every, places.get
    for sign in other:
        if where := find(sign):
            met = row & where
            row = (row + met) | (row - met)
    return (~row & every).bit_count()
