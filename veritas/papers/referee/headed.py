"""Ratios with their intervals in brackets, where "95 % CI" stands in the head of a paragraph or of a column."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veritas.papers.referee._draft import Draft
from veritas.papers.referee.finding import Check
from veritas.papers.referee.printed import printed
from veritas.papers.referee.tabulated import Grid

_RATIO = (
    r"(?:(?:hazards?|odds|risk|rate|prevalence|incidence rate) ratios?|relative risks?"
    r"|(?-i:[ac]?(?:HR|OR|RR|IRR|PR)s?))"
)
_LEVEL = r"(?:9[059]\s?%\s?(?:(?-i:CIs?|C\.I\.)|confidence intervals?|confidence limits?))"
_HEAD = re.compile(rf"\b{_RATIO}\b[^.;\d]{{0,40}}{_LEVEL}", re.IGNORECASE)
_NAMED = re.compile(rf"\b{_RATIO}", re.IGNORECASE)
_DECIMAL = r"\d{1,3}[.·]\d{1,3}"
_PAIR = re.compile(
    rf"(?<![\w.·/–−-])(?P<value>{_DECIMAL})\s?[\[(]\s?(?P<low>{_DECIMAL})\s?(?:–|—|-|−|to|,|;)\s?(?P<high>{_DECIMAL})\s?[\])]"
)
_CELL = re.compile(rf"^{_PAIR.pattern}\W{{0,3}}$")
_OTHER = re.compile(
    r"\b(?:mean|median|SD|standard deviation|IQR|interquartile|range|years|log|reference|versus|vs)\b", re.IGNORECASE
)
HOLDING = 3
"""Other cells of a column whose interval holds their estimate, so that the column is certainly read rightly."""


def headed_intervals(text: str, start: int, end: int) -> Iterator[Draft | Check]:
    """Yield ratios of the sentence at `[start, end)` that lie outside the interval in the brackets behind them, in a
    paragraph whose head says once that the brackets hold confidence intervals."""
    sentence = text[start:end]
    found = list(_PAIR.finditer(sentence))
    if not found or _OTHER.search(sentence) or not _NAMED.search(sentence[: found[0].start()]):
        return
    paragraph = max(text.rfind("\n\n", 0, start), 0)
    if _HEAD.search(text, paragraph, start + found[0].start()) is None:
        return
    for match in found:
        yield from _compared(match, start)


def table_intervals(grid: Grid) -> Iterator[Draft | Check]:
    """Yield cells "1.17 (1.22–1.66)" of a column of ratios with their intervals whose estimate lies outside. The
    column is sure only if at least three other cells hold theirs and no second one fails."""
    for column in range(1, len(grid.rows[0])):
        heads = " ".join(row[column][0] for row in grid.rows[:2])
        if not _HEAD.search(heads):
            continue
        holding, odd = 0, []
        for row in grid.rows[1:]:
            cell, at, _ = row[column]
            match = _CELL.match(cell)
            if match is None:
                continue
            made = [each for each in _compared(match, at) if isinstance(each, Draft)]
            yield "confidence-interval"
            odd += made
            holding += not made
        if len(odd) == 1 and holding >= HOLDING:
            yield odd[0]


def _compared(match: re.Match[str], at: int) -> Iterator[Draft | Check]:
    value, low, high = (printed(match[name]) for name in ("value", "low", "high"))
    if value is None or low is None or high is None or not value.places == low.places == high.places:
        return
    yield "confidence-interval"
    if low.low <= value.high and value.low <= high.high:
        return
    swapped = low.low > high.high
    compared = f"{low.text} > {high.text}" if swapped else (
        f"{value.text} < {low.text}" if value.high < low.low else f"{value.text} > {high.text}"
    )
    yield Draft(
        "confidence-interval", "error", at + match.start(), at + match.end(),
        f"{value.text} (interval {low.text} to {high.text})",
        "ends in the wrong order" if swapped else "the estimate lies outside its interval", compared,
        "half a unit of the last digits",
        "the ends were swapped in print" if swapped else f"the estimate lay between {low.text} and {high.text}",
        tuple((name, at + match.start(group), at + match.end(group))
              for name, group in (("estimate", "value"), ("lower end", "low"), ("upper end", "high"))),
    )  # fmt: skip
