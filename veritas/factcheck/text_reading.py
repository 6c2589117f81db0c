"""Read a text into its statements, each with the citations it leans on. Deterministic; no model is asked."""

from __future__ import annotations

import re
from typing import Any

from veritas.factcheck.shapes import CheckedText, SourceEntry, TextFormat
from veritas.factcheck.source_lists import entries_of
from veritas.factcheck.statements import Given, read_statements

_HTML = re.compile(
    r"\s*(?:<!--.*?-->\s*)?<(?:!doctype html|html|head|body|article|main|div|p|h1)\b", re.IGNORECASE | re.DOTALL
)
_LATEX = re.compile(r"\\(?:documentclass|begin\{document\}|section\*?\{|cite[tp]?\*?\{|usepackage)")
_MARKDOWN = re.compile(r"(?m)^#{1,6} \S|\*\*\S|\]\(https?:|^[-*+] \S|^```")


def read_text(text: str, *, sources: str | None = None, format: TextFormat | None = None) -> CheckedText:
    """Return the statements of a text that stands as characters: Markdown, plain text, HTML, LaTeX or a conversation.

    `sources` is the text of a list of sources kept beside it: lines, BibTeX, CSL JSON or a conversation export.
    Without `format` the text tells it. Linear in the length of the text.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    form = format or format_of(text)
    beside = _beside(sources)
    return read_statements(text, form, Given(entries=beside))


def format_of(text: str) -> TextFormat:
    """Return the format that a text is written in, by its marks."""
    start = text[:2000].lstrip()
    if start.startswith(("{", "[{")) and ('"role"' in text or '"mapping"' in text or '"chat_messages"' in text):
        return "conversation"
    if _HTML.match(start):
        return "html"
    if _LATEX.search(text) and not _MARKDOWN.search(text):
        return "latex"
    return "markdown" if _MARKDOWN.search(text) else "plain"


def _beside(sources: str | None) -> list[SourceEntry]:
    entries = entries_of(sources) if sources else []
    return [entry.model_copy(update={"origin": "beside", "start": None, "end": None}) for entry in entries]


def read_bytes(data: bytes, *, name: str = "", sources: str | None = None) -> CheckedText:
    """Return the statements of a file (Markdown, HTML, DOCX, PDF, LaTeX, plain, a conversation export).

    Raises `InputError` if nothing in it can be read.
    """
    raise NotImplementedError


def read_conversation(export: str | dict[str, Any] | list[Any], *, sources: str | None = None) -> CheckedText:
    """Return the statements of the last answer of an assistant in a conversation export, resolved by the export.

    Raises `InputError` if the export holds no answer of an assistant.
    """
    raise NotImplementedError
