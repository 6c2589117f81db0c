"""Citations: identifiers, bibliographic records, triangulation."""

from veritas.citations.identifiers import normalise_arxiv_id, normalise_doi
from veritas.citations.normalising import normalise
from veritas.citations.records import BibRecord
from veritas.citations.triangulation import DoiResolver, resolve_dois, triangulate, triangulate_raw
from veritas.citations.triangulation_policy import TriangulationPolicy, load_triangulation_policy
from veritas.citations.verdict import Conflict, Triangulation

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
