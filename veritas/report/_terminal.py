"""Answers, briefs and cited documents for a terminal: wrapped text that cannot drive it."""

from __future__ import annotations

from collections.abc import Iterator

from veritas.claims.answer import Reference
from veritas.claims.graph import ClaimGraph
from veritas.report.brief_lines import Line, Run, brief_lines
from veritas.report.cited_documents import CitedDocument, Paragraph
from veritas.report.decisions import HEADINGS, settled
from veritas.report.graph_index import GraphIndex
from veritas.report.tally import Tally, summary
from veritas.report.wording import again, lacking, missing
from veritas.text.visible import one_line, visible, web_address
from veritas.text.wrapping import columns, wrap

MOST = 5
"""Limit of findings before a person that are shown below an answer."""

_BOLD, _DIM, _YELLOW, _RESET = "\x1b[1m", "\x1b[2m", "\x1b[33m", "\x1b[0m"


def render_terminal(graph: ClaimGraph, width: int = 80, color: bool = False, short: bool = False) -> str:
    """Return the answer in lines of at most `width` columns (20 at least); no escape sequence unless `color`. With
    `short` neither the question nor the counts are repeated.

    Strangers' text cannot drive the terminal: control characters come out as `⟦U+001B⟧`. Ends in a newline.
    """
    width = max(width, 20)
    index, answer = GraphIndex(graph), graph.answer

    def painted(style: str, text: str, first: str = "", rest: str = "") -> list[str]:
        return [f"{style}{line}{_RESET}" if color and line else line for line in wrap(text, width, first, rest)]

    lines = [] if short else [*painted(_BOLD, one_line(graph.run.question)), ""]
    if answer.status == "unavailable":
        said, command = again(graph)
        lines += [*painted(_BOLD, "Unavailable."), *wrap(one_line(lacking(answer)), width), *wrap(said, width)]
        lines += [*wrap(command, width, "  ", "  "), ""]
    if answer.status == "insufficient_evidence":
        lines += [*painted(_BOLD, "Insufficient evidence."), *wrap(one_line(lacking(answer)), width), ""]
    for paragraph in index.paragraphs:
        pieces: list[str] = []
        rows: list[tuple[str, bool]] = []  # running text, and the items of lists
        for sentence in paragraph:
            numbers = "".join(f"[{n}]" for n in sentence.references if n in index.references)
            note = f"({index.notes[sentence.sentence_id]})" if sentence.sentence_id in index.notes else ""
            badges = "".join(f" ({badge})" for badge in sentence.badges)
            marks = f"{' ' if numbers or note else ''}{numbers}{note}{badges}"
            first, *items = map(one_line, index.lines(sentence))
            if not items:
                pieces.append(f"{first}{marks}")
                continue
            rows += [(" ".join((*pieces, f"{first}{marks}")), False), *((item, True) for item in items)]
            pieces = []
        kinds = {sentence.kind for sentence in paragraph}
        style = _YELLOW if kinds == {"gap"} else _DIM if kinds == {"frame"} else ""
        bar = "| " if kinds == {"dissent"} else ""
        said = "Dissent. " if bar and not paragraph[0].text.startswith("Dissent") else ""
        rows += [(" ".join(pieces), False)] if pieces else []
        for at, (text, item) in enumerate(rows):
            text = text if at else said + text
            first, rest = (f"{bar}  ", f"{bar}    ") if item else (bar, bar)
            lines += painted(style, text, first, rest) if style else wrap(text, width, first, rest)
        lines.append("")
        if "frame" in kinds:
            lines += brief_terminal(index, width, color)
    if answer.missing:
        lines += [*painted(_YELLOW, one_line(missing(graph))), ""]
    for sentence in answer.sentences:
        if sentence.footnote:
            mark = f"({index.notes[sentence.sentence_id]}) "
            lines += wrap(one_line(sentence.footnote), width, mark, " " * len(mark))
    if index.notes:
        lines.append("")
    if answer.bibliography:
        lines += painted(_BOLD, "References")
        indent = max(len(str(r.number)) for r in answer.bibliography) + 3
        for reference in answer.bibliography:
            lead = f"[{reference.number}]".ljust(indent)
            lines += wrap(_entry(reference), width, lead, " " * indent)
            lines += painted(_DIM, one_line(web_address(reference.url) or reference.url), " " * indent, " " * indent)
        lines.append("")
    for row in settled(graph)[:MOST]:
        text = f"{HEADINGS[row.fate]}: “{row.claim.claim}” {row.words}"
        lines += [*wrap(one_line(text), width, "> ", "  ")]
        if row.next:  # a command is never cut in two
            lines.append(f"  {one_line(row.next)}")
    if len(settled(graph)) > MOST:
        lines += wrap(f"> {len(settled(graph)) - MOST} more: veritas approvals --run {graph.run.run_id}", width)
    if settled(graph):
        lines.append("")
    if not short:
        lines += painted(_DIM, summary(Tally.of(index)))
    return "\n".join(line.rstrip() for line in lines).rstrip("\n") + "\n"


def _entry(reference: Reference) -> str:
    r = reference
    authors = ", ".join(r.authors[:3]) + (" and others. " if len(r.authors) > 3 else ". ") if r.authors else ""
    paywalled = ", paywalled" if r.paywalled else ""
    return one_line(f"{authors}{r.title or r.url}{f', {r.year}' if r.year else ''} (tier {r.tier}{paywalled})")


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
