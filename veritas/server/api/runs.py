"""Routes of runs: begun, forecast, listed, gone on with, replayed, stopped."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel

from veritas.server.access import Reader, Runner
from veritas.server.api.common import Key, RunName, begun_once, gone_on, limited, own_alone, words
from veritas.server.api.forms import ReplayForm, ResumeForm, RunForm
from veritas.server.context import Context, Here
from veritas.server.leaving import while_there
from veritas.server.own_words import in_words_of
from veritas.server.problems import without_paths
from veritas.use_cases import background, run_archive, runs
from veritas.use_cases.run_states import RunState, State, run_state, run_states

router = APIRouter(tags=["runs"])


class RunList(BaseModel):
    """A page of runs; `after` is given to get the next, None on the last."""

    runs: list[RunState]
    after: str | None = None


def _accepted(run_id: str, here: Context, response: Response) -> RunState:
    response.headers["Location"] = f"/api/v1/runs/{run_id}"
    return _state(run_id, here)


def _state(run: str, here: Context) -> RunState:
    return _told(run_state(run, home=here.home), here)


def _told(state: RunState, here: Context) -> RunState:
    """Return a state whose problem is told in the words of the interface, without paths of this machine."""
    if state.problem is None:
        return state
    return state.model_copy(update={"problem": in_words_of("http", without_paths(state.problem, here.settings))})


@router.post("/runs", status_code=202)
def begin(form: RunForm, who: Runner, here: Here, response: Response, key: Key = None) -> RunState:
    """Begin a run in the background. Its events tell how it goes; its answer is there when it is finished."""
    given = form.given(here.settings)
    words(form.question, "question")
    with here.beginning, begun_once(key, form.model_dump(mode="json"), who, here) as run_id:
        given["budget"] = limited(given["budget"], who, here, run_id)
        job = background.begin(
            form.question, **given, preflight=form.preflight, run_id=run_id, owner=who.token_id,
            at_once=here.settings.at_once, home=here.home,
        )  # fmt: skip
    return _accepted(job.run_id, here, response)


@router.post("/forecasts")
async def forecast(form: RunForm, request: Request, who: Reader, here: Here) -> runs.Forecast:
    """Return what such a run is going to take. Nobody is asked, and nothing is stored."""

    def told() -> runs.Forecast:
        asked = runs.make_request(question=form.question, **form.given(here.settings))
        return runs.forecast(asked, home=here.home)

    return await while_there(request, told)


@router.get("/runs")
def listed(
    who: Reader,
    here: Here,
    state: State | None = None,
    q: Annotated[str, Query(max_length=500, description="Words of the question.")] = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    after: Annotated[str | None, Query(max_length=80, description="The last run of the page before.")] = None,
) -> RunList:
    """Return the runs, the newest first, a page at a time."""
    found = run_states(state=state, text=q, limit=limit + 1, after=after, home=here.home)
    page = [_told(each, here) for each in found[:limit]]
    return RunList(runs=page, after=page[-1].run_id if len(found) > limit else None)


@router.get("/runs/{run}")
def state(run: RunName, who: Reader, here: Here) -> RunState:
    """Return how a run stands."""
    return _state(run, here)


@router.post("/runs/{run}/replay", status_code=202)
def replay(run: RunName, form: ReplayForm, who: Runner, here: Here, response: Response, key: Key = None) -> RunState:
    """Begin a replay in the background: a new run that takes the stages before `from_stage` from this one."""
    changes = form.changes(here.settings)
    with here.beginning, begun_once(key, ["replay", run, form.model_dump(mode="json")], who, here) as run_id:
        if budget := limited(changes.get("budget"), who, here, run_id):
            changes["budget"] = budget
        job = background.begin_replay(
            run, form.from_stage, changes=changes, preflight=form.preflight, run_id=run_id, owner=who.token_id,
            at_once=here.settings.at_once, home=here.home,
        )  # fmt: skip
    return _accepted(job.run_id, here, response)


@router.post("/runs/{run}/resume", status_code=202)
def resume(run: RunName, who: Runner, here: Here, response: Response, form: ResumeForm | None = None) -> RunState:
    """Let a run that was stopped or cut off go on. One that ended unavailable goes on as another, which is returned."""
    preflight = form.preflight if form is not None else True
    job = gone_on(run, who, here, preflight=preflight)
    return _accepted(job.run_id, here, response)


@router.post("/runs/{run}/cancel", status_code=202)
def cancel(run: RunName, who: Runner, here: Here, response: Response) -> RunState:
    """Ask a run to stop. It makes no further paid call, keeps what it has, and can be resumed."""
    run_id = run_state(run, home=here.home).run_id
    own_alone(run_id, who, here)
    if run_id in background.job_ids(home=here.home):
        background.cancel(run_id, home=here.home)
    else:  # it was begun on a terminal, say
        run_archive.cancel(run_id, home=here.home)
    return _accepted(run_id, here, response)
