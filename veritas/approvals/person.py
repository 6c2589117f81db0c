"""The person seam: a run can wait for a person before it leaves out the findings that the gate could not decide."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from veritas.approvals.approval import Approval


class Person(Protocol):
    """A person for whom a run can wait. Without one a run continues at once, and leaves out the undecided findings."""

    def until(self) -> datetime | None:
        """Return the end of the waiting time, which is the time limit of the cases; None for no limit."""
        ...

    async def wait(self, asked: Sequence[Approval]) -> None:
        """Wait until the findings are settled (with `approvals.settle`) or the time is up."""
        ...
