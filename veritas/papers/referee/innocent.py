"""Innocent readings: why numbers that do not hold together may yet be right. One that fits makes the referee silent."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from veritas.papers.referee.effects import UNEQUAL
from veritas.papers.referee.finding import Check, Draft, Printed, printed
from veritas.papers.referee.significance import Reported

AROUND = 300
"""Characters within which a test or a number belongs to what is said."""
_SLACK = 0.03
"""Most share by which a statistic that is recomputed from a rounded interval may be off."""
_SHARE = re.compile(r"\((\d{1,3}(?:\.\d+)?)\)")
_ONE_WAY = 2
"""Least cells of a table whose shares are all too small, for its counts to be of something else than its people."""
_SIZE = re.compile(r"(?<![\w.])[nN][₁₂12]?\s?=\s?(\d{1,5})(?![\d.,]*\d)")
_SPREAD = 1.2
"""Factor between standard deviations that a d may be taken by: pooled, of the controls, or the mean of the two."""
_SUMS = re.compile(r"\b(?:sum(?:s|med)?|totals?|added)\b", re.IGNORECASE)
MANY = 3
"""Mismatches of one kind (tests: of one statistic) from which, if they are more than half of the comparisons of their
check, the reading is suspected."""


def standing(
    text: str, drafts: Iterable[Draft], tests: Sequence[Reported], compared: Mapping[Check, int]
) -> list[Draft]:
    """Return the drafts that no innocent reading explains. `tests` are those that the text reports, `compared` is the
    number of comparisons by check: where most fail alike, one note is left of them."""
    found = list(drafts)
    counted = _tables_of_events(found)
    return _once(text, [each for each in found if not _explained(text, each, tests, counted)], compared)


def _once(text: str, drafts: Sequence[Draft], compared: Mapping[Check, int]) -> list[Draft]:
    failed: dict[tuple[Check, str], list[Draft]] = {}
    for draft in drafts:
        if draft.severity in ("decision", "error"):
            statistic = text[draft.start] if draft.check in ("p-value", "effect-size") else ""
            failed.setdefault((draft.check, statistic), []).append(draft)
    for (check, _), alike in failed.items():
        if len(alike) >= MANY and 2 * len(alike) > compared.get(check, 0):
            right = f"{alike[0].right_if}; {len(alike)} of {compared.get(check, 0)} comparisons of this kind fail, so"
            first = replace(alike[0], severity="note", right_if=f"{right} the numbers may have to be read otherwise")
            drafts = [first if each is alike[0] else each for each in drafts if each is alike[0] or each not in alike]
    return list(drafts)


def _explained(text: str, draft: Draft, tests: Sequence[Reported], counted: Collection[str]) -> bool:
    if draft.check == "confidence-interval":
        return _of_something_else(text, draft, tests)
    if draft.check == "count":
        return _told_behind(text, draft)
    if draft.check == "effect-size":
        return _other_effect(text, draft, tests)
    if draft.check == "scale":
        return _SUMS.search(text, max(0, draft.start - AROUND), draft.end) is not None
    if draft.check == "standard-error":
        return _of_fewer(text, draft)
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


def _other_effect(text: str, draft: Draft, tests: Sequence[Reported]) -> bool:
    """Return whether an effect size is another one of the same test: a d of differences or of unequal groups, corrected
    for small samples or by another standard deviation; an η² of the total, or an ω²; one of a mixed model."""
    test = next(each for each in tests if each.start == draft.start)
    said = next(printed(text[start:end]) for name, start, end in draft.inputs if name == "effect size")
    size, df = abs(test.value.value) + test.value.half, test.df[-1].value
    if said is None or test.df[-1].places:
        return True  # degrees of freedom of a mixed model, whose effect sizes are others
    value = abs(said.value)
    if draft.says.startswith(("η", "eta", "partial")):
        first = test.df[0].value if test.kind == "F" else 1.0
        f = size if test.kind == "F" else size * size
        least = max(0.0, (f - 1) * first / ((f - 1) * first + df + first + 1)) - 0.005
        named = draft.says.partition(" = ")[0]
        most = f * first / (f * first + df)
        return value <= most and ("p" not in named or value >= least)
    if draft.says.startswith("r"):
        return False
    around = text[max(0, test.start - AROUND) : draft.end + AROUND]
    sizes = [int(match[1]) for match in _SIZE.finditer(around)]
    pairs = [(a, b) for a, b in combinations(sizes, 2) if a and b and a + b == df + 2]
    if not pairs:
        return value - said.half <= UNEQUAL * size / math.sqrt(df)
    low = max(0.0, size - 2 * test.value.half)
    small = 1 - 3 / (4 * df - 1)
    parts = [math.sqrt(1 / a + 1 / b) for a, b in pairs]
    least, most = small * low / _SPREAD, size * _SPREAD
    return any(least * part - said.half <= value <= most * part + said.half for part in parts)


def _of_fewer(text: str, draft: Draft) -> bool:
    """Return whether a standard error is that of the same deviation and of another number: one that is told around,
    n − 1, or one of two equal groups."""
    said = {name: (printed(text[start:end]), start, end) for name, start, end in draft.inputs}
    (sd, *_), (se, *_), (n, *_) = said["SD"], said["SE"], said["n"]
    if sd is None or se is None or n is None or se.low <= 0:
        return True
    low, high = (sd.low / se.high) ** 2, (sd.high / se.low) ** 2
    around = text[max(0, draft.start - AROUND) : draft.end + AROUND]
    told = [n.value - 1, n.value / 2, *(float(m[1]) for m in _SIZE.finditer(around))]
    return any(low <= each <= high for each in told)
