"""Questions to lenses: any answer that is no valid judgment is `unavailable` (I5)."""

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
from veritas.frozen import Frozen, first_fault
from veritas.gate.plugin_thread import apart
from veritas.judging.lens import Lens, Pair, ReadsAround
from veritas.long_waits import waiting_for
from veritas.plugins import said

T = TypeVar("T", bound=BaseModel)
Item = TypeVar("Item")
AT_ONCE = 16
LONGEST = 60.0
"""Seconds that one answer is waited for, where no policy says how long."""


@dataclass(frozen=True)
class Ask:
    """A bare claim and a passage for one lens (I4). `successors` judge in its place, in order, if it does not answer.
    `context`: see `Pair`."""

    lens: Lens
    claim: str
    passage: str
    successors: tuple[Lens, ...] = ()
    context: str = ""

    @property
    def pair(self) -> Pair:
        """What the lens is asked."""
        return Pair(claim=self.claim, passage=self.passage, context=self.context)


class Asker(Protocol):
    """A function that asks lenses, in any place, and returns one answer for each question, in order. The gate checks
    the answers."""

    async def __call__(self, asks: Sequence[Ask]) -> Sequence[Judgment]: ...


class InProcess:
    """An `Asker` in this process, for parallel questions. `seconds` is the time limit for an answer of a lens without
    limits of its own; `most` see `groups`."""

    def __init__(self, seconds: float = LONGEST, most: int = 1) -> None:
        self._seconds, self._most = seconds, most

    async def __call__(self, asks: Sequence[Ask]) -> Sequence[Judgment]:
        """Return one judgment for each ask; where the lens and its successors fail, an unavailable one."""
        turn = asyncio.Semaphore(AT_ONCE)
        given: dict[int, Judgment] = {}

        async def one(lenses: Sequence[Lens], indices: Sequence[int]) -> None:
            async with turn:
                spending = current_spending()
                if spending is not None and spending.stopping():
                    given.update((i, unavailable(lenses[0], STOPPED)) for i in indices)
                    return
                found = await first_judged(lenses, [asks[i].pair for i in indices], self._seconds)
                given.update((i, judgment) for i, (judgment, _) in zip(indices, found, strict=True))

        panels: dict[tuple[int, ...], list[int]] = {}
        for i, ask in enumerate(asks):
            panels.setdefault(tuple(id(lens) for lens in (ask.lens, *ask.successors)), []).append(i)
        await asyncio.gather(
            *(
                one((asks[part[0]].lens, *asks[part[0]].successors), part)
                for indices in panels.values()
                for part in groups(asks[indices[0]].lens, indices, self._most)
            )
        )
        return [given[i] for i in range(len(asks))]


def groups(lens: Lens, items: Sequence[Item], most: int) -> list[Sequence[Item]]:
    """Return the items that go to a lens in one call: up to `most`, if it takes several."""
    most = most if isinstance(lens, ReadsAround) else 1
    return [items[at : at + most] for at in range(0, len(items), most)]


async def judged(lens: Lens, claim: str, passage: str, seconds: float | None) -> Judgment:
    """Return a lens's judgment within so many seconds; every failure is an unavailable one."""
    try:
        return await answered(lens, partial(lens.judge, claim, passage), Judgment, lens.name, longest(lens, seconds))
    except Unavailable as problem:
        return unavailable(lens, str(problem))


class _Judged(Frozen):
    judgments: tuple[Judgment, ...]


async def first_judged(
    lenses: Sequence[Lens], pairs: Sequence[Pair], seconds: float
) -> list[tuple[Judgment, tuple[Absence, ...]]]:
    """Return the first lens's judgment of each pair, and the lenses before it that gave none. If all fail, several
    pairs are asked about one by one, and one gets an unavailable judgment in the first lens's name with all reasons."""

    async def ask(lens: Lens) -> tuple[Judgment, ...]:
        limit = longest(lens, seconds)

        async def several(reading: ReadsAround) -> _Judged:
            return _Judged(judgments=tuple(await reading.judge_pairs(pairs)))

        if isinstance(lens, ReadsAround):
            found = (await answered(lens, partial(several, lens), _Judged, lens.name, limit)).judgments
        else:
            asked = (answered(lens, partial(lens.judge, p.claim, p.passage), Judgment, lens.name, limit) for p in pairs)
            found = tuple(await asyncio.gather(*asked))
        if len(found) != len(pairs):
            raise Unavailable(f"{lens.name} gave {len(found)} judgments of {len(pairs)}")
        for one in found:
            if one.lens != lens.name or one.family != lens.family:
                raise Unavailable(f"the answer is in the name of {one.lens} ({one.family})")
            if one.label == "unavailable":
                raise Unavailable(one.rationale)
        return found

    try:
        spoken = await in_succession(lenses, ask)
    except Unavailable as problem:
        if len(pairs) == 1:
            return [(unavailable(lenses[0], str(problem)), ())]
        singly = await asyncio.gather(*(first_judged(lenses, [pair], seconds) for pair in pairs))
        return [one for (one,) in singly]
    return [(judgment, spoken.absent) for judgment in spoken.value]


def longest(lens: Lens, seconds: float | None) -> float | None:
    """Return the time limit of a lens; None for a model, and for a built-in lens, with limits of its own."""
    own = connection(lens) is not None or (getattr(lens, "waits_for_itself", False) and apart(lens) is None)
    return None if own else seconds


async def answered(
    plugin: object, ask: Callable[[], Awaitable[T]], model: type[T], who: str, seconds: float | None
) -> T:
    """Ask a plug-in and return its answer.

    Raises `Unavailable`, with its name and the reason, for any error inside it and any answer that is no `model` (I5).
    A third-party plug-in is asked in its own thread, so that a blocking one delays nothing else. A cancellation by the
    caller and Ctrl-C are passed on.
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
    """Return the answer, validated again. Raises `Unavailable` if it is no `model`."""
    if not isinstance(answer, model):
        raise Unavailable(f"{who} answered with {type(answer).__name__}, which is no {model.__name__}")
    try:
        return model.model_validate(answer.model_dump(warnings=False))
    except ValidationError as problem:
        raise Unavailable(f"{who} answered with what is no {model.__name__}: {first_fault(problem)}") from problem


def checked(ask: Ask, answer: object) -> Judgment:
    """Return the valid judgment of the lens or of one of its successors; else an unavailable one. A judgment in another
    lens's name is invalid."""
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
