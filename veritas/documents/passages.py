"""Cut a document into passages, windows with exact offsets that keep sentences (and if possible paragraphs) whole."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache

from veritas.claims.sources import Passage, passage_id
from veritas.documents._windows import Piece, Span, pieces_of, windows
from veritas.documents.document import Document
from veritas.text.structure import Heading, Structure, clipped, columns_at, path_at

TARGET = 700
"""Characters from which a passage may end with its paragraph."""
MAXIMUM = 1100
"""Largest passage, in characters."""
CONTEXT = 300
"""Characters of the document kept before and after a passage, for showing it."""


def cut_passages(document: Document, *, target: int = TARGET, maximum: int = MAXIMUM) -> tuple[Passage, ...]:
    """Return the passages of `document` in order. Each character that is no white space lies in exactly one of them.

    A passage is whole paragraphs up to about `target` characters, and a heading stays with what it heads; from
    100 characters on, a passage ends before the next heading. A paragraph longer than `maximum` is cut between
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
