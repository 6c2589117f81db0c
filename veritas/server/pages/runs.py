"""A run, watched, stopped, gone on with, replayed; and the library of all."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, get_args

from fastapi import APIRouter, Path, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from veritas.claims.graph import STAGES
from veritas.errors import UnknownRun
from veritas.report import wording
from veritas.server.access import Reader, Runner
from veritas.server.api import runs as api
from veritas.server.api.forms import ReplayForm
from veritas.server.context import Context, Here
from veritas.server.own_words import in_words_of
from veritas.server.pages.answers import answer_page
from veritas.server.pages.ask import DEPTHS
from veritas.server.pages.forms import Filled, checked, number_of, text_of
from veritas.server.pages.frame import cleaner, page
from veritas.server.pages.live import Live, live
from veritas.use_cases import background
from veritas.use_cases.claims import tier
from veritas.use_cases.library import Verdict, Within, find_runs, source_uses
from veritas.use_cases.run_states import RunState, coming_runs, run_state, unfinished_runs

router = APIRouter(include_in_schema=False)

RunName = Annotated[str, Path(max_length=80)]
UNDER_WAY = frozenset({"queued", "running", "interrupted"})


@router.get("/runs/{run}")
def shown(run: RunName, request: Request, who: Reader, here: Here) -> Response:
    """Show how a run goes, or its answer when it has one."""
    state = run_state(run, home=here.home)
    if state.state == "finished" and state.goes_on_as is None:
        return answer_page(request, state.run_id, here)
    return _live_page(request, state, here)


@router.post("/runs/{run}/stop")
def stop(run: RunName, who: Runner, here: Here) -> Response:
    """Ask a run to stop, and show it."""
    return _to(api.cancel(run, who, here, Response()))


@router.post("/runs/{run}/go-on")
def go_on(run: RunName, who: Runner, here: Here) -> Response:
    """Let a run go on, and show it, or the one that goes on in its place."""
    return _to(api.resume(run, who, here, Response()))


@router.get("/runs/{run}/replay")
def replay_form(run: RunName, request: Request, who: Reader, here: Here) -> Response:
    """Show what can be changed when a run is done again from a stage on."""
    state = run_state(run, home=here.home)
    return page(request, "replay.html", run=state, stages=STAGES, depths=DEPTHS)


@router.post("/runs/{run}/replay")
async def replay(run: RunName, who: Runner, here: Here, form: Filled) -> Response:
    """Begin a replay, and go to where it can be watched."""
    usd = number_of(form, "budget", most=1e6)
    fields = {name: text_of(form, name) for name in ("from_stage", "tier", "policy", "council")}
    wanted = checked(ReplayForm, **fields, budget={"usd": usd} if usd is not None else None)
    return _to(await run_in_threadpool(api.replay, run, wanted, who, here, Response()))


def _to(run: RunState) -> Response:
    return RedirectResponse(f"/runs/{run.run_id}", status_code=303)


def _live_page(request: Request, state: RunState, here: Context) -> Response:
    try:
        view = live(background.read_events(state.run_id, home=here.home))
    except UnknownRun:  # it was begun in another way, and tells no events
        view = Live()
        if state.stage in view.stages:
            view.stages[state.stage].state = "under-way"
    if state.question is None and state.parent_run_id is not None:  # a replay asks what its parent asked
        with suppress(UnknownRun):
            state = state.model_copy(update={"question": run_state(state.parent_run_id, home=here.home).question})
    if state.problem is not None:
        state = state.model_copy(update={"problem": in_words_of("page", state.problem)})
    followed = state.state in UNDER_WAY and bool(view.last)
    return page(request, "live.html", run=state, view=view, words=wording, clean=cleaner(here), followed=followed)


EACH = 30
"""Runs on a page."""
RECENT, CHECKS = 100, ("bibliography", "factcheck", "cite")
"""Of so many of the newest in the background, the checks are listed."""


@router.get("/library")
def library(
    request: Request,
    who: Reader,
    here: Here,
    q: Annotated[str, Query(max_length=500)] = "",
    within: Within = "anything",
    verdict: Annotated[str, Query(pattern="^(|supports|refutes|silent|unavailable)$")] = "",
    number: Annotated[int, Query(alias="page", ge=1, le=100_000)] = 1,
) -> Response:
    """Show a page of the library, the newest runs first; above them those that are not finished."""
    judged = next((each for each in get_args(Verdict) if each == verdict), None)
    found = find_runs(
        q, within=within, verdict=judged, limit=EACH, skip=(number - 1) * EACH, home=here.home
    )
    searched = bool(q.strip() or verdict)
    under_way = [] if searched or number > 1 else unfinished_runs(home=here.home)
    begun = [] if searched or number > 1 else background.job_ids(home=here.home)[-RECENT:]
    checks = [job for job in background.list_jobs(of=begun[::-1], home=here.home) if job.wanted.work in CHECKS]
    return page(
        request, "library.html", found=found, under_way=under_way, checks=checks, q=q, within=within, verdict=verdict,
        withins=get_args(Within), verdicts=get_args(Verdict), number=number, pages=-(-found.total // EACH),
        searched=searched, coming=coming_runs(home=here.home),
    )  # fmt: skip


@router.get("/sources")
def source(
    request: Request, who: Reader, here: Here, url: Annotated[str, Query(min_length=1, max_length=4_000)]
) -> Response:
    """Show where a source was used, which tier it had and why, and what the policy says of it now."""
    uses = source_uses(url, home=here.home)
    return page(request, "source.html", 200 if uses else 404, url=url, uses=uses, now=tier(url))
