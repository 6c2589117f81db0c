"""The exported claim graph and its published schema say the same."""

from __future__ import annotations

import json
from pathlib import Path

from veritas import ClaimEnvelope
from veritas.claims.graph import SCHEMA_VERSION, ClaimGraph
from veritas.claims.graph_schema import claim_graph_schema
from veritas.claims.override import Override

SCHEMAS = Path(__file__).resolve().parents[2] / "docs" / "schema"
SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "schema" / f"claim-graph-{SCHEMA_VERSION}.json"


def test_published_schema_is_what_the_code_exports() -> None:
    published = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert published == claim_graph_schema(), (
        "code and docs/schema drifted apart: python -m veritas.claims.graph_schema > docs/schema/claim-graph-1.1.json, "
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


def test_graph_of_the_schema_before_is_read_and_written_and_hashed_as_it_was() -> None:
    run = {"run_id": "r", "question": "Why?", "tier": "quick", "seed": 0, "started_at": "2026-01-01T00:00:00Z",
           "version": "0.1"}  # fmt: skip
    old = {"schema_version": "1.0", "run": run, "answer": {"status": "insufficient_evidence", "reason": "nothing"}}
    graph = ClaimGraph.model_validate(old)
    written = graph.model_dump(mode="json")
    assert written["schema_version"] == "1.0"
    known = json.loads((SCHEMAS / "claim-graph-1.0.json").read_text(encoding="utf-8"))
    assert set(written["answer"]) <= set(known["$defs"]["Answer"]["properties"])
    assert set(written) <= set(known["properties"])
    assert ClaimGraph.model_validate(written).content_hash() == graph.content_hash()
    assert ClaimGraph.model_validate({**old, "schema_version": "1.1"}).content_hash() != graph.content_hash()


def test_what_a_claim_and_an_override_have_gained_since_is_not_written_where_it_says_nothing() -> None:
    known = json.loads((SCHEMAS / "claim-graph-1.0.json").read_text(encoding="utf-8"))["$defs"]
    now = claim_graph_schema()["$defs"]
    for name, example in (
        ("ClaimEnvelope", _claim()),
        ("Override", Override(claim_id="c", approval_id="a", name="Ada", reason="read it", at="2026-01-01T00:00:00Z")),
    ):
        assert set(now[name]["properties"]) > set(known[name]["properties"])
        assert set(example.model_dump(mode="json")) == set(known[name]["properties"])


def _claim() -> ClaimEnvelope:
    return ClaimEnvelope.model_validate({
        "claim_id": "c", "claim": "Zinc melts.", "claim_type": "factual", "confidence": 0.5, "asserted_by": "lead",
        "citations": [{"url": "corpus://a/b", "tier": 1, "fetch": "2026-01-01", "document_id": "d"}],
        "source_passages": ["Zinc melts."],
        "spans": [{"document_id": "d", "passage_id": "p", "start": 0, "end": 11}],
        "provenance": {"member": "lead", "family": "embedded:lead", "sub_query_id": "q"},
    })  # fmt: skip
