"""The rules of the debate: which document counts against a claim, which one for it, and what a concession ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from tests.answers.conftest import Carry
from veritas.claims import ClaimGraph, Passage
from veritas.council.turns import Concession, ContestedClaim, Defence, Draft, Objection, PeerClaim, Quote, Response
from veritas.documents.document import Document
from veritas.policy.cost_tiers import CostTier
from veritas.testing import FakeLens, FakeMember, document, fake_runtime

CLAIM = "Water boils at 100 degrees."
OWN = document("https://good.example/own", f"{CLAIM} On a mountain it boils at 90 degrees.")
OTHER = document(
    "https://good.example/other", "On Everest water boils at 71 degrees. Water boils at 100 degrees, as said."
)
DEEP = CostTier(rounds=3, providers_per_member=1, verifier="dedicated")

Responds = Callable[[ContestedClaim, Sequence[Passage]], Response]


def of(passages: Sequence[Passage], words: str) -> Quote:
    return Quote(passage_id=next(p.passage_id for p in passages if words in p.text), quote=words)


def contesting(*words: str, quoting: str = "") -> FakeMember:
    """A member that makes one objection for each of the words to every claim of its peers, and quotes them."""

    def contest(claims: Sequence[PeerClaim], passages: Sequence[Passage]) -> list[Objection]:
        return [
            Objection(claim_id=c.claim_id, objection="No.", counter_claim=each, quotes=(of(passages, quoting or each),))
            for c in claims
            for each in words
        ]

    return FakeMember("b", "fb", on_assert=lambda q, ps: [], on_contest=contest)


async def debated(
    carry: Carry, challenger: FakeMember, responds: Responds | None = None, *more: Document
) -> ClaimGraph:
    def asserts(passages: Sequence[Passage]) -> list[Draft]:
        return [Draft(claim=CLAIM, claim_type="factual", confidence=0.9, quotes=(of(passages, CLAIM),))]

    author = FakeMember("a", "fa", on_assert=lambda q, ps: asserts(ps), on_respond=responds)
    # Supports what its passage says, is silent on ice, and refutes the rest.
    lens = FakeLens(
        verdict=lambda c, passage: "supports" if c.rstrip(".") in passage else "silent" if "ice" in c else "refutes"
    )
    return await carry(fake_runtime([OWN, OTHER, *more], members=[author, challenger], verifiers=[lens], tier=DEEP))


async def test_the_document_that_a_claim_rests_on_is_no_counter_source_to_it(carry: Carry) -> None:
    graph = await debated(carry, contesting("On a mountain it boils at 90 degrees."))
    (contestation,) = graph.contestations
    assert contestation.resolution == "invalid"
    assert "the very document the claim rests on" in contestation.ruling
    (claim,) = graph.claims
    assert claim.debate_status == "uncontested"


@pytest.mark.parametrize("position", ["Nobody knows what ice does.", "Water boils at 12 degrees."])
async def test_an_objection_counts_only_where_its_counter_source_is_found_to_support_it(
    carry: Carry, position: str
) -> None:
    graph = await debated(carry, contesting(position, quoting="On Everest water boils at 71 degrees."))
    (contestation,), (claim,) = graph.contestations, graph.claims
    assert (contestation.resolution, claim.debate_status) == ("invalid", "uncontested")
    assert "its counter-source does not support it" in contestation.ruling
    assert [e.kind for e in graph.events if e.stage == "debate"] == ["contestation-invalid"]


@pytest.mark.parametrize(
    ("words", "resolution", "status"),
    [(CLAIM, "open", "contested"), ("Water boils at 100 degrees, as said.", "defended", "defended")],
)
async def test_a_defence_brings_a_source_beyond_those_that_the_claim_rests_on(
    carry: Carry, words: str, resolution: str, status: str
) -> None:
    def responds(contested: ContestedClaim, passages: Sequence[Passage]) -> Response:
        return Defence(statement="It stands.", quotes=(of(passages, words),))

    graph = await debated(carry, contesting("On Everest water boils at 71 degrees."), responds)
    (contestation,), (claim,) = graph.contestations, graph.claims
    assert (contestation.resolution, claim.debate_status) == (resolution, status)
    void = [e.reason for e in graph.events if e.kind == "defence-invalid"]
    assert ("no source beyond those" in " ".join(void)) == (resolution == "open")


class ModelMember(FakeMember):
    model = "some-model"


@pytest.mark.parametrize("rounds", [1, 3], ids=["quick", "each gives up for the other"])
async def test_two_values_in_one_document_contest_each_other_at_every_tier(carry: Carry, rounds: int) -> None:
    page = document(
        "https://good.example/manual",
        "The Acme widget runs for 12 hours on one charge.\n\nThe Acme widget runs for 500 hours on one charge.",
    )
    told = page.text.split("\n\n")

    def asserts(passages: Sequence[Passage]) -> list[Draft]:
        return [Draft(claim=t, claim_type="numerical", confidence=0.9, quotes=(of(passages, t),)) for t in told]

    def concedes(contested: ContestedClaim, passages: Sequence[Passage]) -> Response:
        return Concession(statement="I was wrong.")

    tier = CostTier(rounds=rounds, providers_per_member=1, verifier="dedicated")
    member = ModelMember("a", "fa", on_assert=lambda q, ps: asserts(ps), on_respond=concedes)
    graph = await carry(fake_runtime([page], members=[member], tier=tier))
    assert [(c.claim, c.debate_status) for c in graph.claims] == [(each, "contested") for each in told]
    assert [(x.counter_claim, x.resolution) for x in graph.contestations] == [(told[1], "open"), (told[0], "open")]
    notes = {s.text: s.footnote for s in graph.answer.sentences if s.kind == "claim"}
    assert notes == {one: f"The same source also says: “{other}”" for one, other in (told, told[::-1])}
