"""Claims about tables: where the claim's numbers stand, and whether what it compares or ranks is so."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from veritas.verifying.embedded import lexicon
from veritas.verifying.embedded.abbreviations import abbreviations
from veritas.verifying.embedded.evidence import Statement, weight
from veritas.verifying.embedded.numbers import Quantity
from veritas.verifying.embedded.tables import Cell, Label, Table
from veritas.verifying.embedded.words import fold, stem, tokens

_OWN = frozenset(stem(w) for w in "our ours we proposed approach this full final".split())  # noqa: SIM905
_BETTER = frozenset(
    stem(w) for w in "outperform outperforms outperforming outperformed better superior improve improves improved improvement improving surpass "
    "surpasses beat beats gain gains best boost benefit benefits effective advantage exceed exceeds increase increases".split()  # noqa: SIM905
)
_WORSE = frozenset(
    stem(w) for w in "worse inferior underperform underperforms degrade degrades worst hurt hurts drop drops poor poorly "
    "decrease decreases decreased reduces reduce lose loses deteriorate".split()  # noqa: SIM905
)
_MORE = frozenset(stem(w) for w in "higher highest larger largest greater greatest more most maximum longest".split())  # noqa: SIM905
_LESS = frozenset(stem(w) for w in "lower lowest smaller smallest less fewer fewest least minimum shortest".split())  # noqa: SIM905
_RANK = frozenset(
    stem(w) for w in "best worst highest lowest largest smallest most least greatest fewest top maximum minimum all".split()  # noqa: SIM905
)
_EVEN = frozenset(stem(w) for w in "comparable comparably similar similarly par same equal equally competitive".split())  # noqa: SIM905
_CLAUSE = re.compile(r"[;,]\s|\b(?:while|but|whereas|although|though|and also)\b|\.\s", re.IGNORECASE)


_DEFINED = re.compile(r"[\"“”']?\b([A-Za-z][\w+-]{1,9})[\"“”']?\s*(?:=|:|stands for|denotes|means)\s*([A-Za-z][^,;:.=()]{3,50})")


class Reading(NamedTuple):
    """What a table says of a claim. Shares are 0 to 1; `truth` is -1 (false) to 1 (true), 0 where nothing was decided."""

    numbers: int
    found: float
    located: float
    derived: float
    lost: float
    truth: float
    worst: float
    rank: float
    rows_named: int
    columns_named: int
    words_known: float
    names_unknown: float
    caption: float
    trend: float
    why: str


def read(claim: Statement, table: Table) -> Reading:
    """The table's reading of the claim."""
    spelled = _spelled_out(table.caption)
    rows = _named(claim, table.row_labels, table.rows, spelled)
    columns = _named(claim, table.column_labels, table.columns, spelled)
    own = [i for i in table.rows if table.row_labels[i].stems & _OWN]
    if not own and table.rows:
        own = [table.rows[-1]]
    speaks_of_own = bool(_OWN & set(claim.stems))
    found, located, derived, lost, lost_text, counted = _numbers(claim, table, set(rows), set(columns))
    truths: list[float] = []
    ranks: list[float] = []
    trends: list[float] = []
    why = ""
    for part in _CLAUSE.split(claim.text):
        clause = Statement(part)
        if not clause.tokens:
            continue
        here = _named(clause, table.row_labels, table.rows, spelled) or dict.fromkeys(rows, 0)
        there = _named(clause, table.column_labels, table.columns, spelled) or dict.fromkeys(columns, 0)
        ours = own if speaks_of_own else []
        turned = -1 if len(clause.negations) % 2 else 1
        rank, shown_rank = _ranking(clause, table, here, there, ours)
        truth, shown_truth = _comparison(clause, table, here, there, ours)
        trend = _trend(clause, table, there)
        for value, shown, kept in ((rank, shown_rank, ranks), (truth, shown_truth, truths), (trend, "", trends)):
            if value:
                kept.append(value * turned)
                if value * turned < 0:
                    why = why or shown
    content = [t for t in claim.content if not t.is_number]
    total = sum(weight(t.stem) for t in content) or 1.0
    known = sum(weight(t.stem) for t in content if t.stem in table.words)
    unknown_names = sum(1 for t in content if t.is_name and t.start > 0 and t.stem not in table.words)
    caption = frozenset(t.stem for t in Statement(table.caption).tokens)
    in_caption = sum(weight(t.stem) for t in content if t.stem in caption)
    shown = why or (f"the number {lost_text!r} is not in the table" if lost_text else "")
    return Reading(
        counted, found, located, derived, lost, _mean(truths), min([*truths, *ranks], default=0.0), _mean(ranks),
        len(rows), len(columns), known / total, unknown_names / (1 + len(content)), in_caption / total, _mean(trends), shown,
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _named(
    claim: Statement, labels: Sequence[Label], among: Sequence[int], spelled: Mapping[str, Sequence[str]]
) -> dict[int, int]:
    """Index of each row or column the claim names -> the word at which it does. Words common to many labels say little.
    A label's short word is also met by the word it begins ("acc", "accuracy") or that the caption spells out for it."""
    vocabulary: dict[str, int] = {}
    for i, s in enumerate(claim.stems):
        vocabulary.setdefault(s, i)
    joined = {a.lower + b.lower: i for i, (a, b) in enumerate(zip(claim.tokens, claim.tokens[1:], strict=False))}
    spread: dict[str, int] = {}
    for index in among:
        for s in labels[index].stems:
            spread[s] = spread.get(s, 0) + 1
    found: dict[str, int] = {s: _place(s, vocabulary, joined, spelled) for s in spread}
    named: dict[int, int] = {}
    for index in among:
        total = met = 0.0
        places = []
        for s in labels[index].stems:
            value = 1.0 / spread[s] + 0.1
            total += value
            if found[s] >= 0:
                met += value
                places.append(found[s])
        if places and met / total >= 0.6:
            named[index] = min(places)
    return named


def _place(
    label: str, vocabulary: Mapping[str, int], joined: Mapping[str, int], spelled: Mapping[str, Sequence[str]]
) -> int:
    """The word of the claim that means the label's word; -1 if none."""
    at = vocabulary.get(label, joined.get(label, -1))
    if at < 0:
        at = next((vocabulary[o] for o in lexicon.SYNONYMS.get(label, ()) if o in vocabulary), -1)
    if at < 0 and (long := spelled.get(label)) and all(s in vocabulary for s in long):
        at = vocabulary[long[0]]
    if at < 0 and 3 <= len(label) <= 6 and label.isalpha():
        at = next((i for s, i in vocabulary.items() if len(s) >= len(label) + 2 and s.startswith(label)), -1)
    return at


def _spelled_out(caption: str) -> dict[str, tuple[str, ...]]:
    """Short form -> stems of the long one, from "BCE = Binary Cross Entropy", "MFT: most frequent tag" and brackets."""
    found = dict(abbreviations(caption))
    for match in _DEFINED.finditer(caption):
        long = [t.stem for t in tokens(match[2]) if t.stem not in lexicon.STOP]
        if long:
            found.setdefault(fold(match[1]), tuple(long[: max(2, len(match[1]))]))
    return found


def _numbers(
    claim: Statement, table: Table, rows: set[int], columns: set[int]
) -> tuple[float, float, float, float, str, int]:
    """Shares of the claim's numbers found in a cell, found where the claim points, derived from cells, and lost."""
    wanted = [q for q in claim.quantities if q.kind not in ("label", "year") and not (q.kind == "count" and q.low <= 3 and not q.places)]
    if not wanted:
        return 0.0, 0.0, 0.0, 0.0, "", 0
    found = located = derived = lost = 0
    lost_text = ""
    captioned = Statement(table.caption).quantities
    for quantity in wanted:
        cells = [c for c in table.cells if _is(quantity, c.value, c.places)]
        if cells:
            found += 1
            right = [c for c in cells if (not rows or c.row in rows) and (not columns or c.column in columns)]
            located += bool(right and (rows or columns))
        elif any(quantity.low == q.low for q in captioned):
            found += 1
        elif _derivable(quantity, table, rows, columns):
            derived += 1
        else:
            lost += 1
            lost_text = lost_text or quantity.text
    count = len(wanted)
    return found / count, located / count, derived / count, lost / count, lost_text, count


def _is(quantity: Quantity, value: float, places: int) -> bool:
    """Equal once both are rounded to the coarser of the two; a percentage may stand as a fraction."""
    for scale in (1.0, 100.0) if quantity.kind == "percent" or abs(value) <= 1 else (1.0,):
        shift = 2 if scale == 100.0 else 0
        coarser = min(quantity.places, max(0, places - shift))
        if abs(abs(quantity.low) - abs(value) * scale) <= 0.5 * 10.0**-coarser + 1e-9 and (
            coarser == quantity.places or quantity.places > places - shift
        ):
            return abs(abs(quantity.low) - abs(value) * scale) <= 0.5 * 10.0 ** -min(quantity.places, 6) + 1e-9
    return False


def _derivable(quantity: Quantity, table: Table, rows: set[int], columns: set[int]) -> bool:
    """True if it is the difference of two cells of a row or column the claim names, or their relative difference in percent."""
    half = 0.5 * 10.0**-quantity.places + 1e-6
    want = abs(quantity.low)
    near = [c for c in table.cells if not rows or c.row in rows or c.column in columns]
    if len(near) > 60:
        near = [c for c in near if c.row in rows and (not columns or c.column in columns)][:60]
    for i, a in enumerate(near):
        for b in near[i + 1 :]:
            if a.row != b.row and a.column != b.column:
                continue
            gap = abs(a.value - b.value)
            if abs(gap - want) <= half or (abs(a.value) <= 1 and abs(b.value) <= 1 and abs(100 * gap - want) <= half):
                return True
            if quantity.kind == "percent" or quantity.unit == "fold":
                for base in (abs(a.value), abs(b.value)):
                    if base and abs(100 * gap / base - want) <= max(half, 0.051):
                        return True
    return False


def _direction(stems: Sequence[str]) -> tuple[int, bool, int]:
    """(1 up or -1 down, whether it is about worth and not size, place of the word); (0, False, -1) if nothing compares."""
    for i, s in enumerate(stems):
        if s in _MORE:
            follows = set(stems[i + 1 : i + 4])
            return 1, False if s not in ("more",) or not follows & _BETTER else True, i
        if s in _LESS:
            return -1, False, i
        if s in _BETTER:
            return 1, True, i
        if s in _WORSE:
            return -1, True, i
    return 0, False, -1


def _comparison(
    claim: Statement, table: Table, rows: dict[int, int], columns: dict[int, int], own: list[int]
) -> tuple[float, str]:
    """Truth of "A is better/higher than B" over the columns (or rows) the claim names, or all of them."""
    direction, worth, at = _direction(claim.stems)
    if not direction or not table.cells:
        return 0.0, ""
    for named, labels, other_named, other_labels, others, across in (
        (rows, table.row_labels, columns, table.column_labels, table.columns, False),
        (columns, table.column_labels, rows, table.row_labels, table.rows, True),
    ):
        subjects = [i for i, place in named.items() if place <= at]
        objects = [i for i, place in named.items() if place > at]
        if not across and own:
            if subjects and not objects and not set(subjects) & set(own):
                objects, subjects = subjects, own
            elif not subjects:
                subjects = own
            objects = objects or [i for i in table.rows if i not in subjects]
        if not across and subjects and not objects and stem("other") in claim.stems:
            objects = [i for i in table.rows if i not in subjects]
        if not subjects or not objects:
            continue
        lines = [i for i in other_named if i in others] or list(others)
        agree = total = 0
        shown = ""
        for line in lines:
            mine = [c for c in (_at(table, s, line, across) for s in subjects) if c]
            theirs = [c for c in (_at(table, o, line, across) for o in objects) if c]
            if not mine or not theirs:
                continue
            label = other_labels[line] if not across else labels[subjects[0]]
            sign = direction * (-1 if worth and table.lower_is_better(label) else 1)
            a, b = max(c.value * sign for c in mine), max(c.value * sign for c in theirs)
            total += 1
            agree += a > b
            if not shown and a <= b:
                shown = (
                    f"the table has {mine[0].text} for {labels[subjects[0]].text!r} and {theirs[0].text} for "
                    f"{labels[objects[0]].text!r}"
                )
        if total:
            return 2 * agree / total - 1, shown
    return 0.0, ""


def _at(table: Table, line: int, other: int, across: bool) -> Cell | None:
    return table.by_place.get((other, line) if across else (line, other))


def _ranking(
    claim: Statement, table: Table, rows: dict[int, int], columns: dict[int, int], own: list[int]
) -> tuple[float, str]:
    """Truth of "A is the best/highest (in C)": the share of the named columns in which a named row is at the extreme."""
    ranks = [s for s in claim.stems if s in _RANK]
    if not ranks or not table.cells:
        return 0.0, ""
    direction, worth, _ = _direction([s for s in claim.stems if s in _RANK or s in _BETTER or s in _WORSE])
    if not direction:
        return 0.0, ""
    subjects = list(rows) or own
    lines = [c for c in columns if c in table.columns] or table.columns
    if not subjects or len(table.rows) < 2:
        return 0.0, ""
    agree = total = 0
    shown = ""
    for column in lines:
        held = [c for c in table.cells if c.column == column]
        mine = [c for c in held if c.row in subjects]
        if not mine or len(held) < 2:
            continue
        sign = direction * (-1 if worth and table.lower_is_better(table.column_labels[column]) else 1)
        top = max(held, key=lambda c: c.value * sign)
        total += 1
        if max(c.value * sign for c in mine) >= top.value * sign:
            agree += 1
        elif not shown:
            shown = (
                f"in {table.column_labels[column].text!r} the table has {top.text} for {table.row_labels[top.row].text!r}, "
                f"not {table.row_labels[mine[0].row].text!r}, at the extreme"
            )
    return (2 * agree / total - 1, shown) if total else (0.0, "")


def _trend(claim: Statement, table: Table, columns: dict[int, int]) -> float:
    """For "increases/decreases": the share of steps between neighbouring cells of a column (or row) that go that way, -1 to 1."""
    direction, worth, _ = _direction(claim.stems)
    if not direction or not table.cells:
        return 0.0
    steps = same = 0
    for column in list(columns) or table.columns:
        held = [c for c in table.cells if c.column == column]
        sign = direction * (-1 if worth and table.lower_is_better(table.column_labels[column]) else 1)
        for a, b in zip(held, held[1:], strict=False):
            steps += 1
            same += (b.value - a.value) * sign > 0
    return 2 * same / steps - 1 if steps else 0.0
