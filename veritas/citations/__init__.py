"""Citations: identifiers, bibliographic records, triangulation and artifacts, and their checks and audits.

Names are loaded on first use: `veritas check` must not pay for what it does not use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from veritas.citations.triangulation import DoiResolver, resolve_dois, triangulate, triangulate_raw
    from veritas.citations.verdict import Conflict, Triangulation
    from veritas.policy.triangulation_policy import TriangulationPolicy, load_triangulation_policy
    from veritas.registries.records import normalise
    from veritas.works.identifiers import normalise_arxiv_id, normalise_doi
    from veritas.works.records import BibRecord

_HOMES = {
    "BibRecord": "veritas.works.records",
    "Conflict": "veritas.citations.verdict",
    "DoiResolver": "veritas.citations.triangulation",
    "Triangulation": "veritas.citations.verdict",
    "TriangulationPolicy": "veritas.policy.triangulation_policy",
    "load_triangulation_policy": "veritas.policy.triangulation_policy",
    "normalise": "veritas.registries.records",
    "normalise_arxiv_id": "veritas.works.identifiers",
    "normalise_doi": "veritas.works.identifiers",
    "resolve_dois": "veritas.citations.triangulation",
    "triangulate": "veritas.citations.triangulation",
    "triangulate_raw": "veritas.citations.triangulation",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


__all__ = [
    "BibRecord",
    "Conflict",
    "DoiResolver",
    "Triangulation",
    "TriangulationPolicy",
    "load_triangulation_policy",
    "normalise",
    "normalise_arxiv_id",
    "normalise_doi",
    "resolve_dois",
    "triangulate",
    "triangulate_raw",
]
