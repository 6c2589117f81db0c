"""The structure of a web page, from the elements that are open around a block of its text."""

from __future__ import annotations

import re
from typing import Any

from veritas.text.structure import CAPTION, LOWEST, Structure, TextBlock, TextBlockKind, heads, shifted
from veritas.text.wordlist import words

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_OBJECT = 7
"""Level of the heading that names an object of a program, below all headings of the page."""
_BOX = re.compile(r"(?:^|\s)(?:admonition|callout|custom-block|markdown-alert|alert|hint|theme-admonition)(?:$|[\s_-])")
_BOX_TITLE = re.compile(
    r"(?:admonition|callout|custom-block|markdown-alert|alert|hint)-?(?:title|heading)", re.IGNORECASE
)
_LANGUAGE = re.compile(
    r"(?:^|\s)(?:highlight-source|language|lang|highlight|brush:?)[-\s]\{?\.?(?P<name>[\w+#.-]{1,24})\}?"
)
_NO_LANGUAGE = words(
    "default none text plaintext plain txt nohighlight notranslate code code-block sourcecode source raw"
)
_AROUND = 3
"""How many elements around a program may name its language."""


class Outline:
    """The open elements of a page as far as they tell of structure, and the blocks that were written."""

    def __init__(self) -> None:
        self.blocks: list[TextBlock] = []
        self._open: list[tuple[Any, TextBlockKind | None, int, str, int]] = []  # with kind, level, language, stack
        self._within = 0  # items, definitions and boxes
        self._objects = 0

    def open(self, element: Any) -> None:
        """Record that an element begins."""
        tag = element.tag
        names = element.get("class") or ""
        told: tuple[TextBlockKind | None, int, str, int] | None = None
        if tag in _HEADINGS:
            told = ("heading", _HEADINGS[tag], "", 0)
        elif tag == "p" and not self._within and _stands_out(element):
            told = ("heading", LOWEST, "", 0)
        elif tag == "pre":
            told = ("code", 0, _language(element), 0)
        elif tag == "li":
            told = ("item", self._within, "", 1)
        elif tag == "dt" and "sig" in names.split():
            told = ("heading", _OBJECT + self._objects, "", 0)
        elif tag == "dt":
            told = ("item", self._within, "", 0)
        elif tag == "dd":
            told = (None, 0, "", 1)
        elif tag in ("figcaption", "caption"):
            told = (None, 0, CAPTION, 0)
        elif tag == "summary" or _BOX_TITLE.search(names):
            told = ("admonition", max(0, self._within - 1), "", 0)
        elif tag == "details" or (tag in ("div", "aside", "section", "blockquote") and _BOX.search(names)):
            told = (None, 0, "", 1)
        if told is None:
            return
        self._within += told[3]
        self._objects += tag == "dd" and _defines_object(element)
        self._open.append((element, *told))

    def close(self, element: Any) -> None:
        """Record that an element ends."""
        if self._open and self._open[-1][0] is element:
            self._within -= self._open.pop()[4]
            self._objects -= element.tag == "dd" and _defines_object(element)

    def write(self, start: int, end: int, *, bullet: int = 0) -> None:
        """Record a block of the text; its first `bullet` characters are the mark of an item."""
        _, kind, level, language, _ = self._open[-1] if self._open else (None, None, 0, "", 0)
        if kind in ("heading", "code", "admonition"):
            inside = level if kind != "code" else self._within
            self.blocks.append(TextBlock(kind, start + bullet, end, inside, language))
        elif kind == "item":
            first = bullet or self._open[-1][0].tag == "dt"
            self.blocks.append(TextBlock("item" if first else "prose", start, end, level if first else self._within))
        else:
            kind = "item" if bullet else "prose"
            self.blocks.append(TextBlock(kind, start, end, self._within - bool(bullet), language))

    def write_row(self, start: int, end: int, row: Any) -> None:
        """Record the row of a table that holds data."""
        names = row.getparent().tag == "thead" or (len(row) > 1 and all(cell.tag == "th" for cell in row))
        self.blocks.append(TextBlock("head" if names else "row", start, end, self._within))

    def structure(self, text: str, cut: int) -> Structure:
        """Return the blocks of the text, from which the first `cut` characters were removed."""
        found = shifted(self.blocks, -cut)
        return tuple(block._replace(start=max(0, block.start), end=min(block.end, len(text))) for block in found)


def _stands_out(paragraph: Any) -> bool:
    """Return whether a paragraph is one bold line, which is a heading."""
    if len(paragraph) != 1 or paragraph[0].tag not in ("strong", "b"):
        return False
    around = f"{paragraph.text or ''}{paragraph[0].tail or ''}"
    return not around.strip() and heads(" ".join(paragraph.text_content().split()))


def _defines_object(definition: Any) -> bool:
    term = definition.getprevious()
    return term is not None and term.tag == "dt" and "sig" in (term.get("class") or "").split()


def _language(program: Any) -> str:
    """Return the language that a page names for program text, in small letters; "" for none."""
    inner = program.find("code")
    around = [inner] if inner is not None else []
    for element in (program, *program.iterancestors()):
        around.append(element)
        if len(around) > _AROUND:
            break
    for element in around:
        said = f"{element.get('class') or ''} {element.get('data-language') or ''}".strip()
        if element.get("data-language"):
            said = f"language-{element.get('data-language')}"
        if (found := _LANGUAGE.search(said)) and (name := found["name"].lower()) not in _NO_LANGUAGE:
            return name
    return ""
