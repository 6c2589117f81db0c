"""A provider that gives no answer is replaced by another of the rotation, and the graph says so."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
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
from veritas.engine.units import do_unit
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
        await asyncio.sleep(0.65)  # the second pause is twice as long
        status[0] = 200
        assert await asyncio.gather(*(api.json("/x") for _ in range(4))) == [{}] * 4


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
