"""Units in this process: none is begun once the run is asked to stop, and those under way are finished."""

from __future__ import annotations

import asyncio

import pytest
from pydantic import BaseModel

from veritas.engine.current_run import CurrentRun, under_way
from veritas.engine.units import NOT_BEGUN, Step, in_process


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
