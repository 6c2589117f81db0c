"""Who is asking a model, in which turn and stage, with which prompt: kept beside the call, never part of what is asked.

The wrappers of a model know the request alone. What they write into ledger and claim graph about it they find here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from veritas.claims.graph import StageName


@dataclass(frozen=True)
class Asking:
    """`prompt` is name and version; `cuts` says which passages were shortened to fit the model's window, to what."""

    who: str
    turn: str
    stage: StageName
    prompt: str
    cuts: tuple[str, ...] = ()


_asking: ContextVar[Asking | None] = ContextVar("veritas_asking", default=None)
_stage: ContextVar[StageName | None] = ContextVar("veritas_asking_stage", default=None)

NOBODY = Asking(who="unnamed", turn="ask", stage="verify", prompt="none")


@contextmanager
def asking(who: str, turn: str, stage: StageName, prompt: str, cuts: tuple[str, ...] = ()) -> Iterator[None]:
    """Says for the calls made inside who makes them. A stage set by `within_stage` goes before the one given: a judge
    does not know for whom it judges."""
    token = _asking.set(Asking(who, turn, _stage.get() or stage, prompt, cuts))
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
