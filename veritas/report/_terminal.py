"""The cited answer for a terminal: wrapped text, bracketed numbers, the bibliography and one line of counts."""

from __future__ import annotations

from veritas.claims.answer import Reference
from veritas.claims.graph import ClaimGraph
from veritas.report._brief_terminal import brief_terminal
from veritas.report.decisions import HEADINGS, settled
from veritas.report.graph_index import GraphIndex
from veritas.report.tally import Tally, summary
from veritas.report.wording import again, lacking, missing
from veritas.text.visible import one_line, web_address
from veritas.text.wrapping import wrap

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
    if answer.missing:
        lines += [*painted(_YELLOW, one_line(missing(graph))), ""]
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
        text = f"{HEADINGS[row.fate]}: “{row.claim.claim}” {row.words}{' ' + row.next if row.next else ''}"
        lines += [*wrap(one_line(text), width, "> ", "  ")]
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
