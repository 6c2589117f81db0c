"""One of three providers fails: another takes its turn at once, an answer comes, and it names who was missing."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.loopback.failing import HOUSES, council, houses
from tests.loopback.scripted import answer, heard, honest
from tests.loopback.server import Asked, Loopback, Reply, fault, loopback
from tests.pumps import QUESTION, write_corpus, write_disputed
from veritas import ClaimGraph, aio
from veritas.council.connections import Switchboard
from veritas.council.litellm_model import close_clients
from veritas.council.model_lens import ModelLens
from veritas.council.succession import in_succession, standing
from veritas.policy.council_policy import ModelPolicy


async def ask(tmp_path: Path, file: Path, corpus: Path, **settings: Any) -> ClaimGraph:
    return await aio.research(QUESTION, home=tmp_path / "home", corpus=[str(corpus)], council=str(file), **settings)


def own_judges(graph: ClaimGraph) -> list[str]:
    """Claims that their author's family judged: there must be none."""
    families = {c.claim_id: c.provenance.family for c in graph.claims}
    return [j.subject_id for j in graph.judgments if families.get(j.subject_id) == j.family]


STAGES = {
    "decompose": ("red", ["401", "hang"]),
    "assert": ("green", ["404", "garbage"]),
    "judge": ("red", ["429", "closed", "hang"]),
    "contest": ("blue", ["401"]),
    "synthesize": ("red", ["500", "prose"]),
}


@pytest.mark.parametrize(("turn", "way"), [(turn, way) for turn, (_, ways) in STAGES.items() for way in ways])
async def test_answer_comes_whatever_one_of_three_providers_does(tmp_path: Path, turn: str, way: str) -> None:
    name = STAGES[turn][0]
    with houses() as (made, servers):
        made[name].way, made[name].turn = way, turn
        file = council(tmp_path, servers, timeout=6 if way == "hang" else 40)
        graph = await ask(tmp_path, file, write_corpus(tmp_path), tier="standard")
    assert made[name].failing
    assert graph.answer.status == "answered"
    assert {c.verifier_judgment for c in graph.claims} == {"supports"}
    assert own_judges(graph) == []
    assert any(line.startswith(f"{name}") for line in graph.answer.missing), graph.answer.missing
    assert graph.run.degraded == graph.answer.missing
    assert not [e for e in graph.events if e.kind in ("member-unavailable", "claim-unavailable")]
    moved = [e for e in graph.events if e.kind == "turn-moved"]
    assert moved
    if turn in ("decompose", "synthesize"):
        assert graph.answer.written_by == "green"  # the next of the writers that are listed
    if way in ("401", "404", "429"):
        # All that was under way when it was found out; from then on nobody asks it anything.
        stages = {"decompose": 1, "synthesize": 1, "contest": 1}
        assert sum(made[name].after.values()) <= stages.get(turn, 8)
        assert set(made[name].after) == {turn}


async def test_quorum_with_one_judge_left_halts_and_says_so(tmp_path: Path) -> None:
    """Deep asks two families other than the author's. Without blue, claims of red and green have one judge."""
    with houses() as (made, servers):
        made["blue"].way, made["blue"].turn = "401", "judge"
        graph = await ask(tmp_path, council(tmp_path, servers), write_corpus(tmp_path), tier="deep")
    judged = {c.asserted_by: c.verifier_judgment for c in graph.claims}
    assert judged == {"red": "unavailable", "green": "unavailable", "blue": "supports"}
    assert graph.answer.status == "answered"
    assert any("claims could not be checked" in line for line in graph.answer.missing)
    halted = [e for e in graph.events if e.kind == "claim-unavailable"]
    assert halted
    assert all("refuses the key" in e.reason or "left out" in e.reason for e in halted)


async def test_when_no_model_is_left_rules_do_not_answer_in_their_place(tmp_path: Path) -> None:
    with houses() as (made, servers):
        for house in made.values():
            house.way, house.turn = "401", "assert"
        file = council(tmp_path, servers)
        text = file.read_text().replace("verifiers:", "  - {name: rules, member: embedded-salience, judge: "
                                        "embedded-entailment}\nverifiers:")  # fmt: skip
        file.write_text(text)
        graph = await ask(tmp_path, file, write_corpus(tmp_path), tier="quick")
    assert not [e for e in graph.events if e.kind == "turn-moved" and "rules" in e.reason]
    assert {e.member for e in graph.events if e.kind == "member-unavailable"} >= set(HOUSES)


async def test_replay_takes_the_judgment_of_whoever_gave_it_and_asks_nobody(tmp_path: Path) -> None:
    """Red is sound again; still green's and blue's answers stand, for they are paid for."""
    with houses() as (made, servers):
        made["red"].way, made["red"].turn = "500", "judge"
        graph = await ask(tmp_path, council(tmp_path, servers), write_corpus(tmp_path), tier="standard")
        assert any(e.kind == "turn-moved" and e.stage == "verify" for e in graph.events)
        made["red"].way = None
        before = sum(len(s.asked) for s in servers.values())
        again = await aio.replay(graph.run.run_id, "verify", home=tmp_path / "home")
        assert sum(len(s.asked) for s in servers.values()) == before
    assert [(j.subject_id, j.lens, j.label) for j in again.judgments] == [
        (j.subject_id, j.lens, j.label) for j in graph.judgments
    ]
    assert again.answer.sentences == graph.answer.sentences


async def test_runs_answer_although_three_calls_in_ten_fail(tmp_path: Path) -> None:
    """Two of them here; two hundred in benchmarks/failover.py."""
    answered = []
    with houses() as (made, servers):
        file, corpus = council(tmp_path, servers, timeout=2), write_disputed(tmp_path)
        for seed in range(2):
            for name, house in made.items():
                house.share, house.chance = 0.3, random.Random(f"{name} {seed}")
            graph = await ask(tmp_path, file, corpus, tier="standard")
            answered.append(graph.answer.status)
            assert own_judges(graph) == []
    assert answered == ["answered"] * 2


# -- one question, several who may answer it ------------------------------------------------------------------------

CLAIM, PASSAGE = "Water boils at 100 °C.", "Water boils at 100 °C. At sea level, that is."


@pytest.fixture
async def board() -> Any:
    made = Switchboard()
    yield made
    await made.close()
    await close_clients()


def lens(server: Loopback, board: Switchboard, name: str, **more: Any) -> ModelLens:
    given = {"model": f"openai/{name}", "family": f"house-{name}", "structured": "schema", "base_url": server.url,
             "local": False, "limits": {"timeout": 30, "retries": 2, "backoff": 0.01}, **more}  # fmt: skip
    return ModelLens(name, f"house-{name}", board.connect(ModelPolicy.model_validate({"name": name, **given})))


async def judged(*lenses: ModelLens, passage: str = PASSAGE) -> Any:
    return await in_succession(lenses, lambda one: one.judge(CLAIM, passage))


async def test_model_that_failed_is_asked_last_until_it_answers_and_the_cause_stays_its_own(
    board: Switchboard,
) -> None:
    with loopback(lambda asked: fault(500, "internal error")) as sick, loopback(honest) as sound:
        first, second = lens(sick, board, "a"), lens(sound, board, "b")
        for further in ("", " Surely."):
            said = await judged(first, second, passage=PASSAGE + further)
            assert said.by is second
            assert [(one.name, "answers with status 500" in one.why) for one in said.absent] == [("a", True)]
            assert standing(first) == 1
            assert len(sick.asked) == 3
        sick.script = honest
        assert (await judged(first, passage=PASSAGE + " Truly.")).by is first
        assert standing(first) == 0


async def test_peer_that_contests_in_anothers_place_is_not_shown_its_own_claims(tmp_path: Path) -> None:
    def script(asked: Asked) -> Reply:
        to = heard(asked)
        if to.turn == "assert":
            said = answer(to)
            said["claims"] = said["claims"][:1]
            return Reply(json.dumps(said))
        return honest(asked)

    with houses() as (made, servers):
        for house in made.values():
            house.honest = script
        made["blue"].way, made["blue"].turn = "401", "contest"
        graph = await ask(tmp_path, council(tmp_path, servers), write_corpus(tmp_path), tier="standard")
        asked = {n: [heard(a) for a in s.asked if heard(a).turn == "contest"] for n, s in servers.items()}
    own = {n: {c.claim_id for c in graph.claims if c.asserted_by == n} for n in HOUSES}
    shown = {n: {i for to in asked[n] for i, _ in to.under("claim")} for n in HOUSES}
    assert all(shown[n] and not shown[n] & own[n] for n in ("red", "green"))
