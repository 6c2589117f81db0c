"""Character n-grams: tf-idf and cosine over the letters of words, robust to spelling, inflection and identifiers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from veritas.search.local._indexed_provider import IndexedProvider, Scored
from veritas.search.local._postings import Part, Postings, cosine, packed
from veritas.text.tokens import Query, normalise

if TYPE_CHECKING:
    from numpy import uint8, uint32
    from numpy.typing import NDArray

GRAM = 4
"""Bytes of a gram. A gram lies in one word and its surrounding blanks; a letter beyond ASCII counts for several."""
FLOOR = 0.02
"""Least cosine of a hit. A whole document is long beside a query, so that good ones reach 0.1 to 0.3."""

_GAP = re.compile(r"[\W_]+")


class CharNgrams(IndexedProvider):
    """A provider that ranks documents by the cosine of tf-idf vectors of character 4-grams over title and text."""

    name = "char-ngrams"

    def _scored(self, query: Query) -> list[Scored]:
        grams, counts = _grams(" ".join(query.words))
        segments = self._segments()
        parts = [Part(segment.grams, segment.live) for segment in segments]
        found = []
        for scores in cosine(parts, dict(zip(grams.tolist(), counts.tolist(), strict=True))):
            scores[scores < FLOOR] = 0
            found.append(Scored(scores, lambda i, text: (0, min(2000, len(text)))))
        return found


class GramWriter:
    """Documents, added one after the other, that become the postings of their grams."""

    def __init__(self) -> None:
        self._found: list[tuple[NDArray[uint32], NDArray[uint8]]] = []

    def add(self, title: str, text: str) -> None:
        """Add a document."""
        self._found.append(_grams(normalise(f"{title} {text}").casefold()))

    def postings(self) -> Postings:
        """Return the postings; `lengths` are the norms of the documents' weights."""
        import numpy as np

        norms = [np.sqrt(((1 + np.log(times, dtype=np.float32)) ** 2).sum()) for _, times in self._found]
        # Gram, document and count in 64 bits, so that one sort in place puts them in order.
        held = np.concatenate([grams for grams, _ in self._found] or [np.zeros(0, dtype=np.uint32)]).astype(np.uint64)
        held <<= np.uint64(24)
        held |= np.repeat(np.arange(len(self._found), dtype=np.uint32), [len(grams) for grams, _ in self._found])
        held <<= np.uint64(8)
        held |= np.concatenate([times for _, times in self._found] or [np.zeros(0, dtype=np.uint8)])
        held.sort()
        grams = held >> np.uint64(32)
        firsts = np.flatnonzero(np.diff(grams, prepend=grams[:1] + np.uint64(1)))
        ranks = np.repeat(np.arange(len(firsts), dtype=np.uint32), np.diff(firsts, append=len(grams)))
        units, counts = (held >> np.uint64(8)) & np.uint64(0xFFFFFF), held & np.uint64(0xFF)
        return packed(grams[firsts], ranks, units, counts, np.array(norms, dtype=np.float32))


def _grams(text: str) -> tuple[NDArray[uint32], NDArray[uint8]]:
    """Return a text's grams, ascending, and how often each occurs (at most 255)."""
    import numpy as np

    data = np.frombuffer((" " + _GAP.sub(" ", text) + " ").encode("utf-8", "surrogatepass"), dtype=np.uint8)
    if len(data) < GRAM:
        return np.zeros(0, dtype=np.uint32), np.zeros(0, dtype=np.uint8)
    wide = data.astype(np.uint32)
    grams = wide[:-3] | wide[1:-2] << np.uint32(8) | wide[2:-1] << np.uint32(16) | wide[3:] << np.uint32(24)
    inside = (data[1:-2] != 32) & (data[2:-1] != 32)
    found, counts = np.unique(grams[inside], return_counts=True)
    return found, np.minimum(counts, 255).astype(np.uint8)
