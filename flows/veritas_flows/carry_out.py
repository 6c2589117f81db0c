"""Common parts of the flows: a run carried out over stage tasks, with limits, progress and artifacts."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar, cast

from prefect import get_run_logger
from prefect.artifacts import acreate_markdown_artifact
from prefect.context import FlowRunContext, TagsContext
from prefect.states import Cancelled as CancelledState
from prefect.states import Failed as FailedState
from prefect.task_runners import ProcessPoolTaskRunner, TaskRunner, ThreadPoolTaskRunner

from veritas.answers.runtime import Runtime
from veritas.claims.graph import ClaimGraph
from veritas.engine.progress import Progress
from veritas.errors import Cancelled, InputError, Unavailable
from veritas.report.markdown_report import for_prefect, plain
from veritas.settings import home
from veritas.store import new_run_id
from veritas.store.paths import run_ids, run_path
from veritas.text.capital import capital
from veritas.use_cases import runs
from veritas_flows.limits import ensure_limits
from veritas_flows.progress_artifact import ArtifactProgress
from veritas_flows.server_events import emit_outcome
from veritas_flows.waiting import AtTheForm
from veritas_tasks import STAGE_TASKS, render
from veritas_tasks.stage_task import as_tasks
from veritas_tasks.task_work import OrchestratedWork, lend

T = TypeVar("T")


def task_runner() -> TaskRunner[Any]:
    """Return the task runner that `VERITAS_TASK_RUNNER` names.

    Empty is the flow's process; `processes` or `processes:4` are processes beside it; `dask` or `dask:tcp://host:8786`
    is a Dask cluster (extra `[dask]`). Raises `InputError` for anything else.
    """
    kind, _, more = os.environ.get("VERITAS_TASK_RUNNER", "").strip().partition(":")
    if kind == "":
        return ThreadPoolTaskRunner()
    if kind == "processes" and (not more or (more.isdigit() and int(more) > 0)):
        return ProcessPoolTaskRunner(max_workers=int(more) if more else None)
    if kind == "dask":
        try:
            from prefect_dask import DaskTaskRunner  # type: ignore[import-not-found,unused-ignore]
        except ImportError as missing:
            raise InputError("VERITAS_TASK_RUNNER=dask needs pip install 'veritas-research[dask]'") from missing
        runner: TaskRunner[Any] = DaskTaskRunner(address=more) if more else DaskTaskRunner()
        return runner
    raise InputError("VERITAS_TASK_RUNNER is empty, processes, processes:N, dask or dask:ADDRESS")


watching: list[Progress] = []
"""Further watchers of this process's run: the command line, when it started the flow."""

own_ids: list[str | None] = []
"""The id that whoever started the flow in this process has given to its run; None where it gave none."""


async def carry_out(
    question: str, run_id: str, run: Callable[..., Awaitable[ClaimGraph]], *, wait_for_person: float = 0
) -> ClaimGraph:
    """Carry out `run`, one of `veritas.use_cases.runs` that still lacks work, progress, the use of the runtime, and the
    person to wait for, `wait_for_person` minutes at most."""
    progress = await ArtifactProgress.begin(question, run_id, watching[-1] if watching else None)
    work = OrchestratedWork(STAGE_TASKS)

    async def ready(runtime: Runtime) -> None:
        lend(runtime)
        await ensure_limits(runtime.providers.values())

    try:
        person = AtTheForm(wait_for_person) if wait_for_person > 0 else None
        with TagsContext(current_tags=set()):  # the flow run's tags are not its tasks': each would cost a round trip
            graph = await run(work=work, progress=progress, ready=ready, person=person, around=as_tasks)
            progress.run_id = graph.run.run_id  # a run that had ended unavailable goes on as another
            await render(graph, home() / "reports" / graph.run.run_id, progress.replay_links())
        emit_outcome(graph)
    except Cancelled as asked:
        return stopped(asked, ClaimGraph)
    except asyncio.CancelledError:  # in the UI, or its worker stops
        if run_path(home(), run_id).exists():
            get_run_logger().warning(
                "interrupted; finished stages are stored. Continue: veritas research --resume %s, or resume/resume",
                run_id,
            )
        raise
    except InputError as wrong:
        return await refused(wrong, question, ClaimGraph)
    except Unavailable as silent:
        said, *each = map(plain, str(silent).splitlines())
        lines = [f"**Unavailable.** {capital(said)}", "", *(f"- {who}" for who in each)]
        words = for_prefect("\n".join(lines))
        await acreate_markdown_artifact(words, description=f"Unavailable · {question}")
        raise
    finally:
        await progress.end()
    if graph.answer.status == "unavailable":
        raise NobodySpoke(graph)
    return graph


def stopped(asked: Cancelled, kind: type[T]) -> T:
    """Return a cancelled state for a flow that normally returns a `kind`, with the command to resume its run.

    A caller of the flow in Python gets the error.
    """
    get_run_logger().info("%s", asked)
    ended: Any = CancelledState(message=str(asked), data=asked)  # Prefect takes it for the run's state
    return cast("T", ended)


async def refused(wrong: InputError, about: str, kind: type[T]) -> T:
    """Return a failed state for a flow that normally returns a `kind`, with the sentence of a wrong input: a traceback
    tells whoever filled in the form nothing. The sentence is an artifact too.

    A caller of the flow in Python gets the error.
    """
    said = str(wrong)
    words = for_prefect(f"**Not begun.** {plain(capital(said))}")
    await acreate_markdown_artifact(words, description=f"Not begun · {about}")
    get_run_logger().error("not begun: %s", said)
    ended: Any = FailedState(message=said, data=wrong)  # Prefect takes it for the run's state
    return cast("T", ended)


class NobodySpoke(Unavailable):
    """A run that ended `unavailable`. It is stored with its report and artifacts, and its flow run fails, so that its
    watchers are notified. Survives pickling."""

    def __init__(self, graph: ClaimGraph) -> None:
        super().__init__(f"{graph.answer.reason} (run {graph.run.run_id})")
        self.graph = graph

    def __reduce__(self) -> tuple[type[NobodySpoke], tuple[ClaimGraph]]:
        return NobodySpoke, (self.graph,)


def own_run_id(place: Path | None = None) -> str:
    """Return the id of the run that this flow run makes in `place`, by default the home of research runs: when it
    begins, and digits of the flow run's id.

    When the flow run is tried again after its worker stopped, its run is found by those digits, gone on with, and
    nothing in it is paid for twice. A scheduler makes flow runs long before they begin, so the time of their making
    would mislead. An id that was given by whoever started the flow in this process comes first.
    """
    if own_ids and (given := own_ids[-1]) is not None:
        return given
    context = FlowRunContext.get()
    made = context.flow_run if context is not None else None
    if made is None:
        return new_run_id()
    digits = made.id.hex[-12:]
    before = (name for name in run_ids(place or home()) if name.endswith(f"-{digits}"))
    return next(before, f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{digits}")


async def begun(run_id: str, start: Callable[..., Awaitable[ClaimGraph]], **how: Any) -> ClaimGraph:
    """Resume the run of that id if there is one; else `start` a new one."""
    if run_path(home(), run_id).exists():
        return await runs.resume(run_id, **how)
    return await start(run_id=run_id, **how)
