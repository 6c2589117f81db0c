"""The alignment of an edge: the overlap of the words of its two nodes (Jaccard, Appendix C)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import count

import numpy as np

from veritas.scoring.graph import Floats, Ints, PaperGraph

STOP_WORDS: frozenset[bytes] = frozenset(
    b"a an the and or but if then thus therefore so of to in on for with by as at from is are was were be been "
    b"this that these those it its we our you your they their".split()
)

_BETWEEN = "\xff"
_END = 0
"""Number of the word that separates two texts; stop words have the next numbers, followed by all others."""
_NUMBERS = {b"\0": _END} | {word: number for number, word in enumerate(sorted(STOP_WORDS), _END + 1)}
# ASCII letters and digits are kept, in lower case; the separator is a word of its own; every other byte separates.
_TABLE = bytes(0 if b == 255 else ord(chr(b).lower()) if b < 128 and chr(b).isalnum() else 32 for b in range(256))
_CELLS = 1 << 24
"""Texts times words processed at a time, a byte each."""


def numbered_words(texts: Sequence[str]) -> tuple[Ints, Ints, int]:
    """Return the words of all texts, one text after another: the text that holds each word, the word's number, and the
    number of different words.

    Words are runs of ASCII letters and digits, lower-cased, without stop words, not stemmed. All texts are processed at
    once, as bytes, because this is among the slowest steps of a score.
    """
    space = f" {_BETWEEN} "
    whole = space.join(texts)
    if whole.count(_BETWEEN) != len(texts) - 1:
        whole = space.join(text.replace(_BETWEEN, " ") for text in texts)
    words = whole.encode("latin-1", "replace").translate(_TABLE).split()
    first = len(_NUMBERS)
    number_of = defaultdict(count(first).__next__, _NUMBERS)
    number = np.fromiter(map(number_of.__getitem__, words), dtype=np.intp, count=len(words))
    text = np.cumsum(number == _END)
    kept = number >= first
    return text[kept], number[kept] - first, len(number_of) - first


def alignments(graph: PaperGraph) -> Floats:
    """Return the Jaccard overlap, (E), of the words of each edge's two nodes; 0 where both have none.

    A text's words are a row of bits, so that shared words are counted 64 at a time.
    """
    texts = len(graph.texts)
    size, both = np.zeros(texts, dtype=np.intp), np.zeros(len(graph.tail), dtype=np.intp)
    text, word, different = numbered_words(graph.texts) if texts else (size, size, 0)
    width = max(_CELLS // max(texts, 1) // 64, 1) * 64
    for begin in range(0, different, width):
        here = (word >= begin) & (word < begin + width)
        has = np.zeros((texts, min(width, -(-(different - begin) // 64) * 64)), dtype=np.bool_)
        has[text[here], word[here] - begin] = True
        bits = np.packbits(has, axis=1).view(np.uint64)
        size += np.bitwise_count(bits).sum(axis=1, dtype=np.intp)
        both += np.bitwise_count(bits[graph.tail] & bits[graph.head]).sum(axis=1, dtype=np.intp)
    either = size[graph.tail] + size[graph.head] - both
    overlap: Floats = both / np.maximum(either, 1)
    return overlap
