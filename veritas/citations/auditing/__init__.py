"""`veritas audit`: retractions, corrections, identifiers that moved, found in the artifacts of a project."""

from veritas.citations.auditing.audit import audit_existing_citations
from veritas.citations.auditing.drift import Audited, AuditReport, Drift, DriftFinding

__all__ = ["AuditReport", "Audited", "Drift", "DriftFinding", "audit_existing_citations"]
