"""Who asks a model, in which turn and stage, and what the answer is good for: beside the call, never part of it.

The wrappers of a model know the request alone. What they write into ledger and claim graph about it they find here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from veritas.claims.graph import StageName
from veritas.council.chat import Completion, Message


@runtime_checkable
class Next(Protocol):
    """What is to be asked next, because an answer did not do, or did in part: then `kept` is not None."""

    @property
    def asked(self) -> Sequence[Message]: ...

    @property
    def kept(self) -> object | None: ...

    def hear(self, said: Completion) -> Next | End:
        """Raises `UnreadableAnswer` where nothing came of it."""
        ...


class End(Protocol):
    """Nothing more is asked. `fits` is false where the last answer did not do."""

    @property
    def fits(self) -> bool: ...


Hears = Callable[[Completion], Next | End]
"""What comes of an answer: see `Next.hear`."""


@dataclass(frozen=True)
class Asking:
    """`prompt` is name and version; `cuts` says which passages were shortened to fit the model's window, to what.
    `hears` is None where every answer will do."""

    who: str
    turn: str
    stage: StageName
    prompt: str
    cuts: tuple[str, ...] = ()
    hears: Hears | None = None


_asking: ContextVar[Asking | None] = ContextVar("veritas_asking", default=None)
_stage: ContextVar[StageName | None] = ContextVar("veritas_asking_stage", default=None)

NOBODY = Asking(who="unnamed", turn="ask", stage="verify", prompt="none")


@contextmanager
def asking(
    who: str, turn: str, stage: StageName, prompt: str, cuts: tuple[str, ...] = (), hears: Hears | None = None
) -> Iterator[None]:
    """Says for the calls made inside who makes them. A stage set by `within_stage` goes before the one given: a judge
    does not know for whom it judges."""
    token = _asking.set(Asking(who, turn, _stage.get() or stage, prompt, cuts, hears))
    try:
        yield
    finally:
        _asking.reset(token)


@contextmanager
def within_stage(stage: StageName) -> Iterator[None]:
    """Says for the calls made inside which stage they serve."""
    token = _stage.set(stage)
    try:
        yield
    finally:
        _stage.reset(token)


def who_asks() -> Asking:
    """Who makes the call at hand."""
    return _asking.get() or NOBODY
