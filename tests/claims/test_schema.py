"""The exported claim graph and its published schema say the same."""

from __future__ import annotations

import json
from pathlib import Path

from veritas.claims.graph import SCHEMA_VERSION
from veritas.claims.schema import claim_graph_schema

SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "schema" / f"claim-graph-{SCHEMA_VERSION}.json"


def test_published_schema_is_what_the_code_exports() -> None:
    published = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert published == claim_graph_schema(), (
        "code and docs/schema drifted apart: python -m veritas.claims.schema > docs/schema/claim-graph-1.0.json, "
        "and a new SCHEMA_VERSION if a reader of the old one would be misled"
    )


def test_envelope_has_the_field_names_of_the_specification() -> None:
    fields = claim_graph_schema()["$defs"]["ClaimEnvelope"]["properties"]
    expected = [
        "claim_id", "claim", "claim_type", "confidence", "citations", "source_passages", "asserted_by",
        "verifier_judgment", "debate_status",
    ]  # fmt: skip
    assert list(fields)[: len(expected)] == expected
    citation = claim_graph_schema()["$defs"]["Citation"]["properties"]
    assert list(citation)[:3] == ["url", "tier", "fetch"]
