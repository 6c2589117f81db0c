"""Routes of papers: audited, listed, exported, and scored with other metrics."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import Field, model_validator

from veritas import aio
from veritas.server.access import Reader, Runner
from veritas.server.api.common import JSON_OBJECT, Key, begun_once, limited, name_of_paper, text_response
from veritas.server.api.forms import CouncilName, Form, Limits
from veritas.server.api.work import WorkState, begun, gone_on_with
from veritas.server.connections import while_there
from veritas.server.context import Here
from veritas.server.problems import without_paths
from veritas.server.roots import corpus_paths, document_path
from veritas.server.stored import load_audit
from veritas.use_cases import papers as use_case
from veritas.use_cases.reports import AUDIT_FORMS, render_audit
from veritas.use_cases.shapes import AuditSummary, PaperStage, Refereed
from veritas.use_cases.sync import blocking

router = APIRouter(tags=["papers"])
AuditName = Annotated[str, Path(max_length=80, description="The audit's id, its beginning, or `latest`.")]
_ENDINGS = {"json": "json", "html": "html", "graphml": "graphml", "svg": "svg", "nodes": "csv", "edges": "csv",
            "walks": "txt"}  # fmt: skip


class PaperForm(Form):
    """A paper: `document` is a file below a configured folder or in an upload (`upload:ID/NAME`); `asked` a DOI, an
    arXiv id, a URL or words, for which the web is asked."""

    document: str | None = Field(default=None, max_length=500)
    asked: str | None = Field(default=None, min_length=1, max_length=2_000)
    mode: str = Field(default="academic", max_length=80, pattern="^[A-Za-z0-9_-]+$")
    corpus: list[str] = Field(default_factory=list, max_length=50)
    web: bool = False
    graphs: int = Field(default=5, ge=1, le=50)
    samples: int = Field(default=3, ge=1, le=20)
    nodes: int = Field(default=16, ge=2, le=200)
    rules: Literal["paper", "reference", "veritas"] = "veritas"
    council: str | None = CouncilName
    budget: Limits | None = None
    seed: int = Field(default=0, ge=0, le=2**31)

    @model_validator(mode="after")
    def _one(self) -> PaperForm:
        if (self.asked is None) == (self.document is None):
            raise ValueError("give a document, or what is asked")
        return self


class WhatIfForm(Form):
    """Other metrics: `changes[node][metric]`, from 0 to 1, or null for not known."""

    changes: dict[str, dict[str, float | None]] = Field(max_length=1_000)
    rules: Literal["paper", "reference", "veritas"] | None = None


class AuditReplayForm(Form):
    """A replay of an audit: the first stage that is done again, and what is to be other than in the earlier one."""

    from_stage: PaperStage
    rules: Literal["paper", "reference", "veritas"] | None = None
    council: str | None = CouncilName
    budget: Limits | None = None


class RefereeForm(Form):
    """A paper: `document` is a file below a configured folder or in an upload (`upload:ID/NAME`)."""

    document: str = Field(min_length=1, max_length=500)


@router.post("/referees")
async def referee(form: RefereeForm, request: Request, who: Reader, here: Here) -> Refereed:
    """Return a paper's arithmetic, recomputed: every number that does not hold together, with its calculation."""
    paper = str(document_path(form.document, here.settings))
    return await while_there(request, blocking(aio.referee_paper), paper)


@router.post("/papers", status_code=202)
def audit(form: PaperForm, who: Runner, here: Here, response: Response, key: Key = None) -> WorkState:
    """Audit a paper in the background; the audit has the id of the work."""
    if form.document is not None:
        asked = str(document_path(form.document, here.settings))
    else:
        asked = name_of_paper(form.asked or "")
    limits = form.budget.model_dump() if form.budget is not None else {}
    settings = {
        "asked": asked, "corpus": corpus_paths(form.corpus, here.settings),
        **form.model_dump(include={"mode", "web", "graphs", "samples", "nodes", "rules", "council", "seed"}),
    }  # fmt: skip
    with here.beginning, begun_once(key, form.model_dump(mode="json"), who, here) as run_id:
        settings["budget"] = limited(limits, who, here, run_id)
        return begun("paper", settings, form.document or asked, run_id, who, here, response)


@router.get("/papers")
def listed(who: Reader, here: Here) -> list[AuditSummary]:
    """Return the audits, the newest first."""
    found = use_case.list_paper_audits(home=here.home)
    return [
        each.model_copy(
            update={
                "asked": without_paths(each.asked, here.settings),
                "problem": without_paths(each.problem, here.settings) if each.problem else each.problem,
            }
        )
        for each in found
    ]


@router.get("/papers/{audit}", responses=JSON_OBJECT)
def show(audit: AuditName, who: Reader, here: Here) -> Response:
    """Return a finished audit."""
    found = load_audit(audit, here.settings)
    return Response(found.model_dump_json(), media_type="application/json")


@router.get("/papers/{audit}/export", responses={200: {"content": {"application/octet-stream": {}}}})
def export(
    audit: AuditName,
    who: Reader,
    here: Here,
    form: Annotated[str, Query(alias="format", max_length=80, description=", ".join(AUDIT_FORMS))] = "json",
) -> Response:
    """Return a finished audit, or the graph of its argument, as a file."""
    found = load_audit(audit, here.settings)
    text = render_audit(found, form)
    return text_response(text, "text/plain", f"{found.audit_id}-{form}.{_ENDINGS[form]}")


@router.post("/papers/{audit}/what-if", responses=JSON_OBJECT)
def what_if(audit: AuditName, form: WhatIfForm, who: Reader, here: Here) -> dict[str, object]:
    """Return the score that a paper's argument would have with other metrics."""
    found = load_audit(audit, here.settings)
    scored = use_case.what_if(found, form.changes, rules=form.rules)
    return {**scored.as_json(), "nodes": list(scored.graph.ids)}


@router.post("/papers/{audit}/replay", status_code=202)
def replay(
    audit: AuditName, form: AuditReplayForm, who: Runner, here: Here, response: Response, key: Key = None
) -> WorkState:
    """Begin an audit that takes the stages before `from_stage` from another, in the background."""
    name = use_case.find_audit(audit, home=here.home)
    changes = form.model_dump(exclude={"from_stage"}, exclude_none=True)
    with here.beginning, begun_once(key, ["replay", name, form.model_dump(mode="json")], who, here) as run_id:
        if limits := limited(changes.get("budget"), who, here, run_id):
            changes["budget"] = limits
        settings = {"replay": name, "from_stage": form.from_stage, "changes": changes}
        return begun("paper", settings, name, run_id, who, here, response)


@router.post("/papers/{audit}/resume", status_code=202)
def resume(audit: AuditName, who: Runner, here: Here, response: Response) -> WorkState:
    """Let an audit that was stopped or cut off go on."""
    name = use_case.find_audit(audit, home=here.home)
    return gone_on_with("paper", name, name, who, here, response)
