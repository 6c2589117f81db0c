"""Markdown as its reader sees it: rendered, then read as a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from threading import Lock
from typing import Any

from veritas.documents.metadata import split_front_matter
from veritas.reading.formats._markdown_marks import clear_inline, without_marks
from veritas.reading.formats.converted import Converted
from veritas.reading.formats.html import convert_page


def convert_markdown(text: str) -> Converted:
    """Return the text without markup: links by their words, code as it is, tables as rows. Hidden HTML in it, such as a
    comment, is left out, and marks of documentation tools are what their reader sees. The title is the first heading of
    the first level."""
    front, text = split_front_matter(text)
    return convert_body(text, front)


def convert_body(text: str, front: Mapping[str, Any], remarks: tuple[str, ...] = ()) -> Converted:
    """Convert Markdown whose front matter was taken off (see `convert_markdown`)."""
    plain, left_out = without_marks(text)
    if left_out:
        remarks = (*remarks, f"{left_out} × text of another file, which it includes, is not read with it")
    with _MAKING:
        renderer = _renderer()
    tokens = renderer.parse(plain)
    clear_inline(tokens)
    page = convert_page(
        f"<html><body>{renderer.renderer.render(tokens, renderer.options, {})}</body></html>", whole=True
    )
    if not page.text and text.strip(" \n>#*-+`~_=") and "<" not in text:
        said = "is no readable Markdown; left as it stands"
        page = replace(page, text=text.strip(), blocks=(), remarks=(*page.remarks, said))
    return replace(page, front_matter=front, remarks=(*page.remarks, *remarks))


_MAKING = Lock()


@cache
def _renderer() -> Any:
    from markdown_it import MarkdownIt

    # Its own limit on nesting, 20, silently drops deeper content.
    made = MarkdownIt("commonmark", {"maxNesting": 50}).enable(["table", "strikethrough"])
    made.normalizeLink("a")  # its tables of signs are filled on first use, which two threads must not do at once
    made.normalizeLinkText("a")
    return made
