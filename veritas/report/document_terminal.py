"""A cited document in full for a terminal, with the passages that claims rest on marked."""

from __future__ import annotations

from collections.abc import Iterator

from veritas.report._brief_terminal import BOLD, RESET, shown_line
from veritas.report.brief_lines import Line, Run
from veritas.report.cited_documents import CitedDocument, Paragraph
from veritas.text.visible import one_line, visible
from veritas.text.wrapping import wrap


def render_document(page: CitedDocument, width: int = 80, color: bool = False) -> tuple[str, int]:
    """Return a document in lines of at most `width` columns (20 at least), program text unwrapped, and the number of
    the line, from 1, in which its first passage begins; 1 if none is known. Ends in a newline.

    Where colour may not be used, a line of a passage begins with ">".
    """
    width = max(width, 20)
    title = list(wrap(one_line(page.document.title or page.document.url), width))
    lines = [*(f"{BOLD}{line}{RESET}" if color else line for line in title), *wrap(one_line(page.document.url), width)]
    first = 1
    for paragraph in page.paragraphs():
        lines.append("")
        for said, marked in _lines(paragraph, width, color):
            lines.append(said)
            if marked and first == 1:
                first = len(lines)
    return "\n".join(line.rstrip() for line in lines) + "\n", first


def _lines(paragraph: Paragraph, width: int, color: bool) -> Iterator[tuple[str, bool]]:
    """Yield the lines of a paragraph, each with whether words of a passage are in it."""
    if paragraph.kind == "cut":
        yield f"    … {paragraph.pieces[0].text} …", False
        return
    for runs in _split(paragraph):
        marked = any(run.marked for run in runs)
        if paragraph.kind == "program":
            said = "".join(f"{BOLD}{run.text}{RESET}" if run.marked and color else run.text for run in runs)
            yield f"{'  > ' if marked and not color else '    '}{said}", marked
        else:
            line = Line("prose", tuple(runs))
            for said in shown_line(line, width, color):
                yield said, BOLD in said if color else said.startswith("  > ")


def _split(paragraph: Paragraph) -> Iterator[list[Run]]:
    """Yield the lines of a paragraph as they stand in the document, in runs that are marked or not."""
    runs: list[Run] = []
    for piece in paragraph.pieces:
        first, *rest = visible(piece.text).split("\n")
        runs.append(Run(first, piece.marked))
        for line in rest:
            yield runs
            runs = [Run(line, piece.marked)]
    yield runs
