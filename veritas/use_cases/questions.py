"""A question: answered, followed while it is answered, gone on with, replayed; and stored answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from veritas.errors import InputError
from veritas.use_cases.events import RunEnded, RunEvent, Told
from veritas.use_cases.given import Paths, given_budget, given_paths, given_text

if TYPE_CHECKING:
    from veritas.answers.request import Request
    from veritas.claims.chain import Chain
    from veritas.claims.graph import ClaimGraph, StageName
    from veritas.claims.run_diff import RunDiff
    from veritas.engine.progress import Progress
    from veritas.policy.cost_tiers import Budget
    from veritas.store.listing import RunSummary


async def research(
    question: str,
    *,
    corpus: Paths = (),
    web: bool = False,
    tier: str = "standard",
    council: str | Path | None = None,
    policy: str | Path | None = None,
    cost_tiers: str | Path | None = None,
    budget: float | Budget | None = None,
    since: date | None = None,
    seed: int = 0,
    preflight: bool = True,
    home: str | Path | None = None,
) -> ClaimGraph:
    """Return the claim graph of a new run on `question`: the answer, and all that it stands on.

    `corpus` are folders or files of documents; without one the web is searched, with `web` both. `tier` is quick,
    standard or deep; `council` a ready council or a council file, by default the first that can sit; `policy` a file
    of source tiers; `budget` the most the run may spend, in US dollars, or a `Budget` of dollars, calls and seconds;
    `since` leaves out what was published before. `seed` fixes every choice between equals. `home` is where the run is
    stored, by default `VERITAS_HOME`.

    A run in which nobody could speak ends with the status `unavailable`, not with an exception; unless `preflight` is
    false, who cannot speak is known before anything is spent, and `Unavailable` is raised when nobody can. Raises
    `InputError` and `PolicyError` for what cannot be used.
    """
    from veritas.use_cases.runs import start

    request = _request(question, corpus, web, tier, council, policy, cost_tiers, budget, since, seed)
    return await start(request, home=_path(home), preflight=preflight)


async def stream(
    question: str,
    *,
    corpus: Paths = (),
    web: bool = False,
    tier: str = "standard",
    council: str | Path | None = None,
    policy: str | Path | None = None,
    cost_tiers: str | Path | None = None,
    budget: float | Budget | None = None,
    since: date | None = None,
    seed: int = 0,
    preflight: bool = True,
    home: str | Path | None = None,
) -> AsyncIterator[RunEvent]:
    """Yield the events of a run while it goes; the last event is `RunEnded` with the claim graph. Parameters and errors
    are those of `research`. A caller that stops listening stops the run, which can be resumed."""
    from veritas.use_cases.runs import start

    request = _request(question, corpus, web, tier, council, policy, cost_tiers, budget, since, seed)
    queue: asyncio.Queue[RunEvent | None] = asyncio.Queue()
    progress: Progress = Told(queue)

    async def run() -> None:
        try:
            graph = await start(request, home=_path(home), progress=progress, preflight=preflight)
            queue.put_nowait(RunEnded(graph=graph))
        finally:
            queue.put_nowait(None)

    task = asyncio.create_task(run())
    try:
        while (event := await queue.get()) is not None:
            yield event
        await task
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError, Exception):  # its error was raised above, or nobody listens any more
            await task


async def resume(run: str = "latest", *, preflight: bool = True, home: str | Path | None = None) -> ClaimGraph:
    """Return the claim graph of a run that was cut off, gone on with after its last stored stage; of a finished run, as
    it is. `run` is an id, an unambiguous beginning of one, or `latest`. Raises `UnknownRun`, `InputError`."""
    from veritas.use_cases.runs import resume as go_on

    return await go_on(given_text(run, "run"), home=_path(home), preflight=preflight)


async def replay(
    run: str,
    from_stage: StageName,
    *,
    corpus: Paths | None = None,
    web: bool | None = None,
    tier: str | None = None,
    council: str | Path | None = None,
    policy: str | Path | None = None,
    cost_tiers: str | Path | None = None,
    budget: float | Budget | None = None,
    since: date | None = None,
    seed: int | None = None,
    preflight: bool = True,
    home: str | Path | None = None,
) -> ClaimGraph:
    """Return the claim graph of a new run that takes the stages before `from_stage` from `run` and does the rest anew.

    A setting that is given replaces the one of `run`, which is read and never changed (I6). Raises `UnknownRun`,
    `InputError`, and what `research` raises.
    """
    from veritas.use_cases.runs import replay as again

    changes = {
        "corpus": None if corpus is None else given_paths(corpus), "web": web, "tier": tier, "council": council,
        "policy": policy, "cost_tiers": cost_tiers, "budget": given_budget(budget), "since": since, "seed": seed,
    }  # fmt: skip
    given = {name: value for name, value in changes.items() if value is not None}
    return await again(given_text(run, "run"), from_stage, changes=given, home=_path(home), preflight=preflight)


def list_runs(*, home: str | Path | None = None) -> list[RunSummary]:
    """Return all stored runs, newest first, those that are running or broken with their state. Never fails on one."""
    from veritas.settings import home as default_home
    from veritas.store import list_runs as listed

    return list(listed(_path(home) or default_home()))


def load_run(run: str = "latest", *, home: str | Path | None = None) -> ClaimGraph:
    """Return the claim graph of a finished run. Raises `UnknownRun`, and `InputError` for one that is not finished."""
    from veritas.use_cases.stored_graph import stored_graph

    return stored_graph(given_text(run, "run"), _path(home))


def diff_runs(
    run: str | ClaimGraph, other: str | ClaimGraph, *, home: str | Path | None = None
) -> RunDiff:
    """Return what changed from one run to another, cause by cause, each with what it took with it."""
    from veritas.claims.run_diff import diff_runs as compared

    return compared(_graph(run, home), _graph(other, home))


def why(run: str | ClaimGraph, asked: str, *, home: str | Path | None = None) -> Chain:
    """Return the chain that let a sentence, claim, source or URL of a run in or left it out, from hit to sentence.

    `asked` is an id, a number of the answer's references (`[2]`), a part of its words, or a URL. Raises `UnknownRun`,
    and `InputError` where nothing, or several things, may be meant.
    """
    from veritas.use_cases.why import why_in

    return why_in(_graph(run, home), given_text(asked, "asked"))


def write_report(graph: ClaimGraph, folder: str | Path) -> dict[str, Path]:
    """Write a run's report into `folder` as HTML, Markdown and JSON, each whole or not at all; return the files."""
    from veritas.claims.graph import ClaimGraph
    from veritas.report import write_report as write

    if not isinstance(graph, ClaimGraph):
        raise InputError(f"graph is of type {type(graph).__name__}: give a ClaimGraph, such as load_run() returns")
    return write(graph, Path(folder))


def _graph(run: str | ClaimGraph, home: str | Path | None) -> ClaimGraph:
    from veritas.claims.graph import ClaimGraph

    return run if isinstance(run, ClaimGraph) else load_run(run, home=home)


def _request(
    question: str,
    corpus: Paths,
    web: bool,
    tier: str,
    council: str | Path | None,
    policy: str | Path | None,
    cost_tiers: str | Path | None,
    budget: float | Budget | None,
    since: date | None,
    seed: int,
) -> Request:
    from veritas.use_cases.runs import make_request

    return make_request(
        question=given_text(question, "question"), corpus=given_paths(corpus), web=web, tier=tier, council=council,
        policy=policy, cost_tiers=cost_tiers, budget=given_budget(budget), since=since, seed=seed,
    )  # fmt: skip


def _path(home: str | Path | None) -> Path | None:
    return Path(home) if home is not None else None
