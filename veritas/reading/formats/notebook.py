"""Jupyter notebooks: the text of their cells, their code, and what it printed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from veritas.errors import CorpusError
from veritas.reading.formats.converted import Converted
from veritas.reading.formats.markdown import convert_body

MAX_OUTPUT = 4000
"""Most characters of one output that are read; what is longer is data."""
_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")


def convert_notebook(text: str) -> Converted:
    """Return the cells in order: Markdown as its reader sees it, code as it is, and below it the text it printed.
    Pictures, errors and raw cells are left out. The title is the first heading of the first level.

    Raises `CorpusError` for a file that is no notebook.
    """
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CorpusError("is no notebook: it is no JSON") from error
    cells = _cells(notebook)
    if cells is None:
        raise CorpusError("is no notebook: it has no cells")
    counts = {"picture": 0, "long output": 0}
    return convert_body("\n\n".join(_shown(cells, _language(notebook), counts)), {}, tuple(
        f"{count} × {what} is not read" for what, count in counts.items() if count
    ))  # fmt: skip


def _cells(notebook: Any) -> list[Mapping[str, Any]] | None:
    """Return the cells, of this version of the format or the one before it, which has them on sheets."""
    if not isinstance(notebook, Mapping):
        return None
    sheets = notebook.get("worksheets")
    held = [notebook] if "cells" in notebook else sheets if isinstance(sheets, list) else []
    found = [sheet.get("cells") for sheet in held if isinstance(sheet, Mapping)]
    if not found or not all(isinstance(cells, list) for cells in found):
        return None
    return [cell for cells in found for cell in cells or () if isinstance(cell, Mapping)]


def _language(notebook: Any) -> str:
    """Return the language of the notebook's code, "" if it names none."""
    found: Any = notebook
    for name in ("metadata", "language_info", "name"):
        found = found.get(name) if isinstance(found, Mapping) else None
    return found if isinstance(found, str) and re.fullmatch(r"[\w+#.-]{1,24}", found) else ""


def _shown(cells: list[Mapping[str, Any]], language: str, counts: dict[str, int]) -> Iterator[str]:
    for cell in cells:
        kind, source = cell.get("cell_type"), _text(cell.get("source", cell.get("input")))
        if kind == "markdown":
            yield source
        elif kind == "heading":
            level = cell.get("level")
            yield f"{'#' * (level if isinstance(level, int) and 1 <= level <= 6 else 1)} {source}"
        elif kind == "code":
            if source.strip():
                yield _code(source, language)
            outputs = cell.get("outputs")
            for output in outputs if isinstance(outputs, list) else ():
                printed = _printed(output, counts) if isinstance(output, Mapping) else ""
                if printed.strip():
                    yield _code(printed)


def _printed(output: Mapping[str, Any], counts: dict[str, int]) -> str:
    if output.get("output_type") in ("error", "pyerr"):
        return ""
    data = output.get("data")
    held: Mapping[str, Any] = data if isinstance(data, Mapping) else output
    counts["picture"] += any(str(key).startswith("image/") or key in ("png", "jpeg", "svg") for key in held)
    text = _ANSI.sub("", _text(held.get("text/plain", held.get("text"))))
    if len(text) > MAX_OUTPUT:
        counts["long output"] += 1
        return ""
    return text


def _text(source: Any) -> str:
    """Return a source, which is a text or a list of its lines."""
    if isinstance(source, list):
        return "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""


def _code(text: str, language: str = "") -> str:
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    marks = "`" * max(3, longest + 1)
    return f"{marks}{language}\n{text.rstrip()}\n{marks}"
