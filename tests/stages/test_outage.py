"""A run in which nobody could speak says so, and one in which some could not names them: by what happened at each stage
and never by what is missing at the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.stages.conftest import Carry
from veritas.council.turns import DraftSentence
from veritas.errors import Unavailable, UnreadableAnswer
from veritas.policy.cost_tiers import CostTier
from veritas.stages.runtime import Runtime
from veritas.testing import FakeLens, FakeMember, FakeProvider, FakeReader, document, fake_runtime

GOOD = document("https://good.example/a", "Water boils at 100 degrees Celsius at sea level.")
SALT = document("https://good.example/b", "Salt lets water boil at 102 degrees.")
PLAIN = CostTier(rounds=1, providers_per_member=1, verifier="dedicated")


def refused(*_: Any) -> Any:
    raise Unavailable("the account is closed")


def prose(*_: Any) -> Any:
    raise UnreadableAnswer("it talked about the weather")


def reworded(_: str, claims: Any) -> Any:
    """A draft that is not a claim's own words, so that a judge has to say whether the claim carries it."""
    return [DraftSentence(text="At sea level water boils at 100 degrees Celsius.", claim_ids=(claims[0].claim_id,))]


def deaf_to_sentences() -> FakeLens:
    def verdict(claim: str, passage: str) -> Any:
        return refused() if claim.startswith("At sea level") else "supports"

    return FakeLens(verdict=verdict)


NOBODY: dict[str, tuple[Callable[[], Runtime], str, str]] = {
    "searches": (lambda: fake_runtime([GOOD], providers=[FakeProvider("down", problem="is closed")]), "is closed",
                 "research"),
    "pages": (lambda: fake_runtime([GOOD], reader=FakeReader(())), "None of the 1 source(s)", "research"),
    "members": (lambda: fake_runtime([GOOD], members=[FakeMember(on_assert=refused)]), "account is closed", "extract"),
    "members, in prose": (lambda: fake_runtime([GOOD], members=[FakeMember(on_assert=prose)]), "weather", "extract"),
    "members, from the first turn on": (
        lambda: fake_runtime([GOOD], members=[FakeMember(on_decompose=refused, on_assert=refused)]),
        "account is closed", "decompose",
    ),
    "judges": (lambda: fake_runtime([GOOD], verifiers=[FakeLens(verdict=refused)]), "account is closed", "verify"),
    "writer": (lambda: fake_runtime([GOOD], members=[FakeMember(on_synthesize=refused)]), "account is closed",
               "synthesize"),
    "judges of sentences": (
        lambda: fake_runtime(
            [GOOD], members=[FakeMember(on_synthesize=reworded)], verifiers=[deaf_to_sentences()]
        ),
        "account is closed", "synthesize",
    ),
}  # fmt: skip


@pytest.mark.parametrize("who", NOBODY)
async def test_run_in_which_nobody_could_speak_is_unavailable_in_their_words(carry: Carry, who: str) -> None:
    runtime, words, stage = NOBODY[who]
    graph = await carry(runtime())
    assert graph.answer.status == "unavailable"
    assert words in (graph.answer.reason or "")
    assert graph.answer.unavailable_at == stage
    assert graph.answer.missing == graph.run.degraded == ()


async def test_members_that_spoke_and_found_nothing_make_no_outage(carry: Carry) -> None:
    """Two of three are dead; the third read everything, and had nothing to say."""
    members = [
        FakeMember("a", "fa", on_assert=refused), FakeMember("b", "fb", on_assert=refused),
        FakeMember("c", "fc", on_assert=lambda *_: []),
    ]  # fmt: skip
    graph = await carry(fake_runtime([GOOD], members=members))
    assert graph.answer.status == "insufficient_evidence"
    assert [line.partition(" ")[0] for line in graph.answer.missing] == ["a", "b"]
    assert all("account is closed" in line for line in graph.answer.missing)
    assert graph.run.degraded == graph.answer.missing


async def test_models_that_are_all_dead_are_an_outage_though_rules_beside_them_found_nothing(carry: Carry) -> None:
    model, rules = FakeMember("a", "fa", on_assert=refused), FakeMember("b", "fb", on_assert=lambda *_: [])
    model.model = "house/model"  # type: ignore[attr-defined]
    graph = await carry(fake_runtime([GOOD], members=[model, rules]))
    assert (graph.answer.status, graph.answer.unavailable_at) == ("unavailable", "extract")
    assert "No language model of the council could speak" in (graph.answer.reason or "")
    assert "the account is closed" in (graph.answer.reason or "")


async def test_answer_names_whom_it_had_to_do_without(carry: Carry) -> None:
    members = [FakeMember("a", "fa"), FakeMember("b", "fb", on_assert=refused, on_contest=refused)]
    providers = [FakeProvider("up", [GOOD]), FakeProvider("down", problem="is closed")]
    tier = CostTier(rounds=2, providers_per_member=2, verifier="dedicated")
    graph = await carry(fake_runtime([GOOD], members=members, providers=providers, tier=tier))
    assert graph.answer.status == "answered"
    searches, member = graph.answer.missing
    assert searches.startswith("2 of 4 searches were not answered: down: is closed")
    assert member == "b had no part in the claims and the debate: the account is closed"
    assert graph.run.degraded == graph.answer.missing


async def test_search_that_another_provider_carried_out_is_not_missing(carry: Carry) -> None:
    providers = [FakeProvider("down", problem="is closed"), FakeProvider("up", [GOOD])]
    graph = await carry(fake_runtime([GOOD], providers=providers, tier=PLAIN))
    assert graph.answer.status == "answered"
    assert graph.answer.missing == ()


async def test_claim_that_nobody_could_judge_beside_one_that_was_judged_is_missing_and_no_outage(carry: Carry) -> None:
    def verdict(claim: str, passage: str) -> Any:
        return refused() if "Salt" in claim else "supports"

    graph = await carry(fake_runtime([GOOD, SALT], verifiers=[FakeLens(verdict=verdict)]))
    assert graph.answer.status == "answered"
    (line,) = graph.answer.missing
    assert line.startswith("1 of 2 claims could not be judged: the account is closed")
