"""An envelope that contradicts itself cannot be made."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from pydantic import ValidationError

from veritas.claims import Citation, ClaimEnvelope, Provenance, SpanRef, claim_id


def cited(*documents: str) -> tuple[Citation, ...]:
    return tuple(
        Citation(url=f"https://{name}.example/", tier=1, fetch=date(2026, 1, 1), document_id=name) for name in documents
    )


def parts(**changes: Any) -> dict[str, Any]:
    span = SpanRef(passage_id="p-1", document_id="d", start=0, end=5)
    return {
        "claim_id": claim_id("A b c.", "m", (span,)),
        "claim": "A b c.",
        "claim_type": "factual",
        "confidence": 0.5,
        "citations": (Citation(url="https://a.example/", tier=1, fetch=date(2026, 1, 1), document_id="d"),),
        "source_passages": ("A b c",),
        "asserted_by": "m",
        "spans": (span,),
        "provenance": Provenance(member="m", family="f", sub_query_id="q"),
        **changes,
    }


def test_whole_envelope_is_made_and_cannot_be_changed() -> None:
    made = ClaimEnvelope(**parts())
    with pytest.raises(ValidationError):
        made.claim = "other"


@pytest.mark.parametrize(
    "changes",
    [
        {"source_passages": ()},
        {"source_passages": ("a", "b")},
        {"citations": ()},
        {"confidence": 1.01},
        {"claim": ""},
        {"claim_type": "opinion"},
        {"debate_status": "won"},
        {"invented": 1},
        {"citations": cited("other")},
        {"citations": cited("d", "other")},  # one that no span lies in
        {  # a span in a document that is not cited
            "source_passages": ("A b c", "A b c"),
            "spans": tuple(SpanRef(passage_id="p", document_id=name, start=0, end=5) for name in ("d", "other")),
        },
    ],
)
def test_contradictory_envelope_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ClaimEnvelope(**parts(**changes))


@pytest.mark.parametrize("tier", [4, 0, "wikipedia"])
def test_no_citation_of_a_tier_that_is_not_admitted(tier: Any) -> None:
    with pytest.raises(ValidationError):
        Citation(url="https://a.example/", tier=tier, fetch=date(2026, 1, 1), document_id="d")


def test_claim_id_depends_on_words_member_place_and_ancestor_alone() -> None:
    span = SpanRef(passage_id="p-1", document_id="d", start=0, end=5)
    moved = SpanRef(passage_id="p-1", document_id="d", start=1, end=5)
    base = claim_id("A", "m", (span,))
    assert base == claim_id("A", "m", (SpanRef(passage_id="p-other", document_id="d", start=0, end=5),))
    assert len({base, claim_id("B", "m", (span,)), claim_id("A", "n", (span,)), claim_id("A", "m", (moved,)),
                claim_id("A", "m", (span,), "c-1")}) == 5  # fmt: skip
