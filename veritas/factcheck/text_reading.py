"""Read a text into its statements, each with the citations it leans on. Deterministic; no model is asked."""

from __future__ import annotations

from typing import Any

from veritas.factcheck.shapes import CheckedText, TextFormat


def read_text(text: str, *, sources: str | None = None, format: TextFormat | None = None) -> CheckedText:
    """Return the statements of a text that stands as characters: Markdown, plain text, HTML or LaTeX.

    `sources` is the text of a list of sources kept beside it: lines, BibTeX, CSL JSON or a conversation export.
    Without `format` the text tells it. Linear in the length of the text.
    """
    raise NotImplementedError


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
