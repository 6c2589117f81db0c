"""Which claims may be cited: what corroborates, what only seems to, and what each claim stands on."""

from __future__ import annotations

from datetime import date
from typing import Any

from veritas.answers.admission import Group, admit
from veritas.claims import Citation, ClaimEnvelope, Provenance, Source, SpanRef, claim_id

BOILS = "Water boils at 100 degrees Celsius at sea level."


def source(url: str, publisher: str, tier: int = 3, *, paywalled: bool = False) -> Source:
    return Source.model_validate(
        {"source_id": f"s-{url}", "url": url, "status": "read", "tier": tier, "paywalled": paywalled, "admitted": True,
         "justification": "listed", "rule": "test", "document_id": f"text of {url}", "publisher": publisher}
    )  # fmt: skip


def claim(of: Source, text: str = BOILS, **more: Any) -> ClaimEnvelope:
    assert of.document_id is not None
    span = SpanRef(passage_id=f"p-{of.url}", document_id=of.document_id, start=0, end=len(text))
    cited = Citation.model_validate(
        {"url": of.url, "tier": of.tier, "fetch": date(2026, 1, 1), "document_id": of.document_id,
         "paywalled": of.paywalled}
    )  # fmt: skip
    return ClaimEnvelope.model_validate(
        {"claim_id": claim_id(text, "ada", (span,)), "claim": text, "claim_type": "factual", "confidence": 0.9,
         "citations": (cited,), "source_passages": (text,), "asserted_by": "ada", "spans": (span,),
         "verifier_judgment": "supports", "provenance": Provenance(member="ada", family="a", sub_query_id="q"), **more}
    )  # fmt: skip


def admitted(*sources: Source) -> tuple[tuple[Group, ...], list[str]]:
    """The groups of one claim that each of the sources states, and the kinds of the rows of those left out."""
    groups, events = admit([claim(s) for s in sources], {s.document_id: s for s in sources if s.document_id})
    return groups, [event.kind for event in events]


def test_two_pages_of_one_publisher_are_one_voice_of_tier_three() -> None:
    one, other = source("https://news.example/1", "news.example"), source("https://m.news.example/2", "news.example")
    assert admitted(one, other) == ((), ["claim-uncorroborated", "claim-uncorroborated"])


def test_two_publishers_of_tier_three_corroborate_each_other() -> None:
    one, other = source("https://a.example/1", "a.example"), source("https://b.example/1", "b.example")
    (group,), left_out = admitted(one, other)
    assert (len(group.citations), group.badges, left_out) == (2, (), [])


def test_what_is_paywalled_is_corroborated_by_an_open_source_of_tier_one_or_two_alone() -> None:
    shut = source("https://journal.example/1", "journal.example", 1, paywalled=True)
    for tier, badges in ((1, ()), (2, ()), (3, ("paywalled-only",))):
        (group,), _ = admitted(shut, source("https://open.example/1", "open.example", tier))
        assert group.badges == badges
    (alone,), _ = admitted(shut)
    assert alone.badges == ("paywalled-only",)
    (both_shut,), _ = admitted(shut, source("https://other.example/1", "other.example", 1, paywalled=True))
    assert both_shut.badges == ("paywalled-only",)


def test_a_reading_is_not_cited_where_what_it_stands_on_was_not_supported() -> None:
    page = source("https://a.example/1", "a.example", 1)
    ground = claim(page, "Half of them burst.", verifier_judgment="silent")
    reading = claim(page, "So the pipes are weak.", claim_type="interpretive", stands_on=(ground.claim_id,))
    sources = {page.document_id or "": page}
    groups, events = admit([ground, reading], sources)
    assert groups == ()
    assert [(e.kind, e.subject_id) for e in events] == [
        ("claim-unused", ground.claim_id), ("claim-dropped", reading.claim_id)
    ]  # fmt: skip
    firm = ground.model_copy(update={"verifier_judgment": "supports"})
    assert len(admit([firm, reading], sources)[0]) == 2


def test_a_claim_that_a_person_let_in_carries_no_reading() -> None:
    page = source("https://a.example/1", "a.example", 1)
    ground = claim(page, "Half of them burst.")
    reading = claim(page, "So the pipes are weak.", claim_type="interpretive", stands_on=(ground.claim_id,))
    groups, events = admit([ground, reading], {page.document_id or "": page}, {ground.claim_id})
    assert [group.first for group in groups] == [ground]
    assert [(e.kind, e.subject_id) for e in events] == [("claim-dropped", reading.claim_id)]
