"""The evidence brief: the passages that answer a question, verbatim from their documents."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from veritas.frozen import Frozen

BlockKind = Literal["prose", "heading", "list", "table", "code", "item", "head", "row", "admonition"]


ANSWERS = 0.5
"""Least chance of a passage that is said to answer; below it passages are shown as the closest ones."""


class BriefBlock(Frozen):
    """A block of a passage, `text[start:end]`: a paragraph, a heading, program text in its `language` ("" if unknown),
    or the title of a box.

    A list is shown by its items, at their `level` from 0, and a table by its rows, with the header row as `head`; as a
    whole if the document's structure was guessed.
    """

    kind: BlockKind
    start: int = Field(ge=0)
    end: int = Field(gt=0)
    level: int = Field(default=0, ge=0, exclude_if=lambda value: not value)
    language: str = Field(default="", exclude_if=lambda value: not value)


class BriefPassage(Frozen):
    """A passage of a brief: an admitted claim with the text around it, `document.text[start:end]`, verbatim (I1).

    `marks` are the offsets in `text` of the words that answer; `headings` leads from the document's title to the
    nearest heading above; `columns` is the header row of the table in which `text` begins, cells separated by tabs, if
    it is above; `chance`, 0 to 1, is how likely the passage answers the question, or its part of it. `far` passages are
    only the closest to a part that nothing surely answers: they are shown dimmed, not as an answer.
    """

    sentence_id: str
    claim_id: str
    reference: int
    document_id: str
    headings: tuple[str, ...] = ()
    start: int = Field(ge=0)
    end: int = Field(gt=0)
    columns: str = Field(default="", exclude_if=lambda value: not value)
    text: str
    blocks: tuple[BriefBlock, ...]
    marks: tuple[tuple[int, int], ...] = ()
    chance: float = Field(ge=0, le=1)
    far: bool = Field(default=False, exclude_if=lambda value: not value)


class BriefPart(Frozen):
    """A part of a question that asks for several things, and the chance, 0 to 1, that its best passage answers it.
    `side`, of older runs: it asks about one of two things whose difference was asked for."""

    sub_query_id: str
    question: str
    chance: float = Field(ge=0, le=1)
    side: bool = False


class Brief(Frozen):
    """The passages found for a question, the one that answers best first, then others grouped by document.

    `chance`, 0 to 1, is how likely the first passage answers the question, or its part of it. `parts` has an entry for
    each part of a question that asks for several things. `unmentioned` are names in the question that no document
    contains. `disagree`: the first two passages, of different documents, exclude each other.
    """

    chance: float = Field(ge=0, le=1)
    passages: tuple[BriefPassage, ...]
    unmentioned: tuple[str, ...] = ()
    parts: tuple[BriefPart, ...] = Field(default=(), exclude_if=lambda value: not value)
    disagree: bool = Field(default=False, exclude_if=lambda value: not value)
