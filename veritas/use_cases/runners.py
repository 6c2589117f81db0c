"""Whoever carries out a run: this process, or Prefect where a server is named."""

from __future__ import annotations

import os
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from veritas.errors import Unavailable

if TYPE_CHECKING:
    from veritas.claims.graph import ClaimGraph
    from veritas.use_cases.runs import Corpus, Progress


@dataclass(frozen=True)
class Asked:
    """A run to carry out: a new question, a run to resume, or a replay. `run_id` is the id that a new run gets."""

    question: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    resume: str | None = None
    replay: str | None = None
    start_stage: str = ""
    preflight: bool = True
    run_id: str | None = None


class Runner(Protocol):
    """A function that carries out one run; the built-in one needs no server, the plug-in `prefect` reports to one."""

    def __call__(self, asked: Asked, progress: Progress, corpus: Corpus | None) -> Coroutine[Any, Any, ClaimGraph]: ...


async def in_process(asked: Asked, progress: Progress, corpus: Corpus | None) -> ClaimGraph:
    """Carry out the run in this process, without a server."""
    from veritas.use_cases import runs

    if asked.resume is not None:
        return await runs.resume(asked.resume, progress=progress, corpus=corpus, preflight=asked.preflight)
    if asked.replay is not None:
        return await runs.replay(
            asked.replay, asked.start_stage, changes=asked.settings, progress=progress, corpus=corpus,
            run_id=asked.run_id, preflight=asked.preflight,
        )  # fmt: skip
    request = runs.make_request(question=asked.question, **asked.settings)
    return await runs.start(
        request, run_id=asked.run_id, progress=progress, corpus=corpus, preflight=asked.preflight
    )


def runner() -> Runner:
    """Return Prefect's runner if `PREFECT_API_URL` names a server, else the one in process.

    Raises `Unavailable` for a server that is down.
    """
    server = os.environ.get("PREFECT_API_URL")
    if not server:
        return in_process
    import atexit

    import httpx

    from veritas import plugins

    try:
        httpx.get(f"{server.rstrip('/')}/health", timeout=5, trust_env=False).raise_for_status()
    except httpx.HTTPError as error:
        raise Unavailable(
            f"the Prefect server that PREFECT_API_URL names, {server}, does not answer ({error}): start it with "
            "veritas up, or unset PREFECT_API_URL to run without a server"
        ) from error
    # The stages' lines and the report show how the run goes, refusals too; the server keeps Prefect's own log of it
    # all, and the command itself reports a flow run that failed, without a traceback.
    os.environ.setdefault("PREFECT_LOGGING_TO_CONSOLE_LEVEL", "CRITICAL")
    os.environ.setdefault("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", "CRITICAL")
    # With Prefect's threads alive at the very end, DuckDB's bindings list every object they did not see freed.
    atexit.register(lambda: os.dup2(os.open(os.devnull, os.O_WRONLY), 2))
    made: Runner = plugins.load("runner", "prefect")
    return made
