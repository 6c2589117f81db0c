"""Character n-grams: tf-idf and cosine over the letters of words, robust to spelling, inflection and identifiers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from veritas.documents.document import Document
from veritas.search.local._indexed_provider import IndexedProvider, Query, Scored
from veritas.text.tokens import normalise

if TYPE_CHECKING:
    from numpy import float16, float32, int32, int64, uint8
    from numpy.typing import NDArray

GRAM = 4
"""Bytes of a gram. A gram lies in one word and its surrounding blanks; a letter beyond ASCII counts for several."""
BUCKET_BITS = 18
"""Grams are hashed into 2^18 buckets: fixed memory, and at some 50,000 distinct grams few collide."""
FLOOR = 0.02
"""Least cosine of a hit. A whole document is long beside a query, so that good ones reach 0.1 to 0.3."""

_GAP = re.compile(r"[\W_]+")
_HASH = 2654435761


class _Postings(NamedTuple):
    """Postings: `documents[starts[b]:starts[b + 1]]` are those that hold bucket b, `weights` likewise."""

    starts: NDArray[int64]
    documents: NDArray[int32]
    weights: NDArray[float16]
    idf: NDArray[float32]


class CharNgrams(IndexedProvider[_Postings]):
    """A provider that ranks documents by the cosine of tf-idf vectors of character 4-grams over title and text."""

    name = "char-ngrams"

    def _index(self) -> _Postings:
        return _index(self._documents)

    def _scored(self, query: Query) -> Scored:
        import numpy as np

        postings = self.build()
        buckets, counts = _grams(" ".join(query.words))
        scores = np.zeros(len(self._documents), dtype=np.float32)
        weights = (1 + np.log(counts, dtype=np.float32)) * postings.idf[buckets]
        norm = float(np.sqrt((weights**2).sum())) or 1.0
        for bucket, weight in zip(buckets.tolist(), weights.tolist(), strict=True):
            if weight:
                part = slice(postings.starts[bucket], postings.starts[bucket + 1])
                scores[postings.documents[part]] += postings.weights[part].astype(np.float32) * (weight / norm)
        scores[scores < FLOOR] = 0
        return Scored(scores, lambda i: (0, min(2000, len(self._documents[i].text))))


def _grams(text: str) -> tuple[NDArray[int64], NDArray[uint8]]:
    """Return the buckets of a text's grams, ascending, and how often each occurs (at most 255)."""
    import numpy as np

    data = np.frombuffer((" " + _GAP.sub(" ", text) + " ").encode("utf-8", "surrogatepass"), dtype=np.uint8)
    if len(data) < GRAM:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint8)
    wide = data.astype(np.uint64)
    grams = wide[:-3] | wide[1:-2] << np.uint64(8) | wide[2:-1] << np.uint64(16) | wide[3:] << np.uint64(24)
    inside = (data[1:-2] != 32) & (data[2:-1] != 32)
    hashed = (grams[inside] * np.uint64(_HASH) & np.uint64(0xFFFFFFFF)) >> np.uint64(32 - BUCKET_BITS)
    buckets, counts = np.unique(hashed.astype(np.int64), return_counts=True)
    return buckets, np.minimum(counts, 255).astype(np.uint8)


def _index(documents: Sequence[Document]) -> _Postings:
    import numpy as np

    size = 1 << BUCKET_BITS
    frequency = np.zeros(size, dtype=np.int64)
    found: list[tuple[NDArray[int32], NDArray[uint8]]] = []
    for document in documents:
        buckets, counts = _grams(normalise(f"{document.title} {document.text}").casefold())
        frequency[buckets] += 1
        found.append((buckets.astype(np.int32), counts))
    # Plus one, as usual: in documents of one project its name is everywhere and must still find them.
    idf = (1 + np.log((len(documents) + 1) / (frequency + 0.5))).astype(np.float32)
    idf[frequency == 0] = 0
    starts = np.concatenate(([0], np.cumsum(frequency)))
    owners = np.zeros(int(starts[-1]), dtype=np.int32)
    weights = np.zeros(int(starts[-1]), dtype=np.float16)
    heads = starts[:-1].copy()
    for i, (held, times) in enumerate(found):
        weight = (1 + np.log(times.astype(np.float32))) * idf[held]
        at = heads[held]
        owners[at] = i
        weights[at] = weight / (float(np.sqrt((weight**2).sum())) or 1.0)
        heads[held] += 1
    return _Postings(starts, owners, weights, idf)
