"""A conversion as HTML with the structure that it has, for a page that holds it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby

from veritas.reading.formats.converted import Converted
from veritas.text.structure import TextBlock


def as_html(converted: Converted) -> Iterator[str]:
    """Yield the lines of the conversion's blocks as HTML. No line is blank outside of program text."""
    text = converted.text
    for in_table, blocks in groupby(converted.blocks, key=lambda block: block.kind in ("head", "row")):
        if in_table:
            yield f"<table>{''.join(_row(text, block) for block in blocks)}</table>"
        else:
            for block in blocks:
                yield from _block(text[block.start : block.end], block)


def _row(text: str, block: TextBlock) -> str:
    cell = "th" if block.kind == "head" else "td"
    cells = text[block.start : block.end].split("\t")
    return f"<tr>{''.join(f'<{cell}>{escape(each)}</{cell}>' for each in cells)}</tr>"


def _block(said: str, block: TextBlock) -> Iterator[str]:
    if block.kind == "code":
        yield from f'<pre class="language-{escape(block.language)}">{escape(said)}</pre>'.split("\n")
    elif block.kind == "heading":
        level = min(6, block.level)
        yield f"<h{level}>{escape(' '.join(said.split()))}</h{level}>"
    elif block.kind == "admonition":
        yield f'<div class="admonition-title">{escape(" ".join(said.split()))}</div>'
    else:
        yield f"<p>{'<br>'.join(escape(line) for line in said.split(chr(10)) if line.strip())}</p>"
