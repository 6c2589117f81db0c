"""The end of a flow run that had nothing to do."""

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
    """Return the state of a flow that normally returns a `kind`, when nothing was named or nothing exists yet.

    It is completed, by that name, with the reason. A named thing that does not exist is an error, never this. Prefect
    shows the state; a caller of the flow in Python gets `data`.
    """
    get_run_logger().info("nothing to do: %s", why)
    ended: Any = Completed(name=name, message=why, data=data)  # Prefect takes it for the run's state, not for an answer
    return cast("T", ended)


def no_latest(run: str) -> str | None:
    """Return why `latest` names no run to resume or replay: none exists yet, or all are in progress.

    None for a run that can be read, and for one named by id: any fault of it is an error.
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
