"""A provider that gives no answer is replaced by another of the rotation, and the graph says so."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.loopback_web.web import Asked, Reply, web
from veritas import Document, Unavailable
from veritas.answers.member_search import RESEARCH, Findings
from veritas.answers.searches import ResearchUnit
from veritas.claims.graph import Binding, SubQuery
from veritas.engine.units import UnitFailed, do_unit
from veritas.policy.search_providers import ProviderEntry
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


# -- providers that are late ----------------------------------------------------------------------------------------


class Held(FakeProvider):
    """Answers when it is let go; `held` is set once it was asked."""

    def __init__(self, name: str, documents: Sequence[Document] = ()) -> None:
        super().__init__(name, documents)
        self.held, self.let_go, self.cancelled = asyncio.Event(), asyncio.Event(), False

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        self.held.set()
        try:
            await self.let_go.wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        return await super().search(query, limit=limit, since=since)


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veritas.answers.searches.SOON", 0.05)
    monkeypatch.setattr("veritas.answers.searches.LATE", 0.1)
    monkeypatch.setattr("veritas.answers.searches.GRACE", 0.05)
    monkeypatch.setattr("veritas.answers.searches.NOTHING", 0.2)


OTHER = document("https://good.example/b", "At 2,000 metres water boils at 93 degrees Celsius.")


async def test_a_late_search_is_given_up_when_all_else_is_done_and_a_row_says_so(hurried: None) -> None:
    late, spare = Held("late", [OTHER]), FakeProvider("spare", [OTHER])
    made = await found([FakeProvider("up", [PAGE]), late, spare], ["up", "late"], ["spare"])
    assert late.cancelled
    assert not spare.asked, "its answer would be later still"
    assert [(s.provider, s.unavailable is None) for s in made.searches] == [("up", True), ("late", False)]
    (row,) = made.events
    assert (row.kind, row.subject_id) == ("search-unavailable", made.searches[1].search_id)
    assert "late: too slow" in row.reason
    assert [s.url for s in made.sources] == [PAGE.url]


async def test_a_search_that_was_given_up_is_no_answer_that_is_paid_for(hurried: None) -> None:
    providers = [FakeProvider("up", [PAGE]), Held("late")]
    runtime = replace(fake_runtime([PAGE], providers=providers), search_prices={"up": 1.0, "late": 1.0})
    outcome = await do_unit(RESEARCH, unit(["up", "late"], []), runtime)
    assert sum(call.cost_usd or 0.0 for call in outcome.calls) == 1.0


async def test_a_late_search_is_waited_for_as_long_as_another_unit_is_at_work(hurried: None) -> None:
    late, slow_page = Held("late", [OTHER]), asyncio.Event()
    runtime = fake_runtime([PAGE, OTHER], providers=[FakeProvider("up", [PAGE]), late])
    inner = runtime.reader.read

    class Reading:
        async def read(self, url: str) -> Any:
            if url == PAGE.url:
                await slow_page.wait()
            return await inner(url)

    first = asyncio.create_task(do_unit(RESEARCH, unit(["up"], []), replace(runtime, reader=Reading())))
    second = asyncio.create_task(do_unit(RESEARCH, unit(["up", "late"], []), runtime))
    await asyncio.sleep(0.4)
    assert not second.done(), "the first unit is still reading"
    late.let_go.set()
    outcome = await second
    assert outcome.value is not None
    assert [s.url for s in outcome.value.sources] == [PAGE.url, OTHER.url]
    assert not outcome.value.events
    slow_page.set()
    await first


async def test_where_nothing_else_was_found_a_spare_is_asked_beside_and_the_last_provider_is_waited_for(
    hurried: None,
) -> None:
    late, spare = Held("late", [OTHER]), FakeProvider("spare", [PAGE])
    made = await found([late, spare], ["late"], ["spare"])
    assert [s.url for s in made.sources] == [PAGE.url]
    assert [e.reason.partition(":")[0] for e in made.events] == [
        "carried out by spare in place of late, which has not answered yet", "late",
    ]  # fmt: skip

    last = Held("last", [PAGE])
    asked = asyncio.create_task(found([last], ["last"], []))
    await asyncio.sleep(0.4)
    assert not asked.done()
    last.let_go.set()
    assert [s.url for s in (await asked).sources] == [PAGE.url]


async def test_a_late_provider_that_answers_beside_its_spare_takes_nothing_from_it(hurried: None) -> None:
    late, spare = Held("late", [OTHER]), Held("spare", [PAGE])
    asked = asyncio.create_task(found([late, spare], ["late"], ["spare"]))
    await spare.held.wait()
    late.let_go.set()
    spare.let_go.set()
    made = await asked
    assert {s.url for s in made.sources} == {PAGE.url, OTHER.url}
    (moved,) = [e.reason for e in made.events if e.kind.startswith("search-")]
    assert moved == "carried out by spare in place of late, which has not answered yet"


async def test_what_was_found_is_told_in_one_order_however_late_it_came(
    hurried: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("veritas.answers.searches.LATE", 60.0)

    async def told(held: bool) -> tuple[Any, ...]:
        first = Held("first", [OTHER])
        runtime = fake_runtime([PAGE, OTHER], providers=[first, FakeProvider("second", [PAGE])])
        task = asyncio.create_task(do_unit(RESEARCH, unit(["first", "second"], []), runtime))
        await first.held.wait()
        await asyncio.sleep(0.3 if held else 0)
        first.let_go.set()
        made = (await task).value
        assert made is not None
        return made.searches, made.sources, made.passages, made.events

    assert await told(True) == await told(False)


async def test_searches_on_this_machine_are_never_given_up(hurried: None) -> None:
    class Local(Held):
        at_once = None

    slow = Local("slow", [PAGE])
    task = asyncio.create_task(found([Local("quick", [PAGE]), slow], ["slow"], ["quick"]))
    await asyncio.sleep(0.5)
    assert not task.done()
    slow.let_go.set()
    assert not (await task).events


async def test_who_was_just_asked_is_given_a_while_though_the_stage_is_long_under_way(
    hurried: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("veritas.answers.searches.GRACE", 60.0)
    late = Held("late", [OTHER])
    runtime = fake_runtime([PAGE, OTHER], providers=[FakeProvider("up", [PAGE]), late])
    task = asyncio.create_task(do_unit(RESEARCH, unit(["up", "late"], []), runtime))
    await asyncio.sleep(0.5)
    late.let_go.set()
    made = (await task).value
    assert made is not None
    assert [s.url for s in made.sources] == [PAGE.url, OTHER.url]


async def test_a_unit_that_is_cut_off_leaves_no_search_behind(hurried: None) -> None:
    late, page = Held("late"), Held("up", [PAGE])
    task = asyncio.create_task(found([page, late], ["up", "late"], []))
    await asyncio.gather(late.held.wait(), page.held.wait())
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0.01)
    assert late.cancelled
    assert page.cancelled


async def test_requests_that_wait_for_a_providers_pace_do_not_hold_the_units_of_a_stage(hurried: None) -> None:
    """Eight searches at a host that is asked once in a minute: the first is answered, the others are too slow."""
    with web({"/x": Reply("{}")}) as server:
        api = Api("paced", server.url(""), interval=60.0, pace=Pace())

        class Paced(FakeProvider):
            async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
                await api.json("/x")
                return await super().search(query, limit=limit, since=since)

        runtime = fake_runtime([PAGE, OTHER], providers=[FakeProvider("up", [PAGE]), Paced("paced", [OTHER])])
        units = [unit(["up", "paced"], []) for _ in range(8)]
        outcomes = await asyncio.wait_for(asyncio.gather(*(do_unit(RESEARCH, u, runtime) for u in units)), 30)
        assert len(server.asked) == 1
    values = [outcome.value for outcome in outcomes]
    assert all(value is not None and value.documents for value in values)
    assert sum(len(value.documents) == 2 for value in values if value is not None) == 1
    assert sum(any("too slow" in e.reason for e in value.events) for value in values if value is not None) == 7


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
