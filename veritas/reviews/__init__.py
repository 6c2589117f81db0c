"""Literature reviews: a corpus of claims, each a quote on a page, and reviews written from it alone.

    corpus = Corpus.open("lyophilization")
    for hit in await corpus.search("shelf temperature", Filters(claim_types={"finding"}), limit=10):
        hit.claim.verbatim, hit.claim.paper_key, hit.claim.page
"""

from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.corpus_claim import (
    CLAIM_KINDS,
    EVIDENCE_KINDS,
    ClaimKind,
    CorpusClaim,
    CorpusPaper,
    EvidenceKind,
    Filters,
)
from veritas.reviews.embedder import Embedder, load_embedder
from veritas.reviews.retrieval import Hit

__all__ = [
    "CLAIM_KINDS", "EVIDENCE_KINDS", "ClaimKind", "Corpus", "CorpusClaim", "CorpusPaper", "Embedder", "EvidenceKind",
    "Filters", "Hit", "load_embedder",
]
