"""The scripted language model of `veritas.testing`, and members and lenses over it."""

from __future__ import annotations

import pytest

from veritas.council.answer_schemas import Verdict
from veritas.council.chat import ChatModel, Completion, Message
from veritas.council.connections import Connected
from veritas.council.model_lens import ModelLens
from veritas.errors import Unavailable
from veritas.policy.council_policy import ModelPolicy
from veritas.testing import FakeChatModel

POLICY = ModelPolicy(name="fake", model="fake/model")
ASKED = [Message(role="user", content="What now?")]


async def test_it_is_a_chat_model_that_says_its_answers_in_turn_and_keeps_what_it_was_asked() -> None:
    model = FakeChatModel(["one", Completion(text="two", finish="length"), Unavailable("gone")])
    assert isinstance(model, ChatModel)
    first = await model.complete(ASKED)
    assert (first.text, first.input_tokens, first.cost_usd) == ("one", 2, 0.0)
    assert (await model.complete(ASKED)).finish == "length"
    for _ in range(2):
        with pytest.raises(Unavailable, match="gone"):
            await model.complete(ASKED)
    assert model.asked == [tuple(ASKED)] * 4


async def test_without_answers_it_is_unavailable() -> None:
    with pytest.raises(Unavailable, match="without answers"):
        await FakeChatModel().complete(ASKED)


async def test_a_lens_over_it_judges_and_sees_the_claim_and_the_passage_alone() -> None:
    model = FakeChatModel([Verdict(rationale="It says so.", label="supports", score=0.9)])
    judgment = await ModelLens("judge", "house", Connected(model, POLICY)).judge("Ice floats.", "Ice floats on water.")
    assert judgment.label == "supports"
    ((_, data),) = model.asked
    assert "Ice floats on water." in data.content
