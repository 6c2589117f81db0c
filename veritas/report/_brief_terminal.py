"""A brief for a terminal: each passage under its headings, program text unwrapped, the answering words marked."""

from __future__ import annotations

from collections.abc import Iterator

from veritas.report.brief_lines import Line, brief_lines
from veritas.report.graph_index import GraphIndex
from veritas.text.visible import one_line
from veritas.text.wrapping import columns, wrap

DEEPEST = 4
"""Levels of lists from which on nothing is set in further."""
BOLD, DIM, RESET = "\x1b[1m", "\x1b[2m", "\x1b[0m"


def brief_terminal(index: GraphIndex, width: int, color: bool) -> Iterator[str]:
    """Yield the lines of the brief of an answer that has one. Where colour may not be used, a line with words that
    answer begins with ">". A passage that is only among the closest is dimmed."""
    brief = index.graph.answer.brief
    passages = brief.passages if brief is not None else ()
    for passage in passages:
        title = f"[{passage.reference}] {' › '.join(map(one_line, passage.headings)) or 'untitled'}"
        marks = "".join(f" ({each})" for each in index.beside(passage))
        yield from (f"{DIM}{line}{RESET}" if color else line for line in wrap(f"{title}{marks}", width, "", "    "))
        before = ""
        for line in brief_lines(passage):
            if before and (line.kind not in ("item", "row") or before == "code"):
                yield ""
            for row in shown_line(line, width, color and not passage.far):
                yield f"{DIM}{row}{RESET}" if color and passage.far else row
            before = line.kind
        yield ""


def shown_line(line: Line, width: int, color: bool) -> Iterator[str]:
    """Yield a line of a source in lines of at most `width` columns; program text is not wrapped."""
    inset = "  " * min(line.level, DEEPEST)
    if line.kind == "code":
        yield from (f"      {inset}{each}" for each in line.runs[0].text.split("\n"))
        return
    words = list(_words(line))
    room = max(10, width - 4 - len(inset) - (2 if line.kind == "item" else 0))
    row: list[tuple[str, bool]] = []
    lead = inset
    for word, marked in words:
        if row and columns(" ".join(w for w, _ in row)) + 1 + columns(word) > room:
            yield _painted(row, lead, color)
            row, lead = [], inset + ("  " if line.kind == "item" else "")
        if columns(word) > room:
            yield from (_painted([(each, marked)], lead, color) for each in wrap(word, room))
            continue
        row.append((word, marked))
    if row:
        yield _painted(row, lead, color)


def _words(line: Line) -> Iterator[tuple[str, bool]]:
    """Yield the words of a line, each with whether it answers; a bar parts the cells of a row."""
    for number, cell in enumerate(line.cells or (line.runs,)):
        if number:
            yield "|", False
        yield from ((word, run.marked) for run in cell for word in run.text.split())


def _painted(row: list[tuple[str, bool]], lead: str, color: bool) -> str:
    """Return a row of words, each with whether it answers, painted or behind its sign."""
    answers = any(marked for _, marked in row)
    said = " ".join(f"{BOLD}{word}{RESET}" if marked and color else word for word, marked in row)
    return f"{'  > ' if answers and not color else '    '}{lead}{said}"

