"""Papers: uploaded or named, audited in the background, shown with the argument's graph, and what would change it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from veritas.errors import InputError
from veritas.report.paper import findings_text, paper_wording
from veritas.server.access import Reader, Runner
from veritas.server.api import papers as api
from veritas.server.context import Context, Here
from veritas.server.pages.documents import offered, one_named_in
from veritas.server.pages.forms import Filled, checked, files_of, keep, number_of, stored_name, text_of, texts_of
from veritas.server.pages.frame import page, words_of
from veritas.server.stored import load_audit
from veritas.use_cases import background
from veritas.use_cases import papers as use_case
from veritas.use_cases.reports import render_audit
from veritas.use_cases.shapes import PAPER_STAGES

router = APIRouter(include_in_schema=False)

AuditName = Annotated[str, Path(max_length=80)]
MODES = ("academic", "journal", "finance")


@router.get("/papers")
def papers(request: Request, who: Reader, here: Here) -> Response:
    """Show the audits, and the form for another."""
    document, refused = one_named_in(request)
    return _list(request, here, given={"document": document}, refused=refused)


@router.post("/papers")
async def audit(request: Request, who: Runner, here: Here, form: Filled) -> Response:
    """Begin the audit of a paper, and go to where it can be watched."""
    fields: dict[str, Any] = {name: text_of(form, name, 2_000) for name in ("document", "asked", "mode")}
    fields["corpus"] = texts_of(form, "corpus")
    fields["web"] = bool(text_of(form, "web", 10))
    try:
        usd = number_of(form, "budget", most=1e6)
        if files := files_of(form, "paper"):
            if len(files) > 1:
                raise InputError("choose one paper at a time")
            fields["document"] = f"{await run_in_threadpool(keep, files, here, who)}/{stored_name(files[0].name)}"
        wanted = checked(api.PaperForm, **fields, budget={"usd": usd} if usd is not None else None)
        state = await run_in_threadpool(api.audit, wanted, who, here, Response())
    except InputError as error:
        return await run_in_threadpool(_list, request, here, given=fields, refused=words_of(error, here))
    return RedirectResponse(f"/work/{state.id}", status_code=303)


def _list(
    request: Request, here: Context, *, given: Mapping[str, Any] | None = None, refused: str = ""
) -> Response:
    jobs = [each for each in background.list_jobs(unfinished=True, home=here.home) if each.wanted.work == "paper"]
    empty = {"document": "", "asked": "", "mode": "academic", "corpus": [], "web": False}
    return page(
        request, "papers.html", 422 if refused else 200, audits=use_case.list_paper_audits(home=here.home), jobs=jobs,
        offered=offered(here.settings), modes=MODES, given={**empty, **(given or {})}, refused=refused,
    )  # fmt: skip


@router.get("/papers/{audit}")
def shown(audit: AuditName, request: Request, who: Reader, here: Here) -> Response:
    """Show an audit: its findings and flaws, its score or what one would need, the graph of its argument."""
    return _audit(request, audit, here)


@router.post("/papers/{audit}")
async def what_if(audit: AuditName, request: Request, who: Reader, here: Here, form: Filled) -> Response:
    """Show the score that the argument would have with other metrics."""
    given = {name: text for name in form if (text := text_of(form, name, 40)) and re.match("m:.+:", name)}

    def scored() -> Response:
        found = load_audit(audit, here.settings)
        changes: dict[str, dict[str, float | None]] = {}
        try:
            for name in given:
                node, metric = name.removeprefix("m:").rsplit(":", 1)
                changes.setdefault(node, {})[metric] = number_of(form, name, most=1.0, said=f"{metric} of {node}")
            other = use_case.what_if(found, changes) if changes else None
        except InputError as error:
            return _audit(request, audit, here, refused=words_of(error, here), given=given)
        return _audit(request, audit, here, other=other.as_json() if other else None, given=given)

    return await run_in_threadpool(scored)


@router.post("/papers/{audit}/replay")
async def replay(audit: AuditName, who: Runner, here: Here, form: Filled) -> Response:
    """Begin a replay of an audit, and go to where it can be watched."""
    fields = {name: text_of(form, name, 80) for name in ("from_stage", "rules", "council")}
    wanted = checked(api.AuditReplayForm, **fields)
    state = await run_in_threadpool(api.replay, audit, wanted, who, here, Response())
    return RedirectResponse(f"/work/{state.id}", status_code=303)


@router.post("/papers/{audit}/go-on")
def go_on(audit: AuditName, who: Runner, here: Here) -> Response:
    """Let an audit go on, and go to where it can be watched."""
    return RedirectResponse(f"/work/{api.resume(audit, who, here, Response()).id}", status_code=303)


def _audit(request: Request, name: str, here: Context, **more: Any) -> Response:
    audit = load_audit(name, here.settings)
    scoring = audit.scoring()
    shown = {"other": None, "refused": "", "given": {}, **more}
    nodes = {node.id: node for node in audit.nodes}
    return page(
        request, "paper.html", 422 if shown["refused"] else 200, audit=audit, scoring=scoring, nodes=nodes,
        paper_words=paper_wording, referee_words=findings_text, stages=PAPER_STAGES,
        headline=audit.headline,
        unread=[point for point in audit.open_points if scoring is None and point.subject == "paper"],
        opened={name.removeprefix("m:").rpartition(":")[0] for name in shown["given"]}, **shown,
    )  # fmt: skip


@router.get("/papers/{audit}/graph")
def graph(audit: AuditName, who: Reader, here: Here) -> Response:
    """Return the drawing of the argument. Its styles are inside it, and scripts are forbidden."""
    drawing = render_audit(load_audit(audit, here.settings), "svg")
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return Response(drawing, media_type="image/svg+xml", headers={"Content-Security-Policy": policy})


@router.get("/papers/{audit}/report")
def report(audit: AuditName, who: Reader, here: Here) -> Response:
    """Show the whole report, in which the graph can be explored."""
    return enclosed(render_audit(load_audit(audit, here.settings), "html"))


def enclosed(text: str) -> Response:
    """Return a report as one file with its own script: only that script runs, in an origin of its own, so that it
    cannot reach the server. Raises `InputError` for a page that is no report."""
    own = re.search(r"script-src ('sha256-[A-Za-z0-9+/=]+')", text)
    if own is None:
        raise InputError("the report has no policy of its own")
    policy = (
        f"sandbox allow-scripts allow-downloads allow-modals allow-popups; default-src 'none'; script-src {own[1]}; "
        "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return Response(text, media_type="text/html", headers={"Content-Security-Policy": policy})
