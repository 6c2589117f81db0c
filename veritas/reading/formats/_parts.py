"""Parts of a document as a reader of markup yields them, laid out as a text with its structure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from veritas.text.structure import Structure, TextBlock, TextBlockKind


class Part(NamedTuple):
    """A block as it is read. `tight`: no blank line parts it from the one before."""

    kind: TextBlockKind
    text: str
    level: int = 0
    language: str = ""
    tight: bool = False


def laid_out(parts: Iterable[Part]) -> tuple[str, Structure]:
    """Return the text of some parts, with a blank line between them, and its blocks. Parts without words are left out,
    and the rows of a table stand on neighbouring lines."""
    said: list[str] = []
    blocks: list[TextBlock] = []
    length = 0
    for part in parts:
        shown = part.text if part.kind in ("code", "row") else part.text.strip()
        if not shown.strip():
            continue
        if said:
            rows = part.kind == "row" and blocks[-1].kind in ("head", "row")
            said.append("\n" if (part.tight and blocks[-1].kind != "heading") or rows else "\n\n")
            length += len(said[-1])
        said.append(shown)
        blocks.append(TextBlock(part.kind, length, length + len(shown), part.level, part.language))
        length += len(shown)
    return "".join(said), tuple(blocks)
