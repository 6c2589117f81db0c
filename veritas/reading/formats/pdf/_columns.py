"""Reading order: the segments of a page as columns, one after another, each as lines from top to bottom."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from veritas.reading.formats.pdf._segments import Segment

_MIN_LINES = 4
"""Least lines of a column on either side of a gutter."""
_MIN_LETTERS = 15
"""Least letters of a column's usual line; fewer are a column of a table."""
_MIN_FILL = 0.7
"""Least share of its column's width that the usual line of running text fills."""
_MOST_CROSSED, _MOST_CROSSED_WITHIN = 0.5, 0.15
"""Limit of the share of a page's segments that cross its gutter, and of a column's."""
_SAMPLED_PAGES = 12
_NEAR_USUAL = 8.0
"""Points between the gutters of two pages of one document, at most."""
_MAX_CUTS = 6
"""Limit of heights at which a page is tried to be cut, the widest gaps first."""
_LIST = re.compile(r"(?:\d{1,2}\.?\s+)?(?:references?(?: cited)?|bibliography|literature cited)", re.IGNORECASE)
_STEP = 2.0
_MAX_STRIPS = 12
"""Limit of places at which a gutter is looked for, the least crossed first."""


@dataclass(slots=True, frozen=True)
class Line:
    """The segments of one line of one column, from left to right, with a tab between cells that stand apart."""

    left: float
    bottom: float
    right: float
    top: float
    text: str
    bold: bool

    @property
    def height(self) -> float:
        return self.top - self.bottom


def usual_gutter(pages: Sequence[Sequence[Segment]]) -> float | None:
    """Return the place of the gutter of most of a document's pages; None if most have none, or not at one place."""
    sample = [page for page in pages if len(page) >= 2 * _MIN_LINES][: _SAMPLED_PAGES + 1][-_SAMPLED_PAGES:]
    found = [gutter for page in sample if (gutter := _gutter(page)) is not None]
    if len(found) < 2 or 2 * len(found) < len(sample):
        return None
    middle = median(found)
    near = [gutter for gutter in found if abs(gutter - middle) <= _NEAR_USUAL]
    return middle if len(near) > 1 and 2 * len(near) > len(sample) else None


def columns(segments: Sequence[Segment], *, usual: float | None = None, within: bool = False) -> list[list[Line]]:
    """Return the columns of a page in reading order, or those `within` a column. A title or wide figure across a gutter
    separates the text above from that below; so does the heading of a reference list that goes over both columns, and
    a wide table over or under columns that part at the `usual` place."""
    if not segments:
        return []
    gutter = _gutter(segments, _MOST_CROSSED_WITHIN if within else _MOST_CROSSED)
    if gutter is None and usual is not None and (height := _table_ends(segments, usual)) is not None:
        upper = columns([s for s in segments if s.middle > height], usual=usual)
        return [*upper, *columns([s for s in segments if s.middle <= height], usual=usual)]
    if gutter is None:
        return [_lines(segments)]
    if not within and (height := _list_begins(segments, gutter)) is not None:
        above_it = [s for s in segments if s.middle > height]
        return [*columns(above_it), *columns([s for s in segments if s.middle <= height])]
    found: list[list[Line]] = []
    above: list[Segment] = []
    spanning: list[Segment] = []

    def close_spanning() -> None:
        if spanning:
            found.append(_lines(spanning))
            spanning.clear()

    def close_columns() -> None:
        for side in (
            [s for s in above if s.right <= gutter + 1],
            [s for s in above if s.right > gutter + 1],
        ):
            if side:
                found.extend(columns(side, within=True) if len(side) < len(segments) else [_lines(side)])
        above.clear()

    for segment in sorted(segments, key=lambda s: -s.middle):
        if _spans(segment, gutter):
            close_columns()
            spanning.append(segment)
        else:
            # Segments beside a spanning line belong to it: a number, the end of a title.
            if spanning and any(_same_line(segment, other) for other in spanning[-4:]):
                spanning.append(segment)
                continue
            close_spanning()
            above.append(segment)
    close_columns()
    close_spanning()
    return found


def _spans(segment: Segment, x: float) -> bool:
    return segment.left < x - 1 and segment.right > x + 1


def _table_ends(segments: Sequence[Segment], usual: float) -> float | None:
    """Return a height at which a page without a gutter can be cut so that a part has one at the usual place."""
    rows = rows_of(segments)
    gaps = [
        (min(s.bottom for s in row) - max(s.top for s in below), at)
        for at, (row, below) in enumerate(pairwise(rows), 1)
    ]
    for gap, at in sorted(gaps, reverse=True)[:_MAX_CUTS]:
        for part in (rows[at:], rows[:at]):
            inside = [s for row in part for s in row]
            gutter = _gutter(inside, _MOST_CROSSED_WITHIN) if len(part) >= _MIN_LINES else None
            if gutter is not None and abs(gutter - usual) <= _NEAR_USUAL:
                return min(s.bottom for s in rows[at - 1]) - gap / 2
    return None


def _list_begins(segments: Sequence[Segment], gutter: float) -> float | None:
    """Return the height at which a reference list begins below the end of the text, if each has both columns; None if
    there is none such. The list is in smaller print, and the column without the heading has a gap there."""
    for heading in segments:
        if not _LIST.fullmatch(heading.text.strip()):
            continue
        own = [s for s in segments if (s.left < gutter) == (heading.left < gutter)]
        other = [s for s in segments if (s.left < gutter) != (heading.left < gutter)]
        cut = heading.top + 0.1 * heading.height
        parts = [[s for s in side if (s.middle > cut) == up] for side in (own, other) for up in (True, False)]
        if any(s.bottom < cut < s.top for s in other) or any(len(part) < _MIN_LINES for part in parts):
            continue
        sizes = [median(s.height for s in part if s is not heading) for part in parts]
        if sizes[0] > 1.07 * sizes[1] and sizes[2] > 1.07 * sizes[3]:
            return cut
    return None


def _gutter(segments: Sequence[Segment], crossed: float = 0.5) -> float | None:
    """Return the middle of the white strip between two columns of running text, or None for a page of one column."""
    left, right = min(s.left for s in segments), max(s.right for s in segments)
    width = right - left
    steps = int(0.7 * width / _STEP)
    places = [left + 0.15 * width + _STEP * at for at in range(steps)]
    crossing = [sum(s.left < x - 1 and s.right > x + 1 for s in segments) for x in places]
    # A strip is a run of places that are crossed equally often; its middle is the safest place to cut.
    strips: list[tuple[int, int, float]] = []
    begin = 0
    for at in range(1, steps + 1):
        if at == steps or crossing[at] != crossing[begin]:
            strips.append((crossing[begin], begin - at, (places[begin] + places[at - 1]) / 2))
            begin = at
    for count, _, middle in sorted(strips)[:_MAX_STRIPS]:
        if count <= crossed * len(segments) and _parts(segments, middle):
            return middle
    return None


def _parts(segments: Sequence[Segment], x: float) -> bool:
    """Return whether `x` has running text on both sides, side by side."""
    sides = [[s for s in segments if s.right <= x + 1], [s for s in segments if s.left >= x - 1]]
    spans = []
    for side in sides:
        if len(side) < _MIN_LINES:
            return False
        left, right = min(s.left for s in side), max(s.right for s in side)
        rows = rows_of(side)
        if len(rows) < _MIN_LINES:
            return False
        fill = median(max(s.right for s in row) - min(s.left for s in row) for row in rows) / max(1.0, right - left)
        letters = median(sum(len(s.text) for s in row) for row in rows)
        if fill < _MIN_FILL or letters < _MIN_LETTERS:
            return False
        spans.append((min(s.bottom for s in side), max(s.top for s in side)))
    (low, high), (other_low, other_high) = spans
    shared = min(high, other_high) - max(low, other_low)
    return shared > 0.25 * min(high - low, other_high - other_low)


def _same_line(one: Segment | Line, other: Segment | Line) -> bool:
    overlap = min(one.top, other.top) - max(one.bottom, other.bottom)
    return overlap > 0.5 * min(one.height, other.height)


def rows_of(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Return the segments by line, from top to bottom, each line from left to right."""
    rows: list[list[Segment]] = []
    for segment in sorted(segments, key=lambda s: (-s.middle, s.left)):
        if rows and _same_line(segment, rows[-1][0]):
            rows[-1].append(segment)
        else:
            rows.append([segment])
    for row in rows:
        row.sort(key=lambda s: s.left)
    return rows


def _lines(segments: Sequence[Segment]) -> list[Line]:
    found = []
    for row in rows_of(segments):
        text = row[0].text
        for before, segment in pairwise(row):
            gap, height = segment.left - before.right, max(before.height, segment.height)
            # Segments far apart are cells; segments printed over one another do not belong together either.
            apart = gap > 1.5 * height or gap < -height
            text += ("\t" if apart else " " if gap > 0.5 else "") + segment.text
        tallest = max(row, key=lambda s: s.height)
        found.append(
            Line(
                left=row[0].left,
                bottom=tallest.bottom,
                right=max(s.right for s in row),
                top=tallest.top,
                text=text,
                bold=all(s.bold for s in row),
            )
        )
    return found
