"""How a flow run ends that had nothing to do."""

from __future__ import annotations

from typing import Any, TypeVar, cast

from prefect import get_run_logger
from prefect.states import Completed

from veritas.settings import home
from veritas.store import find_run
from veritas.store.open_file import StoreLocked
from veritas.store.paths import LATEST, run_ids

T = TypeVar("T")


def nothing_to_do(why: str, kind: type[T], *, name: str = "NothingToDo", data: T | None = None) -> T:
    """The state that a flow, which else answers with a `kind`, returns when nothing was named or nothing is there yet:
    completed, by that name, with the reason. What was named and is not there is an error, never this.

    Prefect takes it for how the run ended; whoever called the flow from Python gets `data`."""
    get_run_logger().info("nothing to do: %s", why)
    ended: Any = Completed(name=name, message=why, data=data)  # Prefect takes it for the run's state, not for an answer
    return cast("T", ended)


def no_latest(run: str) -> str | None:
    """Why `latest` means no run that could be gone on with or replayed: none is there yet, or all are going on.

    None for a run that can be read, and for one that was named: what is wrong with it is an error.
    """
    if run != LATEST:
        return None
    if not run_ids(home()):
        return "there is no run yet: start research/quick first"
    try:
        find_run(home(), LATEST)
    except StoreLocked as busy:
        return str(busy)
    return None
