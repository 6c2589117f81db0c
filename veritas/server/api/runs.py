"""Routes of runs: begin, forecast, list, follow, resume, replay, cancel; their results."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import APIRouter, Header, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel
from starlette.responses import StreamingResponse

from veritas.claims.answer import Answer
from veritas.claims.chain import Chain
from veritas.claims.run_diff import RunDiff
from veritas.report.renderer import ending_of
from veritas.server.access import Reader, Runner
from veritas.server.api.common import Key, RunName, begun_once, gone_on, limited, own_alone, words
from veritas.server.api.forms import ReplayForm, ResumeForm, RunForm
from veritas.server.connections import while_there
from veritas.server.context import Context, Here
from veritas.server.own_words import in_words_of
from veritas.server.problems import without_paths
from veritas.server.stored import load_graph, plain
from veritas.use_cases import background, run_archive, runs
from veritas.use_cases.given import Form
from veritas.use_cases.reports import render_report
from veritas.use_cases.run_states import RunState, State, coming_runs, diff_runs, run_state, run_states
from veritas.use_cases.why import why

router = APIRouter(tags=["runs"])


class RunList(BaseModel):
    """A page of runs; `after` is given to get the next, None on the last. `coming` more are being read for the first
    time, and are listed later."""

    runs: list[RunState]
    after: str | None = None
    coming: int = 0


def _accepted(run_id: str, here: Context, response: Response) -> RunState:
    response.headers["Location"] = f"/api/v1/runs/{run_id}"
    return _state(run_id, here)


def _state(run: str, here: Context) -> RunState:
    return _told(run_state(run, home=here.home), here)


def _told(state: RunState, here: Context) -> RunState:
    """Return a state whose problem is in the interface's terms, without paths of this machine."""
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
    after = page[-1].run_id if len(found) > limit else None
    return RunList(runs=page, after=after, coming=coming_runs(home=here.home))


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


@router.get(
    "/runs/{run}/events",
    responses={
        200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}},
        204: {"description": "The run has ended, and there is nothing behind that number."},
    },
    response_class=StreamingResponse,
)
async def events(
    run: RunName,
    who: Reader,
    here: Here,
    after: Annotated[int, Query(ge=0, le=2**53, description="The number of the last event that is known.")] = 0,
    last: Annotated[str | None, Header(alias="Last-Event-ID", max_length=20, pattern="^[0-9]*$")] = None,
) -> Response:
    """Stream the events of a run in the background, from any of them on, until its end (server-sent events)."""
    behind = int(last) if last else after
    named = await run_in_threadpool(run_state, run, home=here.home)
    stream = await here.streams.begin(named.run_id, behind, lambda: here.keeper.is_valid(who))
    if stream is None:
        return Response(status_code=204)
    return StreamingResponse(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


_MEDIA = {"html": "text/html", "md": "text/markdown", "json": "application/json", "txt": "text/plain"}


@router.get("/runs/{run}/answer")
def answer(run: RunName, who: Reader, here: Here) -> Answer:
    """Return the answer of a finished run."""
    return load_graph(run, here.settings).answer


@router.get("/runs/{run}/graph", responses={200: {"content": {"application/json": {"schema": {"type": "object"}}}}})
def graph(run: RunName, who: Reader, here: Here) -> Response:
    """Return the whole claim graph of a finished run (docs/claim_graph.md)."""
    return Response(load_graph(run, here.settings).model_dump_json(), media_type="application/json")


@router.get("/runs/{run}/why")
def reasons(
    run: RunName,
    about: Annotated[str, Query(min_length=1, max_length=2_000, description="An id, `[2]`, a URL, or words.")],
    who: Reader,
    here: Here,
) -> Chain:
    """Return the chain that let a sentence, claim or source in, or left it out."""
    return why(load_graph(run, here.settings), about, home=here.home)


@router.get("/runs/{run}/diff/{other}")
def diff(run: RunName, other: Annotated[str, Path(max_length=80)], who: Reader, here: Here) -> RunDiff:
    """Return what changed from one run to another, cause by cause."""
    found = diff_runs(run, other, home=here.home)
    return found.model_copy(update={"settings": plain(found.settings, here.settings)})


@router.get("/runs/{run}/export", responses={200: {"content": {"application/octet-stream": {}}}})
def export(
    run: RunName,
    who: Reader,
    here: Here,
    form: Annotated[str, Query(alias="format", max_length=80, description="html, markdown, json, terminal, …")]
    = "markdown",
) -> Response:
    """Return the report of a finished run in one form, as a file."""
    graph = load_graph(run, here.settings)
    text = render_report(graph, cast(Form, form))
    ending = ending_of(form)
    return Response(
        text, media_type=_MEDIA.get(ending, "text/plain"),
        headers={"Content-Disposition": f'attachment; filename="{graph.run.run_id}.{ending}"'},
    )  # fmt: skip
