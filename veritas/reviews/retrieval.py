"""Retrieval: BM25 and embeddings over the claims of a corpus, fused by rank (spec, section 4.1, stages 3 and 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import Field

from veritas.frozen import Frozen
from veritas.reviews.corpus_claim import CorpusClaim, Filters
from veritas.search.postings import Lexical
from veritas.text.tokens import index_terms

if TYPE_CHECKING:
    from numpy import bool_, float32
    from numpy.typing import NDArray

K = 60
"""The constant of reciprocal rank fusion, its authors' value; the larger, the less the first ranks lead."""
DEPTH = 200
"""Ranks of each list that count. A claim that no list has among its first 200 is not found."""


class Hit(Frozen):
    """A claim that answers a query. `score`, over 0 to 1, is 1 for a claim that stands first in every list.

    `lexical` is its BM25 score (0 and up; None if it shares no word with the query), `semantic` the cosine of its
    embedding with the query's (-1 to 1; None without embeddings).
    """

    claim: CorpusClaim
    score: float = Field(ge=0, le=1)
    lexical: float | None = None
    semantic: float | None = None


class ClaimIndex:
    """Claims and their embeddings, row by row, held in memory; immutable."""

    def __init__(self, claims: Sequence[CorpusClaim], vectors: NDArray[float32] | None = None) -> None:
        """`vectors` has a row for each claim, of length 1 (or 0 for a claim without one)."""
        self.claims = tuple(claims)
        self._vectors = vectors
        self._lexical = Lexical(_terms(claim) for claim in self.claims)
    def search(
        self, query: str, vector: Sequence[float] | None, filters: Filters | None, limit: int
    ) -> tuple[Hit, ...]:
        """Return at most `limit` hits, best first; claims of equal score in the order of paper and place.

        The two scores are of different kinds and cannot be added; ranks can. Each list gives a claim 1/(K + rank).
        Filters are applied before ranks are counted, so they narrow the query, not its answer.
        """
        import numpy as np

        if not self.claims or limit < 1:
            return ()
        admitted = np.fromiter((not filters or filters.admits(claim) for claim in self.claims), dtype=bool)
        lexical = np.where(admitted, self._lexical.scores(index_terms(query)), 0)
        lists = [_ranks(lexical, lexical > 0)]
        semantic = None
        if vector is not None and self._vectors is not None:
            asked = np.asarray(vector, dtype=np.float32)
            asked = asked / (float(np.linalg.norm(asked)) or 1.0)
            semantic = self._vectors @ asked
            lists.append(_ranks(semantic, admitted))
        fused: dict[int, float] = {}
        for ranked in lists:
            for rank, at in enumerate(ranked):
                fused[at] = fused.get(at, 0.0) + (K + 1) / (K + 1 + rank)
        best = sorted(fused, key=lambda at: (-fused[at], at))[:limit]
        return tuple(
            Hit(
                claim=self.claims[at],
                score=round(fused[at] / len(lists), 6),
                lexical=round(float(lexical[at]), 4) if lexical[at] > 0 else None,
                semantic=round(float(semantic[at]), 4) if semantic is not None else None,
            )
            for at in best
        )


def _ranks(scores: NDArray[float32], counted: NDArray[bool_]) -> list[int]:
    """Return rows by falling score, at most `DEPTH` of those that are counted."""
    import numpy as np

    rows = np.flatnonzero(counted)
    found: list[int] = rows[np.argsort(-scores[rows], kind="stable")][:DEPTH].tolist()
    return found


def _terms(claim: CorpusClaim) -> list[str]:
    """Return the words a claim is found by: its own, and its quote's if they differ."""
    own = index_terms(claim.text)
    if claim.text == claim.verbatim:
        return own
    return own + [term for term in dict.fromkeys(index_terms(claim.verbatim)) if term not in own]
