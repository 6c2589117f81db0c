"""The reviewer's desk: papers on it, a paper's checklists and concerns, and a person's decisions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from veritas.errors import InputError
from veritas.report.paper import desk_text, letter
from veritas.server.access import Approver, Reader, Runner
from veritas.server.api import desks as api
from veritas.server.context import Context, Here
from veritas.server.pages.documents import offered, one_named_in
from veritas.server.pages.forms import Filled, checked, files_of, keep, stored_name, text_of, texts_of
from veritas.server.pages.frame import page, words_of
from veritas.use_cases import desks as use_case

router = APIRouter(include_in_schema=False)
DeskName = Annotated[str, Path(max_length=80)]
BY_DESIGN = "by-design"


@router.get("/papers/desks")
def listed(request: Request, who: Reader, here: Here) -> Response:
    """Show the papers on the desk, and the form for another."""
    document, refused = one_named_in(request)
    return _list(request, here, given={"document": document}, refused=refused)


@router.post("/papers/desks")
async def opened(request: Request, who: Runner, here: Here, form: Filled) -> Response:
    """Put a paper on the desk, and go there."""
    fields: dict[str, Any] = {name: text_of(form, name, 500) or None for name in ("document", "audit")}
    fields["web"] = bool(text_of(form, "web", 10))
    chosen = [each for each in texts_of(form, "checklists") if each]
    try:
        if files := files_of(form, "paper"):
            if len(files) > 1:
                raise InputError("choose one paper at a time")
            fields["document"] = f"{await run_in_threadpool(keep, files, here, who)}/{stored_name(files[0].name)}"
        by_design = not chosen or BY_DESIGN in chosen
        wanted = checked(api.DeskForm, **fields, checklists=None if by_design else chosen)
        answer = await run_in_threadpool(api.opened, wanted, who, here)
    except InputError as error:
        return await run_in_threadpool(_list, request, here, given=fields, refused=words_of(error, here))
    return RedirectResponse(f"/papers/desks/{json.loads(bytes(answer.body))['desk_id']}", status_code=303)


@router.get("/papers/desks/{desk}")
def shown(desk: DeskName, request: Request, who: Reader, here: Here) -> Response:
    """Show a paper on the desk."""
    return _desk(request, desk, here)


@router.post("/papers/desks/{desk}")
async def decide(desk: DeskName, request: Request, who: Approver, here: Here, form: Filled) -> Response:
    """Decide about a concern, and go back to it."""
    fields = {name: text_of(form, name, 4_000) for name in ("concern", "verdict", "name", "reason")}
    looked = bool(text_of(form, "looked", 10))

    def decided() -> Response:
        try:
            api.decide(desk, checked(api.ConcernForm, **fields, looked=looked), who, here)
        except InputError as error:
            return _desk(request, desk, here, refused=words_of(error, here), given=fields)
        return RedirectResponse(f"/papers/desks/{desk}#{fields['concern']}", status_code=303)

    return await run_in_threadpool(decided)


def _list(
    request: Request, here: Context, *, given: Mapping[str, Any] | None = None, refused: str = ""
) -> Response:
    return page(
        request, "desks.html", 422 if refused else 200, desks=api.lines(here),
        offered=offered(here.settings), checklists=use_case.checklist_lines(), by_design=BY_DESIGN,
        given={"document": "", **(given or {})}, refused=refused,
    )  # fmt: skip


def _desk(
    request: Request, name: str, here: Context, *, refused: str = "", given: Mapping[str, str] | None = None
) -> Response:
    desk = api.placeless(use_case.load_desk(name, home=here.home), here)
    return page(
        request, "desk.html", 422 if refused else 200, desk=desk, words=desk_text, groups=letter.GROUPS,
        refused=refused, given=given or {"concern": "", "name": "", "reason": ""},
    )  # fmt: skip
