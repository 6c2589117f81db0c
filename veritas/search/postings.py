"""Postings: for each term the units that contain it and how often, as arrays that may be in a file."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from numpy import bool_, float32, intp, uint64
    from numpy.typing import NDArray

K1, B = 1.2, 0.75
"""Saturation of a repeated term, and weight of a unit's length (BM25)."""


class Postings(NamedTuple):
    """Postings of a set of units, such as windows of text.

    `keys` are the terms' keys, ascending; `units[starts[k]:starts[k + 1]]` are the units that hold key k, ascending,
    and `counts` how often. `lengths` is the size of each unit.
    """

    keys: NDArray[uint64]
    starts: NDArray[intp]
    units: NDArray[Any]
    counts: NDArray[Any]
    lengths: NDArray[Any]

    def of(self, key: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the units that hold a key, and how often each does."""
        import numpy as np

        at = int(np.searchsorted(self.keys, np.uint64(key)))
        if at == len(self.keys) or int(self.keys[at]) != key:
            return self.units[:0], self.counts[:0]
        part = slice(int(self.starts[at]), int(self.starts[at + 1]))
        return self.units[part], self.counts[part]

    def named(self, name: str) -> dict[str, NDArray[Any]]:
        """Return the arrays with the names `<name>.<field>`."""
        return {f"{name}.{field}": values for field, values in self._asdict().items()}

    @classmethod
    def among(cls, arrays: Mapping[str, NDArray[Any]], name: str) -> Postings:
        """Return the postings from arrays with these names."""
        return cls(*(arrays[f"{name}.{field}"] for field in cls._fields))


class TermWriter:
    """Collects units of terms as `Postings`."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._terms, self._lengths = array("I"), array("I")

    def __len__(self) -> int:
        return len(self._lengths)

    def add(self, unit: Iterable[str]) -> None:
        """Add a unit."""
        ids, before = self._ids, len(self._terms)
        self._terms.extend([ids.setdefault(term, len(ids)) for term in unit])
        self._lengths.append(len(self._terms) - before)

    def postings(self) -> Postings:
        """Return the postings of all units added."""
        import numpy as np

        lengths = np.array(self._lengths, dtype=np.uint32)
        keys = np.fromiter(map(term_key, self._ids), dtype=np.uint64, count=len(self._ids))
        distinct, ranks = np.unique(keys, return_inverse=True)
        both = ranks.astype(np.uint64)[np.frombuffer(self._terms, dtype=np.uint32)]
        both <<= np.uint64(32)
        both |= np.repeat(np.arange(len(lengths), dtype=np.uint32), lengths)
        both.sort()
        firsts = np.flatnonzero(np.diff(both, prepend=both[:1] + np.uint64(1)))  # of each term in each unit
        counts = np.diff(firsts, append=len(both))
        both = both[firsts]
        return packed(distinct, both >> np.uint64(32), both & np.uint64(0xFFFFFFFF), counts, lengths)


def packed(
    keys: NDArray[uint64], ranks: NDArray[Any], units: NDArray[Any], counts: NDArray[Any], lengths: NDArray[Any]
) -> Postings:
    """Return postings in the smallest sufficient types; `ranks` are the places of the terms in `keys`, sorted."""
    import numpy as np

    return Postings(
        keys=keys,
        starts=np.searchsorted(ranks, np.arange(len(keys) + 1, dtype=ranks.dtype)).astype(np.int64),
        units=units.astype(np.uint16 if len(lengths) <= 1 << 16 else np.uint32),
        counts=counts.astype(np.uint8 if not len(counts) or counts.max() < 1 << 8 else np.uint32),
        lengths=lengths,
    )


def term_key(term: str) -> int:
    """Return the key of a term, a 64-bit hash: among a million terms, two share one in 1 of 10^7 indexes."""
    return int.from_bytes(hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


class Part(NamedTuple):
    """Postings, and which of their units are included; None if all are."""

    postings: Postings
    live: NDArray[bool_] | None = None


def bm25(parts: Iterable[Part], terms: Iterable[str]) -> Iterator[NDArray[float32]]:
    """Yield the BM25 scores (Lucene's variant) of each part's units, with the statistics of all included units of all
    parts: the same scores as of one index of them. A repeated term counts once; an excluded unit has 0."""
    import numpy as np

    held = list(parts)
    size = sum(len(p.lengths) if live is None else int(live.sum()) for p, live in held)
    total = sum(int((p.lengths if live is None else p.lengths[live]).sum(dtype=np.int64)) for p, live in held)
    average = total / size if total else 1.0
    scores = [np.zeros(len(p.lengths), dtype=np.float32) for p, _ in held]
    norms = [K1 * (1 - B + B / average * p.lengths.astype(np.float32)) for p, _ in held]
    for key in map(term_key, dict.fromkeys(terms)):
        found = [_live(*part.postings.of(key), part.live) for part in held]
        frequency = sum(len(units) for units, _ in found)
        if not frequency:
            continue
        rarity = np.float32(np.log(1 + (size - frequency + 0.5) / (frequency + 0.5)))
        for score, norm, (units, counts) in zip(scores, norms, found, strict=True):
            if len(units):
                times = counts.astype(np.float32)
                score[units] += rarity * times / (times + norm[units])
    yield from scores


def _live(
    units: NDArray[Any], counts: NDArray[Any], live: NDArray[bool_] | None
) -> tuple[NDArray[Any], NDArray[Any]]:
    if live is None or not len(units):
        return units, counts
    kept = live[units]
    return units[kept], counts[kept]


class Lexical:
    """A BM25 index over units, each a list of terms, held in memory."""

    def __init__(self, units: Iterable[Iterable[str]]) -> None:
        writer = TermWriter()
        for unit in units:
            writer.add(unit)
        self._part = Part(writer.postings())
        self.size = len(writer)

    def scores(self, terms: Iterable[str]) -> NDArray[float32]:
        """Return the score of every unit for the terms of a query; all zero if none is known. A repeated term counts
        once."""
        return next(bm25([self._part], terms))
