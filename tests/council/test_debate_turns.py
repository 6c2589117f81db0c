"""R2 and R3 without a language model: contesting, defending, conceding, refining."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.claims.sources import Passage, passage_id
from veritas.council.embedded import SalienceMember
from veritas.council.turns import (
    Objection,
    PeerClaim,
)

MEMBER = SalienceMember()


def passage(text: str, document: str = "d1") -> Passage:
    return Passage(passage_id=passage_id(document, 0, len(text)), document_id=document, start=0,
                   end=max(1, len(text)), text=text)  # fmt: skip


async def contest(claim: str, *texts: str) -> list[Objection]:
    passages = [passage(text, f"d{i}") for i, text in enumerate(texts)]
    return list(await MEMBER.contest([PeerClaim(claim_id="c1", claim=claim, claim_type="factual")], passages))


CONFLICTS = [
    ("Flowlet retries a failed task three times by default.", "By default, Flowlet retries failed tasks 10 times."),
    ("HTTPX enforces a default timeout of 5 seconds.", "HTTPX enforces a default timeout of 30 seconds."),
    ("DuckDB lets a second process read the file.", "DuckDB does not let a second process read the file."),
    ("In Flowlet, retries are disabled.", "In Flowlet, retries are enabled."),
]


@pytest.mark.parametrize(("claim", "against"), CONFLICTS)
async def test_another_number_or_the_opposite_of_one_thing_is_contested_either_way(claim: str, against: str) -> None:
    for mine, theirs in ((claim, against), (against, claim)):
        (objection,) = await contest(mine, f"The weather was fine. {theirs} Nobody knows why.")
        assert objection.claim_id == "c1"
        assert objection.counter_claim == theirs
        assert theirs in objection.quotes[0].quote


@pytest.mark.parametrize(
    ("claim", "other"),
    [
        ("In 2010 the town of Tarn had 5,200 inhabitants.", "In 2020 the town of Tarn had 6,100 inhabitants."),
        ("The Pell relay of type A costs 12 dollars.", "The Pell relay of type B costs 18 dollars."),
        ("The Quill sensor drifts outdoors.", "The Quill sensor does not drift indoors."),
        ("The Umber lamp uses 15 watts.", "The Umber lamp uses 9 watts in eco mode."),
        ("The Nerva barge needs 4 crew members.", "The Nerva barge needs 6 crew members at night."),
        ("By default the Fenn cache does not expire.", "If a limit is set, the Fenn cache expires."),
        ("HTTPX supports HTTP/2 in its client.", "The client of HTTPX does not support HTTP/2 on Windows."),
    ],
)
async def test_what_leaves_room_for_both_is_not_contested_either_way(claim: str, other: str) -> None:
    assert await contest(claim, other) == []
    assert await contest(other, claim) == []


@given(st.text(min_size=1, max_size=120), st.text(max_size=200))
@settings(max_examples=30, deadline=None)
async def test_no_text_breaks_the_turn_and_quotes_are_verbatim(claim: str, text: str) -> None:
    for objection in await contest(claim, text):
        assert objection.quotes[0].quote in text


CLAIM, COUNTER = CONFLICTS[0]
