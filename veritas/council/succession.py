"""Succession: if a candidate does not answer, the next is asked at once, or in parallel if it is slow.

The first valid answer counts. The other candidates are cancelled, and come after the others until they answer again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Generic, Protocol, TypeVar

from veritas.council._race import OVERTAKEN, Runner, known_only, last_resort, running, turn_of
from veritas.council.connections import Connected
from veritas.council.failures import LeftOut, NotKnown, Superseded
from veritas.council.spending import OverBudget
from veritas.errors import Unavailable, UnreadableAnswer
from veritas.frozen import Frozen
from veritas.store.call_record import Spent, record_all, spending

SLOWER = 1.5
"""Multiple of the winner's time for which a model must have been silent to be doubted for it."""


class Named(Protocol):
    """A candidate. One that is a language model has an attribute `connected`."""

    @property
    def name(self) -> str: ...


C = TypeVar("C", bound=Named)
T = TypeVar("T")


class Absence(Frozen):
    """A candidate before the one that answered, and the reason why it did not answer."""

    name: str
    why: str


@dataclass(frozen=True)
class Spoken(Generic[C, T]):
    """An answer, the candidate that gave it, and the candidates before it."""

    value: T
    by: C
    absent: tuple[Absence, ...] = ()


class NobodyAnswered(Unavailable):
    """None of several candidates answered. `may_pass` is true if asking all of them again can help."""

    def __init__(self, message: str, may_pass: bool) -> None:
        super().__init__(message)
        self.may_pass = may_pass


def connection(candidate: object) -> Connected | None:
    """Return the model behind a member or a lens; None where there is none."""
    found = getattr(candidate, "connected", None)
    return found if isinstance(found, Connected) else None


def standing(candidate: object) -> int:
    """Return 0 for a normal candidate, 1 for a model that others had to replace, 2 for an excluded one."""
    model = connection(candidate)
    if model is not None:
        return 2 if model.out is not None else int(model.doubtful)
    return 2 if getattr(candidate, "out", None) is not None else 0


class Taken(Frozen):
    """The outcome of a turn: the candidate that took it, and those before it that did not."""

    by: str = ""
    absent: tuple[Absence, ...] = ()


A = TypeVar("A", bound=Taken)


def taken(spoken: Spoken[C, A]) -> A:
    """Return the answer with its names in it."""
    return spoken.value.model_copy(update={"by": spoken.by.name, "absent": spoken.absent})


async def in_succession(candidates: Sequence[C], ask: Callable[[C], Awaitable[T]]) -> Spoken[C, T]:
    """Return the answer of the first candidate that answers. `ask` raises `Unavailable` if there is no answer.

    The run's ledger comes first: a replay finds the answer of any candidate. If all are excluded or failed, those that
    were not asked because of an exclusion are asked once more, and so are those that this turn excluded although they
    had answered in this run. Raises the error of the only candidate, or `NobodyAnswered` with all errors.
    """
    asked, first = ask, candidates[0]

    async def ask_in_turn(candidate: C) -> T:
        with turn_of(first.name, in_place=candidate is not first):
            return await asked(candidate)

    ask = ask_in_turn
    if len(candidates) > 1:
        known = await _known(candidates, ask)
        if known is not None:
            return known
    order = sorted(candidates, key=standing)
    errors: dict[str, Unavailable] = {}
    while order and (connection(order[0]) is None or len(candidates) == 1):
        # Rules answer at once or not at all, and a lone candidate has nobody to race with.
        first = order.pop(0)
        try:
            value = await ask(first)
        except Unavailable as problem:
            errors[first.name] = problem
            _note(first, Runner(), problem)
        else:
            if (model := connection(first)) is not None:
                model.answered()
            return Spoken(value, first, _absent(candidates, first, errors))
    unasked = [c for c in order if standing(c) == 2]
    found = await _race(order, ask, errors)
    if found is None and len(candidates) > 1:
        left_out = [c for c in order if isinstance(errors.get(c.name), LeftOut)]
        again = [c for c in left_out if c in unasked or ((model := connection(c)) is not None and model.spoke)]
        found = await _race(again, _at_last(ask), errors)
    if found is None:
        raise _nobody([errors[c.name] for c in candidates if c.name in errors], candidates)
    return Spoken(*found, _absent(candidates, found[1], errors))


async def _known(candidates: Sequence[C], ask: Callable[[C], Awaitable[T]]) -> Spoken[C, T] | None:
    """Return an answer from the ledger, of the first candidate that has one there."""
    for candidate in candidates:
        model = connection(candidate)
        if model is None or not model.remembers:
            continue
        try:
            with spending(Spent()) as spent, known_only():
                value = await ask(candidate)
        except Unavailable:
            continue  # a look into the ledger that found nothing is no call
        record_all(spent)
        return Spoken(value, candidate, _absent(candidates, candidate, {}))
    return None


def _at_last(ask: Callable[[C], Awaitable[T]]) -> Callable[[C], Awaitable[T]]:
    async def once_more(candidate: C) -> T:
        with last_resort():
            return await ask(candidate)

    return once_more


async def _race(
    order: Sequence[C], ask: Callable[[C], Awaitable[T]], errors: dict[str, Unavailable]
) -> tuple[T, C] | None:
    """Return the first answer and its candidate; None, with the `errors` by name, if all failed."""
    left = list(order)
    late = asyncio.Event()
    asked: dict[asyncio.Task[T], tuple[C, Runner]] = {}
    try:
        while left or asked:
            if left and (late.is_set() or not asked):
                late.clear()
                candidate, runner = left.pop(0), Runner(late.set)
                with running(runner):
                    asked[asyncio.ensure_future(ask(candidate))] = candidate, runner
            done = await _first_done(asked, late if left else None)
            for task in done:
                candidate, runner = asked.pop(task)
                try:
                    value = task.result()
                except Unavailable as problem:
                    errors[candidate.name] = problem
                    _note(candidate, runner, problem)
                else:
                    if (model := connection(candidate)) is not None:
                        model.answered()
                    now = monotonic()
                    for beaten, its in asked.values():
                        its.superseded = True
                        its.slow = its.slow and now - its.begun >= SLOWER * (now - runner.begun)
                        errors[beaten.name] = Superseded(OVERTAKEN)
                        _note(beaten, its, None)
                    return value, candidate
        return None
    finally:
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)


async def _first_done(
    asked: dict[asyncio.Task[T], tuple[C, Runner]], late: asyncio.Event | None
) -> list[asyncio.Task[T]]:
    """Return the tasks that are done, once one is; none when `late` came first."""
    if late is None:
        await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
    else:
        alarm = asyncio.ensure_future(late.wait())
        try:
            await asyncio.wait({*asked, alarm}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            alarm.cancel()
    return [task for task in asked if task.done()]


def _note(candidate: object, runner: Runner, problem: Unavailable | None) -> None:
    """Record for a model that another one has to answer in its place."""
    model = connection(candidate)
    if model is not None and not isinstance(problem, OverBudget):  # a lack of money is no model's fault
        unreadable = isinstance(problem, UnreadableAnswer | Superseded)
        model.failed(useless=runner.slow or runner.unfit or unreadable)


def _absent(candidates: Sequence[C], by: C, errors: dict[str, Unavailable]) -> tuple[Absence, ...]:
    """Return the candidates before the one that answered, in the order of the council file, with the reasons.

    A repeated run must give the same text, so a model that was skipped gets the same reason as one that was overtaken.
    """
    before = candidates[: next(i for i, c in enumerate(candidates) if c is by)]
    found = []
    for one in before:
        problem = errors.get(one.name)
        why = str(problem) if problem is not None and not isinstance(problem, Superseded | NotKnown) else OVERTAKEN
        model = connection(one)
        if problem is None and model is not None and model.out is not None:
            why = model.out
        found.append(Absence(name=one.name, why=why))
    return tuple(found)


def _nobody(errors: Sequence[Unavailable], candidates: Sequence[Named]) -> Unavailable:
    if len(candidates) == 1:
        return errors[0]
    words = "; ".join(dict.fromkeys(str(e) for e in errors))
    if all(isinstance(e, OverBudget) for e in errors):
        return errors[0]
    if all(isinstance(e, UnreadableAnswer) for e in errors):
        return UnreadableAnswer(words)
    passing = any(getattr(e, "may_pass", not isinstance(e, UnreadableAnswer)) for e in errors)
    return NobodyAnswered(words, passing)
