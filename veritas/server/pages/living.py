"""Living questions: saved, asked again, removed; and what changed about their answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from veritas.errors import InputError
from veritas.server.access import Reader, Runner
from veritas.server.api import living as api
from veritas.server.context import Context, Here
from veritas.server.pages.ask import DEPTHS, checked_question, question_of
from veritas.server.pages.documents import named_in, offered
from veritas.server.pages.forms import Filled, kept, text_of
from veritas.server.pages.frame import page, words_of
from veritas.server.tokens import Token
from veritas.use_cases import background, living

router = APIRouter(include_in_schema=False)

Name = Annotated[str, Path(max_length=80)]
SHOWN = 100
"""Most entries on the page, the newest; `veritas watch log` has all."""


@router.get("/living")
def shown(request: Request, who: Reader, here: Here) -> Response:
    """Show the questions, the form for another, and what changed."""
    return _list(request, who, here, given={"corpus": named_in(request)})


@router.post("/living")
async def add(request: Request, who: Runner, here: Here, form: Filled) -> Response:
    """Save a question."""
    given = {**question_of(form), "name": text_of(form, "name", 200)}
    try:
        given["corpus"] += await kept(form, here, who)
        await run_in_threadpool(api.add, checked_question(api.LivingForm, given), who, here)
    except InputError as error:
        refused = words_of(error, here)
        return await run_in_threadpool(_list, request, who, here, given=given, refused=refused)
    return RedirectResponse("/living", status_code=303)


@router.post("/living/ask")
def ask_all(who: Runner, here: Here) -> Response:
    """Begin to ask all questions again, and go to where it can be watched."""
    return RedirectResponse(f"/work/{api.ask_all(who, here, Response()).id}", status_code=303)


@router.post("/living/{name}/ask")
def ask_again(name: Name, who: Runner, here: Here) -> Response:
    """Begin to ask a question again, and go to where it can be watched."""
    return RedirectResponse(f"/work/{api.ask_again(name, who, here, Response()).id}", status_code=303)


@router.post("/living/{name}/remove")
def remove(name: Name, who: Runner, here: Here) -> Response:
    """Ask a question no more."""
    api.remove(name, who, here)
    return RedirectResponse("/living", status_code=303)


def _list(
    request: Request, who: Token, here: Context, *, given: Mapping[str, Any] | None = None, refused: str = ""
) -> Response:
    jobs = background.list_jobs(unfinished=True, work="living", home=here.home)
    empty = {"question": "", "name": "", "corpus": [], "web": False, "tier": "standard", "budget": ""}
    return page(
        request, "living.html", 422 if refused else 200, questions=api.listed(who, here), jobs=jobs, depths=DEPTHS,
        entries=living.entries(home=here.home)[:SHOWN], offered=offered(here.settings), refused=refused,
        told=living.told, given={**empty, **(given or {})},
    )  # fmt: skip
