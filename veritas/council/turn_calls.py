"""The context of a call to a model: who asks, in which turn and stage, and how its answer is checked.

It is stored in context variables. A model's wrappers know only the request, and read from here what they write into
ledger and claim graph.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from veritas.claims.graph import StageName
from veritas.context_value import within
from veritas.council.chat import Completion, Message


@runtime_checkable
class Next(Protocol):
    """The next request, because an answer was unusable, or usable in part: then `kept` is not None."""

    @property
    def asked(self) -> Sequence[Message]: ...

    @property
    def kept(self) -> object | None: ...

    def hear(self, said: Completion) -> Next | End:
        """Return what follows from an answer. Raises `UnreadableAnswer` if the dialogue ends without one."""
        ...


class End(Protocol):
    """The end of the requests. `fits` is false if the last answer was unusable."""

    @property
    def fits(self) -> bool: ...


Hears = Callable[[Completion], Next | End]
"""A function that says what follows from an answer: see `Next.hear`."""


@dataclass(frozen=True)
class Asking:
    """A call's context. `prompt` is name and version; `cuts` describes which passages were cut to fit the model's
    window. `hears` is None if every answer is accepted."""

    who: str
    turn: str
    stage: StageName
    prompt: str
    cuts: tuple[str, ...] = ()
    hears: Hears | None = None


_asking: ContextVar[Asking | None] = ContextVar("veritas_asking", default=None)
_stage: ContextVar[StageName | None] = ContextVar("veritas_asking_stage", default=None)

NOBODY = Asking(who="unnamed", turn="ask", stage="verify", prompt="none")


def asking(
    who: str, turn: str, stage: StageName, prompt: str, cuts: tuple[str, ...] = (), hears: Hears | None = None
) -> AbstractContextManager[None]:
    """Set the asker of the calls made inside. A stage set by `within_stage` takes precedence, because a judge does not
    know for whom it judges."""
    return within(_asking, Asking(who, turn, _stage.get() or stage, prompt, cuts, hears))


def within_stage(stage: StageName) -> AbstractContextManager[None]:
    """Set the stage that the calls inside serve."""
    return within(_stage, stage)


def who_asks() -> Asking:
    """Return the context of the present call."""
    return _asking.get() or NOBODY


_known_only: ContextVar[bool] = ContextVar("veritas_known_only", default=False)
_replaced: ContextVar[str | None] = ContextVar("veritas_in_place_of", default=None)
_last_resort: ContextVar[bool] = ContextVar("veritas_last_resort", default=False)


def known_only() -> AbstractContextManager[None]:
    """Answer the calls made inside from the ledger only."""
    return within(_known_only, True)


def is_known_only() -> bool:
    """Return whether the present call may be answered from the ledger only."""
    return _known_only.get()


def turn_of(name: str, *, in_place: bool) -> AbstractContextManager[None]:
    """Set for the calls made inside whose turn it is, and whether another model takes it."""
    return within(_replaced, name if in_place else None)


def replaced() -> str | None:
    """Return the name of the model that the present call replaces; None for a call in its own turn."""
    return _replaced.get()


def last_resort(last: bool) -> AbstractContextManager[None]:
    """Declare for the calls made inside whether no other model is left."""
    return within(_last_resort, last)


def is_last_resort() -> bool:
    """Return whether no other model is left to answer the present call."""
    return _last_resort.get()
