"""Cutting a document into passages: windows with exact offsets that keep sentences (and if possible paragraphs) whole.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from veritas.claims.sources import Passage, passage_id
from veritas.documents.document import Document
from veritas.text.blocks import code_like
from veritas.text.lists import announces, begins_item
from veritas.text.sentences import split_sentences
from veritas.text.structure import Heading, Structure, TextBlock, clipped, columns_at, path_at

SECTION = 100
"""Characters from which on a passage ends before a heading, so that what stands under it is not parted."""

_PARAGRAPH = re.compile(r"\S(?:.*\S)?(?:\n(?![^\S\n]*\n).*\S)*")
_LINE = re.compile(r"\S(?:.*\S)?")
_WORD = re.compile(r"\S+")
_ENDS_SENTENCE = re.compile(r"[.!?…。！？:;,][\"'”’»)\]]*\Z")
_NAMES = re.compile(r"[^\W\d_](?!.*://)[^=(){}\[\];<>$|\t]*\Z")
"""A heading that names something, and no row of a table, line of code or address."""
_HEADING = 120
"""Characters above which a line without a stop is no heading."""

_MARK = 12
"""Characters in which the bullet of an item stands."""
_STRETCH = 6_000

Span = tuple[int, int]


class Piece(NamedTuple):
    """An indivisible piece of a text. `heads`: it may be a heading, and `names`: it is one; `bound`: it belongs to the
    piece before it."""

    start: int
    end: int
    heads: bool
    names: bool
    bound: bool


def pieces_of(text: str, blocks: Structure, maximum: int) -> list[Piece]:
    """Return the pieces of a text in order, none longer than `maximum` characters. Without blocks they are guessed."""
    return list(_of_structure(text, blocks, maximum) if blocks else _of_text(text, maximum))


def windows(pieces: Sequence[Piece], target: int, maximum: int) -> Iterator[Span]:
    """Yield greedy windows of pieces. Each ends at the first piece that passes `target`, but not after a heading, nor
    between pieces that belong together."""
    window: list[Piece] = []
    for piece in pieces:
        length = window[-1].end - window[0].start if window else 0
        full = length >= target or (length >= SECTION and piece.names)
        if full and not _headings_at_end(window) and not piece.bound:
            yield window[0].start, window[-1].end
            window = []
        if window and piece.end - window[0].start > maximum:
            going_on = _going_on(window, piece, maximum)
            if going_on < len(window):
                kept = window[len(window) - going_on :]
                yield window[0].start, window[-1 - going_on].end
                window = kept
            if window and piece.end - window[0].start > maximum:
                yield window[0].start, window[-1].end
                window = []
        window.append(piece)
    if window:
        yield window[0].start, window[-1].end


def _going_on(window: Sequence[Piece], piece: Piece, maximum: int) -> int:
    """Count the pieces at the end of a window that move to the next one: headings, and pieces that belong to the next
    window's first piece, if all that fits."""
    listed = 0
    following = piece
    while listed < len(window) and following.bound:
        following = window[-1 - listed]
        listed += 1
    count = listed + _headings_at_end(window[: len(window) - listed])
    if listed and count and piece.end - window[-count].start <= maximum:
        return count
    return _headings_at_end(window)


def _headings_at_end(window: Sequence[Piece]) -> int:
    """Count the headings at the end of a window; more than three in a row are a list, and count as none."""
    count = 0
    for piece in reversed(window):
        if not piece.heads:
            break
        count += 1
        if count > 3:
            return 0
    return count


def _of_structure(text: str, blocks: Structure, maximum: int) -> Iterator[Piece]:
    """Yield the blocks of a text, each with the text between it and the previous one; parts of a block longer than
    `maximum`."""
    done = 0
    above: TextBlock | None = None
    for block in blocks:
        between = text[done : block.start]
        start = done + len(between) - len(between.lstrip())
        head = block.kind == "heading"
        bound = above is not None and _together(text, above, block)
        if block.end - start <= maximum:
            yield Piece(start, block.end, head, head, bound)
        else:
            spans = [(start, block.end)] if block.kind in ("code", "row") else (
                sentence for stretch in _stretches(text, start, block.end) for sentence in _sentences(text, *stretch)
            )  # fmt: skip
            for span in spans:
                for first, last in _fitting(text, *span, maximum):
                    yield Piece(first, last, False, False, bound)
                    bound = False
        done, above = block.end, block


def _together(text: str, above: TextBlock, block: TextBlock) -> bool:
    """Return whether a block belongs to the one above it: content of an item or a box, the items of a list, the rows of
    a table, a program below its explanation, and announced text."""
    if block.kind == "heading":
        return False
    if block.level > above.level or (block.level == above.level and block.level > 0):
        return True
    if block.kind == "item":
        together = above.kind == "item" or above.level > block.level
    elif block.kind == "row":
        together = above.kind in ("head", "row")
    else:
        together = block.kind == "code" and above.kind in ("prose", "item")
    return together or above.kind == "admonition" or announces(text[max(above.start, above.end - _HEADING) : above.end])


def _of_text(text: str, maximum: int) -> Iterator[Piece]:
    """Yield the pieces of a text without a known structure, by their look."""
    before: Span | None = None
    spans = list(_pieces(text, maximum))
    for (first, last), behind in zip(spans, [*spans[1:], None][: len(spans)], strict=True):
        # What begins small, or goes on small, is a part of a sentence that a column or a page cut.
        whole = not text[first].islower() and not (behind is not None and text[behind[0]].islower())
        heads = whole and _heads(text, first, last)
        names = heads and _names(text[first:last])
        yield Piece(first, last, heads, names, before is not None and _bound(text, before, (first, last)))
        before = first, last


def _bound(text: str, before: Span, piece: Span) -> bool:
    """Return whether two neighbouring pieces are one list, or an announcing line with what it announces."""
    if begins_item(text[piece[0] : piece[0] + _MARK]) and begins_item(text[before[0] : before[0] + _MARK]):
        return True
    return announces(text[max(before[0], before[1] - _HEADING) : before[1]])


def _heads(text: str, first: int, last: int) -> bool:
    """Return whether a piece may be a heading: a short line without a full stop."""
    if last - first > _HEADING or "\n" in text[first:last] or _ENDS_SENTENCE.search(text, first, last):
        return False
    if text[text.rfind("\n", 0, first) + 1 : first].isspace():
        return False  # an indented line is one of a program, or of a list
    return not begins_item(text[first : first + _MARK])


def _pieces(text: str, maximum: int) -> Iterator[Span]:
    """Yield the paragraphs of `text`; of one longer than `maximum`, its sentences, lines, words or lengths instead."""
    for paragraph in _PARAGRAPH.finditer(text):
        start, end = paragraph.span()
        if end - start <= maximum:
            yield start, end
            continue
        for stretch in _stretches(text, start, end):
            for first, last in _sentences(text, *stretch):
                yield from _fitting(text, first, last, maximum)


def _sentences(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the sentences of `[start, end)`, each with any text before it that is no sentence (a bullet, a rule)."""
    ends = [start + stop for _, stop in split_sentences(text[start:end])]
    for first, last in pairwise([start, *ends[:-1], end]):
        piece = text[first:last]
        if piece.strip():
            yield first + len(piece) - len(piece.lstrip()), last - len(piece) + len(piece.rstrip())


def _stretches(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield `[start, end)` in parts that are quick to split into sentences, cut at a line's end or between words."""
    while end - start > _STRETCH:
        cut = text.rfind("\n", start + _STRETCH // 2, start + _STRETCH)
        if cut < 0:
            cut = text.rfind(" ", start + _STRETCH // 2, start + _STRETCH)
        if cut < 0:
            cut = start + _STRETCH
        yield start, cut
        start = cut
    yield start, end


def _fitting(text: str, start: int, end: int, maximum: int) -> Iterator[Span]:
    """Yield `[start, end)` whole if it fits, else by lines, else by words, else by length."""
    if end - start <= maximum:
        yield start, end
        return
    for unit in (_LINE, _WORD):
        spans = [match.span() for match in unit.finditer(text, start, end)]
        if len(spans) > 1:
            yield from (part for span in _joined(spans, maximum) for part in _fitting(text, *span, maximum))
            return
    while start < end:
        yield start, min(end, start + maximum)
        start += maximum


def _joined(spans: list[Span], maximum: int) -> Iterator[Span]:
    """Yield neighbouring spans joined up to `maximum`."""
    start, end = spans[0]
    for first, last in spans[1:]:
        if last - start > maximum:
            yield start, end
            start = first
        end = last
    yield start, end


def _names(line: str) -> bool:
    return bool(_NAMES.match(line)) and not code_like(line)


TARGET = 700
"""Characters from which a passage may end with its paragraph."""
MAXIMUM = 1100
"""Largest passage, in characters."""
CONTEXT = 300
"""Characters of the document kept before and after a passage, for showing it."""


def cut_passages(document: Document, *, target: int = TARGET, maximum: int = MAXIMUM) -> tuple[Passage, ...]:
    """Return the passages of `document` in order. Each character that is no white space is in exactly one of them.

    A passage is whole paragraphs up to about `target` characters, and a heading stays with its text; from 100
    characters on, a passage ends before the next heading. A paragraph longer than `maximum` is cut between sentences
    (rows of a table, lines of code), a longer sentence between words, and a longer run without white space anywhere.
    `text == document.text[start:end]`, always.
    """
    return _cut(
        document.document_id, document.title, document.text, document.page_starts, document.blocks, target, maximum
    )


@lru_cache(maxsize=128)
def _cut(
    identity: str, title: str, text: str, page_starts: tuple[int, ...], blocks: Structure, target: int, maximum: int
) -> tuple[Passage, ...]:
    if not 0 < target <= maximum:
        raise ValueError(f"a target of {target} and a maximum of {maximum} characters make no passages")
    pieces = pieces_of(text, blocks, maximum)
    return tuple(
        Passage(
            passage_id=passage_id(identity, start, end),
            document_id=identity,
            start=start,
            end=end,
            text=text[start:end],
            page=bisect_right(page_starts, start) or 1 if page_starts else None,
            before=text[max(0, start - CONTEXT) : start],
            after=text[end : end + CONTEXT],
            heading=heading,
            title=title,
            path=path,
            columns=columns_at(text, blocks, start),
            blocks=clipped(blocks, start, end),
        )
        for (start, end), heading, path in _placed(text, pieces, blocks, list(windows(pieces, target, maximum)))
    )


def _placed(
    text: str, pieces: Sequence[Piece], blocks: Structure, spans: Sequence[Span]
) -> Iterator[tuple[Span, str, tuple[Heading, ...]]]:
    """Yield each window with the nearest heading above it ("" if it begins with one), and the path to it if known."""
    heads = [piece for piece in pieces if piece.names]
    path: tuple[Heading, ...] = ()
    at = passed = 0
    for start, end in spans:
        first = at
        while at < len(blocks) and blocks[at].start < start:
            at += 1
        path = path_at(text, blocks[first:at], start, path)
        while passed < len(heads) and heads[passed].end <= start:
            passed += 1
        begins = passed < len(heads) and heads[passed].start == start
        nearest = text[heads[passed - 1].start : heads[passed - 1].end] if passed and not begins else ""
        yield (start, end), nearest, path
