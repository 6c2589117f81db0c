"""Searches that cost something: each is counted, none goes beyond the budget, and what was paid is in the ledger."""

from __future__ import annotations

from dataclasses import replace

from veritas import Budget
from veritas.answers.member_search import RESEARCH
from veritas.answers.runtime import Runtime
from veritas.answers.searches import ResearchUnit
from veritas.claims.graph import Binding, SubQuery
from veritas.council.connections import Switchboard
from veritas.council.spending import Spending, within_budget
from veritas.engine.staged_run import PaidBefore
from veritas.engine.units import do_unit
from veritas.store import MemoryLedger
from veritas.testing import FakeProvider, document, fake_runtime

PAGE = document("https://good.example/a", "Water boils at 100 degrees Celsius at sea level.")
PROVIDERS = [FakeProvider(name, [PAGE]) for name in ("dear", "cheap", "secret", "free")]
PRICES = {"dear": 0.5, "cheap": 0.01, "secret": None}


def unit(bound: list[str], spares: list[str]) -> ResearchUnit:
    return ResearchUnit(
        member="m",
        sub_query=SubQuery(sub_query_id="q", text="At which temperature does water boil?"),
        bindings=tuple(Binding(member="m", sub_query_id="q", slot=i, provider=p) for i, p in enumerate(bound)),
        spares=tuple(spares),
    )


def runtime() -> Runtime:
    return replace(fake_runtime([PAGE], providers=PROVIDERS), search_prices=PRICES)


async def test_searches_that_a_unit_makes_at_the_same_time_are_all_counted() -> None:
    with within_budget(Spending(Budget())) as spending:
        outcome = await do_unit(RESEARCH, unit(["cheap", "secret", "free"], []), runtime())
    assert {c.who: c.cost_usd for c in outcome.calls} == {"cheap": 0.01, "secret": None, "free": 0.0}
    assert spending.calls == 3
    assert round(spending.usd, 6) == 0.03, "one of unknown price counts for two cents"


async def test_a_search_beyond_the_budget_moves_on_to_one_that_fits() -> None:
    with within_budget(Spending(Budget(usd=0.2))) as spending:
        outcome = await do_unit(RESEARCH, unit(["dear"], ["cheap"]), runtime())
    assert [c.who for c in outcome.calls] == ["cheap"]
    assert outcome.value is not None
    refused, carried_out = outcome.value.searches
    assert refused.unavailable == "the money of the budget did not suffice"
    assert carried_out.unavailable is None
    assert (spending.usd, spending.refused) == (0.01, {"usd": 1})


async def test_what_searches_cost_is_in_the_ledger_for_a_run_that_is_cut_off() -> None:
    board, ledger = Switchboard(), MemoryLedger()
    board.bind(ledger)
    with within_budget(Spending(Budget())):
        outcome = await do_unit(
            RESEARCH, unit(["cheap", "free"], []), replace(runtime(), switchboard=board)
        )
    assert len(ledger) == 1, "what is free has no row"
    before = PaidBefore(ledger._entries.values())
    (searched,) = before.calls("research")
    assert (searched.who, searched.turn, searched.cost_usd, searched.model) == ("cheap", "search", 0.01, None)
    before.accounted(outcome.calls)
    assert before.unclaimed("research") == []
