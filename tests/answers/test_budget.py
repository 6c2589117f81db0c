"""A budget makes a run smaller, step by step, says so, and never aborts it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.answers.conftest import Carry
from veritas.answers.request import Request
from veritas.engine.budget import Spending, estimate_calls, fit
from veritas.policy.cost_tiers import Budget, CostTier, Plan
from veritas.testing import FakeMember, FakeProvider, document, fake_runtime

TIER = CostTier(rounds=3, providers_per_member=3, verifier="quorum")
FULL = Plan(providers_per_member=3, members=3, rounds=3)
ORDER = ("providers", "members", "rounds")


@given(limit=st.integers(1, 500), sub_queries=st.integers(1, 6))
def test_plan_fits_the_calls_or_is_as_small_as_it_gets(limit: int, sub_queries: int) -> None:
    made = fit(FULL, sub_queries, TIER, 2, Spending(Budget(calls=limit)), ORDER)
    smallest = (made.providers_per_member, made.members, made.rounds) == (1, 1, 1)
    assert estimate_calls(made, sub_queries, TIER, 2) <= limit or smallest
    assert bool(made.cuts) == (made.model_copy(update={"cuts": ()}) != FULL)


@given(limit=st.integers(1, 500))
def test_providers_go_before_members_and_members_before_rounds(limit: int) -> None:
    made = fit(FULL, 4, TIER, 2, Spending(Budget(calls=limit)), ORDER)
    assert [c.step for c in made.cuts] == sorted((c.step for c in made.cuts), key=ORDER.index)
    if made.members < 3:
        assert made.providers_per_member == 1
    if made.rounds < 3:
        assert made.members == 1


async def test_run_over_its_budget_ends_in_a_result_that_says_what_was_given_up(carry: Carry) -> None:
    documents = [document("https://good.example/a", "Water boils at 100 degrees Celsius at sea level, always.")]
    runtime = fake_runtime(
        documents,
        members=[FakeMember("a", "fa"), FakeMember("b", "fb")],
        providers=[FakeProvider("p", documents), FakeProvider("q", documents)],
        tier=CostTier(rounds=3, providers_per_member=2, verifier="dedicated"),
        request=Request(question="At what temperature does water boil?", budget=Budget(calls=1)),
    )
    graph = await carry(runtime)
    assert graph.answer.status == "answered"
    assert {c.asserted_by for c in graph.claims} == {"a"}
    assert len(graph.rounds) == 1
    assert graph.run.degraded
    assert [e.kind for e in graph.events if e.kind == "budget-degraded"]
    assert {s.provider for s in graph.searches} <= {"p", "q"}
    assert len(graph.searches) == 1


@pytest.mark.parametrize("budget", [{"usd": -1}, {"calls": 0}, {"seconds": 0}])
def test_budget_that_is_none_is_refused(budget: dict[str, float]) -> None:
    with pytest.raises(ValueError):
        Budget.model_validate(budget)
