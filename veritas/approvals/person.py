"""The person seam: a run waits for a person before it goes on without the findings that the gate could not decide."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from veritas.approvals.approval import Approval


class Person(Protocol):
    """A person who may be waited for. Without one a run goes on at once, and leaves out what waits."""

    def until(self) -> datetime | None:
        """Return when the waiting ends: the time limit of what is asked. None for no limit."""
        ...

    async def wait(self, asked: Sequence[Approval]) -> None:
        """Wait until the findings are settled (with `approvals.settle`), or it is time to go on."""
        ...
