"""Routes of what a run came to: answer, claim graph, reasons, comparison, reports."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response

from veritas.claims.answer import Answer
from veritas.claims.chain import Chain
from veritas.claims.run_diff import RunDiff
from veritas.report.renderer import ending_of
from veritas.server.access import Reader
from veritas.server.api.common import RunName
from veritas.server.context import Context, Here
from veritas.server.problems import without_paths
from veritas.use_cases.reports import render_report
from veritas.use_cases.run_archive import diff_runs, load_run
from veritas.use_cases.why import why

router = APIRouter(tags=["results"])
_MEDIA = {"html": "text/html", "md": "text/markdown", "json": "application/json", "txt": "text/plain"}


@router.get("/runs/{run}/answer")
def answer(run: RunName, who: Reader, here: Here) -> Answer:
    """Return the answer of a finished run."""
    return load_run(run, home=here.home).answer


@router.get("/runs/{run}/graph", responses={200: {"content": {"application/json": {"schema": {"type": "object"}}}}})
def graph(run: RunName, who: Reader, here: Here) -> Response:
    """Return the whole claim graph of a finished run (docs/claim_graph.md)."""
    return Response(load_run(run, home=here.home).model_dump_json(), media_type="application/json")


@router.get("/runs/{run}/why")
def reasons(
    run: RunName,
    about: Annotated[str, Query(min_length=1, max_length=2_000, description="An id, `[2]`, a URL, or words.")],
    who: Reader,
    here: Here,
) -> Chain:
    """Return the chain that let a sentence, claim or source in, or left it out."""
    return why(run, about, home=here.home)


@router.get("/runs/{run}/diff/{other}")
def diff(run: RunName, other: Annotated[str, Path(max_length=80)], who: Reader, here: Here) -> RunDiff:
    """Return what changed from one run to another, cause by cause."""
    found = diff_runs(run, other, home=here.home)
    return found.model_copy(update={"settings": _plain(found.settings, here)})


def _plain(value: Any, here: Context) -> Any:
    """Return a setting without paths of this machine."""
    if isinstance(value, str):
        return without_paths(value, here.settings)
    if isinstance(value, dict):
        return {name: _plain(each, here) for name, each in value.items()}
    return type(value)(_plain(each, here) for each in value) if isinstance(value, list | tuple) else value


@router.get("/runs/{run}/export", responses={200: {"content": {"application/octet-stream": {}}}})
def export(
    run: RunName,
    who: Reader,
    here: Here,
    form: Annotated[str, Query(alias="format", max_length=80, description="html, markdown, json, terminal, …")]
    = "markdown",
) -> Response:
    """Return the report of a finished run in one form, as a file."""
    graph = load_run(run, home=here.home)
    text = render_report(graph, form)
    ending = ending_of(form)
    return Response(
        text, media_type=_MEDIA.get(ending, "text/plain"),
        headers={"Content-Disposition": f'attachment; filename="{graph.run.run_id}.{ending}"'},
    )  # fmt: skip


