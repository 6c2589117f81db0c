"""An answer with the evidence of each reference, the reasons, comparisons with other runs, and exports."""

from __future__ import annotations

import re
from typing import Annotated, Any, NamedTuple, get_args

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from veritas.claims.chain import Chain
from veritas.claims.find_in_graph import Candidate
from veritas.claims.graph import ClaimGraph
from veritas.errors import InputError
from veritas.report.graph_index import GraphIndex
from veritas.report.html_report import page_values
from veritas.server.access import Reader
from veritas.server.context import Context, Here
from veritas.server.pages.frame import HEADERS, cleaner, may, page, words_of
from veritas.server.stored import load_graph, plain_graph
from veritas.server.tokens import Role
from veritas.use_cases.library import find_runs
from veritas.use_cases.reports import cited_documents, report_forms
from veritas.use_cases.run_states import diff_runs, load_run, run_state
from veritas.use_cases.why import Ambiguous, why

router = APIRouter(include_in_schema=False)

RunName = Annotated[str, Path(max_length=80)]
FORM_NAMES = {"html": "one HTML file", "markdown": "Markdown", "json": "claim graph (JSON)", "terminal": "plain text"}

KEPT = 20
"""Pages of answers that are kept as they were made: it takes a tenth of a second to make one of a dozen claims."""


class _Kept(NamedTuple):
    """A rendered page and what it depends on: it is rendered again if the run changed or a person decided something."""

    stored: ClaimGraph
    text: bytes


_kept: dict[tuple[Any, ...], _Kept] = {}


def answer_page(request: Request, run: str, here: Context) -> Response:
    """Return the page of a finished run: the content of its report, in the frame of the pages."""
    stored = load_run(run, home=here.home)
    roles = tuple(may(request, role) for role in get_args(Role))
    name = (str(here.home), run, request.url.path, roles)
    kept = _kept.get(name)
    if kept is None or kept.stored != stored:
        graph = plain_graph(stored, here.settings)
        documents = cited_documents(graph)
        forms = [(form, FORM_NAMES.get(form, form)) for form in report_forms()]
        made = page(request, "run.html", **page_values(graph, documents), forms=forms)
        if graph.answer.bibliography and not documents:  # they may be readable the next time
            return made
        kept = _kept[name] = _Kept(stored, bytes(made.body))
        while len(_kept) > KEPT:
            _kept.pop(next(iter(_kept)), None)
    return HTMLResponse(kept.text, headers=HEADERS)


@router.get("/runs/{run}/why")
def reasons(
    run: RunName, request: Request, who: Reader, here: Here, about: Annotated[str, Query(max_length=2_000)] = ""
) -> Response:
    """Show the chain that admitted a sentence, a claim or a source, or left it out."""
    graph = load_graph(run, here.settings)
    chain: Chain | None = None
    found: tuple[Candidate, ...] = ()
    said = ""
    if about.strip():
        try:
            chain = why(graph, about)
        except Ambiguous as several:
            found, said = several.candidates, f"{len(several.candidates)} things may be meant. Choose one."
        except InputError as error:
            said = words_of(error, here)
    return page(
        request, "why.html", graph=graph, index=GraphIndex(graph), chain=chain, about=about, found=found, said=said
    )


@router.get("/compare")
def compare_with(
    who: Reader, first: Annotated[str, Query(max_length=80)], second: Annotated[str, Query(max_length=80)]
) -> Response:
    """Go to the comparison of two runs."""
    if not all(re.fullmatch("[A-Za-z0-9-]+", name) for name in (first, second)):
        raise InputError("name two runs by their ids")
    return RedirectResponse(f"/runs/{first}/compare/{second}", status_code=303)


@router.get("/runs/{run}/compare")
def others(run: RunName, request: Request, who: Reader, here: Here) -> Response:
    """Show the runs that a run may be compared with, those of the same question first."""
    state = run_state(run, home=here.home)
    same = find_runs(state.question or "", within="question", limit=50, home=here.home).runs
    every = {each.run_id: each for each in (*same, *find_runs(limit=30, home=here.home).runs)}
    rows = [each for name, each in every.items() if name != state.run_id]
    return page(request, "compare_with.html", run=state, rows=rows)


@router.get("/runs/{run}/compare/{other}")
def compare(
    run: RunName, other: Annotated[str, Path(max_length=80)], request: Request, who: Reader, here: Here
) -> Response:
    """Show two runs side by side, the earlier one first, and what made the difference."""
    chosen = (load_run(run, home=here.home), load_run(other, home=here.home))
    first, second = sorted(chosen, key=lambda graph: (graph.run.started_at, graph.run.run_id))
    sides = [(graph, GraphIndex(graph)) for graph in (plain_graph(each, here.settings) for each in (first, second))]
    return page(request, "compare.html", sides=sides, diff=diff_runs(first, second), clean=cleaner(here))
