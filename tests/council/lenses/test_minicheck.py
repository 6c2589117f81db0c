"""MiniCheck behind a real server on loopback: its form, its score, long documents, and everything that is no answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.loopback.fact_checker import checks, read
from tests.loopback.server import Asked, Loopback, Reply, Script, fault, loopback
from veritas.claims.judgment import Judgment
from veritas.council.connections import Switchboard
from veritas.council.seated_council import Council, build_council
from veritas.council.select_council import choose_council
from veritas.errors import InputError
from veritas.gate.lens_calls import Ask, checked, first_judged
from veritas.judging.lens import Pair
from veritas.store.call_record import collecting_calls

PASSAGE = "Zinc shortened colds by a day. Nobody measured sleep."
COUNCIL = """
members:
  - {{name: a, member: embedded-lead, judge: embedded-coverage}}
judges:
  - name: checker
    lens: minicheck
    model: openai/bespoke-minicheck
    family: bespoke-labs
    base_url: {url}
    price: {{input: 1, output: 2}}
    limits: {{timeout: {timeout}, retries: 0}}
    {more}
verifiers: [checker]
writer: a
"""


def seated(tmp_path: Path, url: str, more: str = "", timeout: float = 20) -> Council:
    file = tmp_path / "council.yaml"
    file.write_text(COUNCIL.format(url=url, more=more, timeout=timeout), encoding="utf-8")
    policy = choose_council(file, {}).policy
    return build_council(policy, Switchboard(policy.providers))


async def judged(
    tmp_path: Path, script: Script, claim: str, passage: str = PASSAGE, more: str = "", seconds: float = 20
) -> tuple[Judgment, Loopback]:
    with loopback(script, models=("bespoke-minicheck",)) as server:
        lens = seated(tmp_path, server.url, more, seconds).lenses["checker"]
        ((found, _),) = await first_judged([lens], [Pair(claim=claim, passage=passage)], 60)
        return checked(Ask(lens, claim, passage), found), server


async def test_yes_is_support_with_the_probability_that_the_server_tells(tmp_path: Path) -> None:
    found, server = await judged(tmp_path, checks(0.9), "Zinc shortened colds")
    assert (found.label, found.lens, found.family) == ("supports", "checker", "bespoke-labs")
    assert found.score == pytest.approx(0.9)
    (asked,) = server.asked
    assert (asked.body["logprobs"], asked.body["top_logprobs"]) == (True, 5)
    assert asked.messages[0]["role"] == "system"
    assert asked.messages[0]["content"].startswith("Determine whether the provided claim is consistent")
    assert asked.messages[1]["content"] == f"Document: {PASSAGE}\nClaim: Zinc shortened colds"


async def test_no_is_silent_and_never_refutes(tmp_path: Path) -> None:
    found, _ = await judged(tmp_path, checks(0.8), "Zinc prolonged colds")
    assert (found.label, found.score) == ("silent", pytest.approx(0.8))


async def test_a_server_without_probabilities_gives_a_plain_score(tmp_path: Path) -> None:
    found, _ = await judged(tmp_path, checks(None), "Zinc shortened colds")
    assert (found.label, found.score) == ("supports", pytest.approx(0.75))
    assert "tells no probabilities of Yes and No" in found.rationale


@pytest.mark.parametrize(
    "told",
    [
        {"content": [{"token": "Yes", "logprob": "NaN", "top_logprobs": []}]},
        {"content": [{"token": "Yes", "logprob": -1e308, "top_logprobs": [{"token": "No", "logprob": -1e308}]}]},
        {"content": [{"token": "Perhaps", "logprob": -0.1, "top_logprobs": []}]},
        {"content": None},
    ],
)
async def test_what_is_no_probability_is_no_score(tmp_path: Path, told: Any) -> None:
    found, _ = await judged(tmp_path, lambda asked: Reply("Yes", logprobs=told), "Zinc shortened colds")
    assert found.label in ("supports", "unavailable")
    assert found.score in (pytest.approx(0.75), 0.0)


@pytest.mark.parametrize(
    "reply",
    [
        Reply("Maybe"), Reply("Yes and No"),
        Reply("Yes, because it goes on and", finish="length"),
        Reply('{"label": "supports"}'), Reply(raw=b"<html>not JSON</html>"), fault(500),
        Reply("Yes" + " " * 20_000_000),
    ],
)
async def test_what_is_neither_yes_nor_no_is_unavailable(tmp_path: Path, reply: Reply) -> None:
    found, _ = await judged(tmp_path, lambda asked: reply, "Zinc shortened colds")
    assert (found.label, found.score) == ("unavailable", 0.0)
    assert found.rationale


async def test_a_server_that_hangs_is_unavailable(tmp_path: Path) -> None:
    found, _ = await judged(tmp_path, lambda asked: Reply("Yes", seconds=3), "Zinc shortened colds", seconds=0.5)
    assert found.label == "unavailable"
    assert "no answer within" in found.rationale


async def test_a_key_in_an_answer_is_withheld(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = "sk-quite-secret-0123456789abcdef"
    monkeypatch.setenv("CHECKER_KEY", key)
    file = tmp_path / "council.yaml"
    with loopback(lambda asked: fault(400, f"bad {asked.headers}")) as server:
        file.write_text(COUNCIL.format(url=server.url, more="key: CHECKER_KEY", timeout=9), encoding="utf-8")
        lens = build_council(choose_council(file).policy).lenses["checker"]
        ((found, _),) = await first_judged([lens], [Pair(claim="a", passage="b")], 60)
        assert key in str(server.asked[0].headers)
    assert found.label == "unavailable"
    assert key not in found.rationale


def long_document(count: int) -> str:
    return " ".join(f"Sentence number {i} speaks of the weather in a town and of nothing else." for i in range(count))


async def test_a_chunk_without_an_answer_leaves_a_yes_and_makes_no_of_none(tmp_path: Path) -> None:
    passage = f"{long_document(60)} Zinc shortened colds. {long_document(60)}"

    def script(asked: Asked) -> Reply:
        document, _ = read(asked)
        return fault(400) if "Zinc" not in document else checks(0.9)(asked)

    yes, _ = await judged(tmp_path, script, "Zinc shortened colds", passage, "window: 1024")
    no, _ = await judged(tmp_path, script, "Zinc shortened sleep", passage, "window: 1024")
    assert (yes.label, no.label) == ("supports", "unavailable")


async def test_a_claim_that_fills_the_window_is_unavailable(tmp_path: Path) -> None:
    found, server = await judged(tmp_path, checks(), long_document(200), PASSAGE, "window: 1024")
    assert (found.label, server.asked) == ("unavailable", [])


async def test_calls_are_recorded_and_paid_once(tmp_path: Path) -> None:
    with loopback(checks(0.9)) as server:
        lens = seated(tmp_path, server.url).lenses["checker"]
        with collecting_calls() as calls:
            one = await lens.judge("Zinc shortened colds", PASSAGE)
            two = await lens.judge("Zinc shortened colds", PASSAGE)
    assert one == two
    assert len(server.asked) == 1
    assert [call.from_ledger for call in calls] == [False, True]
    assert calls[0].cost_usd
    assert (calls[0].turn, calls[0].who, calls[0].model) == ("judge", "checker", "openai/bespoke-minicheck")


def test_claims_of_a_model_of_its_family_are_not_its_to_judge(tmp_path: Path) -> None:
    from veritas.council.families import may_judge

    assert not may_judge("bespoke-labs", "internlm")
    assert may_judge("bespoke-labs", "meta")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("{name: c, lens: minicheck, family: x}", "add model:"),
        ("{name: c, lens: nowhere, family: x}", "nowhere"),
        ("{name: c, model: openai/x, base_url: 'http://h', family: x, folder: f}", "can be set with lens: only"),
        ("{name: c, lens: onnx, folder: nowhere}", "add family:"),
        ("{name: c, lens: onnx, folder: nowhere, family: 'embedded:numeric'}", "no family of language models"),
        ("{name: c, lens: minicheck, model: openai/gpt-4o, family: meta}", "is of the family openai"),
    ],
)
def test_a_judge_that_cannot_be_made_is_an_error_that_says_why(tmp_path: Path, lines: str, said: str) -> None:
    file = tmp_path / "council.yaml"
    file.write_text(
        "members:\n  - {name: a, member: embedded-lead, judge: embedded-coverage}\n"
        f"judges:\n  - {lines}\nverifiers: [c]\nwriter: a\n",
        encoding="utf-8",
    )
    with pytest.raises(InputError) as error:
        build_council(choose_council(file, {"OPENAI_API_KEY": "sk-0123456789abcdef"}).policy)
    assert said in str(error.value)
