"""Rows of tables and clauses of a long list: a figure is of its row's first cell and its column's head, or its clause.

A row is put before the judge as a line for each cell, with the names of its row and its column.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

from veritas.text.quantities import quantities

_RULE = re.compile(r"[|\s:+=-]+")
_FIGURE = re.compile(r"[-+~<>≈±]?[$€£]?\d[\d.,:/x×]*[%a-zA-Zµ/]{0,6}")
_ORDINAL_STOP = re.compile(r"\d\.\Z")
_UNIT = re.compile(r"\s*[(\[]([^()\[\]\d]{1,12})[)\]]")
LEAST_CELLS = 4
"""Words of a line from which on it may be a row of console output."""
LIST = 3
"""Semicolons from which on a sentence is a list, each of whose clauses says a thing of its own."""
LEAST_CLAUSE = 4
"""Words of such a clause."""
_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")


def clauses_of(text: str, sentences: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the offsets of sentences, those of a long list with semicolons by its clauses: what it says of one thing,
    it does not say of the next."""
    found: list[tuple[int, int]] = []
    for start, end in sentences:
        said = text[start:end]
        if said.count(";") < LIST:
            found.append((start, end))
            continue
        bare = _BRACKETED.sub(lambda each: " " * len(each[0]), said)
        cuts = [match.start() for match in re.finditer(r";\s", bare)]
        bounds = list(zip([0, *(cut + 1 for cut in cuts)], [*cuts, len(said)], strict=True))
        if len(cuts) < LIST or any(len(said[a:b].split()) < LEAST_CLAUSE for a, b in bounds):
            found.append((start, end))
            continue
        for a, b in bounds:
            words = said[a:b]
            found.append((start + a + len(words) - len(words.lstrip()), start + b))
    return found


def is_row(line: str) -> bool:
    """Return whether a line is a row of a table or of console output: cells behind tabs or bars, or figures mostly."""
    bare = line.strip()
    if "\t" in bare or bare.count("|") >= 2:
        return bool(re.search(r"\d", bare))
    cells = bare.split()
    return len(cells) >= LEAST_CELLS and 2 * sum(bool(_FIGURE.fullmatch(cell)) for cell in cells) >= len(cells)


def whole_rows(text: str, sentences: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the offsets of sentences, those of one row as one: "Adelie 190. 3701. 2008." does not end at "190."."""
    found: list[tuple[int, int]] = []
    for start, end in sentences:
        if found and text[start : start + 1].isdecimal() and _ORDINAL_STOP.search(text[found[-1][0] : found[-1][1]]):
            first = found[-1][0]
            between = text[found[-1][1] : start]
            line = text.rfind("\n", 0, first) + 1, text.find("\n", start)
            if "\n" not in between and is_row(text[line[0] : line[1] if line[1] >= 0 else len(text)]):
                found[-1] = first, end
                continue
        found.append((start, end))
    return found


def in_words(text: str, at: int) -> str | None:
    """Return the row of a table at an offset of a text as a line for each cell, with the names of its row and column;
    "" for the head, which says nothing by itself, and None where no table with a head stands."""
    every, starts = _lines(text)
    line = bisect_right(starts, at) - 1
    cells = _cells(every[line])
    if len(cells) < 2:
        return None
    if _RULE.fullmatch(every[line]):
        return ""
    first = line
    while first > 0 and _cells(every[first - 1]):
        first -= 1
    heads = _cells(every[first])
    below = every[first + 1] if first + 1 < len(every) else ""
    ruled = _RULE.fullmatch(below) is not None and bool(below.strip())
    if len(_cells(below)) != len(heads) or not (ruled or not any(map(quantities, heads))):
        return None
    if first == line:
        return ""
    return "\n".join(_cell(cells[0], head, cell) for head, cell in zip(heads[1:], cells[1:], strict=False) if cell)


def _cell(name: str, head: str, cell: str) -> str:
    """Return a cell in words; a unit that its head has in brackets stands behind its figure."""
    head = head.rstrip(" .")
    unit = _UNIT.search(head)
    if unit is not None and cell[-1:].isdecimal():
        return f"{name}: {_UNIT.sub('', head)} {cell} {unit[1]}."
    return f"{name}: {head} {cell}."


@lru_cache(maxsize=16)
def _lines(text: str) -> tuple[list[str], list[int]]:
    """Return the lines of a text, and where each begins."""
    every = text.split("\n")
    return every, list(accumulate((len(line) + 1 for line in every[:-1]), initial=0))


def _cells(line: str) -> tuple[str, ...]:
    bare = line.strip()
    if "\t" in line.strip("\n"):
        return tuple(cell.strip() for cell in line.split("\t"))
    if bare.count("|") < 2:
        return ()
    return tuple(cell.strip(" *_`") for cell in bare.strip("|").split("|"))
