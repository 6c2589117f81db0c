"""Units of work: what a stage does many times over, and the seam through which a caller decides how it is run.

In process a step is a plain coroutine; orchestrated, it is a Prefect task. The stages cannot tell.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

from veritas.claims.graph import Call, StageName
from veritas.errors import Unavailable, VeritasError
from veritas.frozen import content_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from veritas.stages.runtime import Runtime

U = TypeVar("U", bound=BaseModel)
R = TypeVar("R", bound=BaseModel)
T = TypeVar("T")


@dataclass(frozen=True)
class Step(Generic[U, R]):
    """One kind of unit. `run` raises `Unavailable` when the unit cannot be done; `label` names a unit for a person."""

    name: str
    stage: StageName
    run: Callable[[U, Runtime], Awaitable[R]]
    label: Callable[[U], str]


@dataclass(frozen=True)
class Outcome(Generic[R]):
    """What came of a unit: its result, or why there is none; and the calls made for it."""

    value: R | None
    unavailable: str | None
    calls: tuple[Call, ...] = ()


class Work(Protocol):
    """Runs the units of a step, in any order and place, and returns their outcomes in the units' order."""

    async def __call__(self, step: Step[U, R], units: Sequence[U], runtime: Runtime) -> list[Outcome[R]]: ...


_calls: ContextVar[list[Call] | None] = ContextVar("veritas_calls", default=None)


@contextmanager
def collecting_calls() -> Iterator[list[Call]]:
    """Collects the calls that are recorded inside, in this task and those it starts."""
    calls: list[Call] = []
    token = _calls.set(calls)
    try:
        yield calls
    finally:
        _calls.reset(token)


def record_call(call: Call) -> None:
    """Adds a call to the unit being done; outside of one it goes nowhere."""
    calls = _calls.get()
    if calls is not None:
        calls.append(call)


async def asked(
    answer: Awaitable[T],
    *,
    who: str,
    turn: str,
    stage: StageName,
    model: str | None = None,
    count: int = 1,
    about: Any = "",
) -> T:
    """Awaits a plug-in's answer, times it and records the call (unless the plug-in recorded its own).

    Whatever goes wrong inside a plug-in is `Unavailable`, by name and reason: an error is no answer (I5).
    """
    before = len(_calls.get() or ())
    start = perf_counter()
    error: str | None = None
    try:
        return await answer
    except VeritasError as problem:
        error = str(problem)
        raise
    except Exception as problem:  # a plug-in's bug halts one finding, not the run
        error = f"{type(problem).__name__}: {problem}"
        raise Unavailable(f"{who} failed at {turn}: {error}") from problem
    finally:
        if len(_calls.get() or ()) == before:
            record_call(
                Call(
                    call_id=content_id("k", stage, who, turn, about),
                    request_hash=content_id("r", who, turn, about),
                    stage=stage,
                    who=who,
                    model=model,
                    turn=turn,
                    count=count,
                    seconds=round(perf_counter() - start, 6),
                    error=error,
                )
            )


async def do_unit(step: Step[U, R], unit: U, runtime: Runtime) -> Outcome[R]:
    """One unit, its calls collected. Raises `Unavailable`, so that an orchestrator can try again."""
    with collecting_calls() as calls:
        value = await step.run(unit, runtime)
    return Outcome(value, None, tuple(calls))


async def in_process(
    step: Step[U, R],
    units: Sequence[U],
    runtime: Runtime,
    *,
    at_once: int = 8,
    on_done: Callable[[], None] = lambda: None,
) -> list[Outcome[R]]:
    """`Work` without a server: the units as coroutines of this process, `at_once` at a time."""
    gate = asyncio.Semaphore(at_once)

    async def one(unit: U) -> Outcome[R]:
        async with gate:
            with collecting_calls() as calls:
                try:
                    return Outcome(await step.run(unit, runtime), None, tuple(calls))
                except Unavailable as problem:
                    return Outcome(None, str(problem), tuple(calls))
                finally:
                    on_done()

    return list(await asyncio.gather(*(one(unit) for unit in units)))
