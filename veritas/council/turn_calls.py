"""The context of a call to a model: who asks, in which turn and stage, and what the answer is good for.

It stands beside the call and is no part of it. A model's wrappers know only the request, and take from here what they
write into ledger and claim graph.
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
    """The next request, because an answer did not do, or did in part: then `kept` is not None."""

    @property
    def asked(self) -> Sequence[Message]: ...

    @property
    def kept(self) -> object | None: ...

    def hear(self, said: Completion) -> Next | End:
        """Return what follows from an answer. Raises `UnreadableAnswer` where no answer came of it."""
        ...


class End(Protocol):
    """The end of the requests. `fits` is false where the last answer did not do."""

    @property
    def fits(self) -> bool: ...


Hears = Callable[[Completion], Next | End]
"""A function that says what follows from an answer: see `Next.hear`."""


@dataclass(frozen=True)
class Asking:
    """A call's context. `prompt` is name and version; `cuts` says which passages were shortened to fit the model's
    window, to what. `hears` is None where every answer will do."""

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
    """Set who makes the calls inside. A stage set by `within_stage` goes before the one given, because a judge does not
    know for whom it judges."""
    return within(_asking, Asking(who, turn, _stage.get() or stage, prompt, cuts, hears))


def within_stage(stage: StageName) -> AbstractContextManager[None]:
    """Set the stage that the calls inside serve."""
    return within(_stage, stage)


def who_asks() -> Asking:
    """Return the context of the call at hand."""
    return _asking.get() or NOBODY
