"""Routes of what a run came to: answer, claim graph, reasons, comparison, reports."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from veritas.claims.answer import Answer
from veritas.claims.chain import Chain
from veritas.claims.run_diff import RunDiff
from veritas.report.renderer import ending_of
from veritas.server.access import Reader
from veritas.server.api.common import RunName
from veritas.server.context import Here
from veritas.server.stored import load_graph, plain
from veritas.use_cases.reports import render_report
from veritas.use_cases.run_archive import diff_runs
from veritas.use_cases.why import why

router = APIRouter(tags=["results"])
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
    text = render_report(graph, form)
    ending = ending_of(form)
    return Response(
        text, media_type=_MEDIA.get(ending, "text/plain"),
        headers={"Content-Disposition": f'attachment; filename="{graph.run.run_id}.{ending}"'},
    )  # fmt: skip


