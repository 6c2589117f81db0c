"""The person seam: for whom a run waits before it goes on without what the gate could not decide."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from veritas.approvals.approval import Approval


class Person(Protocol):
    """Somebody who may be waited for. Without one a run goes on at once, and what waits is left out of it."""

    def until(self) -> datetime | None:
        """When the waiting ends: the time limit of what is asked. None for no limit."""
        ...

    async def wait(self, asked: Sequence[Approval]) -> None:
        """Returns when the findings are settled (with `approvals.settle`), or when it is time to go on."""
        ...
