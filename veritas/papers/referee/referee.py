"""The arithmetic referee: recompute what a paper's own numbers give, over its whole text and every table.

Nothing is asked of a model or of the network. A finding must be certain: where a number can be read in two ways, or the
text tells of a correction, a weighting or a model that would explain it, nothing is said.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from veritas.documents.paper_parts import Figure, Place, Section
from veritas.documents.paper_sections import page_of, section_at
from veritas.papers.audit import PARTS_MISSING
from veritas.papers.reading.paper_text import PaperText
from veritas.papers.referee.effects import effect_sizes
from veritas.papers.referee.finding import Check, Draft, Finding, Input, Refereed, Severity
from veritas.papers.referee.granularity import (
    Moments,
    Scale,
    granularity,
    row_granularity,
    row_moments,
    scale_of,
    values_told,
)
from veritas.papers.referee.innocent import standing
from veritas.papers.referee.intervals import intervals
from veritas.papers.referee.shares import group_sums, shares
from veritas.papers.referee.significance import (
    Context,
    Disagreement,
    Reported,
    disagreement,
    impossible,
    reported_tests,
)
from veritas.papers.referee.table_groups import block_sums, group_shares, row_shares
from veritas.papers.referee.tabulated import grid_of, share_rows, table_shares, table_sums
from veritas.papers.referee.whole_tables import whole_tables
from veritas.papers.verification.own_tables import own_tables
from veritas.text.dates import MONTHS
from veritas.text.plural import plural
from veritas.text.sentences import sentences

_MONTHS = {name: number for number, name in enumerate(MONTHS, 1)}
_MONTH = "|".join(_MONTHS)
_DAY = re.compile(
    rf"\b(?:(?P<day1>\d{{1,2}})(?:st|nd|rd|th)? (?P<month1>{_MONTH})"
    rf"|(?P<month2>{_MONTH}) (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:]))(?:,? (?P<year>(?:19|20)\d\d))?\b",
    re.IGNORECASE,
)
_PEOPLE = r"(?:participants|patients|subjects|samples|people|adults|children|women|men)"
_PERIOD = re.compile(
    rf"\b(?:between|from)\s(?:\d{{1,2}}\s)?(?:(?P<month1>{_MONTH})\s(?:\d{{1,2}},?\s)?)?(?P<year1>(?:19|20)\d\d)\s"
    rf"(?:and|to|until|through)\s(?:\d{{1,2}}\s)?(?:(?P<month2>{_MONTH})\s(?:\d{{1,2}},?\s)?)?"
    rf"(?P<year2>(?:19|20)\d\d)\b(?!\s?(?:%|{_PEOPLE}|°|nm|kg|mg|ms|Hz|cm|m\b))",
    re.IGNORECASE,
)


def dates(sentence: str, at: int) -> Iterator[Draft]:
    """Yield days that no month has, and periods that end before they begin."""
    for match in _DAY.finditer(sentence):
        day, month = int(match["day1"] or match["day2"]), _MONTHS[(match["month1"] or match["month2"]).lower()]
        name = match["month1"] or match["month2"]
        if name.lower() in ("may", "march") and not name[0].isupper():
            continue
        length = monthrange(int(match["year"] or 2000), month)[1]  # which had a 29th of February
        if day == 0 or day <= length or day > 31 + 8:
            continue
        if match["day2"] and match["year"] is None:
            continue  # "May 45 patients"
        yield _date(at, match, f"{name} has {length} days", f"{day} > {length}", "the day or the month were another")
    for match in _PERIOD.finditer(sentence):
        first, second = ((int(match[f"year{i}"]), _MONTHS.get((match[f"month{i}"] or "").lower(), 0)) for i in (1, 2))
        if first > second and (first[0] > second[0] or second[1]):
            part = "year" if first[0] > second[0] else "month"
            order = f"{match[f'{part}2']} comes before {match[f'{part}1']}"
            right = "the two dates were swapped, or one of them were another"
            yield _date(at, match, "it ends before it begins", order, right)


def _date(at: int, match: re.Match[str], recomputed: str, calculation: str, right_if: str) -> Draft:
    start, end = at + match.start(), at + match.end()
    return Draft("date", "error", start, end, match.group(), recomputed, calculation, "none", right_if)


_GRAVITY = {"decision": 0, "error": 1, "rounding": 2, "note": 3}
BACK = frozenset(("references",))
"""Sections whose numbers are not the paper's own."""


def referee(
    text: str,
    *,
    figures: Sequence[Figure] = (),
    sections: Sequence[Section] = (),
    page_starts: Sequence[int] = (),
) -> Refereed:
    """Return what was recomputed in a paper, and the numbers that do not hold together. Offsets count characters of
    `text`."""
    end = min((s.place.start for s in sections if s.name in BACK), default=len(text))
    found: dict[tuple[str, int, int], Draft] = {}
    recomputed: Counter[Check] = Counter()
    in_cells: Counter[Check] = Counter()
    tests = list(reported_tests(text))
    listed = [(s.place.start, s.place.end) for s in sections if s.name in BACK]
    for draft, in_table in _all_drafts(text, figures, tests, Context.of(text, listed)):
        if isinstance(draft, str):
            recomputed[draft] += 1
            in_cells[draft] += in_table
            continue
        section = section_at(sections, draft.start)
        if draft.start >= end and section is not None and section.name in BACK:
            continue
        found.setdefault((draft.check, draft.start, draft.end), draft)
    told: dict[tuple[str, ...], list[Draft]] = {}
    left = standing(text, found.values(), tests, recomputed)
    for draft in sorted(left, key=lambda d: (_GRAVITY[d.severity], d.start)):
        same = (draft.check, draft.severity, draft.says, draft.recomputed, draft.calculation)
        told.setdefault(same, []).append(draft)
    return Refereed(
        findings=tuple(_finding(text, drafts, sections, page_starts) for drafts in told.values()),
        recomputed=dict(sorted(recomputed.items())),
        unchecked=_unchecked(text[:end], recomputed - in_cells, _rows(text[:end], figures)),
    )


def referee_of(paper: PaperText) -> Refereed:
    """Return what was recomputed in a paper as it was read, with its title and what was left out of it."""
    made = referee(
        paper.text, figures=paper.figures, sections=paper.sections, page_starts=paper.document.page_starts
    )
    notes = tuple(event.reason for event in paper.events if event.kind in (PARTS_MISSING, "abstract-only", "language"))
    return made.model_copy(update={"title": paper.identity.title, "notes": notes})


def _all_drafts(
    text: str, figures: Sequence[Figure], tests: Sequence[Reported], context: Context
) -> Iterator[tuple[Draft | Check, bool]]:
    """Yield the drafts and comparisons, each with whether it is about cells whose signs ("%") stand in the head."""
    yield from ((each, False) for each in _drafts(text, figures, tests, context))
    yield from ((each, True) for each in _of_whole_tables(text, figures))


def _drafts(
    text: str, figures: Sequence[Figure], tests: Sequence[Reported], context: Context
) -> Iterator[Draft | Check]:
    """Yield the name of a check for every comparison that was made, and a draft for every one that failed."""
    rows = _rows(text, figures)
    halves = []
    yield from impossible(text)
    for test in tests:
        yield "p-value"
        wrong = disagreement(test, context)
        if wrong is not None and wrong.one_tailed:
            halves.append(wrong)
        elif wrong is not None:
            yield _of_test(wrong, context)
    if halves:  # a habit of the whole paper: one note, not one a test
        yield _of_test(halves[0], context, others=len(halves) - 1)
    yield from effect_sizes(text, tests)
    yield from shares(text)
    spans = [(s.start, s.end) for s in sentences(text)]
    arounds = [text[spans[max(0, i - 2)][0] : spans[min(len(spans) - 1, i + 1)][1]] for i in range(len(spans))]
    scales = _scales(text, spans, arounds)
    for (start, end), around in zip(spans, arounds, strict=True):
        sentence = text[start:end]
        if "\t" in sentence or not any(c.isdigit() for c in sentence):
            continue
        yield from intervals(sentence, start)
        yield from group_sums(sentence, start)
        yield from granularity(sentence, start, around, scales, rows)
        yield from dates(sentence, start)
    captions = {figure.label: figure for figure in figures if figure.kind == "table"}
    for each in own_tables(text, figures):
        grid = grid_of(text, each.start, each.end, each.label)
        if grid is not None:
            if caption := captions.get(each.label):
                yield from row_granularity(caption.text, caption.place.start, row_moments(grid), scales)
            yield from table_sums(grid)
            yield from table_shares(grid)
            yield from share_rows(text, grid)


def _scales(text: str, spans: Sequence[tuple[int, int]], arounds: Sequence[str]) -> list[Scale]:
    made = (scale_of(text[start:end], start, around) for (start, end), around in zip(spans, arounds, strict=True))
    return [scale for scale in made if scale is not None]


def _of_whole_tables(text: str, figures: Sequence[Figure]) -> Iterator[Draft | Check]:
    """Yield what whole tables give, with the headings between their rows."""
    for whole in whole_tables(text, figures):
        yield from group_shares(whole)
        yield from block_sums(whole)
        yield from row_shares(whole)


def _of_test(wrong: Disagreement, context: Context, others: int = 0) -> Draft:
    test = wrong.test
    p = "n.s." if test.p is None else f"p {test.p_sign} {test.p.text}"
    df = ", ".join(each.text for each in test.df)
    name = {"chi2": "χ²"}.get(test.kind, test.kind)
    of = f"{name}({df})" if df else name
    right = "one of statistic, degrees of freedom and p-value is a misprint, and the conclusion rests on the right one"
    if wrong.one_tailed:
        more = f" and {plural(others, 'other')} like it" if others else ""
        right = f"the test{more} were one-tailed, which the paper does not say"
    if wrong.floor:
        right = f"p < {10.0**-test.p.places:g} were meant" if test.p else right
    if wrong.corrected:
        right = "the p-value was corrected for more than ten comparisons, as the paper says of others"
    severity: Severity = "decision" if wrong.decides else "rounding" if wrong.near else "error"
    return Draft(
        "p-value",
        "note" if wrong.one_tailed or wrong.floor or wrong.corrected else severity,
        test.start, test.end, p, wrong.recomputed,
        f"two-tailed p of {of} {test.sign} {test.value.text}: {wrong.recomputed.removeprefix('p ').removeprefix('= ')}"
        + (f"; significance at {context.level:g} changes" if wrong.decides else ""),
        "half a unit of the last digit of the statistic and of p", right, (),
    )  # fmt: skip


def _finding(text: str, drafts: Sequence[Draft], sections: Sequence[Section], pages: Sequence[int]) -> Finding:
    """Return the first of several drafts of the same numbers, with the places of all."""
    draft = drafts[0]
    places = [_place(each.start, each.end, sections, pages) for each in drafts]
    headings = {section.id: section.heading for section in sections}
    named = dict.fromkeys(headings[place.section] for place in places if place.section in headings)
    return Finding(
        check=draft.check,
        severity=draft.severity,
        quote=text[draft.start : draft.end],
        says=draft.says,
        recomputed=draft.recomputed,
        calculation=draft.calculation,
        allowed=draft.allowed,
        right_if=draft.right_if,
        inputs=tuple(
            Input(name=name, printed=text[start:end], place=_place(start, end, sections, pages))
            for name, start, end in draft.inputs
        ),
        location=places[0],
        also=tuple(places[1:]),
        where=_joined(list(named)),
    )


def _joined(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def _place(start: int, end: int, sections: Sequence[Section], pages: Sequence[int]) -> Place:
    section = section_at(sections, start)
    return Place(start=start, end=end, page=page_of(pages, start), section=section.id if section else None)


_NUMBER = r"[-−–]?\d{0,4}[.·]\d{1,4}"
_FORMS: Mapping[str, tuple[re.Pattern[str], tuple[Check, ...]]] = {
    "percentage": (
        re.compile(r"\d\s?(?:%|per ?cent\b)(?!\s?(?:(?-i:CIs?|C\.I)|confidence|credible|power))", re.IGNORECASE),
        ("share",),
    ),
    "interval": (
        re.compile(
            rf"[\[(]\s?{_NUMBER}\s?(?:–|—|-|−|to|,|;)\s?{_NUMBER}\s?[\])]"
            rf"|\b(?:CI|confidence intervals?)\s?[:=,]?\s?[\[(]?\s?{_NUMBER}\s?(?:–|—|-|−|to|,|;)\s?{_NUMBER}"
        ),
        ("confidence-interval",),
    ),
    "p-value": (
        re.compile(r"(?<![\w.])[pP](?:\s?[- ]?value)?(?:\s?\([^()]{1,12}\))?\s?(?:=|<|>|≤|≥|&lt;|&gt;)\s?[01]?[.·]?\d"),
        ("p-value",),
    ),
}


def _rows(text: str, figures: Sequence[Figure]) -> list[Moments]:
    grids = (grid_of(text, each.start, each.end, each.label) for each in own_tables(text, figures))
    return [row for grid in grids if grid is not None for row in row_moments(grid)]


_OF_VALUES: Mapping[str, tuple[Check, ...]] = {
    "mean": ("grim", "grimmer"),
    "SD": ("grimmer", "standard-error"),
    "SE": ("standard-error",),
}
"""The checks that use each. One of a scale stands beside that of whole numbers, if there is one."""


def _unchecked(text: str, recomputed: Mapping[Check, int], rows: Sequence[Moments]) -> dict[str, int]:
    """Return the numbers of a text by form, without those that were recomputed. It is an estimate: a number may be
    compared twice or be printed in a form that is not counted."""
    found: dict[str, int] = {}
    for form, (pattern, checks) in _FORMS.items():
        seen = sum(1 for _ in pattern.finditer(text))
        left = seen - sum(recomputed.get(check, 0) for check in checks)
        if left > 0:
            found[form] = left
    told = values_told(text, rows)
    for form, checks in _OF_VALUES.items():
        looked = sum(recomputed.get(check, 0) for check in checks)
        left = told[form] - (looked if form == "SE" else max(looked, recomputed.get("scale", 0)))
        if left > 0:
            found[form] = left
    return found
