"""The arithmetic referee: recompute what a paper's own numbers give, over its whole text and every table.

Nothing is asked of a model or of the network. A finding must be certain: where a number can be read in two ways, or the
text tells of a correction, a weighting or a model that would explain it, nothing is said.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime

from veritas.documents.paper_parts import Figure, Place, Section
from veritas.documents.paper_sections import page_of, section_at
from veritas.papers.audit import PARTS_MISSING
from veritas.papers.reading.paper_text import PaperText
from veritas.papers.referee._draft import Draft
from veritas.papers.referee.changes import changes
from veritas.papers.referee.degrees import degrees, degrees_in_paper
from veritas.papers.referee.finding import Check, Finding, Input, Refereed, Severity
from veritas.papers.referee.granularity import granularity
from veritas.papers.referee.headed import headed_intervals, table_intervals
from veritas.papers.referee.intervals import intervals
from veritas.papers.referee.parts import parts_of_total
from veritas.papers.referee.shares import flows, group_sums, shares
from veritas.papers.referee.significance import Context, Disagreement, disagreement, reported_tests
from veritas.papers.referee.spread import spread
from veritas.papers.referee.table_counts import (
    across_tables,
    intervals_against_tables,
    odds_ratios,
    text_against_tables,
)
from veritas.papers.referee.table_groups import block_sums, group_shares, row_shares
from veritas.papers.referee.tabulated import grid_of, table_shares, table_sums
from veritas.papers.referee.two_by_two import two_by_two
from veritas.papers.referee.unchecked import unchecked
from veritas.papers.referee.whole_tables import whole_tables
from veritas.papers.referee.wording import dates, marginal
from veritas.papers.verification.own_tables import OwnTable, conflict, own_tables, refers
from veritas.text.plural import plural
from veritas.text.sentences import sentences

_GRAVITY = {"decision": 0, "error": 1, "rounding": 2, "note": 3}
BACK = frozenset(("references",))
"""Sections whose numbers are not the paper's own."""


def referee(
    text: str,
    *,
    figures: Sequence[Figure] = (),
    sections: Sequence[Section] = (),
    page_starts: Sequence[int] = (),
    today: date | None = None,
) -> Refereed:
    """Return what was recomputed in a paper, and the numbers that do not hold together. Offsets count characters of
    `text`; dates after `today` (default: the current day, UTC) are still to come."""
    day = today or datetime.now(UTC).date()
    end = min((s.place.start for s in sections if s.name in BACK), default=len(text))
    found: dict[tuple[str, int, int], Draft] = {}
    recomputed: Counter[Check] = Counter()
    in_cells: Counter[Check] = Counter()
    for draft, in_table in _all_drafts(text, figures, day):
        if isinstance(draft, str):
            recomputed[draft] += 1
            in_cells[draft] += in_table
            continue
        section = section_at(sections, draft.start)
        if draft.start >= end and section is not None and section.name in BACK:
            continue
        found.setdefault((draft.check, draft.start, draft.end), draft)
    told: dict[tuple[str, ...], list[Draft]] = {}
    for draft in sorted(found.values(), key=lambda d: (_GRAVITY[d.severity], d.start)):
        same = (draft.check, draft.severity, draft.says, draft.recomputed, draft.calculation)
        told.setdefault(same, []).append(draft)
    return Refereed(
        findings=tuple(_finding(text, drafts, sections, page_starts) for drafts in told.values()),
        recomputed=dict(sorted(recomputed.items())),
        unchecked=unchecked(text[:end], recomputed - in_cells),
    )


def referee_of(paper: PaperText, today: date | None = None) -> Refereed:
    """Return what was recomputed in a paper as it was read, with its title and what was left out of it."""
    made = referee(
        paper.text, figures=paper.figures, sections=paper.sections, page_starts=paper.document.page_starts, today=today
    )
    notes = tuple(event.reason for event in paper.events if event.kind in (PARTS_MISSING, "abstract-only", "language"))
    return made.model_copy(update={"title": paper.identity.title, "notes": notes})


def _all_drafts(text: str, figures: Sequence[Figure], today: date) -> Iterator[tuple[Draft | Check, bool]]:
    """Yield the drafts and comparisons, each with whether it is about cells whose signs ("%") stand in the head."""
    yield from ((each, False) for each in _drafts(text, figures, today))
    yield from ((each, True) for each in _of_whole_tables(text, figures))


def _drafts(text: str, figures: Sequence[Figure], today: date) -> Iterator[Draft | Check]:
    """Yield the name of a check for every comparison that was made, and a draft for every one that failed."""
    context = Context.of(text)
    tests = list(reported_tests(text))
    halves = []
    for test in tests:
        yield "p-value"
        wrong = disagreement(test, context)
        if wrong is not None and wrong.one_tailed:
            halves.append(wrong)
        elif wrong is not None:
            yield _of_test(wrong, context)
    if halves:  # a habit of the whole paper: one note, not one a test
        yield _of_test(halves[0], context, others=len(halves) - 1)
    yield from shares(text)
    yield from degrees_in_paper(text, tests)
    tables = own_tables(text, figures)
    spans = [(s.start, s.end) for s in sentences(text)]
    for i, (start, end) in enumerate(spans):
        sentence = text[start:end]
        if "\t" in sentence or not any(c.isdigit() for c in sentence):
            continue
        around = text[spans[max(0, i - 2)][0] : spans[min(len(spans) - 1, i + 1)][1]]
        yield from intervals(sentence, start)
        yield from headed_intervals(text, start, end)
        yield from parts_of_total(sentence, start)
        yield from group_sums(sentence, start)
        yield from flows(sentence, start)
        yield from changes(sentence, start)
        yield from granularity(sentence, start, around)
        yield from two_by_two(sentence, start)
        yield from degrees(sentence, start, [test for test in tests if start <= test.start < end])
        yield from _against_table(text, sentence, start, tables)
        yield from marginal(sentence, start, context.level)
        yield from dates(sentence, start, today)
    for each in tables:
        grid = grid_of(text, each.start, each.end, each.label)
        if grid is not None:
            yield from table_sums(grid)
            yield from table_shares(grid)
            yield from table_intervals(grid)


def _of_whole_tables(text: str, figures: Sequence[Figure]) -> Iterator[Draft | Check]:
    """Yield what the tables give with the headings between their rows, one another and the text."""
    wholes = list(whole_tables(text, figures))
    for whole in wholes:
        yield from group_shares(whole)
        yield from block_sums(whole)
        yield from row_shares(whole)
    yield from across_tables(wholes)
    yield from odds_ratios(wholes)
    yield from text_against_tables(text, wholes)
    yield from intervals_against_tables(text, figures)
    yield from spread(text, figures)


def _against_table(text: str, sentence: str, at: int, tables: Sequence[OwnTable]) -> Iterator[Draft | Check]:
    """Yield the figure of a sentence that refers to a table and says otherwise than the cell of the row it names."""
    if not any(refers(sentence, each) for each in tables):
        return
    yield "table-cell"
    wrong = conflict(sentence, tables)
    if wrong is None or "." not in wrong.said:
        return  # a whole number may count anything that the sentence speaks of, or be a year
    place = at + max(0, sentence.find(wrong.said))
    if re.search(r"\b(?:at|of the|n =)\s$", text[max(0, place - 8) : place]) and "%" not in text[place : place + 12]:
        return  # "at 6.28 rad/s" tells where something was measured
    if any(re.search(rf"(?<![\d.]){re.escape(wrong.said)}(?![\d.]*\d)", text[t.start : t.end]) for t in tables):
        return  # it stands beside another number in a cell, such as "17 (29.3)"
    yield Draft(
        "table-cell", "error", at, at + len(sentence), wrong.said, wrong.cell.text, wrong.why,
        "the rounding of the cell", "the sentence spoke of another row, column or quantity",
        (("said", place, place + len(wrong.said)),),
    )  # fmt: skip


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
    severity: Severity = "decision" if wrong.decides else "rounding" if wrong.near else "error"
    return Draft(
        "p-value",
        "note" if wrong.one_tailed or wrong.floor else severity,
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
