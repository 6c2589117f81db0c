"""A run in which nobody could speak says so, and one in which some could not names them: by what happened at each stage
and never by what is missing at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.answers.conftest import Carry
from veritas import approvals
from veritas.answers.runtime import Runtime
from veritas.council.turns import DraftSentence
from veritas.documents.document import Document
from veritas.errors import Unavailable, UnreadableAnswer
from veritas.policy.cost_tiers import CostTier
from veritas.testing import FakeLens, FakeMember, FakeProvider, FakeReader, document, fake_runtime

GOOD = document("https://good.example/a", "Water boils at 100 degrees Celsius at sea level.")
SALT = document("https://good.example/b", "Salt lets water boil at 102 degrees.")
MORE = document("https://good.example/c", "Ice melts at 0 degrees Celsius.")
PLAIN = CostTier(rounds=1, providers_per_member=1, verifier="dedicated")


def refused(*_: Any) -> Any:
    raise Unavailable("the account is closed")


def prose(*_: Any) -> Any:
    raise UnreadableAnswer("it talked about the weather")


def reworded(_: str, claims: Any) -> Any:
    """A draft of which a comparison cannot tell whether the claim carries it: a judge has to say."""
    text = "Water at sea level reaches its boil at 100 degrees Celsius."
    return [DraftSentence(text=text, claim_ids=(claims[0].claim_id,))]


def deaf_to_sentences() -> FakeLens:
    def verdict(claim: str, passage: str) -> Any:
        return refused() if claim.startswith("Water at sea level") else "supports"

    return FakeLens(verdict=verdict)


NOBODY: dict[str, tuple[Callable[[], Runtime], str, str]] = {
    "searches": (lambda: fake_runtime([GOOD], providers=[FakeProvider("down", problem="is closed")]), "is closed",
                 "research"),
    "pages": (lambda: fake_runtime([GOOD], reader=FakeReader(())), "None of 1 source to be read", "research"),
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


async def test_one_search_that_failed_beside_one_that_found_nothing_makes_no_outage(carry: Carry) -> None:
    providers = [FakeProvider("up"), FakeProvider("down", problem="is closed")]
    tier = PLAIN.model_copy(update={"providers_per_member": 2})
    graph = await carry(fake_runtime([GOOD], providers=providers, tier=tier))
    assert sorted(search.unavailable or "" for search in graph.searches) == ["", "is closed"]
    assert graph.claims == ()
    assert graph.answer.status == "insufficient_evidence"
    assert any("is closed" in line for line in graph.answer.missing)


@pytest.mark.parametrize(("found", "status"), [((), "unavailable"), ((GOOD,), "answered")])
async def test_search_of_an_encyclopedia_alone_says_nothing_of_what_could_be_cited(
    carry: Carry, found: Sequence[Document], status: str
) -> None:
    providers = [FakeProvider("wikipedia", found), FakeProvider("down", problem="is closed")]
    tier = PLAIN.model_copy(update={"providers_per_member": 2})
    graph = await carry(fake_runtime([GOOD], providers=providers, tier=tier))
    assert graph.answer.status == status
    if status == "unavailable":
        assert graph.answer.unavailable_at == "research"
        assert "1 of 2 searches were not answered" in (graph.answer.reason or "")
        assert "down: is closed" in (graph.answer.reason or "")


async def test_models_that_are_all_dead_are_an_outage_though_rules_beside_them_found_nothing(carry: Carry) -> None:
    model, rules = FakeMember("a", "fa", on_assert=refused), FakeMember("b", "fb", on_assert=lambda *_: [])
    model.model = "house/model"  # type: ignore[attr-defined]
    graph = await carry(fake_runtime([GOOD], members=[model, rules]))
    assert (graph.answer.status, graph.answer.unavailable_at) == ("unavailable", "extract")
    assert "No language model of the council gave a readable answer" in (graph.answer.reason or "")
    assert "the account is closed" in (graph.answer.reason or "")


async def test_answer_names_whom_it_had_to_do_without(carry: Carry) -> None:
    members = [FakeMember("a", "fa"), FakeMember("b", "fb", on_assert=refused, on_contest=refused)]
    providers = [FakeProvider("up", [GOOD]), FakeProvider("down", problem="is closed")]
    tier = CostTier(rounds=2, providers_per_member=2, verifier="dedicated")
    graph = await carry(fake_runtime([GOOD], members=members, providers=providers, tier=tier))
    assert graph.answer.status == "answered"
    searches, member = graph.answer.missing
    assert searches.startswith("2 of 4 searches were not answered: down: is closed")
    assert member == "b could not contribute to the claims and the debate: the account is closed"
    assert graph.run.degraded == graph.answer.missing


async def test_claim_that_nobody_could_judge_beside_one_that_was_judged_is_missing_and_no_outage(carry: Carry) -> None:
    def verdict(claim: str, passage: str) -> Any:
        return refused() if "Salt" in claim else "supports"

    members = [FakeMember("a", "fa"), FakeMember("b", "fb")]  # who say the same: it is one claim
    graph = await carry(fake_runtime([GOOD, SALT], members=members, verifiers=[FakeLens(verdict=verdict)]))
    assert graph.answer.status == "answered"
    (line,) = graph.answer.missing
    assert line.startswith("1 of 2 claims could not be checked: the account is closed")


def deaf_but_to(heard: str, label: Any) -> FakeLens:
    return FakeLens(verdict=lambda claim, passage: label if claim.startswith(heard) else refused())


@pytest.mark.parametrize(
    ("label", "counted"),
    [("silent", "1 without support in their passages"), ("refutes", "1 refuted by their passages")],
)
async def test_run_without_a_supported_claim_and_with_claims_nobody_judged_is_unavailable_and_counts_them_apart(
    carry: Carry, label: str, counted: str
) -> None:
    judge = deaf_but_to("Salt", label)
    graph = await carry(fake_runtime([GOOD, SALT, MORE], verifiers=[judge], tier=PLAIN))
    assert graph.answer.status == "unavailable"
    assert graph.answer.unavailable_at == "verify"
    assert graph.answer.reason == (
        f"No claim is supported: 2 of 3 could not be checked, {counted}: the account is closed"
    )


def uncited(_: str, claims: Any) -> Any:
    """A draft none of whose sentences passes its check, but where a claim is its own words."""
    return [DraftSentence(text=c.claim, claim_ids=() if "Salt" not in c.claim else (c.claim_id,)) for c in claims]


async def test_writer_who_cannot_mend_what_failed_its_check_makes_the_run_unavailable(carry: Carry) -> None:
    graph = await carry(fake_runtime([GOOD, MORE], members=[FakeMember(on_synthesize=uncited, on_repair=refused)]))
    assert graph.answer.status == "unavailable"
    assert graph.answer.unavailable_at == "synthesize"
    assert graph.answer.reason == (
        "The claim graph holds 2 supported claims, but no sentence passed its check, and 2 could not be repaired: "
        "the account is closed"
    )
    rows = [e for e in graph.events if e.kind == "member-unavailable"]
    assert [e.reason for e in rows] == ["the sentence was not repaired: the account is closed"] * 2


async def test_writer_that_cannot_be_read_leaves_the_verified_claims_verbatim_and_is_named(carry: Carry) -> None:
    graph = await carry(fake_runtime([GOOD, SALT], members=[FakeMember(on_synthesize=prose)]))
    assert graph.answer.status == "answered"
    assert {s.text for s in graph.answer.sentences if s.kind == "claim"} >= {GOOD.text, SALT.text}
    assert graph.answer.written_by == ""
    assert "without a language model" in graph.answer.sentences[0].text
    (line,) = graph.answer.missing
    assert "gives the verified claims verbatim" in line
    assert "the weather" in line
    assert graph.run.degraded == graph.answer.missing


async def test_persons_are_asked_nothing_by_a_run_that_ends_for_want_of_judges(carry: Carry, tmp_path: Path) -> None:
    await carry(fake_runtime([GOOD, SALT], verifiers=[deaf_but_to("Salt", "silent")]))
    assert approvals.every(home=tmp_path) == []
    await carry(fake_runtime([GOOD, SALT], verifiers=[deaf_but_to("Salt", "supports")]), "run-2")
    assert [a.state() for a in approvals.every(home=tmp_path)] == ["pending"]
