"""Filters of a query: kinds of claim and evidence, years, papers, sections (section 4.1, stage 4)."""

from __future__ import annotations

from veritas.documents.paper_parts import SectionName
from veritas.frozen import Frozen
from veritas.reviews.corpus_claim import ClaimKind, CorpusClaim, EvidenceKind


class Filters(Frozen):
    """Filters of claims; an empty field filters nothing. Years are inclusive, and exclude undated papers."""

    claim_types: frozenset[ClaimKind] = frozenset()
    evidence_types: frozenset[EvidenceKind] = frozenset()
    sections: frozenset[SectionName] = frozenset()
    papers: frozenset[str] = frozenset()
    """Citation keys of the papers."""
    year_from: int | None = None
    year_to: int | None = None

    def admits(self, claim: CorpusClaim) -> bool:
        """Return whether a claim passes all of them."""
        return (
            (not self.claim_types or claim.claim_type in self.claim_types)
            and (not self.evidence_types or claim.evidence_type in self.evidence_types)
            and (not self.sections or claim.section in self.sections)
            and (not self.papers or claim.paper_key in self.papers)
            and (self.year_from is None or (claim.year is not None and claim.year >= self.year_from))
            and (self.year_to is None or (claim.year is not None and claim.year <= self.year_to))
        )

    def __bool__(self) -> bool:
        """Return whether they filter anything."""
        return self != Filters()
