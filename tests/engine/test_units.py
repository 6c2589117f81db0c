"""Units in this process: none is begun once the run is asked to stop, and those under way are finished."""

from __future__ import annotations

import asyncio

import pytest
from pydantic import BaseModel

from veritas.engine.current_run import CurrentRun, under_way
from veritas.engine.units import NOT_BEGUN, Step, asked, in_process
from veritas.errors import Unavailable


class Number(BaseModel):
    value: int


@pytest.mark.parametrize("at_once", [1, 2])
async def test_no_unit_is_begun_after_the_run_was_asked_to_stop(at_once: int) -> None:
    begun: list[int] = []

    async def run(unit: Number, runtime: str) -> Number:
        begun.append(unit.value)
        await asyncio.sleep(0)
        return Number(value=-unit.value)

    step = Step("negate", "verify", run, lambda unit: f"{unit.value}")
    told: list[int] = []
    current = CurrentRun(lambda: len(told) >= 2, lambda calls: told.append(len(calls)))
    with under_way(current):
        outcomes = await in_process(step, [Number(value=n) for n in range(1, 7)], "a runtime", at_once=at_once)
    assert current.skipped
    done = [outcome.value.value for outcome in outcomes if outcome.value is not None]
    assert done == [-n for n in begun], "in the units' order, and nothing that was begun is lost"
    assert 2 <= len(done) < 6
    assert {outcome.unavailable for outcome in outcomes if outcome.value is None} == {NOT_BEGUN}


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    ("raised", "words"),
    [
        (SystemExit(0), "SystemExit: 0"),
        (asyncio.CancelledError(), "CancelledError: it was cancelled, not by its asker"),
        (BaseExceptionGroup("two", [SystemExit(0)]), "BaseExceptionGroup: two (1 sub-exception)"),
        (Unspeakable(), "Unspeakable"),
        (ValueError("bad \ud800 text"), "ValueError: bad ? text"),
    ],
)
async def test_whatever_a_plug_in_raises_is_no_answer_and_ends_nothing_else(raised: BaseException, words: str) -> None:
    async def ends() -> None:
        raise raised

    with pytest.raises(Unavailable) as told:
        await asked(ends(), lambda answer: answer, who="odd", turn="assert", stage="extract")
    assert str(told.value) == f"odd failed at assert: {words}"


async def test_a_plug_ins_endless_words_are_cut() -> None:
    async def shouts() -> None:
        raise ValueError("x" * 10_000_000)

    with pytest.raises(Unavailable) as told:
        await asked(shouts(), lambda answer: answer, who="odd", turn="assert", stage="extract")
    assert len(str(told.value)) < 1_100


async def test_a_cancellation_by_the_asker_goes_through() -> None:
    async def waits() -> None:
        await asyncio.sleep(60)

    task = asyncio.ensure_future(asked(waits(), lambda answer: answer, who="odd", turn="assert", stage="extract"))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
