"""The run engine by itself: stages stored and taken over, forms of before, the journal, and the cancel mark."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from veritas import Budget
from veritas.claims.graph import Call
from veritas.engine.budget import OverBudget, Spending
from veritas.engine.current_run import skip_unit, unit_done, unless_stopped
from veritas.engine.kind import Kind
from veritas.engine.progress import Silent
from veritas.engine.staged_run import StagedRun
from veritas.engine.stored_runs import Parent, begun, in_use, open_for_more, parent_of
from veritas.errors import Cancelled, InputError, StoreTooNew, StoreUnavailable, Unavailable
from veritas.frozen import Frozen
from veritas.long_waits import waiting_for
from veritas.store import RunStore
from veritas.store.call_record import record_call
from veritas.store.journal import ask_to_cancel, read_journal

SUMS = Kind(
    name="sum", stages=("one", "two"), resume="sum --resume {run}", replay="sum --replay {run} --from {stage}",
    rests_on="numbers",
)  # fmt: skip
NEWER = Kind(
    name="sum", stages=("one", "two"), resume=SUMS.resume, replay=SUMS.replay, rests_on="numbers",
    migrations={"one": (lambda output: {"value": output["value"] * 100},)},
)  # fmt: skip
PAID = Call(call_id="k", request_hash="r", stage="verify", who="w", turn="t", cost_usd=0.5)


class Number(Frozen):
    value: int


class Sum(StagedRun[int]):
    kind = SUMS

    def __init__(self, store: RunStore, inputs: Any = 1, units: int = 3, **how: Any) -> None:
        super().__init__(store, inputs, spending=Spending(Budget(usd=2)), **how)
        self.units, self.done = units, 0

    async def stages(self) -> int:
        one = await self.stage("one", Number, self._one, lambda n: f"{n.value}")
        two = await self.stage("two", Number, lambda: self._two(one), lambda n: f"{n.value}")
        return two.value

    async def _one(self) -> Number:
        record_call(PAID)
        self.spending.add([PAID])
        return Number(value=1)

    async def _two(self, one: Number) -> Number:
        self.units_begun("unit", self.units)
        for _ in range(self.units):
            if skip_unit():
                break
            await self.unit()
            unit_done([PAID])
        return Number(value=one.value + 1)

    async def unit(self) -> None:
        self.done += 1


def store(home: Path, run_id: str = "run-1", parent: Parent | None = None) -> RunStore:
    return RunStore.create(home, begun("1 + 1", {}, tier="sum", run_id=run_id, parent=parent))


def events(home: Path, run_id: str = "run-1") -> list[str]:
    return [event.event for event in read_journal(home, run_id)]


async def test_what_a_run_does_is_in_its_journal(tmp_path: Path) -> None:
    with store(tmp_path) as made:
        assert await Sum(made).run() == 2
    told = [e for e in events(tmp_path) if e in ("stage", "done", "units", "unit", "ended")]
    assert told == ["stage", "done", "stage", "units", "unit", "unit", "unit", "done", "ended"]
    done = [e.fields for e in read_journal(tmp_path, "run-1") if e.event == "done"]
    assert [(d["stage"], d["from_store"], d["said"]) for d in done] == [("one", False, "1"), ("two", False, "2")]
    unit = next(e.fields for e in read_journal(tmp_path, "run-1") if e.event == "unit")
    assert (unit["calls"], unit["cost_usd"]) == (1, 0.5)


async def test_a_run_that_is_asked_to_stop_stops_before_its_next_unit_and_goes_on_later(tmp_path: Path) -> None:
    class Asked(Sum):
        async def unit(self) -> None:
            await super().unit()
            ask_to_cancel(tmp_path, "run-1")

    with store(tmp_path) as made:
        run = Asked(made)
        with pytest.raises(Cancelled, match="sum --resume run-1") as stopped:
            await run.run()
        assert run.done == 1
        assert [row.stage for row in made.stages()] == ["one"]
    assert stopped.value.exit_code == 130
    assert "cancelled" in events(tmp_path)
    with open_for_more(tmp_path, "run-1") as made:
        assert await Sum(made).run() == 2


async def test_what_fails_is_named_and_says_how_to_go_on(tmp_path: Path) -> None:
    class Down(Sum):
        async def unit(self) -> None:
            raise Unavailable("the model is down.")

    with store(tmp_path) as made, pytest.raises(Unavailable, match=r"down. All answers so far are kept; .*e run-1"):
        await Down(made).run()
    failed = next(e for e in read_journal(tmp_path, "run-1") if e.event == "failed")
    assert failed.fields["error"] == "Unavailable"
    assert "the model is down" in failed.fields["words"]


async def test_other_inputs_are_not_gone_on_from(tmp_path: Path) -> None:
    with store(tmp_path) as made:
        await Sum(made).run()
        with pytest.raises(InputError, match=r"numbers changed after stage one.*sum --replay run-1 --from one"):
            await Sum(made, inputs=2).run()


async def test_what_was_paid_before_counts_after_a_resume_and_what_a_parent_paid_does_not(tmp_path: Path) -> None:
    with store(tmp_path) as made:
        await Sum(made, units=0).run()
        resumed = Sum(made)
        await resumed.run()
        parent = Parent(SUMS, made, "two")
    assert resumed.spending.usd == 0.5
    assert [call.from_ledger for call in resumed.calls] == [False]
    with store(tmp_path, "run-2", parent) as child:
        replayed = Sum(child, parent=parent)
        await replayed.run()
        assert parent_of(SUMS, tmp_path, child.run) is not None
    assert replayed.spending.usd == 0
    assert [call.from_ledger for call in replayed.calls] == [True]
    assert [timing.from_store for timing in replayed.timings] == [True, False]


async def test_an_output_of_an_older_form_is_read_in_todays_and_one_of_a_newer_is_refused(tmp_path: Path) -> None:
    class Newer(Sum):
        kind = NEWER

    with store(tmp_path) as made:
        await Sum(made, units=0).run()
        parent = Parent(NEWER, made, "two")
        assert NEWER.stored("one", made.stage_output("one")) == {"value": 100}
    with store(tmp_path, "run-2", parent) as child:
        assert await Newer(child, parent=parent).run() == 101
        stored = child.stage_output("one")
        assert stored is not None
        assert stored.value()["version"] == 2
        with pytest.raises(StoreTooNew, match="Upgrade"):
            SUMS.stored("one", stored)


def test_a_parent_without_the_stages_is_refused(tmp_path: Path) -> None:
    with store(tmp_path) as made:
        with pytest.raises(InputError, match=r"no output of stage one.*sum --resume run-1"):
            Parent(SUMS, made, "two")
        with pytest.raises(InputError, match="the stages are: one, two"):
            Parent(SUMS, made, "three")


def test_a_run_is_gone_on_with_by_one_at_a_time(tmp_path: Path) -> None:
    with store(tmp_path), pytest.raises(StoreUnavailable, match="in use"):
        open_for_more(tmp_path, "run-1")


@pytest.mark.parametrize(("new", "there"), [(True, False), (False, True)])
async def test_a_new_run_that_asks_for_what_cannot_be_used_leaves_no_file(
    new: bool, there: bool, tmp_path: Path
) -> None:
    made = store(tmp_path)
    with pytest.raises(InputError):
        async with in_use(made, None, new=new):
            raise InputError("no such paper")
    assert made.path.exists() == there


def test_cancel_stops_a_run_in_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from veritas.cli import main

    monkeypatch.setenv("VERITAS_HOME", str(tmp_path))

    class Asked(Sum):
        async def unit(self) -> None:
            await super().unit()
            with pytest.raises(SystemExit) as ended:
                await asyncio.to_thread(main, ["cancel", "run-"])
            assert ended.value.code in (0, None)

    with store(tmp_path) as made, pytest.raises(Cancelled):
        asyncio.run(Asked(made).run())
    with pytest.raises(SystemExit) as ended:
        main(["cancel", "nothing"])
    assert ended.value.code == 2


async def test_what_costs_nothing_is_given_up_and_what_is_paid_for_is_not_asked_after_the_mark(tmp_path: Path) -> None:
    class Waits(Sum):
        given_up = asked = False

        async def unit(self) -> None:
            try:
                await unless_stopped(self.forever())
            finally:
                with pytest.raises(OverBudget, match="asked to stop"):
                    await self.spending.reserve(0, 0, stage="verify")
                with pytest.raises(OverBudget, match="asked to stop"):
                    self.spending.take(0, 1, stage="research")
                assert self.spending.over() == "the run was asked to stop"

        async def forever(self) -> None:
            ask_to_cancel(tmp_path, "run-1")
            try:
                await asyncio.Event().wait()
            finally:
                self.given_up = True

    with store(tmp_path) as made:
        run = Waits(made)
        with pytest.raises(Cancelled, match="sum --resume run-1"):
            await run.run()
        assert run.given_up
        assert [row.stage for row in made.stages()] == ["one"]


class Absent:
    """A person who never decides."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    def until(self) -> None:
        return None

    async def wait(self, asked: Any) -> None:
        self.asked.set()
        await asyncio.Event().wait()


async def test_a_run_that_waits_for_a_person_stops_when_it_is_asked_to(tmp_path: Path) -> None:
    class Asking(Sum):
        async def unit(self) -> None:
            assert self.person is not None
            await self.person.wait([])

    person = Absent()
    with store(tmp_path) as run:
        going = asyncio.create_task(Asking(run, person=person).run())
        await person.asked.wait()
        ask_to_cancel(tmp_path, "run-1")
        async with asyncio.timeout(30):
            with pytest.raises(Cancelled, match="sum --resume run-1"):
                await going
    assert "cancelled" in events(tmp_path)


async def test_who_is_waited_for_long_is_in_the_journal_and_before_the_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("veritas.long_waits.LONG", 0.01)
    noted: list[str] = []
    here = threading.get_ident()

    class Watched(Silent):
        def warned(self, text: str) -> None:
            assert threading.get_ident() == here
            noted.append(text)

    class Waits(Sum):
        async def unit(self) -> None:
            with waiting_for("a lens of somebody's", 60):
                async with asyncio.timeout(60):
                    while not noted:  # noqa: ASYNC110 (what is waited for is said by another thread)
                        await asyncio.sleep(0.01)

    with store(tmp_path) as made:
        assert await Waits(made, units=1, progress=Watched()).run() == 2
    said = "waiting for a lens of somebody's, 60 s at most"
    assert noted == [said]
    assert [e.fields for e in read_journal(tmp_path, "run-1") if e.event == "waits"] == [{"who": said}]
