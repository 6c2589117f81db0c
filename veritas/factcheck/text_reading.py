"""Read a text into its statements, each with the citations it leans on. Deterministic; no model is asked."""

from __future__ import annotations

import re
from typing import Any

from veritas.factcheck import latex, linked_text
from veritas.factcheck.conversations import last_answer, parsed
from veritas.factcheck.shapes import CheckedText, TextFormat
from veritas.factcheck.sources_beside import sources_beside
from veritas.factcheck.statements import Given, read_statements

_HTML = re.compile(
    r"(?:<!--.{0,2000}?-->\s*)?<(?:!doctype html|html|head|body|article|main|div|p|h1)\b", re.IGNORECASE | re.DOTALL
)
_LATEX = re.compile(
    r"\\(?:documentclass|begin\{document\}|section\*?\{|[a-z]*cite[a-z]*\*?(?:\[[^\]]*\])*\{|usepackage)"
)
_MARKDOWN = re.compile(r"(?m)^#{1,6} \S|\*\*\S|\]\(https?:|^[-*+] \S|^```")
_TALK = re.compile(r"\"(?:role|mapping|chat_messages|sender|candidates|choices|messages)\"\s*:")


def read_text(text: str, *, sources: str | None = None, format: TextFormat | None = None) -> CheckedText:
    """Return the statements of a text that stands as characters: Markdown, plain text, HTML, LaTeX or a conversation.

    `sources` is the text of a list of sources kept beside it: lines, BibTeX, RIS, CSL JSON or a conversation export.
    Without `format` the text tells it. Offsets are those of the text that is returned: of HTML, the text as it is
    shown. Linear in the length of the text. Raises `InputError` for a conversation, a page or a list of sources that
    cannot be read.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    form = format or format_of(text)
    if form == "conversation":
        return read_conversation(text, sources=sources)
    beside = sources_beside(sources) if sources else []
    if form == "html":
        shown, links, headings = linked_text.read_html(text)
        return read_statements(shown, form, Given(entries=beside, links=links, headings=headings))
    if form == "latex":
        lists, marks, closed = latex.read_source(text)
        return read_statements(text, form, Given(entries=beside, lists=lists, marks=marks, closed=closed))
    return read_statements(text, form, Given(entries=beside))


def read_conversation(export: str | dict[str, Any] | list[Any], *, sources: str | None = None) -> CheckedText:
    """Return the statements of the last answer of an assistant in a conversation export, resolved by the export.

    Raises `InputError` if the export holds no answer of an assistant.
    """
    answer = last_answer(parsed(export) if isinstance(export, str) else export)
    beside = sources_beside(sources) if sources else []
    given = Given(entries=(*answer.entries, *beside), matched=answer.matched, marks=answer.marks)
    return read_statements(answer.text, "conversation", given)


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
