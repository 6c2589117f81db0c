"""The seam through which a run reports its progress."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from veritas.claims.graph import Call


class Progress(Protocol):
    """A listener to a run's progress, for display only."""

    def noted(self, text: str) -> None:
        """Show a line before the run begins, such as its forecast."""
        ...

    def warned(self, text: str) -> None:
        """Show a line at once: a model that cannot answer, or for which the run waits."""
        ...

    def stage_started(self, stage: str) -> None: ...

    def units_begun(self, step: str, total: int) -> None: ...

    def unit_done(self, calls: Sequence[Call] = ()) -> None: ...

    def stage_done(self, stage: str, seconds: float, said: str, from_store: bool) -> None: ...


@runtime_checkable
class Shown(Protocol):
    """A `Progress` that also receives each stage's output."""

    def stage_output(self, stage: str, output: Any) -> None:
        """Take the output of a stage, as it is stored; called after `stage_done`."""
        ...


class Silent:
    """A `Progress` that does nothing."""

    def noted(self, text: str) -> None:
        return None

    def warned(self, text: str) -> None:
        return None

    def stage_started(self, stage: str) -> None:
        return None

    def units_begun(self, step: str, total: int) -> None:
        return None

    def unit_done(self, calls: Sequence[Call] = ()) -> None:
        return None

    def stage_done(self, stage: str, seconds: float, said: str, from_store: bool) -> None:
        return None
