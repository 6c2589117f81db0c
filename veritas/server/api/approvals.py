"""Routes for cases that wait for a person: list, show with the contrastive sentence, decide."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Path
from pydantic import BaseModel, Field

from veritas import approvals
from veritas.approvals.next_step import next_step
from veritas.approvals.render_case import screen
from veritas.server.access import Approver, Reader
from veritas.server.api.forms import Form
from veritas.server.context import Context, Here

router = APIRouter(tags=["approvals"])
CaseName = Annotated[str, Path(max_length=80, description="The approval's id, or its beginning.")]


class CaseLine(BaseModel):
    """A case as a line of a list. `sentence` is the contrastive one: what you probably expected, and why not."""

    approval_id: str
    state: approvals.State
    kind: approvals.Kind
    run_id: str | None
    claim: str
    sentence: str
    recorded: bool
    created_at: datetime
    expires_at: datetime | None


class CaseList(BaseModel):
    """The cases, and the number of unreadable case files, which may hold waiting cases too."""

    cases: list[CaseLine]
    unreadable: int
    signed_here: bool


class DecisionForm(Form):
    """A decision: `seen` is the fingerprint of the case that was read. The server is never given a key."""

    verdict: Literal["approve", "reject", "withdraw"] = Field(description="withdraw takes an earlier decision back.")
    name: str = Field(default="", max_length=200, description="Who answers for it; needed where it is unsigned.")
    reason: str = Field(min_length=1, max_length=5_000, description="Shown beside the admitted finding.")
    seen: str = Field(
        min_length=32, max_length=64, pattern="^[0-9a-f]+$", description="The `fingerprint` of the case that was read."
    )


@router.get("/approvals")
def listed(who: Reader, here: Here, every: bool = False) -> CaseList:
    """Return the cases that wait for a person, the oldest first; with `every` the settled ones too."""
    found, lost = approvals.survey(home=here.home)
    shown = [each for each in found if every or each.state() == "pending"]
    return CaseList(
        cases=[
            CaseLine(
                state=each.state(), claim=each.case.claim, sentence=each.sentence, recorded=each.recorded,
                **each.model_dump(include={"approval_id", "kind", "run_id", "created_at", "expires_at"}),
            )
            for each in shown
        ],
        unreadable=len(lost), signed_here=approvals.signed_here(),
    )  # fmt: skip


@router.get("/approvals/{approval}")
def show(approval: CaseName, who: Reader, here: Here) -> dict[str, Any]:
    """Return a case with all that the decision needs, its fingerprint, and the next step after the decision."""
    return _shown(approvals.find(approval, home=here.home), here)


@router.post("/approvals/{approval}/decision")
def decide(approval: CaseName, form: DecisionForm, who: Approver, here: Here) -> dict[str, Any]:
    """Decide a case. With a roster of approvers the decision is signed only for the person who started the server on
    this machine, with that person's own key; for others it is a draft, which an approver signs with `veritas approve`.
    """
    if approvals.signed_here() and not here.may_sign(who):
        found = approvals.find(approval, home=here.home)
        if not found.fingerprint.startswith(form.seen):
            raise HTTPException(409, "the case is not the one that was read: look at it again")
        drafted = approvals.draft(found.approval_id, form.verdict, form.name, form.reason, home=here.home)
        return {**_shown(drafted, here), "signed": False, "sign_with": f"veritas approve {found.approval_id} --draft"}
    settled = approvals.settle(
        approval, form.verdict, form.name, form.reason, seen=form.seen, home=here.home
    )
    return {**_shown(settled, here), "signed": approvals.signed_here()}


def _shown(found: approvals.Approval, here: Context) -> dict[str, Any]:
    step = next_step(found, here.home)
    return {
        **found.model_dump(mode="json"), "state": found.state(), "screen": screen(found),
        "next": {"command": step.command, "why": step.why},
    }  # fmt: skip
