"""Markdown as its reader sees it: rendered, then read as a page."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from veritas.documents.metadata import split_front_matter
from veritas.reading.formats.converted import Converted
from veritas.reading.formats.html import convert_page


def convert_markdown(text: str) -> Converted:
    """Return the text without markup: links by their words, code as it is, tables as rows. Hidden HTML in it, such as a
    comment, is left out. The title is the first heading of the first level."""
    front, text = split_front_matter(text)
    page = convert_page(f"<html><body>{_renderer().render(text)}</body></html>", whole=True)
    if not page.text and text.strip(" \n>#*-+`~_=") and "<" not in text:
        page = replace(page, text=text.strip(), remarks=(*page.remarks, "is no readable Markdown; left as it stands"))
    return replace(page, front_matter=front)


@cache
def _renderer() -> Any:
    from markdown_it import MarkdownIt

    # Its own limit on nesting, 20, drops what is nested deeper without a word.
    return MarkdownIt("commonmark", {"maxNesting": 50}).enable(["table", "strikethrough"])
