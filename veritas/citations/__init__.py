"""Citations: identifiers, bibliographic records, triangulation, artifacts, and what checks and audits them.

Names are loaded when they are asked for: `veritas check` must not pay for what it does not use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from veritas.citations.identifiers import normalise_arxiv_id, normalise_doi
    from veritas.citations.normalising import normalise
    from veritas.citations.records import BibRecord
    from veritas.citations.triangulation import DoiResolver, resolve_dois, triangulate, triangulate_raw
    from veritas.citations.triangulation_policy import TriangulationPolicy, load_triangulation_policy
    from veritas.citations.verdict import Conflict, Triangulation

_HOMES = {
    "BibRecord": "records",
    "Conflict": "verdict",
    "DoiResolver": "triangulation",
    "Triangulation": "verdict",
    "TriangulationPolicy": "triangulation_policy",
    "load_triangulation_policy": "triangulation_policy",
    "normalise": "normalising",
    "normalise_arxiv_id": "identifiers",
    "normalise_doi": "identifiers",
    "resolve_dois": "triangulation",
    "triangulate": "triangulation",
    "triangulate_raw": "triangulation",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


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
