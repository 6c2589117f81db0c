"""Routes of the reviewer's desk: a paper put on it, concerns decided by name, the letter to the authors."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Response
from pydantic import Field, model_validator

from veritas.server.access import Approver, Reader, Runner
from veritas.server.api.common import JSON_OBJECT
from veritas.server.api.forms import Form
from veritas.server.context import Context, Here
from veritas.server.problems import without_paths
from veritas.server.roots import document_path
from veritas.use_cases import desks
from veritas.use_cases import papers as papers_use_case
from veritas.use_cases.shapes import DeskLine
from veritas.use_cases.sync import blocking

router = APIRouter(tags=["desk"])
DeskName = Annotated[str, Path(max_length=80, description="The desk's id, its beginning, or `latest`.")]
MEDIA = {
    "markdown": "text/markdown",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
ENDINGS = {"markdown": "md", "docx": "docx"}


class DeskForm(Form):
    """A paper for the desk: `document` is a file below a configured folder or in an upload (`upload:ID/NAME`), `audit`
    the id of an audit. `checklists` are names; without it they are chosen by the design that the paper tells."""

    document: str | None = Field(default=None, min_length=1, max_length=500)
    audit: str | None = Field(default=None, min_length=1, max_length=80)
    checklists: list[Annotated[str, Field(pattern=r"^[\w.-]*[\w-]$", max_length=80)]] | None = Field(
        default=None, max_length=20
    )
    registration: str | None = Field(default=None, min_length=1, max_length=500)
    web: bool = False

    @model_validator(mode="after")
    def _one(self) -> DeskForm:
        if (self.document is None) == (self.audit is None):
            raise ValueError("give a document, or an audit")
        return self


class ConcernForm(Form):
    """A decision on a concern, by name and with a reason; `withdraw` takes back the one before."""

    concern: str = Field(min_length=3, max_length=40)
    verdict: Literal["accept", "dismiss", "withdraw"]
    name: str = Field(min_length=1, max_length=200)
    reason: str = Field(min_length=1, max_length=4_000)
    looked: bool = False
    """Whether the sentences with words on what was not found were read, and none tells it."""


@router.post("/desks", responses=JSON_OBJECT)
def opened(form: DeskForm, who: Runner, here: Here) -> Response:
    """Put a paper on the desk: checklists item by item, openness, concerns with the decisions on them."""
    document = str(document_path(form.document, here.settings)) if form.document is not None else None
    record = str(document_path(form.registration, here.settings)) if form.registration is not None else None
    audit = papers_use_case.find_audit(form.audit, home=here.home) if form.audit is not None else None
    desk = blocking(desks.open_desk)(
        document, audit=audit, checklists=form.checklists, registration=record, web=form.web, home=here.home
    )
    return _answer(desk, here)


@router.get("/desks")
def listed(who: Reader, here: Here) -> list[DeskLine]:
    """Return the desks, the newest first."""
    return lines(here)


@router.get("/desks/{desk}", responses=JSON_OBJECT)
def show(desk: DeskName, who: Reader, here: Here) -> Response:
    """Return a desk with all decisions."""
    return _answer(desks.load_desk(desk, home=here.home), here)


@router.post("/desks/{desk}/decisions", responses=JSON_OBJECT)
def decide(desk: DeskName, form: ConcernForm, who: Approver, here: Here) -> Response:
    """Accept or dismiss a concern, or withdraw the decision on it; return the desk."""
    found = desks.decide_concern(
        desk, form.concern, form.verdict, form.name, form.reason, looked=form.looked, home=here.home
    )
    return _answer(found, here)


@router.get("/desks/{desk}/letter", responses={200: {"content": {"application/octet-stream": {}}}})
def letter(
    desk: DeskName,
    who: Reader,
    here: Here,
    form: Annotated[Literal["markdown", "docx"], Query(alias="format")] = "markdown",
) -> Response:
    """Return the letter to the authors that quotes what was accepted, as a file."""
    found = desks.load_desk(desk, home=here.home)
    content = desks.editor_letter(found.desk_id, form=form, home=here.home)
    disposition = f'attachment; filename="letter-{found.desk_id}.{ENDINGS[form]}"'
    return Response(content, media_type=MEDIA[form], headers={"Content-Disposition": disposition})


def lines(here: Context) -> list[DeskLine]:
    """Return the desks, the newest first, without paths of this machine."""
    found = desks.list_desks(home=here.home)
    return [
        each.model_copy(update={"problem": without_paths(each.problem, here.settings)}) if each.problem else each
        for each in found
    ]


def placeless(desk: desks.Desk, here: Context) -> desks.Desk:
    """Return a desk that names no path of this machine."""
    paper = desk.paper.model_copy(update={"asked": without_paths(desk.paper.asked, here.settings)})
    return desk.model_copy(update={"paper": paper})


def _answer(desk: desks.Desk, here: Context) -> Response:
    return Response(placeless(desk, here).model_dump_json(), media_type="application/json")
