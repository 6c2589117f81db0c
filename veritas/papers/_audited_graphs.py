"""The graphs of an audit's document, as `veritas score` and `veritas calibrate` read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from veritas.errors import InputError
from veritas.frozen import first_fault
from veritas.papers.audit import PaperAudit, SampledGraph
from veritas.papers.flaw import parted


def audit_in(document: Mapping[str, Any]) -> PaperAudit:
    """Return the audit that a JSON object holds. Raises `InputError` if it is none of this version."""
    try:
        return PaperAudit.model_validate(parted(document))
    except ValidationError as error:
        raise InputError(f"no paper audit of this version ({first_fault(error)})") from None


def sampled_graphs(audit: PaperAudit) -> list[tuple[SampledGraph, dict[str, Any]]]:
    """Return each reading with its graph as `veritas.scoring.graph.read_graph` reads it, the shown one first. A reading
    that stayed broken gets an empty graph, since only its errors count. Raises `InputError` for a missing node."""
    ordered = sorted(audit.graphs, key=lambda sampled: (sampled.index != audit.primary, sampled.index))
    try:
        return [(sampled, audit.graph_document(sampled.index) if sampled.ok else {}) for sampled in ordered]
    except KeyError as error:
        raise InputError(f"audit {audit.audit_id} has a graph with a node that it has not: {error}") from None
