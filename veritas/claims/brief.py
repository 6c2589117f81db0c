"""The evidence brief: what answers a question, shown word for word as it stands in its documents."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from veritas.frozen import Frozen

BlockKind = Literal["prose", "heading", "list", "table", "code", "item", "head", "row", "admonition"]


ANSWERS = 0.5
"""Least chance of a passage that is said to answer; below it passages are shown as the closest ones."""


class BriefBlock(Frozen):
    """A block of what is shown, `text[start:end]` of its passage: a paragraph, a heading, program text in its
    `language` ("" if that is not known), and the title of a box. A list is shown by its items, at their `level` from 0,
    and a table by its rows, the one that names the columns as `head`; as a whole where the document's structure was
    guessed."""

    kind: BlockKind
    start: int = Field(ge=0)
    end: int = Field(gt=0)
    level: int = Field(default=0, ge=0, exclude_if=lambda value: not value)
    language: str = Field(default="", exclude_if=lambda value: not value)


class BriefPassage(Frozen):
    """A passage of a brief: an admitted claim with the words around it, `document.text[start:end]`, verbatim (I1).

    `marks` are the offsets in `text` of the words that answer; `headings` leads from the document's title to the
    nearest heading above; `columns` is the row that names the columns of the table that `text` begins in, cells parted
    by tabs, if it stands above; `chance` is how likely the passage answers the question, or the part of it that it was
    found for, 0 to 1. `far` passages are only the closest to a part that nothing surely answers: they are shown,
    dimmed, and not as an answer.
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
    """A part of a question that asks for several things, and how likely the passage found for it that answers it best
    does so, 0 to 1. `side`, of older runs: it asks what one of two things is whose difference was asked for."""

    sub_query_id: str
    question: str
    chance: float = Field(ge=0, le=1)
    side: bool = False


class Brief(Frozen):
    """What was found on a question, the passage that answers best first, then others grouped by document.

    `chance` is how likely the first passage answers, 0 to 1: the question, or the part of it that it was found for.
    `parts` has an entry for each part of a question that asks for several things. `unmentioned` are names in the
    question that nothing read mentions. `disagree`: the first two passages, of different documents, exclude each other.
    """

    chance: float = Field(ge=0, le=1)
    passages: tuple[BriefPassage, ...]
    unmentioned: tuple[str, ...] = ()
    parts: tuple[BriefPart, ...] = Field(default=(), exclude_if=lambda value: not value)
    disagree: bool = Field(default=False, exclude_if=lambda value: not value)
