"""Statements: what a passage says, each with the line, frame or neighbour without which it is not to be told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from veritas.claims.sources import Passage
from veritas.council.embedded.assertable import (
    LEADING,
    ORDERS,
    SPEAKS,
    claim_part,
    faults,
    points_back,
    why_not,
)
from veritas.documents.verbatim import fold_whitespace
from veritas.text.blocks import BlockKind
from veritas.text.instructions import is_instruction
from veritas.text.lists import List, announces, begins_item, lists
from veritas.text.sentences import Sentence, sentences
from veritas.text.structure import Structure
from veritas.text.tokens import index_terms

PAIR_CHARACTERS = 400
"""A sentence that points back is asserted with the one before it only while both together stay below this length."""
QUOTE_CHARACTERS = 900
"""A quote takes a neighbouring sentence in only while it stays within this length."""
LIST_CHARACTERS = 1500
"""Most characters of a list; a longer one is not told, since a part of it may mislead."""

CUT = "its beginning lies in the passage before"
LISTED = "it is an item of a list, and another line says of what"
FRAMED = "what stands before it says how it is meant, and it cannot be told with that"

# A heading, or the first words of a paragraph, under which a sentence is not said of things as they are.
_FRAME = re.compile(
    r"(?i)^(?:(?:\w+ ){0,2}(?:deprecat\w+|remov(?:ed|als?)|obsolete|unsupported|not supported|proposals?|proposed|"
    r"planned|roadmap)\b|(?:for )?examples?\b(?=\W|$))"
)
_THE_FOLLOWING = re.compile(r"(?i)\bthe following(?= \w)")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a passage: `text` is whitespace-folded, `start` and `end` are offsets in the passage's text.

    `place` counts the assertable and other prose sentences of its paragraph from 0; `fault` says why it cannot be
    asserted, or is None. A sentence that begins with a pronoun is joined with the one before it, and one under a frame
    ("Deprecated since version 2:", "If the cache is cold:") with that: `claim` and `stems` are then of both, and
    `pointer` is the second. `quote_start` and `quote_end` take in up to one neighbour on either side in its paragraph.
    A list is one statement with the line that introduces it, `titled` if that is a heading; `items` counts its items,
    and is 0 for a sentence.
    `instructs`: its only fault is that it tells its reader what to do.
    """

    text: str
    claim: str
    start: int
    end: int
    quote_start: int
    quote_end: int
    kind: BlockKind
    place: int
    heading: frozenset[str]
    stems: frozenset[str]
    fault: str | None
    pointer: str = ""
    items: int = 0
    titled: bool = False
    instructs: bool = False


def statements_of(passage: Passage) -> tuple[Statement, ...]:
    """Return the statements of a passage."""
    before = passage.before.rstrip(" ")
    cut = bool(before) and before[-1] not in ".!?:;。！？\"”’)]*\n" and passage.start > 0
    return statements(passage.text, cut, passage.start > 0 and bool(before), passage.heading, passage.blocks)


@lru_cache(maxsize=4096)
def statements(
    text: str, cut_before: bool = False, goes_on: bool = False, above: str = "", structure: Structure = ()
) -> tuple[Statement, ...]:
    """Return the sentences of a passage's text, and its lists. With `cut_before` the text begins inside a sentence, so
    the first one cannot be asserted; with `goes_on` something stands before it, so that items at its beginning may
    belong to a list that is introduced there. `above` is the heading that it stands under.
    Without a `structure` it is guessed."""
    found = sentences(text, structure)
    folded = [fold_whitespace(text[s.start : s.end]) for s in found]
    hostile = [is_instruction(part) for part in folded]
    made: list[Statement] = []
    heading = frozenset(index_terms(above))
    place = 0
    for i, (sentence, part) in enumerate(zip(found, folded, strict=True)):
        place = place + 1 if i and found[i - 1].block == sentence.block else 0
        if sentence.kind == "heading":
            heading = frozenset(index_terms(part))
        wrong = faults(part, sentence.kind)
        if cut_before and i == 0:
            wrong = (*wrong, CUT)
        instructs = bool(wrong) and {ORDERS, SPEAKS}.issuperset(wrong) and not hostile[i]
        start, end, pointer, fault = sentence.start, sentence.end, "", next(iter(wrong), None)
        if fault is not None and _joins(part, made, found, i):
            start, pointer, fault = made[i - 1].start, part, None
        framed = _frame(text, found, i) if fault is None or instructs else None
        if framed is not None and framed < start:
            start, pointer = framed, part
            if end - start >= PAIR_CHARACTERS:
                fault, instructs = FRAMED, False
        elif framed is None and _FRAME.match(above) and not any(s.kind == "heading" for s in found[:i]):
            fault, instructs = fault or FRAMED, False
        part = fold_whitespace(text[start:end])
        begins = start
        for near in (i - 1, i + 1):
            if 0 <= near < len(found) and found[near].block == sentence.block and not hostile[near]:
                first, last = min(start, found[near].start), max(end, found[near].end)
                if last - first <= QUOTE_CHARACTERS:
                    start, end = first, last
        made.append(
            Statement(
                text=part,
                claim=claim_part(part),
                start=begins,
                end=sentence.end,
                quote_start=start,
                quote_end=end,
                kind=sentence.kind,
                place=place,
                heading=heading,
                stems=frozenset(index_terms(part)),
                fault=fault,
                pointer=pointer,
                instructs=instructs,
            )
        )
    whole = _whole_lists(text, found, made, hostile)
    if goes_on and begins_item(text):
        until = next((i for i, told in enumerate(made) if told.kind != "item"), len(made))
        made[:until] = [replace(told, fault=told.fault or LISTED, instructs=False) for told in made[:until]]
    return (*made, *whole)


def _joins(part: str, made: Sequence[Statement], found: Sequence[Sentence], i: int) -> bool:
    """Return whether the `i`-th sentence lacks only what the sentence before it tells, which can stand alone."""
    if not i or found[i - 1].block != found[i].block or not points_back(part):
        return False
    before = made[i - 1]
    return (
        before.fault is None
        and not before.pointer
        and found[i].end - found[i - 1].start < PAIR_CHARACTERS
        and why_not(part, found[i].kind, beside=True) is None
    )


def _frame(text: str, found: Sequence[Sentence], i: int) -> int | None:
    """Return where the frame begins that a sentence is said under: a line before its paragraph that announces it, the
    words with which its paragraph begins, or its heading; None if there is none."""
    opening = i
    while opening and found[opening - 1].block == found[i].block:
        opening -= 1
    above = found[opening - 1] if opening and found[i].kind == "prose" else None
    if above is not None and above.kind == "prose" and text[above.start : above.end].endswith(":"):
        return above.start
    if opening < i and _FRAME.match(text, found[opening].start, found[opening].end):
        return found[opening].start
    head = next((s for s in reversed(found[:opening]) if s.kind == "heading"), None)
    return head.start if head is not None and _FRAME.match(text, head.start, head.end) else None


def _whole_lists(
    text: str, found: Sequence[Sentence], made: list[Statement], hostile: Sequence[bool]
) -> list[Statement]:
    """Return the lists, and mark in `made` the items that say nothing without their line."""
    whole: list[Statement] = []
    for one in lists(text, found):
        if announces(made[one.lead].text):
            for i in range(one.items[0], one.end):
                made[i] = replace(made[i], fault=made[i].fault or LISTED, instructs=False)
        if not any(hostile[one.lead : one.end]):
            whole.append(_list(text, one, made))
    return whole


def _list(text: str, one: List, made: Sequence[Statement]) -> Statement:
    """Return a list with its introduction as one statement; a line that points back is told with the one before it."""
    lead, last = made[one.lead], made[one.end - 1]
    line = _THE_FOLLOWING.sub(lambda found: found[0][:3], fold_whitespace(text[lead.start : lead.end]))
    start = lead.start
    wrong = set(faults(line)) - LEADING if lead.kind == "prose" else set[str]()
    if wrong and points_back(line) and one.lead and made[one.lead - 1].fault is None:
        start, wrong = made[one.lead - 1].start, set(faults(line, beside=True)) - LEADING
    if lead.fault == CUT:
        wrong.add(CUT)
    part = fold_whitespace(text[start : last.end])
    if len(part) > LIST_CHARACTERS:
        wrong.add(FRAMED)
    return Statement(
        text=part,
        claim=part,
        start=start,
        end=last.end,
        quote_start=start,
        quote_end=last.end,
        kind="item",
        place=0,
        heading=lead.heading,
        stems=frozenset(index_terms(part)),
        fault=min(wrong, default=None),
        items=len(one.items),
        titled=lead.kind == "heading",
        instructs=bool(wrong) and wrong <= {ORDERS, SPEAKS},
    )
