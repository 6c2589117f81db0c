"""What a text to check is read into: statements with their span, the citations each leans on, and the sources."""

from __future__ import annotations

from typing import Literal

from veritas.frozen import Frozen

TextFormat = Literal["markdown", "plain", "html", "docx", "pdf", "latex", "conversation"]
Kind = Literal["statement", "opinion", "instruction", "chatter", "offer", "heading", "question", "code"]
Scope = Literal["sentence", "back_to_mark", "column_head", "lead_in", "section_sources"]


class Citation(Frozen):
    """One address that a mark names. A mark with several numbers (`[1, 5]`) gives a citation for each number."""

    # What the mark calls the source: a number, a key, a host, an address.
    label: str
    # The mark in the text: `text[start:end]` is exactly it. Citations of one mark share a span.
    start: int
    end: int
    # How the mark is written: one of the names in `veritas.factcheck.marks.STYLES`.
    style: str
    # The page it names, redirects of search engines and trackers seen through; None for a mark without a source.
    url: str | None = None
    title: str | None = None
    # Why there is no address, in words; None where there is one.
    problem: str | None = None


class Quotation(Frozen):
    """Words that a statement puts in quotation marks. `text[start:end]` is the words without the marks."""

    quoted: str
    start: int
    end: int


class SourceEntry(Frozen):
    """One entry of a list of sources: in the text, beside it, or in the export of the conversation."""

    # The number or the key that marks name; None where an entry has none (the marks name its author and year).
    label: str | None
    url: str | None
    title: str | None
    # The entry as it is written, without its label.
    entry: str
    origin: Literal["text", "beside", "export"]
    # Where the entry stands in the text; None if it does not stand there.
    start: int | None = None
    end: int | None = None


class Statement(Frozen):
    """One sentence, list item or cell of the text, what kind of sentence it is, and what it leans on."""

    # The words without their marks and without markup.
    statement: str
    # `text[start:end]` is exactly the span, marks included where they stand in it.
    start: int
    end: int
    kind: Kind
    citations: tuple[Citation, ...] = ()
    # The rule by which the citations are this statement's; None where it leans on none.
    scope: Scope | None = None
    quotations: tuple[Quotation, ...] = ()


class CheckedText(Frozen):
    """A text read for checking. Offsets are characters of `text`, which is the text as it is shown."""

    text: str
    format: TextFormat
    # In the order of the text, all kinds. What is to be checked is of the kind "statement".
    statements: tuple[Statement, ...]
    # How many sentences of each kind other than "statement" were set aside; kinds that do not occur are absent.
    set_aside: dict[str, int]
    sources: tuple[SourceEntry, ...]
