"""The editor's letter: the accepted concerns about a paper, quoted with places and calculation."""

from __future__ import annotations

import re
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
PARTS = 4
"""Headings that are named of the parts that were searched."""
MARGIN = 2.5
"""Margins of the DOCX, in centimetres."""

Part = Literal["title", "heading", "text", "point", "quote", "detail"]


@dataclass(frozen=True)
class Line:
    """A paragraph of the letter; `bold` words stand before its text."""

    part: Part
    text: str
    bold: str = ""


def said_parts(looked_in: Sequence[str]) -> str:
    """Return the parts that were searched, the first ones by their headings."""
    over = len(looked_in) - PARTS
    return "; ".join(looked_in[:PARTS]) + (f" and {over} more" if over > 0 else "")


def letter_markdown(desk: Desk) -> str:
    """Return the letter as Markdown. What the paper says is escaped, so that it cannot become markup."""
    forms = {
        "title": "# {}", "heading": "\n## {}", "text": "\n{}", "point": "\n{}", "quote": "\n   > {}",
        "detail": "\n   {}",
    }  # fmt: skip
    written = []
    for line in letter_lines(desk):
        bold = f"**{_escaped(line.bold)}** " if line.bold and line.part != "point" else ""
        number = f"{line.bold} " if line.part == "point" else ""
        written.append(forms[line.part].format(f"{number}{bold}{_escaped(line.text)}"))
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
        asked = "it" if len(accepted) == 1 else "each of them"
        yield Line("text", f"In reading your paper we noted {points}. Please answer {asked}.")
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
        yield Line("detail", f"{said_parts(each.looked_in)}.", bold="Looked in:")
    elif each.near:
        yield Line("detail", "the sentences with words on it; none was read as telling it.", bold="Looked in:")
    yield Line("detail", f"{decision.reason} ({decision.name})", bold="Remark:")


def _grounds(desk: Desk) -> list[str]:
    said = [
        "A program read the text and put each point before a person, who accepted it by name. Its quotes stand "
        "verbatim in the text that was read."
    ]
    absent = [each for each, _ in desk.accepted() if not each.specific]
    if absent:
        said[0] += (
            " A point on reporting or on an outcome says that something was not found in the parts named: it may be "
            "told in other words, in a figure, or in a file beside the paper."
        )
    asked_by = {each.subject.rpartition(" ")[0] for each in absent if each.kind == "checklist"}
    for checklist in (each for each in desk.checklists if each.name in asked_by):
        said.append(f"{checklist.title} ({checklist.version}): {checklist.source}.")
    if not desk.asked_web and any(each.links for each in desk.statements):
        said.append("The links of the paper were not asked.")
    said += [f"{note[:1].upper()}{note[1:]}." for note in desk.notes]
    return said


def _names(desk: Desk) -> Sequence[str]:
    return list(dict.fromkeys(decision.name for _, decision in desk.accepted()))


def _escaped(text: str) -> str:
    """Return a text that cannot become markup, and that can be read where Markdown is shown as it stands: a `<` that
    opens no tag, an `&` that begins no entity and an address stay as they are."""
    kept = plain(text).replace("&#58;//", "://").replace("www&#46;", "www.").replace("&#64;", "@")
    kept = re.sub(r"&lt;(?![A-Za-z/!?])", "<", kept)
    kept = re.sub(r"(?<!^)&gt;", ">", kept)
    return re.sub(r"&amp;(?![A-Za-z#])", "&", kept)


def _clean(text: str) -> str:
    """Return a text in one line without characters that an XML file cannot hold or a reader cannot see."""
    return one_line(text)
