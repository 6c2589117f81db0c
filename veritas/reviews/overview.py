"""An overview of a corpus: its papers, its claims by type and evidence (spec, Fig. 3), the papers left out."""

from __future__ import annotations

from collections.abc import Mapping

from veritas.frozen import Frozen
from veritas.reviews._corpus_paper import CorpusPaper
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.corpus_claim import CLAIM_KINDS, EVIDENCE_KINDS, ClaimKind, EvidenceKind
from veritas.reviews.offered_papers import Problem


class Overview(Frozen):
    """An overview of a corpus. `kinds[claim_type][evidence_type]` counts claims, with 0 for absent types. `left_out`
    has the papers that the last addition of each root left out or read with a doubt."""

    corpus: str
    embedding_model: str | None
    claims: int
    papers: tuple[CorpusPaper, ...]
    kinds: Mapping[ClaimKind, Mapping[EvidenceKind, int]]
    left_out: tuple[Problem, ...]


def overview(name: str) -> Overview:
    """Return the overview of the corpus of that name. Raises `InputError` if there is none."""
    corpus = Corpus.open(name)
    claims = corpus.claims()
    counts = {kind: dict.fromkeys(EVIDENCE_KINDS, 0) for kind in CLAIM_KINDS}
    for claim in claims:
        counts[claim.claim_type][claim.evidence_type] += 1
    with corpus.file.reading() as connection:
        rows = connection.execute(
            "SELECT source, reason, kept, claims FROM left_out ORDER BY root, claims > 0, source, claims DESC"
        ).fetchall()
    return Overview(
        corpus=corpus.name,
        embedding_model=corpus.embedding_model,
        claims=len(claims),
        papers=corpus.papers(),
        kinds=counts,
        left_out=tuple(Problem(source=s, reason=r, kept=k, claims=n) for s, r, k, n in rows),
    )
