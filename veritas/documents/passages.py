"""Cut a document into passages, windows with exact offsets that keep sentences (and if possible paragraphs) whole, and
rank them for a question."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from veritas.claims.sources import Passage, passage_id
from veritas.documents.document import Document
from veritas.text.asking import asks_which
from veritas.text.blocks import code_like
from veritas.text.lists import announces, begins_item
from veritas.text.sentences import split_sentences
from veritas.text.structure import Heading, Structure, TextBlock, clipped, columns_at, path_at
from veritas.text.tokens import index_terms, weigh

TARGET = 900
"""Characters from which a passage may end with its paragraph."""
MAXIMUM = 1500
"""Largest passage, in characters."""
SECTION = 400
"""Characters from which on a passage ends before a heading, so that what stands under it is not parted."""
LISTS = 1.5
"""Weight of a passage that holds a list, for a question that asks for several things."""
CONTEXT = 300
"""Characters of the document kept before and after a passage, for showing it."""

_PARAGRAPH = re.compile(r"\S(?:.*\S)?(?:\n(?![^\S\n]*\n).*\S)*")
_LINE = re.compile(r"\S(?:.*\S)?")
_ITEMS = re.compile(r"(?m)^\s*(?:[-*+•]|\d{1,3}[.)])\s+\S")
_WORD = re.compile(r"\S+")
_ENDS_SENTENCE = re.compile(r"[.!?…。！？:;,][\"'”’»)\]]*\Z")
_NAMES = re.compile(r"[^\W\d_](?!.*://)[^=(){}\[\];<>$|\t]*\Z")
"""A heading that names something, and no row of a table, line of code or address."""
_HEADING = 120
"""Characters above which a line without a stop is no heading."""

_MARK = 12
"""Characters in which the bullet of an item stands."""
_STRETCH = 6_000

# The usual constants of BM25: saturation of a word's repetition, and weight of a passage's length.
_K, _B = 1.5, 0.75

Span = tuple[int, int]


class _Piece(NamedTuple):
    """A piece of a text that is not parted. `heads`: it may be a heading, and `names`: it is one; `bound`: it belongs
    to the piece before it."""

    start: int
    end: int
    heads: bool
    names: bool
    bound: bool


def cut_passages(document: Document, *, target: int = TARGET, maximum: int = MAXIMUM) -> tuple[Passage, ...]:
    """Return the passages of `document` in order. Each character that is no white space lies in exactly one of them.

    A passage is whole paragraphs up to about `target` characters, and a heading stays with what it heads; from
    `SECTION` characters on, a passage ends before the next heading. A paragraph longer than `maximum` is cut between
    sentences (rows of a table, lines of code), a longer sentence between words, and a run without white space of that
    length is cut through. `text == document.text[start:end]`, always.
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
    pieces = list(_of_structure(text, blocks, maximum) if blocks else _of_text(text, maximum))
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
        for (start, end), heading, path in _placed(text, pieces, blocks, list(_windows(pieces, target, maximum)))
    )


def _placed(
    text: str, pieces: Sequence[_Piece], blocks: Structure, windows: Sequence[Span]
) -> Iterator[tuple[Span, str, tuple[Heading, ...]]]:
    """Yield each window with the nearest heading above it ("" if it begins with one), and the path to it if known."""
    heads = [piece for piece in pieces if piece.names]
    path: tuple[Heading, ...] = ()
    at = passed = 0
    for start, end in windows:
        first = at
        while at < len(blocks) and blocks[at].start < start:
            at += 1
        path = path_at(text, blocks[first:at], start, path)
        while passed < len(heads) and heads[passed].end <= start:
            passed += 1
        begins = passed < len(heads) and heads[passed].start == start
        nearest = text[heads[passed - 1].start : heads[passed - 1].end] if passed and not begins else ""
        yield (start, end), nearest, path


def _names(line: str) -> bool:
    return bool(_NAMES.match(line)) and not code_like(line)


def best_passages(document: Document, query: str, limit: int) -> tuple[Passage, ...]:
    """Return at most `limit` passages of `document` that bear on `query`, best first.

    The ranking is BM25 over the document's own passages, with the words of `query` weighed by
    `veritas.text.tokens.weigh`. A passage that shares no word with `query` is left out. If `query` asks for several
    things, one that holds a list counts `LISTS` times as much.
    """
    passages = cut_passages(document)
    counts, average = _counted(passages)
    scores = [0.0] * len(passages)
    for term, weight in sorted(weigh(query).items()):
        frequency = sum(term in count for count in counts)
        rarity = weight * math.log(1 + (len(passages) - frequency + 0.5) / (frequency + 0.5))
        for at, count in enumerate(counts):
            if term in count:
                length = _K * (1 - _B + _B * count.total() / average)
                scores[at] += rarity * count[term] * (_K + 1) / (count[term] + length)
    if asks_which(query):
        scores = [
            score * (LISTS if len(_ITEMS.findall(p.text)) > 1 else 1) for score, p in zip(scores, passages, strict=True)
        ]
    ranked = sorted((at for at, score in enumerate(scores) if score > 0), key=lambda at: (-scores[at], at))
    return tuple(passages[at] for at in ranked[: max(0, limit)])


@lru_cache(maxsize=128)
def _counted(passages: tuple[Passage, ...]) -> tuple[tuple[Counter[str], ...], float]:
    """Return the word counts of each passage with the heading above it, and the average number of words in a passage
    (at least 1)."""
    counts = tuple(Counter(index_terms(f"{passage.heading}\n{passage.text}")) for passage in passages)
    return counts, max(1.0, sum(count.total() for count in counts) / max(1, len(counts)))


def _windows(pieces: Sequence[_Piece], target: int, maximum: int) -> Iterator[Span]:
    """Yield greedy windows of pieces, each closed at the first piece's end past `target`, but not after a heading, nor
    between pieces that belong together."""
    window: list[_Piece] = []
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


def _going_on(window: Sequence[_Piece], piece: _Piece, maximum: int) -> int:
    """Count the pieces at the end of a window that are kept with the next one: headings, or what that one belongs to as
    far as it goes, if all that fits."""
    listed = 0
    following = piece
    while listed < len(window) and following.bound:
        following = window[-1 - listed]
        listed += 1
    count = listed + _headings_at_end(window[: len(window) - listed])
    if listed and count and piece.end - window[-count].start <= maximum:
        return count
    return _headings_at_end(window)


def _headings_at_end(window: Sequence[_Piece]) -> int:
    """Count the headings at the end of a window; more than three in a row are a list, and count as none."""
    count = 0
    for piece in reversed(window):
        if not piece.heads:
            break
        count += 1
        if count > 3:
            return 0
    return count


def _of_structure(text: str, blocks: Structure, maximum: int) -> Iterator[_Piece]:
    """Yield the blocks of a text, each with what stands between it and the one before it; parts of one longer than
    `maximum` instead."""
    done = 0
    above: TextBlock | None = None
    for block in blocks:
        between = text[done : block.start]
        start = done + len(between) - len(between.lstrip())
        head = block.kind == "heading"
        bound = above is not None and _together(text, above, block)
        if block.end - start <= maximum:
            yield _Piece(start, block.end, head, head, bound)
        else:
            spans = [(start, block.end)] if block.kind in ("code", "row") else (
                sentence for stretch in _stretches(text, start, block.end) for sentence in _sentences(text, *stretch)
            )  # fmt: skip
            for span in spans:
                for first, last in _fitting(text, *span, maximum):
                    yield _Piece(first, last, False, False, bound)
                    bound = False
        done, above = block.end, block


def _together(text: str, above: TextBlock, block: TextBlock) -> bool:
    """Return whether a block belongs to the one above it: what is inside an item or a box, the items of a list, the
    rows of a table, a program below what it is an example of, and whatever is announced."""
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


def _of_text(text: str, maximum: int) -> Iterator[_Piece]:
    """Yield the pieces of a text whose structure nobody read, by what they look like."""
    before: Span | None = None
    for first, last in _pieces(text, maximum):
        heads = _heads(text, first, last)
        names = heads and _names(text[first:last])
        yield _Piece(first, last, heads, names, before is not None and _bound(text, before, (first, last)))
        before = first, last


def _bound(text: str, before: Span, piece: Span) -> bool:
    """Return whether two neighbouring pieces are one list, or a line that announces something, and that."""
    if begins_item(text[piece[0] : piece[0] + _MARK]) and begins_item(text[before[0] : before[0] + _MARK]):
        return True
    return announces(text[max(before[0], before[1] - _HEADING) : before[1]])


def _heads(text: str, first: int, last: int) -> bool:
    """Return whether a piece may be a heading: a short line without a stop."""
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
    """Yield `[start, end)` in lengths that are quick to split into sentences, cut at a line's end or between words."""
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
