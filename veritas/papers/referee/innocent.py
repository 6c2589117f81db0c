"""Innocent readings: why numbers that do not hold together may yet be right. One that fits makes the referee silent."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from veritas.papers.referee.finding import Draft, Printed, printed
from veritas.papers.referee.significance import Reported

AROUND = 300
"""Characters within which a test or a number belongs to what is said."""
_SLACK = 0.03
"""Most share by which a statistic that is recomputed from a rounded interval may be off."""
_SHARE = re.compile(r"\((\d{1,3}(?:\.\d+)?)\)")
_ONE_WAY = 2
"""Least cells of a table whose shares are all too small, for its counts to be of something else than its people."""


def standing(text: str, drafts: Iterable[Draft], tests: Sequence[Reported]) -> list[Draft]:
    """Return the drafts that no innocent reading explains. `tests` are those that the text reports."""
    found = list(drafts)
    counted = _tables_of_events(found)
    return [each for each in found if not _explained(text, each, tests, counted)]


def _explained(text: str, draft: Draft, tests: Sequence[Reported], counted: Collection[str]) -> bool:
    if draft.check == "confidence-interval":
        return _of_something_else(text, draft, tests)
    if draft.check == "count":
        return _told_behind(text, draft)
    return draft.check == "share" and _table(draft) in counted


def _of_something_else(text: str, draft: Draft, tests: Sequence[Reported]) -> bool:
    """Return whether an interval that does not hold its estimate is told in another unit, or is another quantity's:
    that of the difference whose t, z or F stands beside it, or one beyond 1 where the estimate is printed without the 0
    of what cannot exceed 1."""
    said = {name: printed(text[start:end]) for name, start, end in draft.inputs}
    value, low, high = (said.get(name) for name in ("estimate", "lower end", "upper end"))
    if value is None or low is None or high is None or low.value > high.value or low.low <= value.value <= high.high:
        return False
    scale = 0.01 if high.value <= 1 < value.value else 100 if value.value <= 1 < low.value else 1
    if low.low <= value.value * scale <= high.high:
        return True
    if value.text.lstrip("-−–").startswith((".", "·")) and max(abs(low.value), abs(high.value)) > 1:
        return True
    return any(_fits(test, low, high) for test in tests if abs(test.start - draft.start) <= AROUND)


def _fits(test: Reported, low: Printed, high: Printed) -> bool:
    """Return whether a test's statistic is that of the middle of an interval over its standard error."""
    from scipy import stats  # heavy: only a paper with such a finding pays for it

    size = abs(test.value.value)
    if test.kind == "t":
        reach = float(stats.t.ppf(0.975, test.df[0].value))
    elif test.kind == "F" and test.df[0].value == 1:
        reach, size = float(stats.t.ppf(0.975, test.df[1].value)), size**0.5
    elif test.kind == "z":
        reach = 1.96
    else:
        return False
    width = high.value - low.value
    made = abs(low.value + high.value) / width * reach if width else 0.0
    off = (low.half + high.half) / width if width else 0.0
    return abs(made - size) <= max(_SLACK, off) * max(made, size, 1.0) + test.value.half


def _told_behind(text: str, draft: Draft) -> bool:
    """Return whether the number of those who are in no group is told in what follows."""
    numbers = [printed(text[start:end]) for _, start, end in draft.inputs]
    if any(each is None for each in numbers):
        return False
    first, *groups = [int(each.value) for each in numbers if each is not None]
    missing = first - sum(groups)
    return missing > 0 and bool(re.search(rf"(?<![\d.,]){missing}(?![\d.,]*\d)", text[draft.end : draft.end + AROUND]))


def _table(draft: Draft) -> str:
    return draft.says.partition(",")[0]


def _tables_of_events(drafts: Iterable[Draft]) -> set[str]:
    """Return the tables whose wrong shares are all too small for their counts: these count events, of which one person
    may have several, and not people."""
    ways: dict[str, Counter[bool]] = {}
    for draft in drafts:
        said, made = _SHARE.search(draft.says), _SHARE.search(draft.recomputed)
        if draft.check == "share" and said and made:
            ways.setdefault(_table(draft), Counter())[float(said[1]) < float(made[1])] += 1
    return {name for name, way in ways.items() if not way[False] and way[True] >= _ONE_WAY}
