"""Read a text into its statements, each with the citations it leans on. Deterministic; no model is asked."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any

from veritas.citations.bibliography.formats.thebibliography import read_latex
from veritas.errors import CorpusError, InputError
from veritas.factcheck import linked_text
from veritas.factcheck.addresses import addresses, plain_address
from veritas.factcheck.conversations import last_answer, of_bibliography, parsed, sources_beside
from veritas.factcheck.mark_forms import Mark
from veritas.factcheck.named_documents import Named
from veritas.factcheck.shapes import CheckedText, TextFormat
from veritas.factcheck.source_lists import Link, Lists, find_lists
from veritas.factcheck.statements import Given, read_statements
from veritas.reading.charset import decode

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


_HTML = re.compile(
    r"(?:<!--.{0,2000}?-->\s*)?<(?:!doctype html|html|head|body|article|main|div|p|h1)\b", re.IGNORECASE | re.DOTALL
)
_LATEX = re.compile(
    r"\\(?:documentclass|begin\{document\}|section\*?\{|[a-z]*cite[a-z]*\*?(?:\[[^\]]*\])*\{|usepackage)"
)
_MARKDOWN = re.compile(r"(?m)^#{1,6} \S|\*\*\S|\]\(https?:|^[-*+] \S|^```")
_TALK = re.compile(r"\"(?:role|mapping|chat_messages|sender|candidates|choices|messages)\"\s*:")


def read_text(
    text: str, *, sources: str | None = None, format: TextFormat | None = None, named: Named | None = None
) -> CheckedText:
    """Return the statements of a text that stands as characters: Markdown, plain text, HTML, LaTeX or a conversation.

    `sources` is the text of a list of sources kept beside it: lines, BibTeX, RIS, CSL JSON or a conversation export.
    `named` finds the documents of a corpus that the text calls by file name, relative path or title. Without `format`
    the text tells it. Offsets are those of the text that is returned: of HTML, the text as it is shown. Linear in the
    length of the text. Raises `InputError` for a conversation, a page or a list of sources that cannot be read.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    form = format or format_of(text)
    if form == "conversation":
        return read_conversation(text, sources=sources, named=named)
    beside = sources_beside(sources) if sources else []
    if form == "html":
        shown, links, headings = linked_text.read_html(text)
        return read_statements(shown, form, Given(entries=beside, links=links, headings=headings, named=named))
    if form == "latex":
        lists, marks, closed = read_source(text)
        return read_statements(text, form, Given(entries=beside, lists=lists, marks=marks, closed=closed, named=named))
    return read_statements(text, form, Given(entries=beside, named=named))


def read_conversation(
    export: str | dict[str, Any] | list[Any], *, sources: str | None = None, named: Named | None = None
) -> CheckedText:
    """Return the statements of the last answer of an assistant in a conversation export, resolved by the export.

    Raises `InputError` if the export holds no answer of an assistant.
    """
    answer = last_answer(parsed(export) if isinstance(export, str) else export)
    beside = sources_beside(sources) if sources else []
    given = Given(entries=(*answer.entries, *beside), marks=answer.marks, named=named)
    return read_statements(answer.text, "conversation", given)


def read_bytes(
    data: bytes, *, name: str = "", sources: str | None = None, named: Named | None = None
) -> CheckedText:
    """Return the statements of a file: DOCX, PDF, or anything that `read_text` reads. `name` is the file's name, whose
    ending tells a format that the bytes do not tell.

    Raises `InputError` for bytes that are none of these, and for a file that is empty or cannot be read.
    """
    if data.startswith(b"PK\x03\x04") or name.lower().endswith(".docx"):
        from veritas.factcheck.office_files import read_docx

        return _of_links("docx", *read_docx(data), sources=sources, named=named)
    if b"%PDF-" in data[:1024]:
        from veritas.factcheck.office_files import read_pdf

        return _of_links("pdf", *read_pdf(data), sources=sources, named=named)
    try:
        text, _ = decode(data)
    except CorpusError as error:
        raise InputError(f"the file {error}") from error
    if not text.strip():
        raise InputError("the file is empty")
    endings: dict[str, TextFormat] = {".html": "html", ".htm": "html", ".tex": "latex", ".md": "markdown"}
    told = next((form for ending, form in endings.items() if name.lower().endswith(ending)), None)
    return read_text(text, sources=sources, format=told, named=named)


def _of_links(
    form: TextFormat, text: str, links: list[Link], headings: set[int], *, sources: str | None,
    named: Named | None,
) -> CheckedText:
    if not text.strip():
        raise InputError("no text was found in the file")
    beside = sources_beside(sources) if sources else []
    return read_statements(text, form, Given(entries=beside, links=links, headings=headings, named=named))


def format_of(text: str) -> TextFormat:
    """Return the format that a text is written in, by its marks."""
    start = text[:4000].lstrip()
    if start.startswith(("{", "[")) and start[1:].lstrip()[:1] in ('"', "{") and _TALK.search(text):
        return "conversation"
    if _HTML.match(start):
        return "html"
    if _LATEX.search(text) and not _MARKDOWN.search(text):
        return "latex"
    return "markdown" if _MARKDOWN.search(text) else "plain"
