"""Rows of tables and of console output, and clauses of a long list: each is one statement, and its figures are those of
its first cell or its subject."""

from __future__ import annotations

import re
from collections.abc import Sequence

_FIGURE = re.compile(r"[-+~<>≈±]?[$€£]?\d[\d.,:/x×]*[%a-zA-Zµ/]{0,6}")
_ORDINAL_STOP = re.compile(r"\d\.\Z")
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
