"""Marks of the references in a list: numbers that count up, keys, bullets."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple


class Cut(NamedTuple):
    """A reference at `[start, end)` of the list, without its mark; `key` is the mark, if it has one."""

    start: int
    end: int
    key: str | None


_BRACKETED = re.compile(r"(?:^|(?<=\s))\[(\d{1,3})\][ \t]*(?=\S)", re.MULTILINE)
_DOTTED = re.compile(
    r"^[ \t]*(?:[-*•][ \t]+)?(\d{1,3})[.)](?:[ \t]+(?=\S)|(?=[^\W\d_a-zß-öø-ÿ][^\W\d_]))", re.MULTILINE
)
_IN_PARENTHESES = re.compile(r"^[ \t]*\((\d{1,3})\)[ \t]+(?=\S)", re.MULTILINE)
_BARE = re.compile(r"^[ \t]*(\d{1,3})[ \t]+(?=[^\W\d_a-zß-öø-ÿ])", re.MULTILINE)
_KEYED = re.compile(
    r"(?:^|(?<=\s))\[((?=\d{0,3}[^\W\d_])\w[\w+'’.-]{0,18}\d{2,4}[a-z]?\w{0,3})\][ \t]*(?=\S)", re.MULTILINE
)
_KEYED_OR_NAMED = re.compile(
    r"(?:^|(?<=\s))\[((?=\d{0,3}[^\W\d_])\w[\w+'’.-]{0,18}\d{2,4}[a-z]?\w{0,3}|[A-Z]\w{1,7})\][ \t]+(?=\S)",
    re.MULTILINE,
)
SURELY_KEYED = 5
"""Least number of keys that cannot be an accident, though they have prose before them and no years."""
_LABELLED = re.compile(r"^[ \t]*\[([^\W\d_][^\[\]\n]{2,80}\(?\d{4}[^\[\]\n]{0,80})\][ \t]*", re.MULTILINE)
MOST_AT_THE_END = 12
"""Limit of the missing numbers between two marks that are looked for within the lines."""
_BULLET = re.compile(r"(?:^[ \t]*[-*+•]|(?<=\s)•)[ \t]+(?=\S)", re.MULTILINE)
_OUTSET = re.compile(r"^[ \t]*\[(\d{1,3})\][ \t]*(?=\S)", re.MULTILINE)
_WORD_KEYED = re.compile(r"^[ \t]*\[(\w[\w+:.'’-]{0,40})\][ \t]+(?=\S)", re.MULTILINE)


def at_marks(text: str, body: int) -> list[Cut]:
    """Cut a list that begins at `body` at its marks; return nothing if it has none."""
    for pattern, least in ((_BRACKETED, 2), (_DOTTED, 2), (_IN_PARENTHESES, 2), (_BARE, 4)):
        marks = _counting(list(pattern.finditer(text, body)), text, body, least)
        if pattern is _BRACKETED and len(chosen := _rising(text, body)) > len(marks):
            marks = chosen
        if marks:
            return _between(text, _with_inner(marks, text))
    if len(list(_KEYED.finditer(text, body))) >= SURELY_KEYED:
        return _between(text, list(_KEYED_OR_NAMED.finditer(text, body)))
    for pattern in (_KEYED, _LABELLED, _WORD_KEYED, _BULLET):
        marks = list(pattern.finditer(text, body))
        if len(marks) < 2 or (pattern is _WORD_KEYED and len({mark[1] for mark in marks}) < len(marks)):
            continue
        lines = len(re.findall(r"\S[^\n]*", text[marks[0].start() :]))
        if not text[body : marks[0].start()].strip() or (pattern is _BULLET and 2 * len(marks) >= lines):
            return _between(text, marks)
    return []


def _rising(text: str, body: int) -> list[re.Match[str]]:
    """Return numbers in brackets that begin lines and rise, as in a selection from a longer list."""
    marks = list(_OUTSET.finditer(text, body))
    numbers = [int(mark[1]) for mark in marks]
    begins = bool(marks) and not text[body : marks[0].start()].strip()
    return marks if begins and all(one < other for one, other in pairwise(numbers)) else []


def _counting(marks: Sequence[re.Match[str]], text: str, body: int, least: int) -> list[re.Match[str]]:
    """Return the marks that count up from the first, anew in each chapter; others are numbers in the references."""
    places: dict[int, list[int]] = {}
    for place, mark in enumerate(marks):
        places.setdefault(int(mark[1]), []).append(place)
    numbers = [int(mark[1]) for mark in marks]
    chapters = {1: [place for place in places.get(1, ()) if numbers[place : place + 3] == [1, 2, 3]]}
    chain: list[re.Match[str]] = []
    at, number = -1, 0
    if marks and not any(int(mark[1]) == 1 for mark in marks[:3]):
        number = int(marks[0][1]) - 1  # a list that goes on from elsewhere
    while True:
        following = ((step, _next(places, number + step, at)) for step in (1, 2, 3))
        found = next(((step, place) for step, place in following if place is not None), None)
        if found is not None:
            number, at = number + found[0], found[1]
        else:
            again = _next(chapters, 1, at) if chain and int(chain[0][1]) == 1 else None
            if again is None:
                break
            at, number = again, 1
        chain.append(marks[at])
    covered = bool(chain) and len(text[body : chain[0].start()].strip()) < 0.2 * (len(text) - body) + 40
    return chain if covered and (len(chain) >= least or (chain and not text[body : chain[0].start()].strip())) else []


_INNER = r"(?<=[.\])\d;])\s+[\[(]?({}){}(?=[^\W\d_a-zß-öø-ÿ][^\W\d_]|[“\"])"


def _with_inner(marks: Sequence[re.Match[str]], text: str) -> list[re.Match[str]]:
    """Return the marks with those of missing numbers that stand within a line, behind the end of the reference
    before: columns that a converter joined leave them there."""
    found: list[re.Match[str]] = []
    for mark, following in zip(marks, [*marks[1:], None][: len(marks)], strict=True):
        found.append(mark)
        at, number = mark.end(), int(mark[1])
        last = int(following[1]) if following is not None else number + MOST_AT_THE_END
        end = following.start() if following is not None else len(text)
        stop = r"[.)\]][ \t]*" if following is None else r"(?:[.)\]][ \t]*|[ \t]+)"
        for missing in range(number + 1, last if last - number <= MOST_AT_THE_END else number + 1):
            inner = re.compile(_INNER.format(missing, stop)).search(text, at, end)
            if inner is None:
                continue
            found.append(inner)
            at = inner.end()
    return found


def _next(places: dict[int, list[int]], number: int, after: int) -> int | None:
    """Return the first place of a number behind another place."""
    found = places.get(number, [])
    place = bisect_right(found, after)
    return found[place] if place < len(found) else None


def _between(text: str, marks: Sequence[re.Match[str]]) -> list[Cut]:
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    return [
        Cut(mark.end(), end, mark[1] if mark.re.groups else None) for mark, end in zip(marks, ends, strict=True)
    ]
