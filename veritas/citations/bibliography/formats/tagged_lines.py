"""Files of tagged lines, RIS and PubMed's: which lines of a record belong to a tag, and records mended in place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

RIS_LINE = re.compile(r"([A-Z][A-Z0-9]) {0,2}-(?: (.*))?$")
NBIB_LINE = re.compile(r"([A-Z]{2,4}) {0,2}- ?(.*)$")


@dataclass(frozen=True, slots=True)
class TaggedLine:
    """A tag with its value, continuation lines joined by a space; `start` and `end` are its place in the text."""

    tag: str
    value: str
    start: int
    end: int


def tagged_lines(text: str, start: int, end: int, pattern: re.Pattern[str]) -> list[TaggedLine]:
    """Return the tagged lines of `text[start:end]`. A line without a tag continues the one before."""
    found: list[TaggedLine] = []
    at = start
    for line in text[start:end].splitlines(keepends=True):
        tag = pattern.match(line.rstrip("\r\n").lstrip("\ufeff"))
        if tag is not None:
            found.append(TaggedLine(tag[1], (tag[2] or "").strip(), at, at + len(line)))
        elif found and line.strip():
            last = found[-1]
            found[-1] = TaggedLine(last.tag, f"{last.value} {line.strip()}".strip(), last.start, at + len(line))
        at += len(line)
    return found


def replaced(
    text: str, lines: Sequence[TaggedLine], tags: Iterable[str], new: Sequence[tuple[str, str]], *, before: str
) -> list[tuple[int, int, str]]:
    """Return the edits that put `new` in the place of every line of `tags`; without such a line, before that of the
    tag `before`, or at the end of the record."""
    wanted = set(tags)
    old = [line for line in lines if line.tag in wanted]
    model = lines[0]
    written = text[model.start : model.end]
    ending = "\r\n" if written.endswith("\r\n") else "\n"
    width = written.lstrip("\ufeff").index("-")
    said = "".join(f"{tag.ljust(width)}- {value}{ending}" for tag, value in new)
    if not old:
        place = next((line.start for line in lines if line.tag == before), lines[-1].end)
        return [(place, place, said)]
    first, *rest = old
    return [(first.start, first.end, said), *((line.start, line.end, "") for line in rest)]
