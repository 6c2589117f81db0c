"""Sentences that begin with a small letter: "… a BSD licence[1]. zlib is written in C." """

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

_STOP = re.compile(r"(?<=\S)(?P<between>[ \t]*)[.!](?P<behind>[ \t]*)\s(?=[`*_]{0,3}[a-z])")
_ABBREVIATED = re.compile(
    r"(?i)(?:\b(?:\w|al|approx|ca|cf|ch|dept|ed|eds|eq|etc|ex|fig|figs|inc|incl|ltd|max|min|no|nos|nr|p|pp|resp|ref|refs|"
    r"sec|st|vol|vs|bzw|ggf|evtl|inkl|vgl|usw)|\b\w\.\w)\Z"
)
_OPENS = re.compile(
    r"(?!(?:and|or|but|which|that|who|it|this|there|he|she|they|we|you|i|what|so|as|if|then|not|also)\b)[a-z][\w.-]*\s"
    r"(?:is|are|was|were|has|had|can|cannot|does|did|will|provides?|supports?|uses?|used|needs?|requires?|offers?|comes?|"
    r"took|takes|runs?|reads?|writes?|finds?|works?)\b"
)
"""A name in small letters and a verb: how a sentence on a program or a library begins."""


def parted(masked: str, start: int, end: int, mark_ends: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield a sentence `masked[start:end]` cut where another begins with a small letter: behind a stop that a mark
    stands at, and where a name in small letters and a verb follow. `mark_ends` are the ends of marks in order; marks
    are blanks in `masked`."""
    for stop in _STOP.finditer(masked, start, end):
        before = masked[max(start, stop.start() - 12) : stop.start()]
        if _ABBREVIATED.search(before) or before.endswith("."):
            continue
        place = bisect_right(mark_ends, stop.end()) - 1
        at_mark = place >= 0 and mark_ends[place] > stop.start()
        if at_mark or _OPENS.match(masked, stop.end(), end):
            yield start, stop.end() - 1
            start = stop.end()
    yield start, end
