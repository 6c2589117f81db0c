"""`verify_and_cite`: a claim in, a citation with its artifact out, or precisely why not (sections 4 to 7, 9)."""

from veritas.citations.citing.cite import verify_and_cite
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
