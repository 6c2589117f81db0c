"""Cut a document into passages, windows with exact offsets that keep sentences (and if possible paragraphs) whole, and
rank them for a question."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from veritas.claims.sources import Passage, passage_id
from veritas.documents._windows import Piece, Span, pieces_of, windows
from veritas.documents.document import Document
from veritas.text.asking import asks_which
from veritas.text.headed_names import headed_names, names_asked, names_in
from veritas.text.languages import by_language, read_in, speaking
from veritas.text.structure import Heading, Structure, clipped, columns_at, path_at
from veritas.text.tokens import index_terms, weigh

TARGET = 900
"""Characters from which a passage may end with its paragraph."""
MAXIMUM = 1500
"""Largest passage, in characters."""
NAMED = 1.5
"""Weight of a heading that is an identifier of the query, beside 1 for a topic word."""
LISTS = 1.5
"""Weight of a passage that holds a list, for a question that asks for several things."""
CONTEXT = 300
"""Characters of the document kept before and after a passage, for showing it."""

_ITEMS = re.compile(r"(?m)^\s*(?:[-*+•]|\d{1,3}[.)])\s+\S")

# The usual constants of BM25: saturation of a word's repetition, and weight of a passage's length.
_K, _B = 1.5, 0.75


def cut_passages(document: Document, *, target: int = TARGET, maximum: int = MAXIMUM) -> tuple[Passage, ...]:
    """Return the passages of `document` in order. Each character that is no white space lies in exactly one of them.

    A passage is whole paragraphs up to about `target` characters, and a heading stays with what it heads; from
    400 characters on, a passage ends before the next heading. A paragraph longer than `maximum` is cut between
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
        weights = sorted({**weigh(language.whole(query)), **dict.fromkeys(names_asked(query), NAMED)}.items())
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
    counts = tuple(
        Counter(
            index_terms(f"{passage.heading}\n{passage.text}")
            + list(headed_names(passage.heading))
            + names_in(passage.text, passage.blocks, 0, len(passage.text))
        )
        for passage in passages
    )
    return counts, max(1.0, sum(count.total() for count in counts) / max(1, len(counts)))
