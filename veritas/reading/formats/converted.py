"""The outcome of a conversion: a file's text, and what the file says of itself."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, NamedTuple

from veritas.keys import redactor
from veritas.text.structure import Structure, moved

_TAGS = re.compile(
    "[\U000e0000-\U000e007f]"
    "|(?<=[\ufe00-\ufe0f\U000e0100-\U000e01ef])[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
    "|(?<![\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af])[\U000e0100-\U000e01ef]"
)
"""Invisible characters that can spell text: tags, variation selectors behind another one, and selectors for ideographs
behind anything else."""


class Cited(NamedTuple):
    """A citation in a text, `text[start:end]`, that the file itself links: `ids` are its ids of the references."""

    start: int
    end: int
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Converted:
    """A converted file. In `text` a blank line separates paragraphs, and tabs the cells of a table's row.

    `title`, `authors`, `published_at` and `doi` come from the file itself; the corpus owner's values take precedence.
    `front_matter` is the owner's, as written on top of the file, and counts only if the owner named the file.
    `page_starts[i]` is the offset of page i+1. `citations` are citations by key in the text of a format that has such
    (LaTeX: `[smith2020, roy]`); `cited` are those that the file links to references (JATS, TEI). `saved_at` is the day
    the file was made, not when its text was published. `remarks` are for people: guesses and omissions. `blocks` cover
    all of `text`, by kind; without them its structure is guessed.
    """

    text: str
    title: str | None = None
    authors: tuple[str, ...] = ()
    published_at: date | None = None
    doi: str | None = None
    printed_in: Mapping[str, str] = field(default_factory=dict)
    """Journal, volume and pages of a PDF's article, under BibTeX's names."""
    page_starts: tuple[int, ...] = ()
    citations: tuple[str, ...] = ()
    cited: tuple[Cited, ...] = ()
    saved_at: date | None = None
    remarks: tuple[str, ...] = ()
    front_matter: Mapping[str, Any] = field(default_factory=dict)
    blocks: Structure = ()


def without_keys(converted: Converted) -> Converted:
    """Remove the values of this process's keys from a conversion before hash, pages and passages are made (I1)."""
    keys = redactor()
    text = keys.exact(converted.text)
    title = keys.exact(converted.title) if converted.title else converted.title
    if text is converted.text and title is converted.title:
        return converted
    return replace(
        converted,
        text=text,
        title=title,
        page_starts=keys.moved(converted.text, converted.page_starts),
        cited=_cited(converted.cited, lambda offsets: keys.moved(converted.text, offsets)),
        blocks=moved(converted.blocks, lambda offsets: keys.moved(converted.text, offsets)),
    )


def without_tags(converted: Converted) -> Converted:
    """Remove Unicode tag characters from a conversion: a model reads them, a person does not."""
    title = _TAGS.sub("", converted.title) if converted.title else converted.title
    count = len(_TAGS.findall(converted.text))
    if not count:
        return converted if title == converted.title else replace(converted, title=title)
    said = f"held {count} × invisible Unicode tag character; the text is without them"
    return replace(without(converted, _TAGS), title=title, remarks=(*converted.remarks, said))


def without(converted: Converted, characters: re.Pattern[str]) -> Converted:
    """Remove single characters from the text of a conversion."""
    places = [match.start() for match in characters.finditer(converted.text)]

    def kept(offsets: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(offset - bisect_left(places, offset) for offset in offsets)

    return replace(
        converted,
        text=characters.sub("", converted.text),
        page_starts=kept(converted.page_starts),
        cited=_cited(converted.cited, kept),
        blocks=moved(converted.blocks, kept),
    )


def _cited(cited: tuple[Cited, ...], places: Callable[[tuple[int, ...]], tuple[int, ...]]) -> tuple[Cited, ...]:
    starts, ends = places(tuple(c.start for c in cited)), places(tuple(c.end for c in cited))
    return tuple(c._replace(start=s, end=e) for c, s, e in zip(cited, starts, ends, strict=True) if s < e)
