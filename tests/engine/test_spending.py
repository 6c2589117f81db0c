"""Money, calls and time are set aside before they are spent: together, the calls at one time cannot go beyond them."""

from __future__ import annotations

import asyncio
import random

import pytest

from veritas.claims import Call
from veritas.council.spending import OverBudget, Spending, current_spending, paying, within_budget
from veritas.engine.budget import fit_rounds
from veritas.policy.cost_tiers import UNKNOWN_SEARCH, Budget
from veritas.store.call_record import report_cost


def call(cost: float | None, **more: object) -> Call:
    return Call.model_validate(
        {"call_id": "k", "request_hash": "r", "stage": "verify", "who": "x", "turn": "judge", "cost_usd": cost, **more}
    )


@pytest.mark.parametrize(
    ("budget", "short", "whole"),
    [
        (Budget(usd=0.5), call(0.25), call(0.5)),
        (Budget(calls=3), call(0.0, count=2), call(0.0, count=3)),
    ],
)
def test_a_budget_that_is_used_up_exactly_is_used_up(budget: Budget, short: Call, whole: Call) -> None:
    for made, rounds in ((short, 3), (whole, 1)):
        spending = Spending(budget)
        spending.add([made])
        assert (spending.over() is None) == (made is short)
        assert fit_rounds(3, spending)[0] == rounds


@pytest.mark.parametrize("seed", range(20))
async def test_sixty_four_calls_at_once_do_not_overshoot(seed: int) -> None:
    """Each is reserved at up to four times what it turns out to cost."""
    chance = random.Random(seed)
    spending = Spending(Budget(usd=1.0))
    spent, most_held = 0.0, 0.0

    async def one() -> None:
        nonlocal spent, most_held
        costs = chance.uniform(0.005, 0.05)
        try:
            held = await spending.reserve(4 * costs, 1.5 * costs, stage="verify")
        except OverBudget:
            return
        await asyncio.sleep(chance.uniform(0, 0.002))
        spending.settle(held, costs)
        spent += costs

    await asyncio.gather(*(one() for _ in range(64)))
    assert spending.usd == pytest.approx(spent)
    assert 0.9 < spent <= 1.0


async def test_a_call_waits_for_those_under_way_and_goes_when_they_were_cheap() -> None:
    spending = Spending(Budget(usd=1.0))
    first = await spending.reserve(0.9, 0.9, stage="verify")
    second = asyncio.create_task(spending.reserve(0.5, 0.5, stage="verify"))
    await asyncio.sleep(0.01)
    assert not second.done()
    spending.settle(first, 0.1)
    assert (await second).usd == 0.5
    with pytest.raises(OverBudget, match="the money of the budget did not suffice"):
        await spending.reserve(0.95, 0.95, stage="verify")
    assert spending.refused == {"usd": 1}


async def test_a_call_that_was_cancelled_while_it_waited_holds_nothing() -> None:
    spending = Spending(Budget(usd=1.0))
    first = await spending.reserve(0.9, 0.9, stage="verify")
    second = asyncio.create_task(spending.reserve(0.5, 0.5, stage="verify"))
    await asyncio.sleep(0.01)
    second.cancel()
    spending.settle(first, 0.0)
    assert (await spending.reserve(1.0, 1.0, stage="verify")).full


async def test_what_is_kept_for_the_writer_is_out_of_reach_for_the_drafts() -> None:
    spending = Spending(Budget(usd=1.0, calls=10))
    spending.keep("synthesize", 0.4, 2)
    assert spending.left("extract") == (0.6, 8)
    assert spending.left("synthesize") == (1.0, 10)
    with pytest.raises(OverBudget):
        await spending.reserve(0.7, 0.7, stage="extract")
    assert await spending.reserve(0.7, 0.7, stage="synthesize")


async def test_a_stage_that_had_its_share_of_the_time_asks_nobody_and_leaves_the_rest_to_the_others() -> None:
    spending = Spending(Budget(seconds=100.0), shares={"extract": 0.5})
    spending._begun -= 60.0  # a minute has gone by
    with pytest.raises(OverBudget, match="the time of the budget did not suffice"):
        await spending.reserve(0.0, 0.0, stage="extract")
    left = spending.seconds_left("synthesize")
    assert left is not None
    assert 30 < left <= 40
    assert await spending.reserve(0.0, 0.0, stage="synthesize")


async def test_units_in_other_processes_share_what_is_left() -> None:
    spending = Spending(Budget(usd=1.0, calls=8))
    lent = [spending.lend(n, stage="extract") for n in (4, 3, 2, 1)]
    assert sum(allowance.usd or 0.0 for _, allowance in lent) == pytest.approx(1.0)
    assert [allowance.calls for _, allowance in lent] == [2, 2, 2, 2]
    with pytest.raises(OverBudget):
        spending.take(0.1, 1, stage="synthesize")
    for held, _ in lent:
        spending.returned(held, [call(0.05), call(0.2, from_ledger=True)])
    assert (spending.usd, spending.calls) == (pytest.approx(0.2), 4)
    assert spending.left("synthesize") == (pytest.approx(0.8), 4)


def test_a_price_nobody_knows_counts_upwards_and_a_free_model_counts_nothing() -> None:
    spending = Spending(Budget(usd=1.0), free=("ollama/small",))
    spending.add([call(None, model="openai/secret", input_tokens=1000, output_tokens=100)])
    assert spending.usd == pytest.approx(0.0225)
    spending.add([call(None, model="ollama/small", input_tokens=1000, output_tokens=100)])
    assert spending.usd == pytest.approx(0.0225)
    spending.add([call(None, turn="search")])
    assert spending.usd == pytest.approx(0.0225 + UNKNOWN_SEARCH)


def test_a_search_costs_what_its_provider_reports_and_nothing_when_it_failed() -> None:
    assert current_spending() is None
    with within_budget(Spending(Budget(usd=0.03))) as spending:
        with paying(0.02, stage="verify") as paid:
            report_cost(0.005)
        assert (paid.usd, spending.usd) == (0.005, pytest.approx(0.005))
        with pytest.raises(ValueError), paying(0.02, stage="verify"):
            raise ValueError
        assert spending.usd == pytest.approx(0.005)
        with paying(0.02, stage="verify"):
            report_cost("a lot")
        assert spending.usd == pytest.approx(0.025)
        with pytest.raises(OverBudget), paying(0.02, stage="verify"):
            pytest.fail("it does not fit")
