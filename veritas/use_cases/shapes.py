"""The types that use cases return or take, for a door that describes them at run time. Slow to import."""

from veritas.papers.audit import PAPER_STAGES, PaperStage
from veritas.papers.audit_runs import AuditSummary
from veritas.papers.referee.finding import Refereed
from veritas.reviews.check_corpus import Overview
from veritas.reviews.retrieval import Hit
from veritas.reviews.review_document import REVIEW_STAGES, ReviewStage
from veritas.reviews.review_store import ReviewSummary

__all__ = [
    "PAPER_STAGES", "REVIEW_STAGES", "AuditSummary", "Hit", "Overview", "PaperStage", "Refereed",
    "ReviewStage", "ReviewSummary",
]  # fmt: skip
