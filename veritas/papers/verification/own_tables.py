"""A paper's own tables and the other places of its figures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veritas.documents.paper_parts import Figure
from veritas.papers.audit import AuditNode
from veritas.papers.extraction.statements import Statements
from veritas.papers.reading.paper_text import PaperText
from veritas.text.numerals import in_digits

NEAR = 200
"""Most characters between a table and its caption."""
APART = 200
"""Least characters between two passages that count as different places."""
SHOWN = 1_200
"""Characters of a table that are shown as evidence."""

_FIGURE = re.compile(r"(?<![\w.])(?<![^\W\d_][-−–])[-−+]?\d[\d,]*(?:\.\d+)?(?![\w]|\.\d)")
_ASIDE = re.compile(
    r"\([^()]*\)|\[[^\[\]]*\]|\b(?:Table|Fig(?:ure|\.)|Section|Eq(?:uation|\.)?)\s*\d+\w*", re.IGNORECASE
)


@dataclass(frozen=True)
class OwnTable:
    """A table of the paper at `[start, end)`; `label` is its caption's (`Table 1`), '' if it has none. `cells` are the
    numbers behind its first column, each with its decimals."""

    label: str
    start: int
    end: int
    cells: tuple[tuple[float, int], ...]


def own_tables(text: str, figures: Sequence[Figure] = ()) -> tuple[OwnTable, ...]:
    """Return the tables of a paper's stored text, with the labels of its captions. A picture of a table, or cells that
    run together, are not found."""
    found = []
    captions = [f for f in figures if f.kind == "table"]
    for start, end in _blocks(text):
        rows = [line.split("\t")[1:] for line in text[start:end].splitlines()]
        cells = tuple(number for row in rows for cell in row if (number := _number(cell.strip().lstrip("([{*†‡ "))))
        if not cells:
            continue
        own = [f for f in captions if f.body is not None and f.body.start < end and start < f.body.end]
        # A caption that got its table when the paper was read belongs to no neighbour of it.
        near = [f for f in captions if f.body is None and max(start - f.place.end, f.place.start - end) <= NEAR]
        caption = next(iter(own or near), None)
        found.append(OwnTable(caption.label if caption else "", start, end, cells))
    return tuple(found)


def stands_in(statement: str, table: OwnTable) -> bool:
    """Return whether one of the statement's figures is a cell of the table, as it is or as a percentage; True if it
    gives none."""
    figures = [number for each in _FIGURE.findall(_ASIDE.sub(" ", statement)) if (number := _number(each))]
    return not figures or any(_is_cell(figure, cell) for figure in figures for cell in table.cells)


def figures_in(text: str) -> frozenset[str]:
    """Return the numbers of a text as written, without the commas between thousands."""
    return frozenset(figure.replace(",", "") for figure in _FIGURE.findall(text))


def _number(text: str) -> tuple[float, int] | None:
    """Return the leading number of a text without its sign, and its decimals; None for words."""
    found = in_digits(text, int(text[:1] in ("-", "−", "–", "+"))) if text else None
    return None if found is None else (abs(found.value), found.places)


def _is_cell(figure: tuple[float, int], cell: tuple[float, int]) -> bool:
    (value, places), (other, other_places) = figure, cell
    pairs = (
        (value, other, min(places, other_places)), (value, 100 * other, min(places, max(0, other_places - 2))),
        (100 * value, other, other_places),
    )  # fmt: skip
    return any(abs(one - two) <= 0.5 * 10.0**-decimals + 1e-9 for one, two, decimals in pairs)


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


class Itself:
    """The tables and sentences of a paper, for one audit."""

    def __init__(self, paper: PaperText, statements: Statements) -> None:
        self._paper, self._statements = paper, statements
        self._tables = own_tables(paper.text, paper.figures)

    def elsewhere(self, node: AuditNode) -> str | None:
        """Return another place in the paper of one of a statement's figures: a table, a caption, another passage. Only
        figures of three characters or more count, because shorter ones occur anywhere by chance."""
        figures = next(
            (s.figures for s in self._statements.found if s.place.start == node.place.start), frozenset[str]()
        )
        telling = {f for f in figures if len(f.strip("-+")) >= 3}
        for figure in self._paper.figures:
            body = figure.text
            if figure.body is not None:
                body += " " + self._paper.text[figure.body.start : figure.body.end]
            if telling & figures_in(body):
                return figure.label
        for table in self._tables:
            if telling & figures_in(self._paper.text[table.start : table.end]):
                return table.label or "a table"
        for other in self._statements.found:
            if abs(other.place.start - node.place.start) > APART and other.figures & telling:
                return f"p. {other.place.page}" if other.place.page else "another passage"
        return None

    def table_at(self, start: int) -> OwnTable | None:
        """Return the table that holds the character at `start`, or None."""
        return next((t for t in self._tables if t.start <= start < t.end), None)
