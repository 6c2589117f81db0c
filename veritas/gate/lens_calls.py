"""Claims put before lenses: any answer that is no proper judgment is `unavailable` (I5)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from veritas.claims.judgment import Judgment
from veritas.council.spending import STOPPED, current_spending
from veritas.council.succession import Absence, connection, in_succession
from veritas.errors import Unavailable
from veritas.frozen import first_fault
from veritas.gate.plugin_thread import apart
from veritas.judging.lens import Lens
from veritas.long_waits import waiting_for
from veritas.plugins import said

T = TypeVar("T", bound=BaseModel)
AT_ONCE = 16
LONGEST = 60.0
"""Seconds that one answer is waited for, where no policy says how long."""


@dataclass(frozen=True)
class Ask:
    """A bare claim and a passage for one lens: all that it sees (I4). `successors` judge in its place, in order, when
    it gives no answer."""

    lens: Lens
    claim: str
    passage: str
    successors: tuple[Lens, ...] = ()


class Asker(Protocol):
    """A function that puts questions before lenses, in any place, and returns one answer for each, in order. The gate
    checks the answers."""

    async def __call__(self, asks: Sequence[Ask]) -> Sequence[Judgment]: ...


class InProcess:
    """An `Asker` in this process, for several questions at once. `seconds` is how long one answer is waited for, of a
    lens that is no language model with limits of its own."""

    def __init__(self, seconds: float = LONGEST) -> None:
        self._seconds = seconds

    async def __call__(self, asks: Sequence[Ask]) -> Sequence[Judgment]:
        """Return one judgment for each ask; where the lens and its successors fail, an unavailable one."""
        turn = asyncio.Semaphore(AT_ONCE)

        async def one(ask: Ask) -> Judgment:
            async with turn:
                spending = current_spending()
                if spending is not None and spending.stopping():
                    return unavailable(ask.lens, STOPPED)
                return (await first_judged((ask.lens, *ask.successors), ask.claim, ask.passage, self._seconds))[0]

        return list(await asyncio.gather(*(one(ask) for ask in asks)))


async def judged(lens: Lens, claim: str, passage: str, seconds: float | None) -> Judgment:
    """Return a lens's judgment within so many seconds; whatever goes wrong is an unavailable one."""
    try:
        return await answered(lens, partial(lens.judge, claim, passage), Judgment, lens.name, longest(lens, seconds))
    except Unavailable as problem:
        return unavailable(lens, str(problem))


async def first_judged(
    lenses: Sequence[Lens], claim: str, passage: str, seconds: float
) -> tuple[Judgment, tuple[Absence, ...]]:
    """Return the judgment of the first lens that gives one, and those before it that did not. When none does, return an
    unavailable one in the first one's name and the words of all."""

    async def ask(lens: Lens) -> Judgment:
        found = await answered(lens, partial(lens.judge, claim, passage), Judgment, lens.name, longest(lens, seconds))
        if found.lens != lens.name or found.family != lens.family:
            raise Unavailable(f"the answer is in the name of {found.lens} ({found.family})")
        if found.label == "unavailable":
            raise Unavailable(found.rationale)
        return found

    try:
        spoken = await in_succession(lenses, ask)
    except Unavailable as problem:
        return unavailable(lenses[0], str(problem)), ()
    return spoken.value, spoken.absent


def longest(lens: Lens, seconds: float | None) -> float | None:
    """Return how long a lens is waited for; None for a model, and for one of VERITAS's own, with limits of its own."""
    own = connection(lens) is not None or (getattr(lens, "waits_for_itself", False) and apart(lens) is None)
    return None if own else seconds


async def answered(
    plugin: object, ask: Callable[[], Awaitable[T]], model: type[T], who: str, seconds: float | None
) -> T:
    """Ask a plug-in and return its answer. Raises `Unavailable`, with its name and the reason, for any error inside it
    and any answer that is no `model`: an error is no answer (I5).

    Somebody else's plug-in is asked in a thread of its own, so that one that blocks holds up nobody beyond its time. A
    cancellation of the asker and Ctrl-C go through.
    """
    room = apart(plugin)
    try:
        if room is not None:
            with waiting_for(f"{who} (the plug-in {type(plugin).__module__}.{type(plugin).__qualname__})", seconds):
                return proper(await room.ask(ask, who, seconds), model, who)
        return proper(await asyncio.wait_for(ask(), seconds), model, who)
    except Unavailable:
        raise
    except asyncio.CancelledError as problem:
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
        raise Unavailable(f"{who} failed: CancelledError: it was cancelled, not by its asker") from problem
    except TimeoutError as problem:
        raise Unavailable(f"{who} gave no answer ({str(problem) or f'{seconds:g} s'})") from problem
    except (KeyboardInterrupt, SystemExit, GeneratorExit):  # of this thread: the plug-in's own are told in its room
        raise
    except BaseException as problem:  # a plug-in's bug, or a library's panic, halts one finding, not the others
        raise Unavailable(f"{who} failed: {said(problem)}") from problem


def proper(answer: object, model: type[T], who: str) -> T:
    """Return the answer, validated once more. Raises `Unavailable` for one that is no `model`."""
    if not isinstance(answer, model):
        raise Unavailable(f"{who} answered with {type(answer).__name__}, which is no {model.__name__}")
    try:
        return model.model_validate(answer.model_dump(warnings=False))
    except ValidationError as problem:
        raise Unavailable(f"{who} answered with what is no {model.__name__}: {first_fault(problem)}") from problem


def checked(ask: Ask, answer: object) -> Judgment:
    """Return the proper judgment of the lens or of one of its successors; else an unavailable one. A judgment in
    another's name is none."""
    try:
        found = proper(answer, Judgment, ask.lens.name)
    except Unavailable as problem:
        return unavailable(ask.lens, str(problem))
    if (found.lens, found.family) not in {(lens.name, lens.family) for lens in (ask.lens, *ask.successors)}:
        return unavailable(ask.lens, f"the answer is in the name of {found.lens} ({found.family})")
    return found


def unavailable(lens: Lens, reason: str) -> Judgment:
    """Return an unavailable judgment in the lens's name."""
    return Judgment(label="unavailable", score=0.0, rationale=reason, lens=lens.name, family=lens.family)
