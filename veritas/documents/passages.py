"""Cut a document into passages, windows with exact offsets that keep sentences (and if possible paragraphs) whole, and
rank them for a question."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from veritas.claims.sources import Passage, passage_id
from veritas.documents.document import Document
from veritas.text.asking import asks_which
from veritas.text.blocks import code_like
from veritas.text.languages import by_language, read_in, speaking
from veritas.text.lists import announces, begins_item
from veritas.text.sentences import split_sentences
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


def cut_passages(document: Document, *, target: int = TARGET, maximum: int = MAXIMUM) -> tuple[Passage, ...]:
    """Return the passages of `document` in order. Each character that is no white space lies in exactly one of them.

    A passage is whole paragraphs up to about `target` characters, and a heading stays with what it heads; from
    `SECTION` characters on, a passage ends before the next heading. A paragraph longer than `maximum` is cut between
    sentences (rows of a table, lines of code), a longer sentence between words, and a run without white space of that
    length is cut through. `text == document.text[start:end]`, always.
    """
    return _cut(document.document_id, document.title, document.text, document.page_starts, target, maximum)


@lru_cache(maxsize=128)
def _cut(
    identity: str, title: str, text: str, page_starts: tuple[int, ...], target: int, maximum: int
) -> tuple[Passage, ...]:
    if not 0 < target <= maximum:
        raise ValueError(f"a target of {target} and a maximum of {maximum} characters make no passages")
    pieces = list(_pieces(text, maximum))
    heads = [piece for piece in pieces if _heads(text, *piece) and _names(text[slice(*piece)])]
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
            heading=_above(text, heads, start),
            title=title,
        )
        for start, end in _windows(text, pieces, target, maximum)
    )


def _names(line: str) -> bool:
    return bool(_NAMES.match(line)) and not code_like(line)


def _above(text: str, heads: list[Span], start: int) -> str:
    """Return the last heading that ends before `start`; none if one begins there."""
    at = bisect_right(heads, (start, start))
    if not at or (heads[at : at + 1] and heads[at][0] == start):
        return ""
    return text[slice(*heads[at - 1])]


def best_passages(document: Document, query: str, limit: int) -> tuple[Passage, ...]:
    """Return at most `limit` passages of `document` that bear on `query`, best first.

    The ranking is BM25 over the document's own passages, with the words of `query` weighed by
    `veritas.text.tokens.weigh`. A passage that shares no word with `query` is left out. If `query` asks for several
    things, one that holds a list counts `LISTS` times as much.
    """
    passages = cut_passages(document)
    language = read_in(query, (document.text,))
    with speaking(language):
        counts, average = _counted(passages)
        weights = sorted(weigh(language.whole(query)).items())
    scores = [0.0] * len(passages)
    for term, weight in weights:
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


@by_language(maxsize=128)
def _counted(passages: tuple[Passage, ...]) -> tuple[tuple[Counter[str], ...], float]:
    """Return the word counts of each passage with the heading above it, and the average number of words in a passage
    (at least 1)."""
    counts = tuple(Counter(index_terms(f"{passage.heading}\n{passage.text}")) for passage in passages)
    return counts, max(1.0, sum(count.total() for count in counts) / max(1, len(counts)))


def _windows(text: str, pieces: list[Span], target: int, maximum: int) -> Iterator[Span]:
    """Yield greedy windows of pieces, each closed at the first piece's end past `target`, but not after a heading, nor
    between the items of a list and the line that introduces it."""
    window: list[Span] = []
    for piece in pieces:
        length = window[-1][1] - window[0][0] if window else 0
        heads = length >= SECTION and _heads(text, *piece) and _NAMES.match(text, *piece) is not None
        full = length >= target or heads
        if full and not _headings_at_end(text, window) and not _bound(text, window[-1], piece):
            yield window[0][0], window[-1][1]
            window = []
        if window and piece[1] - window[0][0] > maximum:
            going_on = _going_on(text, window, piece, maximum)
            if going_on < len(window):
                kept = window[len(window) - going_on :]
                yield window[0][0], window[-1 - going_on][1]
                window = kept
            if window and piece[1] - window[0][0] > maximum:
                yield window[0][0], window[-1][1]
                window = []
        window.append(piece)
    if window:
        yield window[0][0], window[-1][1]


def _bound(text: str, before: Span, piece: Span) -> bool:
    """Return whether two neighbouring pieces are one list, or a line that announces something, and that."""
    if begins_item(text[piece[0] : piece[0] + _MARK]) and begins_item(text[before[0] : before[0] + _MARK]):
        return True
    return announces(text[max(before[0], before[1] - _HEADING) : before[1]])


def _going_on(text: str, window: list[Span], piece: Span, maximum: int) -> int:
    """Count the pieces at the end of a window that are kept with the next one: headings, or a list as far as it goes
    with its introduction, if all that fits."""
    listed = 0
    following = piece
    while listed < len(window) and _bound(text, window[-1 - listed], following):
        following = window[-1 - listed]
        listed += 1
    count = listed + _headings_at_end(text, window[: len(window) - listed])
    if listed and count and piece[1] - window[-count][0] <= maximum:
        return count
    return _headings_at_end(text, window)


def _headings_at_end(text: str, window: list[Span]) -> int:
    """Count the headings at the end of a window; more than three in a row are a list, and count as none."""
    count = 0
    for first, last in reversed(window):
        if not _heads(text, first, last):
            break
        count += 1
        if count > 3:
            return 0
    return count


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
