"""Ask: a question, its documents, its depth and budget, the forecast, and the run that it begins."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple, TypeVar

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from veritas.errors import InputError
from veritas.server.access import Reader, Runner
from veritas.server.api import runs as api
from veritas.server.api.forms import QuestionForm, RunForm
from veritas.server.connections import while_there
from veritas.server.context import Context, Here
from veritas.server.pages.documents import named_in, offered
from veritas.server.pages.forms import Filled, checked, kept, number_of, text_of, texts_of
from veritas.server.pages.frame import page, words_of
from veritas.use_cases import runs

router = APIRouter(include_in_schema=False)


class Depth(NamedTuple):
    """A cost tier, and a sentence about it."""

    name: str
    said: str


DEPTHS = (
    Depth("quick", "Each member searches once; every claim is judged once."),
    Depth("standard", "More searches; the members contest each other's claims."),
    Depth("deep", "The most searches; objections are answered, and two judges must agree."),
)


@router.get("/")
def start(request: Request, who: Reader, here: Here) -> Response:
    """Show the form, empty except for documents in its address."""
    return _form(request, here, {"tier": "standard", "corpus": named_in(request)})


@router.post("/ask")
async def ask(request: Request, who: Runner, here: Here, form: Filled) -> Response:
    """Begin a run, and go to where it can be watched."""
    given = question_of(form)
    try:
        given["corpus"] += await kept(form, here, who)
        run = await run_in_threadpool(api.begin, checked_question(RunForm, given), who, here, Response())
    except InputError as error:
        return await run_in_threadpool(_form, request, here, given, refused=words_of(error, here))
    return RedirectResponse(f"/runs/{run.run_id}", status_code=303)


@router.post("/ask/forecast")
async def forecast(request: Request, who: Reader, here: Here, form: Filled) -> Response:
    """Show the form with the forecast for each depth."""
    given = question_of(form)
    try:
        given["corpus"] += await kept(form, here, who)
        told = await while_there(request, _forecasts, checked_question(RunForm, given), here)
    except InputError as error:
        return await run_in_threadpool(_form, request, here, given, refused=words_of(error, here))
    return await run_in_threadpool(_form, request, here, given, forecasts=told)


def _forecasts(asked: RunForm, here: Context) -> list[tuple[str, runs.Forecast]]:
    """Return the forecast of each depth; the documents are read once for all."""
    given = asked.given(here.settings)
    documents = runs.read_documents(given["corpus"]) if given["corpus"] else None
    found = []
    for depth in DEPTHS:
        request = runs.make_request(question=asked.question, **{**given, "tier": depth.name})
        found.append((depth.name, runs.forecast(request, home=here.home, corpus=documents)))
    return found


def question_of(form: FormData) -> dict[str, Any]:
    """Return the fields as the user filled them in, to show the form again."""
    return {
        "question": text_of(form, "question"), "corpus": texts_of(form, "corpus"),
        "web": bool(text_of(form, "web")), "tier": text_of(form, "tier") or "standard",
        "council": text_of(form, "council"), "policy": text_of(form, "policy"), "since": text_of(form, "since"),
        "budget": text_of(form, "budget"),
    }  # fmt: skip


Q = TypeVar("Q", bound=QuestionForm)


def checked_question(kind: type[Q], given: Mapping[str, Any]) -> Q:
    """Return the fields of a question in the form of the interface for programs. Raises `InputError`."""
    if not given["question"]:
        raise InputError("write a question")
    usd = number_of(FormData({"budget": given["budget"]}), "budget", most=1e6)
    try:
        since = date.fromisoformat(given["since"]) if given["since"] else None
    except ValueError:
        raise InputError(f"published since is {given['since']!r}: give a day, such as 2024-01-31") from None
    limits = {"usd": usd} if usd is not None else None
    return checked(kind, **{**given, "since": since, "budget": limits})


def _form(request: Request, here: Context, given: Mapping[str, Any], **more: Any) -> Response:
    empty = {"question": "", "corpus": [], "web": False, "council": "", "policy": "", "since": "", "budget": ""}
    status = 422 if more.get("refused") else 200
    return page(
        request, "ask.html", status, offered=offered(here.settings), tiers=DEPTHS, given={**empty, **given},
        **{"refused": None, "forecasts": (), **more},
    )  # fmt: skip
