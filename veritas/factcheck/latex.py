"""LaTeX as a text to check: its prose, entries of its bibliography, links and notes. Offsets are the source's."""

from __future__ import annotations

import re
from bisect import bisect_right

from veritas.citations.bibliography.formats.thebibliography import read_latex
from veritas.factcheck.addresses import addresses, plain_address
from veritas.factcheck.marks import Mark
from veritas.factcheck.source_lists import Lists, find_lists
from veritas.factcheck.sources_beside import of_bibliography

_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_BEGIN, _END = re.compile(r"\\begin\s*\{document\}"), re.compile(r"\\end\s*\{document\}")
_BIBLIOGRAPHY = re.compile(r"\\begin\s*\{thebibliography\}")
_BIBLIOGRAPHY_END = re.compile(r"\\end\s*\{thebibliography\}")
_CLOSED = (
    "figure", "table", "equation", "align", "gather", "multline", "eqnarray", "verbatim", "lstlisting", "minted",
    "tikzpicture", "tabular", "algorithm", "displaymath",
)  # fmt: skip
_OPENED = re.compile(rf"\\begin\s*\{{(?P<name>(?:{'|'.join(_CLOSED)})\*?)\}}")
_HREF = re.compile(r"\\href\s*\{(?P<url>[^{}\n]{1,2000})\}\s*\{(?P<words>(?:[^{}]|\{[^{}]{0,200}\}){0,400})\}")
_URL = re.compile(r"~?\\(?:url|nolinkurl|path)\s*\{(?P<url>[^{}\n]{1,2000})\}")
_NOTE = re.compile(
    r"\\(?:footnote|thanks|endnote)\s*(?:\[\d+\])?\{(?P<note>(?:[^{}]|\{(?:[^{}]|\{[^{}]{0,300}\}){0,300}\}){0,2000})\}"
)
_CITES = re.compile(r"\\[A-Za-z]*cite[A-Za-z]*\*?\s?(?:\[[^\]\n]{0,200}\]){0,2}\{(?P<keys>[^{}\n]{1,600})\}")
_COMMAND = re.compile(
    r"\\(?:label|ref|eqref|autoref|pageref|index|vspace|hspace|includegraphics)\*?(?:\[[^\]\n]*\])?\{[^{}\n]*\}"
)


def read_source(text: str) -> tuple[Lists, list[Mark], list[tuple[int, int]]]:
    """Return the lists of sources of a LaTeX document, the marks that only LaTeX has, and what is no prose of it."""
    closed = [match.span() for match in _COMMENT.finditer(text)]
    bare = _COMMENT.sub(lambda found: " " * len(found[0]), text)
    if begin := _BEGIN.search(bare):
        closed.append((0, begin.end()))
    if end := _END.search(bare):
        closed.append((end.start(), len(text)))
    at = 0
    while environment := _OPENED.search(bare, at):
        ending = bare.find(f"\\end{{{environment['name']}}}", environment.end())
        at = ending if ending >= 0 else environment.end()
        closed.append((environment.start(), bare.find("\n", at) if ending >= 0 and "\n" in bare[at:] else len(text)))
    entries = of_bibliography(read_latex(text, "text")) if "\\bibitem" in text else []
    entries = [entry.model_copy(update={"origin": "text"}) for entry in entries]
    lists = find_lists(text) if "\\begin{document}" not in text else Lists((), (), ())
    regions = list(lists.regions)
    if bibliography := _BIBLIOGRAPHY.search(bare):
        ending_mark = _BIBLIOGRAPHY_END.search(bare, bibliography.end())
        regions.append((bibliography.start(), ending_mark.end() if ending_mark else len(text)))
    marks = _marks(bare)
    return Lists((*entries, *lists.entries), lists.sections, tuple(regions)), marks, closed


def _marks(text: str) -> list[Mark]:
    marks: list[Mark] = []
    for note in _NOTE.finditer(text):
        keys = [key.strip() for cites in _CITES.finditer(note["note"]) for key in cites["keys"].split(",")]
        urls = list(addresses(text, note.start("note"), note.end("note")))
        first = urls[0] if urls else None
        marks.append(
            Mark(*note.span(), "footnote", tuple(keys) if keys else (), first.url if first and not keys else None)
        )
    spans = [(mark.start, mark.end) for mark in marks]
    for href in _HREF.finditer(text):
        if not _within(spans, href.start()):
            url = plain_address(href["url"].replace("\\", ""))
            marks.append(Mark(*href.span(), "link", (), url, None, href.span("words")))
    for printed in _URL.finditer(text):
        if not _within(spans, printed.start()):
            marks.append(Mark(*printed.span(), "url", (), plain_address(printed["url"].replace("\\", ""))))
    marks += [Mark(*match.span(), "latex") for match in _COMMAND.finditer(text) if not _within(spans, match.start())]
    return sorted(marks)


def _within(spans: list[tuple[int, int]], at: int) -> bool:
    place = bisect_right(spans, (at, at)) - 1
    return place >= 0 and spans[place][1] > at
