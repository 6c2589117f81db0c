"""Jupyter notebooks: the source of each cell, with the place of each of its lines in the notebook's text."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_DECODER = json.JSONDecoder(strict=False)
_NEAR = 20_000
"""Characters behind a string in which the next one mostly stands."""
_SUFFIXES = {"python": "py", "r": "r", "julia": "jl", "javascript": "js", "typescript": "ts", "scala": "scala"}


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as a file of its own. `name` has the suffix of its language; `lines` pairs the beginning of each piece of
    `source` with its place in the notebook."""

    name: str
    source: str
    lines: tuple[tuple[int, int], ...]

    def place(self, offset: int) -> int:
        """Return the offset in the notebook of an offset in the cell; exact but for what JSON escapes before it."""
        begun, stands = self.lines[bisect_right(self.lines, offset, key=itemgetter(0)) - 1]
        return stands + offset - begun


def is_notebook(text: str) -> bool:
    """Return whether `cells` can read a file: a notebook of the format's version 4."""
    return _book(text) is not None


def _book(text: str) -> dict[str, Any] | None:
    try:
        book = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
    return book if isinstance(book, dict) and isinstance(book.get("cells"), list) else None


def cells(text: str) -> Iterator[Cell]:
    """Yield the cells of a notebook in order; none if the file is no notebook."""
    book = _book(text)
    if book is None:
        return
    suffix, at = _suffix(book), 0
    for cell in book["cells"]:
        source = cell.get("source") if isinstance(cell, dict) else None
        pieces = [source] if isinstance(source, str) else source if isinstance(source, list) else []
        begun, joined, lines = 0, [], []
        for piece in pieces:
            if not isinstance(piece, str) or not piece:
                continue
            at = _next(text, piece, at)
            lines.append((begun, at))
            joined.append(piece)
            begun += len(piece)
        if lines:
            kind = cell.get("cell_type")
            name = "cell.md" if kind == "markdown" else _raw(cell) if kind == "raw" else f"cell.{suffix}"
            yield Cell(name, "".join(joined), tuple(lines))


def _raw(cell: dict[str, Any]) -> str:
    """Return the name of a raw cell as a file of the language that it is passed on to."""
    metadata = cell.get("metadata")
    told = metadata.get("raw_mimetype") or metadata.get("format") if isinstance(metadata, dict) else ""
    return "cell.tex" if "latex" in str(told) else "cell.rst" if "restructuredtext" in str(told) else "cell.md"


def _suffix(book: dict[str, Any]) -> str:
    metadata = book.get("metadata")
    kernel = metadata.get("kernelspec") if isinstance(metadata, dict) else None
    language = kernel.get("language") if isinstance(kernel, dict) else None
    return _SUFFIXES.get(str(language or "python").lower(), "txt")


def _next(text: str, piece: str, at: int) -> int:
    """Return the place of the next string of JSON that says `piece`, after its quotation mark; `at` if none does."""
    for ascii_only in (False, True):
        found = text.find(json.dumps(piece, ensure_ascii=ascii_only), at, at + len(piece) + _NEAR)
        if found >= 0:
            return found + 1
    for string in _STRING.finditer(text, max(at - 1, 0)):  # far away, or escaped in another way
        written = string.group()
        if (_DECODER.decode(written) if "\\" in written else written[1:-1]) == piece:
            return string.start() + 1
    return at
