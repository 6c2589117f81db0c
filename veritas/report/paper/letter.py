"""The editor's letter: the accepted concerns about a paper, quoted with places and calculation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Literal

from veritas.papers.desk.concern import Concern, ConcernKind, DeskDecision
from veritas.papers.desk.desk import Desk
from veritas.report.markdown_report import plain
from veritas.text.plural import plural
from veritas.text.visible import one_line

GROUPS: dict[ConcernKind, str] = {
    "arithmetic": "Numbers that do not hold together",
    "flaw": "Statements",
    "reference": "References that were retracted or withdrawn",
    "link": "Links that lead nowhere",
    "outcome": "Registered outcomes",
    "checklist": "Reporting",
}
NOTHING = "No point was accepted, so there is nothing to raise."
MARGIN = 2.5
"""Margins of the DOCX, in centimetres."""

Part = Literal["title", "heading", "text", "point", "quote", "detail"]


@dataclass(frozen=True)
class Line:
    """A paragraph of the letter; `bold` words stand before its text."""

    part: Part
    text: str
    bold: str = ""


def letter_markdown(desk: Desk) -> str:
    """Return the letter as Markdown. What the paper says is escaped, so that it cannot become markup."""
    forms = {
        "title": "# {}", "heading": "\n## {}", "text": "\n{}", "point": "\n{}", "quote": "\n   > {}",
        "detail": "\n   {}",
    }  # fmt: skip
    written = []
    for line in letter_lines(desk):
        bold = f"**{plain(line.bold)}** " if line.bold and line.part != "point" else ""
        number = f"{line.bold} " if line.part == "point" else ""
        written.append(forms[line.part].format(f"{number}{bold}{plain(line.text)}"))
    return "\n".join(written) + "\n"


def letter_docx(desk: Desk) -> bytes:
    """Return the letter as the bytes of a DOCX file, with the styles of Word for headings and quotes."""
    from docx import Document
    from docx.shared import Cm

    document = Document()
    for section in document.sections:
        section.left_margin = section.right_margin = section.top_margin = section.bottom_margin = Cm(MARGIN)
    styles = {"title": "Title", "heading": "Heading 1", "text": "Normal", "point": "Normal", "quote": "Quote",
              "detail": "Normal"}  # fmt: skip
    for line in letter_lines(desk):
        paragraph = document.add_paragraph(style=styles[line.part])
        if line.bold:
            paragraph.add_run(f"{_clean(line.bold)} ").bold = True
        paragraph.add_run(_clean(line.text))
        if line.part in ("quote", "detail"):
            paragraph.paragraph_format.left_indent = Cm(0.8)
    document.core_properties.title = _clean(f"Letter on {desk.paper.title}")[:250]
    document.core_properties.author = _clean(", ".join(_names(desk)))[:250]
    held = BytesIO()
    document.save(held)
    return held.getvalue()


def letter_lines(desk: Desk) -> Iterator[Line]:
    """Yield the paragraphs of the letter: only what was accepted, in groups, each point with its words and grounds."""
    accepted = desk.accepted()
    yield Line("title", f"On “{desk.paper.title or desk.desk_id}”")
    yield Line("text", "Dear authors,")
    if not accepted:
        yield Line("text", NOTHING)
    else:
        points = plural(len(accepted), "point")
        yield Line("text", f"In reading your paper we noted {points}. Please answer each of them.")
    number = 0
    for kind, heading in GROUPS.items():
        group = [pair for pair in accepted if pair[0].kind == kind]
        if group:
            yield Line("heading", heading)
        for each, decision in group:
            number += 1
            yield from _point(desk, number, each, decision)
    yield Line("heading", "How these points were found")
    yield from (Line("text", said) for said in _grounds(desk))
    yield Line("text", "With kind regards,")
    yield Line("text", ", ".join(_names(desk)) or "the editors")


def _point(desk: Desk, number: int, each: Concern, decision: DeskDecision) -> Iterator[Line]:
    yield Line("point", each.says, bold=f"{number}.")
    for quoted in each.quotes:
        yield Line("quote", f"“{quoted.text}” ({desk.where(quoted.place)})")
    if each.calculation:
        rounding = f" Rounding allowed: {each.allowed}." if each.allowed else ""
        yield Line("detail", f"{each.calculation}.{rounding}", bold="Calculation:")
    if each.right_if:
        yield Line("detail", f"{each.right_if}.", bold="The paper would be right if")
    if each.looked_in:
        yield Line("detail", f"{'; '.join(each.looked_in)}.", bold="Looked in:")
    yield Line("detail", f"{decision.reason} ({decision.name})", bold="Remark:")


def _grounds(desk: Desk) -> list[str]:
    said = [
        "A program read the text and put each point before a person, who accepted it by name. Its quotes stand "
        "verbatim in the text that was read. A point on reporting says that something was not found in the parts "
        "named: it may be told in other words, in a figure, or in a file beside the paper."
    ]
    for checklist in desk.checklists:
        said.append(f"{checklist.title} ({checklist.version}): {checklist.source}.")
    if not desk.asked_web and any(each.links for each in desk.statements):
        said.append("The links of the paper were not asked.")
    said += [f"{note[:1].upper()}{note[1:]}." for note in desk.notes]
    return said


def _names(desk: Desk) -> Sequence[str]:
    return list(dict.fromkeys(decision.name for _, decision in desk.accepted()))


def _clean(text: str) -> str:
    """Return a text in one line without characters that an XML file cannot hold or a reader cannot see."""
    return one_line(text)
