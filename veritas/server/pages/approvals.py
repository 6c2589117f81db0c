"""Approvals: the cases that wait for a person, each with what was expected, why it was left out, and how to admit it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from veritas.approvals import find, signed_here, survey
from veritas.approvals.next_step import next_step
from veritas.approvals.render_case import decided_on, grouped, side_by_side
from veritas.errors import InputError
from veritas.server.access import Approver, Reader
from veritas.server.api import approvals as api
from veritas.server.context import Context, Here
from veritas.server.pages.forms import Filled, checked, text_of
from veritas.server.pages.frame import cleaner, page, words_of

router = APIRouter(include_in_schema=False)

CaseName = Annotated[str, Path(max_length=80)]
KINDS = {
    "research-claim": "a claim of a run", "answer-sentence": "a sentence of an answer", "citation": "a citation",
    "paper-node": "a statement of a paper", "review-sentence": "a sentence of a review",
    "review-corpus": "the corpus of a review", "review-text": "the text of a review",
    "review-node": "a statement of a review",
}  # fmt: skip


@router.get("/approvals")
def inbox(
    request: Request, who: Reader, here: Here, every: Annotated[str, Query(alias="all", max_length=10)] = ""
) -> Response:
    """Show the cases that wait, the oldest first; with `all` those that are settled too."""
    found, lost = survey(home=here.home)
    cases = found[::-1] if every else [each for each in found if each.state() == "pending"]
    problems = [each.problem for each in lost]
    return page(
        request, "approvals.html", cases=len(cases), groups=grouped(cases), all=bool(every), problems=problems,
        KINDS=KINDS, clean=cleaner(here),
    )  # fmt: skip


@router.get("/approvals/{case}")
def shown(case: CaseName, request: Request, who: Reader, here: Here) -> Response:
    """Show a case with all that a decision needs."""
    return _case(request, case, here)


@router.post("/approvals/{case}")
async def decide(case: CaseName, request: Request, who: Approver, here: Here, form: Filled) -> Response:
    """Settle a case; where decisions are signed, draft one for an approver to sign."""
    name, reason = text_of(form, "name", 1_000), text_of(form, "reason")

    def decided() -> Response:
        try:
            decision = checked(
                api.DecisionForm, verdict=text_of(form, "verdict", 20), name=name, reason=reason,
                seen=text_of(form, "seen", 200),
            )
            api.decide(case, decision, who, here)
            for also in form.getlist("also"):
                name_of, _, print_of = str(also).partition(" ")
                api.decide(name_of, decision.model_copy(update={"seen": print_of}), who, here)
        except InputError as error:
            return _case(request, case, here, refused=words_of(error, here), given={"name": name, "reason": reason})
        return RedirectResponse(f"/approvals/{case}", status_code=303)

    return await run_in_threadpool(decided)


def _case(
    request: Request, name: str, here: Context, *, refused: str = "", given: Mapping[str, str] | None = None
) -> Response:
    case = find(name, home=here.home)
    step = next_step(case, here.home)
    waiting = [each for each in survey(home=here.home)[0] if each.state() == "pending"]
    caller = request.scope["veritas.caller"].token
    return page(
        request, "approval.html", 422 if refused else 200, case=case, KINDS=KINDS, signed=signed_here(),
        signs=here.may_sign(caller),
        refused=refused, given=given or {"name": "", "reason": ""}, clean=cleaner(here),
        step=step, texts=[side_by_side(case.case.claim, each.text) for each in case.case.passages],
        alike=[
            each for each in waiting
            if decided_on(each) == decided_on(case) and each.approval_id != case.approval_id
        ],
    )  # fmt: skip
