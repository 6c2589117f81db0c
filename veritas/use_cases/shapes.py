"""The types that use cases return, for a door that describes them at run time. Slow to import."""

from veritas.papers.audit_runs import AuditSummary
from veritas.reviews.overview import Overview
from veritas.reviews.retrieval import Hit
from veritas.reviews.review_store import ReviewSummary

__all__ = ["AuditSummary", "Hit", "Overview", "ReviewSummary"]
