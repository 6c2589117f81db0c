"""A model's claim that says "it" for its subject is asked for again, with the name."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import pytest

from tests.loopback.server import Asked, Reply, loopback
from veritas.claims.graph import SubQuery
from veritas.claims.sources import Passage
from veritas.council.answer_schemas import Reply as Answer
from veritas.council.connections import Switchboard
from veritas.council.litellm_model import close_clients
from veritas.council.model_member import ModelMember
from veritas.meaning.compare import unnamed
from veritas.policy.council_policy import CallLimits, ModelPolicy

TEXT = "Borg compact frees repository space. It should be run regularly, for example once a week."
NAMED = "Borg compact should be run regularly, for example once a week."


@pytest.fixture(autouse=True)
async def closed() -> AsyncIterator[None]:
    yield
    await close_clients()


def draft(claim: str, quote: str) -> dict[str, object]:
    return {"claim": claim, "claim_type": "factual", "confidence": 0.9, "stands_on": [],
            "quotes": [{"passage_id": "p-1", "quote": quote}]}  # fmt: skip


async def test_claim_without_the_name_of_its_subject_is_asked_for_again_and_the_others_are_kept() -> None:
    first, second = TEXT.split(". ")
    given = [draft(f"{first}.", f"{first}."), draft(second, second)]

    def script(asked: Asked) -> Reply:
        again = len(asked.messages) > 2
        return Reply(json.dumps({"claims": [draft(NAMED, second)] if again else given}))

    with loopback(script) as server:
        policy = ModelPolicy(name="m", model="openai/scripted", family="acme", base_url=server.url, window=16_000,
                             structured="schema", limits=CallLimits(retries=0))  # fmt: skip
        member = ModelMember("m", "acme", Switchboard(environ={}).connect(policy), most=3)
        passage = Passage(passage_id="p-1", document_id="d", start=0, end=len(TEXT), text=TEXT)
        query = SubQuery(sub_query_id="q", text="How often is borg compact run?")
        drafts = await member.assert_claims(query, [passage])
        first_asked, again = server.asked
    assert [d.claim for d in drafts] == [f"{first}.", NAMED]
    assert "State at most 3 claims" in first_asked.text
    assert "name what its “it” is" in again.text


@pytest.mark.parametrize(
    ("claim", "word"),
    [
        ("It works only on the local machine.", "it"), ("By default they are kept for 30 days.", "they"),
        ("These settings apply to all routers.", "these"), ("There are three routers.", None),
        ("Redis and its clients need TLS.", None), ("If the file exists, it is read.", None),
        ("In this release the port is 80.", None), (NAMED, None), ("It is on record that the port is 80.", None),
        ("It will create a handler function that converts exceptions.", "it"), ("In particular, it is slow.", "it"),
    ],
)  # fmt: skip
def test_subject_without_a_name_is_known(claim: str, word: str | None) -> None:
    assert unnamed(claim) == word
    refined = Answer(kind="refinement", statement="s", claim=claim, claim_type="factual", confidence=1,
                     quotes=draft("c", "q")["quotes"])  # type: ignore[arg-type]  # fmt: skip
    assert (refined.fault() is None) == (word is None)
