"""What becomes of the drafts of one turn: so many are taken, and each of the others has a row (I7)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.answers.conftest import Carry
from veritas.claims import Passage, SubQuery
from veritas.council.turns import Draft, Quote
from veritas.policy.cost_tiers import CostTier
from veritas.testing import FakeMember, document, fake_runtime, quote_all
from veritas.text.structure import TextBlock

PAGE = document("https://good.example/a", "Water boils at 100 degrees Celsius at sea level.")


@pytest.mark.parametrize("most", [1, 2, 3])
async def test_a_member_makes_no_more_claims_a_turn_than_its_tier_allows(carry: Carry, most: int) -> None:
    def drafts(sub_query: SubQuery, passages: Sequence[Passage]) -> list[Draft]:
        return [
            Draft(claim=f"Water boils, says number {n}.", claim_type="factual", confidence=0.9,
                  quotes=(quote_all(passages[0]),))
            for n in range(4)
        ]  # fmt: skip

    tier = CostTier(rounds=1, providers_per_member=1, verifier="dedicated", claims_per_turn=most)
    graph = await carry(fake_runtime([PAGE], members=[FakeMember(on_assert=drafts)], tier=tier))
    made, rows = len(graph.claims), [e.reason for e in graph.events if e.kind == "draft-rejected"]
    turns = len(graph.sub_queries)
    assert (made, len(rows)) == (most, (4 - most) * turns)
    assert all(f"beyond {most} claims a turn" in row for row in rows)


async def test_a_claim_is_printed_without_the_bullet_of_its_item(carry: Carry) -> None:
    text = "Two things:\n\n- Water boils at 100 degrees Celsius."
    blocks = (TextBlock("prose", 0, 11), TextBlock("item", 13, len(text)))
    page = document("https://good.example/list", text, blocks=blocks)

    def drafts(sub_query: SubQuery, passages: Sequence[Passage]) -> list[Draft]:
        quote = Quote(passage_id=passages[0].passage_id, quote=text[13:])
        return [Draft(claim=text[13:], claim_type="factual", confidence=0.9, quotes=(quote,))]

    graph = await carry(fake_runtime([page], members=[FakeMember(on_assert=drafts)]))
    assert {c.claim for c in graph.claims} == {"Water boils at 100 degrees Celsius."}


CADDY = document(
    "https://good.example/caddy",
    "Local HTTPS needs no domain. Caddy's local CA is powered by Smallstep. It works only on the local machine.",
)


@pytest.mark.parametrize(
    ("claim", "kept"),
    [
        ("Local HTTPS works only on the local machine.", True),
        ("Caddy's local CA works only on the local machine.", True),
        ("Traefik works only on the local machine.", False),
    ],
)
async def test_name_that_a_claim_gives_to_an_it_stands_before_its_quote(carry: Carry, claim: str, kept: bool) -> None:
    def drafts(sub_query: SubQuery, passages: Sequence[Passage]) -> list[Draft]:
        quote = Quote(passage_id=passages[0].passage_id, quote="It works only on the local machine.")
        return [Draft(claim=claim, claim_type="factual", confidence=0.9, quotes=(quote,))]

    graph = await carry(fake_runtime([CADDY], members=[FakeMember(on_assert=drafts)]))
    assert [c.claim for c in graph.claims] == ([claim] if kept else [])
    rows = [e.reason for e in graph.events if e.kind == "draft-rejected"]
    assert kept != any("stands nowhere before it" in row for row in rows)
