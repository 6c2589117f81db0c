"""Pages that changed between reading and writing: what quotes them falls, with a row, and nothing else does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests.answers.conftest import Carry
from veritas import Document, Unavailable
from veritas.claims import Passage
from veritas.council.turns import ContestedClaim, Defence, Draft, Objection, PeerClaim
from veritas.policy.cost_tiers import CostTier
from veritas.reading.reader import Changed
from veritas.testing import FakeMember, FakeReader, document, fake_runtime, quote_all

BOILS = document("https://good.example/a", "Water boils at 100 degrees Celsius at sea level.")
MELTS = document("https://good.example/b", "Ice melts at 0 degrees Celsius at sea level.")
NEVER = document("https://good.example/c", "Water does not boil at 100 degrees Celsius at sea level.")


class Moody(FakeReader):
    """Reads what it has; what is in `faults` is no longer so when it is asked again."""

    def __init__(self, documents: Sequence[Document], faults: Mapping[str, Exception]) -> None:
        super().__init__(documents)
        self.faults = faults
        self.confirmed: dict[str, tuple[str, ...]] = {}

    async def confirm(self, document: Document, quotes: Sequence[str] = ()) -> None:
        self.confirmed[document.url] = tuple(quotes)
        if document.url in self.faults:
            raise self.faults[document.url]


async def test_claims_of_a_page_that_changed_fall_and_the_others_stand(carry: Carry) -> None:
    reader = Moody([BOILS, MELTS], {BOILS.url: Changed("it says something else")})
    graph = await carry(fake_runtime([BOILS, MELTS], reader=reader))
    assert [s.text for s in graph.answer.sentences if s.kind == "claim"] == [MELTS.text]
    assert {r.url for r in graph.answer.bibliography} == {MELTS.url}
    rows = {(e.kind, e.reason) for e in graph.events if e.stage == "synthesize"}
    assert ("source-unavailable", "it says something else") in rows
    assert ("claim-dropped", "its source can no longer be used: it says something else") in rows
    assert reader.confirmed[MELTS.url] == (MELTS.text,)  # the quotes, word for word


async def test_a_page_that_cannot_be_asked_is_cited_as_read_with_a_row(carry: Carry) -> None:
    reader = Moody([BOILS], {BOILS.url: Unavailable("the server is down")})
    graph = await carry(fake_runtime([BOILS], reader=reader))
    assert BOILS.text in [s.text for s in graph.answer.sentences]
    (row,) = [e for e in graph.events if "could not be checked again" in e.reason]
    assert row.kind == "note"
    assert "the server is down" in row.reason


async def test_an_error_of_ours_is_not_taken_for_a_page_that_stands(carry: Carry) -> None:
    reader = Moody([BOILS], {BOILS.url: ZeroDivisionError("a mistake in the code")})
    with pytest.raises(ZeroDivisionError):
        await carry(fake_runtime([BOILS], reader=reader))


@pytest.mark.parametrize("changed", [False, True])
async def test_an_objection_stands_as_long_as_its_counter_source_does(carry: Carry, changed: bool) -> None:
    def contest(peers: Sequence[PeerClaim], passages: Sequence[Passage]) -> Sequence[Objection]:
        against = next((p for p in passages if "not boil" in p.text), None)
        return [
            Objection(
                claim_id=peer.claim_id,
                objection="It does not.",
                counter_claim=NEVER.text,
                quotes=(quote_all(against),),
            )
            for peer in peers
            if against is not None and "100" in peer.claim
        ]

    def respond(contested: ContestedClaim, passages: Sequence[Passage]) -> Any:
        return Defence(statement="It does at sea level.", quotes=())

    one = FakeMember(name="one", family="x", on_respond=respond, on_assert=lambda q, ps: _own(ps, "boils at"))
    two = FakeMember(name="two", family="y", on_contest=contest, on_assert=lambda q, ps: [])
    reader = Moody([BOILS, NEVER], {NEVER.url: Changed("it is gone")} if changed else {})
    deep = CostTier(rounds=3, providers_per_member=1, verifier="dedicated")
    graph = await carry(fake_runtime([BOILS, NEVER], members=[one, two], reader=reader, tier=deep))
    assert [x.resolution for x in graph.contestations] == ["open"]
    dissent = [s for s in graph.answer.sentences if s.kind == "dissent"]
    assert bool(dissent) is not changed
    assert NEVER.url in reader.confirmed
    assert any("its counter-source can no longer be used" in e.reason for e in graph.events) is changed


def _own(passages: Sequence[Passage], word: str) -> Sequence[Any]:
    return [
        Draft(claim=p.text, claim_type="factual", confidence=0.9, quotes=(quote_all(p),))
        for p in passages
        if word in p.text
    ]


