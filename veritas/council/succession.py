"""Succession: if a candidate does not answer, the next one is asked. A model that others had to replace comes after
them until it answers again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from veritas.council.connections import Connected
from veritas.council.failures import LeftOut, NotKnown
from veritas.council.spending import OverBudget
from veritas.council.turn_calls import known_only, last_resort, turn_of
from veritas.errors import Unavailable, UnreadableAnswer
from veritas.frozen import Frozen
from veritas.store.call_record import Spent, record_all, spending

PASSED_OVER = "gave no answer, and another one did"
"""Why a candidate did not answer, where the reason is known to an earlier process alone."""


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
        return 2 if model.out is not None else int(model.doubtful is not None)
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

    async def in_turn(candidate: C) -> T:
        with turn_of(candidates[0].name, in_place=candidate is not candidates[0]):
            return await ask(candidate)

    if len(candidates) > 1 and (known := await _known(candidates, in_turn)) is not None:
        return known
    order = sorted(candidates, key=standing)
    unasked = {c.name for c in order if standing(c) == 2}
    errors: dict[str, Unavailable] = {}
    for last in (False, True):
        for candidate in order:
            model = connection(candidate)
            try:
                with last_resort(last):
                    value = await in_turn(candidate)
            except Unavailable as problem:
                errors[candidate.name] = problem
                if model is not None and not isinstance(problem, OverBudget):  # a lack of money is no model's fault
                    model.failed(str(problem), unreadable=isinstance(problem, UnreadableAnswer))
            else:
                if model is not None:
                    model.answered()
                return Spoken(value, candidate, _absent(candidates, candidate, errors))
        left_out = [c for c in order if isinstance(errors[c.name], LeftOut)] if len(candidates) > 1 else []
        order = [c for c in left_out if c.name in unasked or ((m := connection(c)) is not None and m.spoke)]
    raise _nobody([errors[c.name] for c in candidates], candidates)


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


def _absent(candidates: Sequence[C], by: C, errors: dict[str, Unavailable]) -> tuple[Absence, ...]:
    """Return the candidates before the one that answered, in the order of the council file, with the reasons: their own
    failure, or the one for which they were not asked."""
    before = candidates[: next(i for i, c in enumerate(candidates) if c is by)]
    found = []
    for one in before:
        problem, model = errors.get(one.name), connection(one)
        why = str(problem) if problem is not None and not isinstance(problem, NotKnown) else ""
        if not why and model is not None:
            why = model.out or model.doubtful or ""
        found.append(Absence(name=one.name, why=why or PASSED_OVER))
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
