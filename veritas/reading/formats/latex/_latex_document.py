"""A LaTeX document as a whole: front, body, and its own metadata."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date, datetime

from veritas.documents.metadata import parse_date
from veritas.reading.formats.converted import Converted
from veritas.reading.formats.latex._commands import FLOATS
from veritas.reading.formats.latex._numbering import Numbering
from veritas.reading.formats.latex._printing import Printer
from veritas.reading.formats.latex._tex_source import Macro, Source

_BODY = re.compile(r"\\begin\s*\{document\}(.*?)(?:\\end\s*\{document\}|\Z)", re.DOTALL)
_ABSTRACT = re.compile(r"^[^%\n]*\\(?:begin\s*\{)?abstract\b", re.MULTILINE | re.IGNORECASE)
_FRONT = re.compile(
    r"^[ \t]*\\(?:(?P<command>abstract|keywords)\s*(?=\{)|begin\s*\{(?P<environment>abstract)\})", re.MULTILINE
)
_BEGUN = re.compile(r"\\begin\s*\{(\w+)\*?\}")
_INPUT = re.compile(r"^[^%\n]*\\(?:input|include|subfile)\s*\{", re.MULTILINE)
_MARK = re.compile(r"\$[^$]*\$|\\footnotemark\b(?:\[[^\]]*\])?")  # of a note, beside an author's name
_DAYS = ("%d %B %Y", "%d %b %Y", "%B %d %Y", "%b %d %Y", "%B %Y", "%b %Y")


def convert_latex(text: str) -> Converted:
    """Return the printed text of a LaTeX source without its bibliography, with title, authors and date of its own
    commands.

    Files that it draws in are not followed here.
    """
    whole = Source(text)
    known = whole.macros()
    match = _BODY.search(text)
    body = match.group(1) if match else text
    preamble = text[: match.start()] if match else ""
    if not _ABSTRACT.search(body):
        body = _front(preamble) + body
    floats = _floats(whole)
    printer, printed, numbering = _printed(body, preamble, known, Numbering(floats=floats))
    if any(key in numbering.labels for key in numbering.early):
        # As in LaTeX, a label's number is known in the second pass.
        printer, printed, numbering = _printed(body, preamble, known, Numbering(numbering.labels, floats))
    inputs = len(_INPUT.findall(body))
    remarks = []
    if inputs:
        remarks.append(f"draws in {inputs} other files, which count only if they are in the corpus themselves")
    if numbering.counted and (inputs or not match):
        remarks.append("its figures, tables, sections and equations are numbered as if it were the whole document")
    return Converted(
        text=printed,
        title=_said(whole, "title", known) or None,
        authors=_authors(whole, known),
        published_at=_day(_said(whole, "date", known)),
        citations=tuple(printer.citations),
        remarks=tuple(remarks),
    )


def _printed(
    body: str, preamble: str, known: dict[str, Macro], numbering: Numbering
) -> tuple[Printer, str, Numbering]:
    Printer(known, numbering).text(preamble)  # prints nothing; it may say how things are numbered
    numbering.begin()
    printer = Printer(known, numbering)
    return printer, printer.text(body), numbering


def _floats(whole: Source) -> dict[str, str]:
    """Return the author's environments that begin a float, with their counter."""
    found = {}
    for name, begins in whole.environments().items():
        begun = _BEGUN.search(begins)
        if begun and begun[1] in FLOATS:
            found[name.rstrip("*")] = FLOATS[begun[1]]
    return found


def _front(preamble: str) -> str:
    """Return the abstract and the keywords that some classes take before the document begins."""
    source = Source(preamble)
    found = []
    for match in _FRONT.finditer(preamble):
        content = source.group(match.end()) if match["command"] else None
        if content:
            found.append(f"\\{match['command']}{{{content[0]}}}")
        elif match["environment"]:
            end, _ = source.environment_end(match.end(), match["environment"])
            found.append(f"\\abstract{{{preamble[match.end() : end]}}}")
    return "\n\n".join([*found, ""])


def _said(whole: Source, command: str, known: dict[str, Macro]) -> str:
    place = re.search(rf"^[^%\n]*?\\{command}\s*(?:\[[^\]]*\]\s*)?(?=\{{)", whole.text, re.MULTILINE)
    found = whole.group(place.end()) if place else None
    return " ".join(Printer(known).text(found[0]).split()) if found else ""


def _day(said: str) -> date | None:
    """Return the day that a paper states, in figures or in words; else the first day of the year in it, if any."""
    plain = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b|[.,]", " ", said).replace("Sept ", "Sep ")
    for form in _DAYS:
        with suppress(ValueError):
            return datetime.strptime(" ".join(plain.split()), form).date()
    years = re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", said)
    return parse_date(said) or (date(int(years[-1]), 1, 1) if years else None)


def _authors(whole: Source, known: dict[str, Macro]) -> tuple[str, ...]:
    place = re.search(r"^[^%\n]*?\\author\s*(?:\[[^\]]*\]\s*)?(?=\{)", whole.text, re.MULTILINE)
    found = whole.group(place.end()) if place else None
    if found is None:
        return ()
    names = []
    for part in re.split(r"\\(?:and|And|AND)\b", found[0]):
        first_line = re.split(r"\\\\|\n\s*\n", part.strip())[0]
        printed = Printer(known).text(_MARK.sub("", first_line))
        names += [name.strip(" ,*†‡") for name in re.split(r",|\band\b", " ".join(printed.split()))]
    return tuple(name for name in names if " " in name and len(name) <= 60 and not any(map(str.isdigit, name)))
