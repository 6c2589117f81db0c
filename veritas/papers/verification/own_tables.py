"""A paper's own tables as witnesses: whether a table has another figure in the place of a statement's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veritas.documents.paper_parts import Figure
from veritas.papers.verification._tables import Cell, Table, derived, is_cell, is_exactly, number
from veritas.text import lexicon
from veritas.text.tokens import tokens
from veritas.text.units import known_unit

NEAR = 200
"""Most characters between a table and its caption."""
SHOWN = 1_200
"""Characters of a table that are shown as evidence."""

_FIGURE = re.compile(r"(?<![\w.])(?<![^\W\d_][-−–])[-−+]?\d[\d,]*(?:\.\d+)?(?![\w]|\.\d)")
_ASIDE = re.compile(
    r"\([^()]*\)|\[[^\[\]]*\]|\b(?:Table|Fig(?:ure|\.)|Section|Eq(?:uation|\.)?)\s*\d+\w*", re.IGNORECASE
)
_CLAUSE = re.compile(
    r"[;:]\s|,\s|\b(?:and|while|but|whereas|although|though|versus|vs\.?|than|compared (?:with|to)|against)\b",
    re.IGNORECASE,
)
_LOOSE = re.compile(
    r"\b(?:about|around|roughly|approximately|nearly|almost|some|over|under|above|below|more|less|fewer|least|most"
    r"|up to|by|difference|reduction|increase|decrease|change|gain|drop)\b|[~≈<>≤≥±]",
    re.IGNORECASE,
)
_SERIES = re.compile(
    r"\b(?:weeks?|days?|months?|years?|visits?|phases?|stages?|steps?|models?|experiments?|stud(?:y|ies)|trials?|rounds?"
    r"|runs?|sites?|groups?|cohorts?|arms?|grades?|levels?|layers?|folds?|sessions?|waves?|types?|versions?|scenarios?"
    r"|cases?|sets?|batch(?:es)?|n\s*=)\s*\d+\b|\b(?:in|of|since|until)\s+(?:19|20)\d\d\b"
    r"|\b(?:at|after)\s+\d+(?:[\s-](?:weeks?|days?|months?|years?))\b",
    re.IGNORECASE,
)
"""Numbers that tell when or of which, not how much: "week 8"."""
_OTHERWISE = re.compile(
    r"\b(?:confidence|interval|CI|deviation|error|SDs?|SEs?|SEM|IQR|range[ds]?|ranging|median|percentile|quartile"
    r"|minimum|maximum|total|totals|overall|pooled|combined|average[ds]? (?:over|across)|respectively|p-?values?|times"
    r"|fold|not|no|would|should|expected|predicted|target|threshold|limit|previous(?:ly)?|earlier work|reported by"
    r"|et al)\b",
    re.IGNORECASE,
)
"""Words of another statistic, of many rows at once, or of no finding of the paper's own."""
_COMPARED = re.compile(
    r"\s*%?\s*(?:\w+\s+){0,3}?(?:(?:long|short|great|small|high|low|fast|slow|earli|lat|old|young|larg|bett)er|worse"
    r"|apart|extra|additional|ago|before|of (?:all|the|those|that))\b",
    re.IGNORECASE,
)
"""Words after a figure that make it a difference or a share, and not a row's value."""
_OF_NO_KIND = frozenset(
    t.stem for t in tokens("mean average group table value result number participant patient study baseline")
)
_UNIT = re.compile(r"%|°?[^\W\d_]+")
_FROM_TO = re.compile(
    r"\b(?:fell|rose|went|dropped|declined|increased|decreased|improved|worsened|shortened|lengthened|grew|shrank|changed"
    r"|reduced|raised|lowered|down|up)\b[^.;]{0,60}?\bfrom\s+(?P<first>\d[\d,.]*)\s*(?:[^\W\d]+\s+){0,4}?(?P<to>to)\s+\d",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class OwnTable:
    """A table of the paper at `[start, end)`; `label` is its caption's (`Table 1`), '' if it has none."""

    label: str
    start: int
    end: int
    table: Table
    caption: str = ""


@dataclass(frozen=True)
class Conflict:
    """A figure of a statement for which the table has another; `why` names both."""

    table: OwnTable
    cell: Cell
    said: str
    why: str


def own_tables(text: str, figures: Sequence[Figure] = ()) -> tuple[OwnTable, ...]:
    """Return the tables of a paper's stored text, with the labels of its captions. A picture of a table, or cells that
    run together, are not found."""
    found = []
    captions = [f for f in figures if f.kind == "table"]
    for start, end in _blocks(text):
        table = Table(text[start:end])
        if not table.cells:
            continue
        own = [f for f in captions if f.body is not None and f.body.start < end and start < f.body.end]
        # A caption that got its table when the paper was read belongs to no neighbour of it.
        near = [f for f in captions if f.body is None and max(start - f.place.end, f.place.start - end) <= NEAR]
        caption = next(iter(own or near), None)
        named = (caption.label, caption.text) if caption else ("", "")
        found.append(OwnTable(named[0], start, end, table, named[1]))
    return tuple(found)


def conflict(statement: str, tables: Sequence[OwnTable]) -> Conflict | None:
    """Return the first figure that stands in no table although a table has another one in its place, or None.

    This accuses the paper, so the grounds must be plain: a clause with one exact figure names one row; the column is
    sure, because another figure of the statement stands in it, or because the statement refers to the table; and the
    figure is no cell of any table, nor the difference or combination of two cells of the column. If a statement that
    refers to the table leaves the column open, its figure must be of the kind of several cells of the row, and equal
    none of them.
    """
    everywhere = [cell for each in tables for cell in each.table.cells]
    for each in tables:
        plain = _of_a_row(statement, each, tables, everywhere)
        if plain is not None:
            return plain
    clauses = list(_clauses(statement))
    for each in tables:
        rows = [(_row(each.table, stems), *figure) for stems, figure in clauses]
        placed = [(row, value, text) for row, value, text in rows if row is not None]
        column = _column(each, placed)
        if column is None:
            continue
        for row, value, text in placed:
            cell = each.table.by_place.get((row, column))
            if cell is None or any(is_cell(value, text, other) for other in everywhere):
                continue
            if derived(value, text, [c.value for c in each.table.cells if c.column == column]):
                continue
            name = each.label or "a table"
            return Conflict(each, cell, text, f"{name} has {each.table.named(cell)}, the statement {text}")
    return None


def bearer(statement: str, tables: Sequence[OwnTable]) -> OwnTable | None:
    """Return the first table that has all figures of a statement, one a clause, exactly in the row that its clause
    names and all in one column: that of several of them, or one whose whole name the statement has."""
    bare = _bare(statement)
    figures = [(_stems(part), _FIGURE.findall(_SERIES.sub(" ", part))) for part in _CLAUSE.split(bare)]
    if any(len(found) > 1 for _, found in figures):
        return None
    clauses, whole = [(stems, found[0]) for stems, found in figures if found], _stems(bare)
    for each in tables:
        labels = each.table.column_labels
        rows = [(_row(each.table, stems), text) for stems, text in clauses]
        places = [
            {c.column for c in each.table.cells if c.row == row and is_exactly(text, [c])} for row, text in rows
        ]
        shared = set[int]().union(*places[:1]).intersection(*places[1:])
        if shared and (len(places) > 1 or any(labels[at].stems and labels[at].stems <= whole for at in shared)):
            return each
    return None


def stands_in(statement: str, table: OwnTable) -> bool:
    """Return whether the statement's figures are cells of the table: all of a statement that says "from" one "to"
    another, else one of them; True if it gives none."""
    figures = [(number(m.group()), m.group()) for m in _FIGURE.finditer(_SERIES.sub(" ", _bare(statement)))]
    there = [any(is_cell(*figure, cell) for cell in table.table.cells) for figure in figures]
    return not figures or (all(there) if _FROM_TO.search(statement) else any(there))


def refers(statement: str, table: OwnTable) -> bool:
    """Return whether a statement names the table."""
    return bool(table.label and re.search(rf"\b{re.escape(table.label)}\b(?!\.?\d)", statement, re.IGNORECASE))


def in_a_named_row(statement: str, table: OwnTable) -> bool:
    """Return whether one of the statement's figures, however small, is exactly a cell of a row that it names."""
    bare = _bare(statement)
    stems = _stems(bare)
    labels = table.table.row_labels
    cells = [c for c in table.table.cells if _names(labels[c.row].text, stems)]
    return any(is_exactly(figure, cells) for figure in _FIGURE.findall(_SERIES.sub(" ", bare)))


def _of_a_row(
    statement: str, each: OwnTable, tables: Sequence[OwnTable], everywhere: Sequence[Cell]
) -> Conflict | None:
    """Return a figure that a statement gives for one row and that is none of its cells, or None: only if the statement
    refers to this table alone, or says "from" a cell of the row "to" another figure."""
    table = each.table
    change = _FROM_TO.search(statement)
    referred = [t for t in tables if refers(statement, t)]
    if not (referred == [each] or (change and not referred)) or _OTHERWISE.search(_bare(statement)):
        return None
    if change:
        statement = f"{statement[: change.start('to')]}; {statement[change.start('to') :]}"
    bare = _bare(statement)
    only = _row(table, _stems(bare))
    known = " ".join([each.caption, *(label.text for label in (*table.column_labels, *table.row_labels))]).lower()
    whole = _stems(bare)
    for clause in _CLAUSE.split(bare):
        series = [" ".join(m.group().lower().split()) for m in _SERIES.finditer(clause)]
        figures = list(_FIGURE.finditer(_SERIES.sub(lambda m: " " * len(m.group()), clause)))
        if len(figures) != 1 or sum(c.isdigit() for c in figures[0].group()) < 2 or _LOOSE.search(clause):
            continue
        if _COMPARED.match(clause, figures[0].end()):
            continue
        if any(each_series not in known for each_series in series):
            continue  # of a week that the table does not have
        stems, text = _stems(clause), figures[0].group()
        row = _row(table, stems)
        if row is None and only is not None:
            others = {s for r in table.rows for s in table.row_labels[r].stems} - table.row_labels[only].stems
            row = None if stems & others else only
        if row is None:
            continue
        cells = _meant(each, row, clause, figures[0].end(), stems, whole)
        if not cells or any(is_cell(number(text), text, other) for other in everywhere):
            continue
        if change and not referred:
            of_row = [c for c in table.cells if c.row == row]
            if not is_exactly(change["first"].rstrip(".,"), of_row):
                continue
        if any(derived(number(text), text, _beside(table, cell), cell.value) for cell in cells):
            continue
        has = " and ".join(table.named(cell) for cell in cells[:4])
        return Conflict(each, cells[0], text, f"{each.label or 'a table'} has {has}, the statement {text}")
    return None


def _beside(table: Table, cell: Cell) -> list[float]:
    """Return the other cells of its column and of its row."""
    return [c.value for c in table.cells if c is not cell and (c.row == cell.row or c.column == cell.column)]


def _meant(
    each: OwnTable, row: int, clause: str, end: int, stems: frozenset[str], whole: frozenset[str]
) -> list[Cell]:
    """Return the cells of the row that a figure ending at `end` of its clause may be: those of its unit or kind, in the
    columns that the clause names best."""
    table = each.table
    after = _UNIT.match(clause[end:].lstrip(" \u00a0\u2009\u202f-"))
    word = after.group().lower() if after else ""
    unit = known_unit(word)
    counted = "" if unit or not word else next((t.stem for t in tokens(word)), "")
    fitting = []
    for column in table.columns:
        cell = table.by_place.get((row, column))
        label = table.column_labels[column]
        if cell is None or label.text.strip().lower() in ("n", "no.", "#", "count"):
            continue
        named = _UNIT.findall(_SERIES.sub(" ", label.text.lower()))
        shown = {known_unit(name) for name in named if len(name) > 1 or name in "%sghmd"} - {None}
        told = (stems | whole) - table.row_labels[row].stems
        kind = bool((label.stems | _stems(each.caption)) & told - _OF_NO_KIND)
        if unit is not None:
            fits = kind and (unit in shown or (not shown and unit[0] != "%"))
        elif counted and counted not in lexicon.STOP:
            fits = counted in label.stems
        else:
            fits = bool(label.stems & told)
        if fits:
            fitting.append(cell)
    met = [len(table.column_labels[cell.column].stems & stems) for cell in fitting]
    best = max(met, default=0)
    return [cell for cell, count in zip(fitting, met, strict=True) if count == best]


def figures_in(text: str) -> frozenset[str]:
    """Return the numbers of a text as written, without the commas between thousands."""
    return frozenset(figure.replace(",", "") for figure in _FIGURE.findall(text))


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield runs of at least two lines whose cells are separated."""
    start, end, rows, at = 0, 0, 0, 0
    for line in [*text.splitlines(keepends=True), ""]:
        if "\t" in line.strip():
            start = at if not rows else start
            end, rows = at + len(line.rstrip()), rows + 1
        else:
            if rows > 1:
                yield start, end
            rows = 0
        at += len(line)


def _bare(statement: str) -> str:
    return _ASIDE.sub(" ", statement)


def _stems(text: str) -> frozenset[str]:
    return frozenset(t.stem for t in tokens(text[:600]) if t.stem not in lexicon.STOP)


def _clauses(statement: str) -> Iterator[tuple[frozenset[str], tuple[float, str]]]:
    """Yield clauses that give one exact figure, of two digits or more."""
    for clause in _CLAUSE.split(_bare(statement)):
        figures = _FIGURE.findall(clause)
        if len(figures) == 1 and sum(c.isdigit() for c in figures[0]) > 1 and not _LOOSE.search(clause):
            yield _stems(clause), (number(figures[0]), figures[0])


def _row(table: Table, stems: frozenset[str]) -> int | None:
    """Return the only row whose whole name, except its brackets ("(n = 60)"), stands in the clause, or None."""
    named = [r for r in table.rows if _names(table.row_labels[r].text, stems)]
    return named[0] if len(named) == 1 else None


def _names(label: str, stems: frozenset[str]) -> bool:
    name = _stems(_bare(label))
    return bool(name) and name <= stems


def _column(each: OwnTable, placed: Sequence[tuple[int, float, str]]) -> int | None:
    """Return the only column that other figures of the statement stand in, or None."""
    anchors = {
        cell.column
        for row, value, text in placed
        for cell in each.table.cells
        if cell.row == row and is_cell(value, text, cell)
    }
    return anchors.pop() if len(anchors) == 1 else None
