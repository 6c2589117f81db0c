"""The lines in which a sentence of an answer stands in its source: a list is shown as one, and not run together."""

from __future__ import annotations

import re
from collections.abc import Iterable

from veritas.text.lists import begins_item

_LINE = re.compile(r"[^\n]+")


def lines_of(sentence: str, passages: Iterable[str]) -> tuple[str, ...]:
    """Return the sentence, its white space folded, in the lines that a list has in a passage that holds it: the line
    before it, and one for each item. One line where no passage holds it, or it is no list there."""
    words = sentence.split()
    pattern = r"\s+".join(map(re.escape, words)) if words else r"\Z\A"
    for passage in passages:
        found = re.search(pattern, passage)
        if found is None:
            continue
        lines: list[str] = []
        for match in _LINE.finditer(found[0]):
            line = " ".join(match[0].split())
            if not lines or begins_item(match[0]):
                lines.append(line)
            elif line:
                lines[-1] = f"{lines[-1]} {line}"
        if len(lines) > 2:
            return tuple(lines)
    return (" ".join(words),)


def item_of(line: str) -> tuple[str, str]:
    """Return the bullet or number of a line of a list, and the text behind it; no bullet for any other line."""
    if not begins_item(line):
        return "", line
    mark, _, said = line.partition(" ")
    return mark, said
