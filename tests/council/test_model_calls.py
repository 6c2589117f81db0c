"""One language model over real HTTP: what it answers, how it fails, and what becomes of it."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from tests.loopback.scripted import honest
from tests.loopback.server import Asked, Loopback, Reply, Script, fault, loopback
from veritas.council.connections import Switchboard
from veritas.council.failures import CallFailed, LeftOut
from veritas.council.litellm_model import close_clients
from veritas.council.model_lens import ModelLens
from veritas.council.prompt import prompt
from veritas.errors import Unavailable, UnreadableAnswer
from veritas.policy.council_policy import ModelPolicy, RateLimits
from veritas.store.call_record import collecting_calls

CLAIM, PASSAGE = "Water boils at 100 °C.", "Water boils at 100 °C. At sea level, that is."
FAST = {"timeout": 20.0, "retries": 1, "backoff": 0.01, "patience": 2.0}


@pytest.fixture
async def board() -> Any:
    made = Switchboard()
    yield made
    await close_clients()


def policy(server: Loopback, name: str = "judge", **more: Any) -> ModelPolicy:
    limits = {**FAST, **more.pop("limits", {})}
    given = {"model": "openai/gpt-5.4-mini", "family": "other", "structured": "schema", "base_url": server.url, **more}
    return ModelPolicy.model_validate({"name": name, "limits": limits, **given})


def lens(server: Loopback, board: Switchboard, script: Script, **more: Any) -> ModelLens:
    server.script = script
    server.asked.clear()
    return ModelLens("judge", "other", board.connect(policy(server, **more)))


def in_turn(*replies: Reply | Script) -> Script:
    """Answers with each in turn, and with the last for ever."""
    left = list(replies)

    def script(asked: Asked) -> Reply:
        reply = left.pop(0) if len(left) > 1 else left[0]
        return reply if isinstance(reply, Reply) else reply(asked)

    return script


async def test_judge_is_sent_claim_and_passage_alone_and_its_answer_is_priced(
    server: Loopback, board: Switchboard
) -> None:
    judge = lens(server, board, honest)
    with collecting_calls() as calls:
        judgment = await judge.judge(CLAIM, PASSAGE)
    assert (judgment.label, judgment.score, judgment.lens, judgment.family) == ("supports", 0.95, "judge", "other")
    (asked,) = server.asked
    assert [m["role"] for m in asked.messages] == ["system", "user"]
    assert CLAIM in asked.messages[1]["content"]
    assert "sea level" in asked.messages[1]["content"]
    assert asked.body["response_format"]["type"] == "json_schema"
    assert asked.headers["authorization"] == "Bearer none"
    (call,) = calls
    assert call.input_tokens > 0
    assert call.cost_usd == pytest.approx(call.input_tokens * 7.5e-7 + call.output_tokens * 4.5e-6)
    assert (call.who, call.turn, call.model, call.from_ledger) == ("judge", "judge", "openai/gpt-5.4-mini", False)


async def test_price_that_nobody_knows_is_unknown_and_not_nothing(server: Loopback, board: Switchboard) -> None:
    judge = lens(server, board, honest, model="openai/some-model-of-ours")
    with collecting_calls() as calls:
        await judge.judge(CLAIM, PASSAGE)
    assert calls[0].cost_usd is None
    named = lens(server, board, honest, model="openai/some-model-of-ours", price={"input": 1.0, "output": 2.0})
    with collecting_calls() as calls:
        await named.judge(CLAIM + " ", PASSAGE)
    assert calls[0].cost_usd == pytest.approx((calls[0].input_tokens + 2 * calls[0].output_tokens) / 1e6)


@pytest.mark.parametrize(
    "bad",
    [
        Reply("I think the passage clearly supports the claim."),
        Reply('{"rationale": "It says so.", "label": "supp', finish="length"),
        Reply('{"verdict": "yes"}'),
        Reply('{"rationale": "x", "label": "supports", "score": 7}'),
        Reply('{"rationale": "x", "label": "Supports!", "score": 0.5}'),
        Reply('{"rationale": "x", "label": "supports", "score": NaN}'),
        Reply('{"rationale": "\\ud800", "label": "supports", "score": 0.5}'),
        Reply('[{"label": "supports"}]'),
        Reply("[" * 10_000),
        Reply(""),
        Reply(refusal="I can't help with that."),
    ],
    ids="prose cut-off keys bounds label nan surrogate list deep empty refusal".split(),
)
async def test_unfit_answer_is_asked_for_again_with_the_error_and_then_counts(
    server: Loopback, board: Switchboard, bad: Reply
) -> None:
    judge = lens(server, board, in_turn(bad, bad, honest))
    assert (await judge.judge(CLAIM, PASSAGE)).label == "supports"
    assert len(server.asked) == 3
    again = server.asked[2].messages
    assert [m["role"] for m in again] == ["system", "user", "assistant", "user"]
    assert "could not be used" in again[-1]["content"]
    assert '"rationale"' in again[-1]["content"]


async def test_answer_that_never_fits_is_unavailable_after_three(server: Loopback, board: Switchboard) -> None:
    judge = lens(server, board, lambda _: Reply("Certainly! The label is: supports."))
    with pytest.raises(UnreadableAnswer, match="3 times"):
        await judge.judge(CLAIM, PASSAGE)
    assert len(server.asked) == 3


async def test_server_that_refuses_schemas_is_asked_by_prompt_from_there_on(
    server: Loopback, board: Switchboard
) -> None:
    def script(asked: Asked) -> Reply:
        return fault(400, "response_format is not supported") if "response_format" in asked.body else honest(asked)

    judge = lens(server, board, script)
    assert (await judge.judge(CLAIM, PASSAGE)).label == "supports"
    assert (await judge.judge(CLAIM, PASSAGE + " Surely.")).label == "supports"
    assert ["response_format" in a.body for a in server.asked] == [True, False, False]


@pytest.mark.parametrize(
    "passing",
    [
        fault(429, Retry_After="0"),
        fault(500),
        fault(503),
        fault(529, "overloaded"),
        Reply(raw=b"<html>502 Bad Gateway</html>"),
        Reply(raw=b""),
        Reply(raw=b'{"choices": []}'),
        Reply(raw=b"[]"),
        Reply(raw=b'{"choices": [{"message": null}]}'),
    ],
    ids=["429", "500", "503", "529", "html", "nothing", "no-choices", "list", "no-message"],
)
async def test_what_may_pass_is_tried_again(server: Loopback, board: Switchboard, passing: Reply) -> None:
    judge = lens(server, board, in_turn(passing, honest))
    assert (await judge.judge(CLAIM, PASSAGE)).label == "supports"
    assert len(server.asked) == 2


@pytest.mark.parametrize("lasting", [fault(400), fault(401), fault(403), fault(404)], ids=["400", "401", "403", "404"])
async def test_what_cannot_pass_is_not_tried_again(server: Loopback, board: Switchboard, lasting: Reply) -> None:
    judge = lens(server, board, lambda _: lasting, structured="prompt")
    with pytest.raises(Unavailable):
        await judge.judge(CLAIM, PASSAGE)
    assert len(server.asked) == 1
    if lasting.status != 400:
        assert judge.out is not None
        with pytest.raises(LeftOut):
            await judge.judge(CLAIM, "Another passage.")
        assert len(server.asked) == 1


@pytest.mark.parametrize("when", ["seconds", "date"])
async def test_hours_that_a_provider_asks_for_are_reported_and_not_waited(
    server: Loopback, board: Switchboard, when: str
) -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(hours=2, seconds=30), usegmt=True)
    judge = lens(server, board, lambda _: fault(429, Retry_After="7200" if when == "seconds" else date))
    start = time.monotonic()
    with pytest.raises(LeftOut, match=r"asks to wait 2 h, until .*\d\d:\d\d UTC"):
        await judge.judge(CLAIM, PASSAGE)
    assert time.monotonic() - start < 2
    assert len(server.asked) == 1


async def test_after_three_calls_that_failed_a_model_is_left_out(server: Loopback, board: Switchboard) -> None:
    judge = lens(server, board, lambda _: fault(500), limits={"retries": 0, "backoff": 0.01})
    for i in range(2):
        with pytest.raises(CallFailed):
            await judge.judge(CLAIM, f"Passage {i}.")
    with pytest.raises(LeftOut, match="3 calls in a row failed"):
        await judge.judge(CLAIM, "Passage 3.")
    assert judge.out is not None
    with pytest.raises(LeftOut):
        await judge.judge(CLAIM, "Passage 4.")
    assert len(server.asked) == 3


async def test_model_without_another_to_answer_for_it_is_tried_longer(server: Loopback, board: Switchboard) -> None:
    judge = lens(server, board, in_turn(*[fault(503)] * 5, honest), limits={"retries": 2, "backoff": 0.01})
    assert (await judge.judge(CLAIM, PASSAGE)).label == "supports"
    assert len(server.asked) == 6


async def test_answered_call_is_not_asked_again_and_costs_nothing_again(
    server: Loopback, board: Switchboard
) -> None:
    judge = lens(server, board, honest)
    with collecting_calls() as calls:
        first = await judge.judge(CLAIM, PASSAGE)
        second = await judge.judge(CLAIM, PASSAGE)
    assert first == second
    assert len(server.asked) == 1
    assert [c.from_ledger for c in calls] == [False, True]
    assert calls[0].request_hash == calls[1].request_hash
    entry = board.ledger.get(calls[0].request_hash)
    assert entry is not None
    assert entry.prompt == prompt("judge").id
    assert entry.request["messages"] == server.asked[0].messages
    assert "Bearer" not in json.dumps(entry.request)


async def test_same_question_at_the_same_time_is_one_request(server: Loopback, board: Switchboard) -> None:
    judge = lens(server, board, lambda asked: Reply(honest(asked).text, seconds=0.2))
    with collecting_calls() as calls:
        judged = await asyncio.gather(*(judge.judge(CLAIM, PASSAGE) for _ in range(5)))
    assert {j.label for j in judged} == {"supports"}
    assert len(server.asked) == 1
    assert sorted(c.from_ledger for c in calls) == [False, True, True, True, True]


async def test_no_more_at_once_than_a_provider_is_asked() -> None:
    slowly: Script = lambda asked: Reply(honest(asked).text, seconds=0.1)  # noqa: E731
    with loopback(slowly) as server:
        board = Switchboard({server.url: RateLimits(at_once=2)})
        judge = lens(server, board, slowly)
        await asyncio.gather(*(judge.judge(CLAIM, f"{PASSAGE} {i}") for i in range(6)))
        assert (len(server.asked), server.most_at_once) == (6, 2)
        await close_clients()


async def test_passage_longer_than_the_window_is_cut_around_the_claim_and_the_cut_is_recorded(
    server: Loopback, board: Switchboard
) -> None:
    judge = lens(server, board, honest, window=4096)
    filler = "The weather was fine on most days of the long and eventful year. " * 2_000
    with collecting_calls() as calls:
        judgment = await judge.judge(CLAIM, filler + CLAIM + " " + filler)
    assert judgment.label == "supports"
    (asked,) = server.asked
    assert len(asked.text) < 4 * 4096
    assert "characters 1" in judgment.rationale
    entry = board.ledger.get(calls[0].request_hash)
    assert entry is not None
    assert entry.request["cuts"][0].startswith("passage: characters 1")


async def test_key_goes_to_its_own_provider_and_to_no_other_server(server: Loopback) -> None:
    environ = {"OPENAI_API_KEY": "sk-of-openai", "MINE": "sk-of-mine"}
    board = Switchboard(environ=environ)
    await lens(server, board, honest).judge(CLAIM, PASSAGE)
    assert server.asked[0].headers["authorization"] == "Bearer none"
    await lens(server, board, honest, key="MINE").judge(CLAIM, PASSAGE + "!")
    assert server.asked[0].headers["authorization"] == "Bearer sk-of-mine"
    await close_clients()


async def test_other_protocols_and_ollama_work_the_same_way_and_nobody_else_is_asked(server: Loopback) -> None:
    """Anthropic's protocol by its own key header; Ollama's with the context it is to make. LiteLLM would also fetch
    lists from the web: it is kept from it, which the guard against the network would turn into an error."""
    verdict = '{"rationale": "It says so.", "label": "supports", "score": 0.9}'

    def script(asked: Asked) -> Reply:
        if asked.path.endswith("/v1/messages"):
            body: dict[str, Any] = {
                "id": "m", "type": "message", "role": "assistant", "model": asked.model, "stop_reason": "end_turn",
                "content": [{"type": "text", "text": verdict}], "usage": {"input_tokens": 400, "output_tokens": 20},
            }
        else:
            body = {
                "model": asked.model, "message": {"role": "assistant", "content": verdict}, "done": True,
                "done_reason": "stop", "prompt_eval_count": 400, "eval_count": 20,
            }
        return Reply(raw=json.dumps(body).encode())

    looked_up.clear()
    board = Switchboard(environ={"KEY": "sk-ours"})
    root = server.url.removesuffix("/v1")
    claude = lens(server, board, script, model="anthropic/claude-haiku-4-5", base_url=root, key="KEY")
    with collecting_calls() as calls:
        assert (await claude.judge(CLAIM, PASSAGE)).label == "supports"
    assert {k.lower(): v for k, v in server.asked[0].headers.items()}["x-api-key"] == "sk-ours"
    assert calls[0].cost_usd == pytest.approx(400 * 1e-6 + 20 * 5e-6)
    llama = lens(server, board, script, model="ollama_chat/llama3.1:8b", base_url=root, window=8192)
    assert (await llama.judge(CLAIM, PASSAGE)).label == "supports"
    asked = next(a for a in server.asked if a.path == "/api/chat")
    assert asked.body["options"]["num_ctx"] == 8192
    assert asked.body["format"]["required"] == ["rationale", "label", "score"]
    await close_clients()
    assert looked_up <= {"127.0.0.1", "localhost", None}


async def test_failure_is_said_by_server_and_status_and_the_providers_words_are_for_the_ledger(
    server: Loopback, board: Switchboard
) -> None:
    judge = lens(
        server, board, lambda _: fault(500, "the house is on fire"), model="anthropic/claude-haiku-4-5",
        base_url=server.url.removesuffix("/v1"), limits={"retries": 0},
    )  # fmt: skip
    with pytest.raises(CallFailed, match=f"{server.url.removesuffix('/v1')} answers with status 500") as failed:
        await judge.judge(CLAIM, PASSAGE)
    assert "the house is on fire" in failed.value.said
    assert "fire" not in str(failed.value)
    assert "litellm" not in str(failed.value)


looked_up: set[Any] = set()


def _look_ups(event: str, args: tuple[Any, ...]) -> None:
    if event == "socket.getaddrinfo":
        looked_up.add(args[0])


sys.addaudithook(_look_ups)
