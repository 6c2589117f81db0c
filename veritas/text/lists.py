"""Lists with the line that introduces them: a list says its items under that line, and no item says it alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from veritas.text.sentences import Sentence

ASIDE = 2
"""Most blocks between two items that belong to the first of them: its code, a second paragraph."""
_BULLET = re.compile(r"\s*(?:[-*+•◦▪‣–]|\(?\d{1,3}[.)]|#\.)\s+(?=\S)")
_FIRST_NUMBER = re.compile(r":\s(?P<number>1[.)]\s+)(?=\S)")
_ANNOUNCES = re.compile(r":[\"'”’)\]*_`]*\s*$|\bfollowing\b|\bas follows\b")


@dataclass(frozen=True, slots=True)
class List:
    """A list among the sentences of a text. `lead` is the place of the sentence that introduces it; its items begin at
    the places `items` and end before the place `end`."""

    lead: int
    items: tuple[int, ...]
    end: int


def begins_item(text: str) -> bool:
    """Return whether a line begins with a bullet or a number of a list."""
    return bool(_BULLET.match(text))


def without_item_numbers(text: str) -> str:
    """Return a text on one line without the numbers of the items of a list that it introduces with a colon: 1, 2 and so
    on, each behind the end of a sentence. Any other number is said."""
    first = _FIRST_NUMBER.search(text)
    if first is None:
        return text
    parts, at, number = [text[: first.start("number")]], first.end(), 2
    while (following := re.compile(rf"(?<=[.!?;]\s){number}[.)]\s+(?=\S)").search(text, at)) is not None:
        parts.append(text[at : following.start()])
        at, number = following.end(), number + 1
    return text if number == 2 else "".join((*parts, text[at:]))


def announces(text: str) -> bool:
    """Return whether a text ends by announcing what follows: with a colon, or "following" in its last sentence."""
    return bool(_ANNOUNCES.search(text))


def lists(text: str, found: Sequence[Sentence]) -> list[List]:
    """Return the lists of two items or more that a heading or an announcing sentence introduces, in order.

    A block between two items (code, a second paragraph) belongs to the list, unless it announces another one.
    """
    made: list[List] = []
    at = 0
    while at < len(found):
        if found[at].kind != "item":
            at += 1
            continue
        items, end = _run(text, found, at)
        lead = at - 1
        introduced = lead >= 0 and (
            found[lead].kind == "heading"
            or (found[lead].kind == "prose" and announces(text[found[lead].start : found[lead].end]))
        )
        if introduced and len(items) > 1:
            made.append(List(lead, tuple(items), end))
        at = end
    return made


def _run(text: str, found: Sequence[Sentence], at: int) -> tuple[list[int], int]:
    """Return the places of the items from `at` on that are one list, and the place behind it."""
    items, end = [at], at + 1
    while end < len(found):
        if found[end].kind == "item":
            if found[end].block != found[items[-1]].block:
                items.append(end)
            end += 1
            continue
        ahead, blocks = end, set[int]()
        while ahead < len(found) and found[ahead].kind in ("prose", "code", "markup"):
            blocks.add(found[ahead].block)
            ahead += 1
        aside = ahead < len(found) and found[ahead].kind == "item" and len(blocks) <= ASIDE
        if not aside or announces(text[found[ahead - 1].start : found[ahead - 1].end]):
            break
        end = ahead
    if end < len(found) and announces(text[found[end - 1].start : found[end - 1].end]):
        behind = found[end].block  # what the last item announces: its code, a paragraph
        while end < len(found) and found[end].block == behind:
            end += 1
    return items, end
