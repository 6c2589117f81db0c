"""BM25 over units of text, by bm25s; the base of the passage and the title provider."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from veritas.text.tokens import index_terms

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

K1, B = 1.2, 0.75


class Lexical:
    """A BM25 index (Lucene's variant) over units, each a list of terms."""

    def __init__(self, units: Iterable[Iterable[str]]) -> None:
        vocabulary: dict[str, int] = {}
        ids = [[vocabulary.setdefault(term, len(vocabulary)) for term in unit] for unit in units]
        self.size = len(ids)
        self._index: Any = None
        if vocabulary:
            import logging

            import bm25s

            # It sets itself to DEBUG, which a root logger that listens (Prefect's) would print.
            logging.getLogger("bm25s").setLevel(logging.WARNING)
            self._index = bm25s.BM25(k1=K1, b=B, method="lucene", backend="numpy")
            self._index.index((ids, vocabulary), create_empty_token=False, show_progress=False)

    def scores(self, query: str) -> NDArray[float32]:
        """Return the score of every unit for a query; all zero if it holds no known term. A repeated term counts
        once."""
        import numpy as np

        known = [] if self._index is None else self._index.get_tokens_ids(list(dict.fromkeys(index_terms(query))))
        if not known:
            return np.zeros(self.size, dtype=np.float32)
        found: NDArray[float32] = self._index.get_scores_from_ids(known)
        return found
