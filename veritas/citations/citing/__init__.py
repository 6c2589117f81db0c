"""`verify_and_cite`: from a claim to a citation with its artifact, or to a reasoned refusal (sections 4 to 7, 9)."""

from veritas.citations.citing._cite import verify_and_cite
from veritas.citations.citing.outcomes import (
    Citation,
    NoCandidates,
    NoSupportingExcerpts,
    NotAdmitted,
    Outcome,
    Refusal,
    RetriesExhausted,
    StandsNoMore,
    TriangulationConflict,
    citation_of,
)

__all__ = [
    "Citation",
    "NoCandidates",
    "NoSupportingExcerpts",
    "NotAdmitted",
    "Outcome",
    "Refusal",
    "RetriesExhausted",
    "StandsNoMore",
    "TriangulationConflict",
    "citation_of",
    "verify_and_cite",
]
