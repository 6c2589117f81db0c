"""A provider that gives no answer is replaced by another of the rotation, and the graph says so."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.loopback_web.web import Asked, Reply, web
from veritas.claims.graph import Binding, SubQuery
from veritas.engine.units import UnitFailed, do_unit
from veritas.errors import Unavailable
from veritas.policy.search_providers import ProviderEntry
from veritas.research.member_search import RESEARCH, Findings, ResearchUnit
from veritas.search.provider import SearchHit
from veritas.search.rotation import schedule, spares
from veritas.search.web.api import Api
from veritas.search.web.pace import Pace
from veritas.testing import FakeProvider, document, fake_runtime

PAGE = document("https://good.example/a", "Water boils at 100 degrees Celsius at sea level.")


def unit(bound: Sequence[str], others: Sequence[str]) -> ResearchUnit:
    return ResearchUnit(
        member="m",
        sub_query=SubQuery(sub_query_id="q", text="At which temperature does water boil?"),
        bindings=tuple(Binding(member="m", sub_query_id="q", slot=i, provider=p) for i, p in enumerate(bound)),
        spares=tuple(others),
    )


async def found(providers: Sequence[FakeProvider], bound: Sequence[str], others: Sequence[str]) -> Findings:
    outcome = await do_unit(RESEARCH, unit(bound, others), fake_runtime([PAGE], providers=providers))
    assert outcome.value is not None
    return outcome.value


async def test_search_moves_to_the_next_provider_and_all_of_it_is_recorded() -> None:
    down, other = FakeProvider("down", problem="asks to wait 3 h"), FakeProvider("other")
    up = FakeProvider("up", [PAGE])
    made = await found([down, up, other], ["down", "other"], ["up"])
    assert [(s.provider, s.unavailable) for s in made.searches] == [
        ("down", "asks to wait 3 h"), ("other", None), ("up", None),
    ]  # fmt: skip
    assert [h.url for h in made.searches[2].hits] == [PAGE.url]
    assert [s.status for s in made.sources] == ["read"]
    rows = {e.kind: e for e in made.events}
    assert rows["search-unavailable"].subject_id == made.searches[0].search_id
    assert rows["search-unavailable"].reason == "down: asks to wait 3 h; up is asked in its place"
    assert rows["search-moved"].subject_id == made.searches[2].search_id
    assert rows["search-moved"].reason == "carried out by up in place of down"


async def test_search_moves_on_until_somebody_answers_and_nobody_is_asked_twice() -> None:
    downs = [FakeProvider(f"d{i}", problem="no") for i in range(4)]
    up = FakeProvider("up", [PAGE])
    made = await found([*downs, up], ["d0", "d1"], ["d2", "d3", "up"])
    assert [len(p.asked) for p in (*downs, up)] == [1, 1, 1, 1, 1]
    moved = [e.reason for e in made.events if e.kind == "search-moved"]
    assert moved == ["carried out by up in place of d0, d2"]
    lost = [e.reason for e in made.events if "no other provider" in e.reason]
    assert lost == ["d3: no; no other provider is left to ask"]


async def test_nobody_left_is_unavailable_and_names_everybody() -> None:
    downs = [FakeProvider(f"d{i}", problem="no") for i in range(3)]
    with pytest.raises(UnitFailed, match="d0: no; d1: no; d2: no") as failed:
        await found(downs, ["d0"], ["d1", "d2"])
    assert len(failed.value.outcome.calls) == 3


async def test_a_provider_that_finds_nothing_has_answered() -> None:
    none, up = FakeProvider("none"), FakeProvider("up", [PAGE])
    made = await found([none, up], ["none"], ["up"])
    assert not up.asked
    assert not made.events


async def test_what_happened_does_not_depend_on_who_answers_first() -> None:
    class Late(FakeProvider):
        async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
            await asyncio.sleep(0.05)
            return await super().search(query, limit=limit, since=since)

    def some(kind: type[FakeProvider], other: type[FakeProvider]) -> list[FakeProvider]:
        return [kind("a", problem="no"), other("b", problem="no"), FakeProvider("c", [PAGE]), FakeProvider("d")]

    one = await found(some(Late, FakeProvider), ["a", "b"], ["c", "d"])
    two = await found(some(FakeProvider, Late), ["a", "b"], ["c", "d"])
    assert one == two


@given(st.integers(1, 5), st.integers(1, 4), st.integers(1, 7), st.integers(1, 4), st.integers(0, 500))
@settings(deadline=None)
def test_spares_are_all_the_others_in_the_order_of_the_rotation(
    members: int, queries: int, count: int, each: int, seed: int
) -> None:
    providers = [f"p{i}" for i in range(count)]
    bindings = schedule([f"m{i}" for i in range(members)], [f"q{i}" for i in range(queries)], providers, each, seed)
    for member in {b.member for b in bindings}:
        bound = [b for b in bindings if (b.member, b.sub_query_id) == (member, "q0")]
        others = spares(bound, providers, seed)
        assert {*others, *(b.provider for b in bound)} == set(providers)
        assert len(others) + len(bound) == count
        assert others == spares(bound, list(reversed(providers)), seed)


async def test_a_host_that_failed_rests_and_is_then_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veritas.search.web.pace.REST", 0.3)
    status = [503]
    with web({"/x": lambda asked: Reply("{}", status[0], {"Content-Type": "application/json"})}) as server:
        api = Api("some", server.url(""), pace=Pace())
        for _ in range(2):  # each is tried twice, but for the failure that is the third in a row
            with pytest.raises(Unavailable, match="503"):
                await api.json("/x")
        assert len(server.asked) == 3
        asked = len(server.asked)
        with pytest.raises(Unavailable, match="3 times in a row"):
            await api.json("/x")
        assert len(server.asked) == asked, "the circuit is open"
        await asyncio.sleep(0.35)
        said = await asyncio.gather(*(api.json("/x") for _ in range(4)), return_exceptions=True)
        assert all(isinstance(s, Unavailable) for s in said)
        assert len(server.asked) == asked + 1, "half open: one request"
        await asyncio.sleep(0.35)
        status[0] = 200
        assert await asyncio.gather(*(api.json("/x") for _ in range(4))) == [{}] * 4


async def test_services_behind_one_gateway_rest_each_for_itself() -> None:
    def gone(asked: Asked) -> Reply:
        return Reply("", 429, {"Retry-After": "7200"})

    with web({"/one/x": gone, "/two/x": Reply("{}")}) as server:
        pace = Pace()
        with pytest.raises(Unavailable, match="2 h"):
            await Api("one", server.url("/one"), pace=pace).json("/x")
        assert await Api("two", server.url("/two"), pace=pace).json("/x") == {}


@pytest.mark.parametrize(("at_once", "least", "most"), [(1, 0.55, 2.0), (4, 0.1, 0.45)])
async def test_a_provider_is_asked_as_often_at_once_as_its_entry_says(at_once: int, least: float, most: float) -> None:
    def slow(asked: Asked) -> Reply:
        time.sleep(0.15)
        return Reply("{}")

    with web({"/x": slow}) as server:
        api = Api("some", server.url(""), at_once=at_once, pace=Pace())
        start = time.monotonic()
        await asyncio.gather(*(api.json("/x") for _ in range(4)))
        assert least < time.monotonic() - start < most


@pytest.mark.parametrize(
    ("entry", "price"),
    [
        (ProviderEntry(needs="key"), None),
        (ProviderEntry(needs="key", price=0.008), 0.008),
        (ProviderEntry(), 0.0),
        (ProviderEntry(needs="url"), 0.0),
    ],
)
async def test_a_search_costs_what_the_file_says_and_nobody_guesses(entry: ProviderEntry, price: float | None) -> None:
    assert entry.search_price == price
    runtime = replace(
        fake_runtime([PAGE], providers=[FakeProvider("up", [PAGE]), FakeProvider("down", problem="no")]),
        search_prices={"up": entry.search_price, "down": entry.search_price},
    )
    outcome = await do_unit(RESEARCH, unit(["down"], ["up"]), runtime)
    assert {c.who: c.cost_usd for c in outcome.calls} == {"down": 0.0, "up": price}
