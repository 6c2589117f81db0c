"""Reviews, and the corpora of claims that they are written from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from veritas.errors import InputError
from veritas.server.access import Reader, Runner
from veritas.server.api import reviews as api
from veritas.server.context import Context, Here
from veritas.server.pages.documents import LIBRARIES, named_in, offered
from veritas.server.pages.forms import Filled, checked, kept, number_of, text_of, texts_of
from veritas.server.pages.frame import page, words_of
from veritas.server.pages.papers import enclosed
from veritas.server.stored import corpus_overview, load_review
from veritas.use_cases import background, corpora
from veritas.use_cases import reviews as use_case
from veritas.use_cases.reports import render_review
from veritas.use_cases.shapes import REVIEW_STAGES

router = APIRouter(include_in_schema=False)

ReviewName = Annotated[str, Path(max_length=100)]


@router.get("/reviews")
def reviews(request: Request, who: Reader, here: Here) -> Response:
    """Show the corpora and the reviews, and the forms for others."""
    return _list(request, here, given={"documents": named_in(request)})


@router.post("/reviews")
async def write(request: Request, who: Runner, here: Here, form: Filled) -> Response:
    """Begin a review, and go to where it can be watched."""
    given = {name: text_of(form, name, 5_000) for name in ("topic", "corpus", "structure")}
    try:
        usd = number_of(form, "budget", most=1e6)
        wanted = checked(api.ReviewForm, **given, budget={"usd": usd} if usd is not None else None)
        state = await run_in_threadpool(api.write, wanted, who, here, Response())
    except InputError as error:
        return await run_in_threadpool(_list, request, here, given=given, refused=words_of(error, here))
    return RedirectResponse(f"/work/{state.id}", status_code=303)


@router.post("/reviews/corpora")
async def fill(request: Request, who: Runner, here: Here, form: Filled) -> Response:
    """Begin to add papers to a corpus, and go to where it can be watched."""
    given: dict[str, Any] = {"name": text_of(form, "name", 200), "documents": texts_of(form, "corpus")}
    try:
        given["documents"] += await kept(form, here, who, corpus=False)
        wanted = checked(api.AddForm, documents=given["documents"])
        name = checked(api.ReviewForm, topic="corpus", corpus=given["name"]).corpus
        state = await run_in_threadpool(api.add, name, wanted, who, here, Response())
    except InputError as error:
        return await run_in_threadpool(_list, request, here, given=given, refused=words_of(error, here))
    return RedirectResponse(f"/work/{state.id}", status_code=303)


def _list(
    request: Request, here: Context, *, given: Mapping[str, Any] | None = None, refused: str = ""
) -> Response:
    kinds = ("review", "corpus")
    jobs = [each for each in background.list_jobs(unfinished=True, home=here.home) if each.wanted.work in kinds]
    empty = {"topic": "", "corpus": "", "structure": "auto", "name": "", "documents": []}
    return page(
        request, "reviews.html", 422 if refused else 200, corpora=corpora.list_corpora(), jobs=jobs,
        reviews=use_case.list_reviews(home=here.home), offered=offered(here.settings, also=LIBRARIES), refused=refused,
        given={**empty, **(given or {})},
    )  # fmt: skip


@router.get("/reviews/corpora/{name}")
async def corpus(
    name: api.CorpusName, request: Request, who: Reader, here: Here, q: Annotated[str, Query(max_length=500)] = ""
) -> Response:
    """Show a corpus at a glance, and the claims in it that speak of something."""
    told = await run_in_threadpool(corpus_overview, name, here.settings)
    hits = await corpora.search_corpus(q, name, lexical_only=True) if q.strip() else []
    return page(request, "corpus.html", corpus=told, q=q, hits=hits)


@router.get("/reviews/{review}")
async def shown(review: ReviewName, request: Request, who: Reader, here: Here) -> Response:
    """Show a review: its text, each sentence with its verdict."""
    found = await load_review(review, here.settings)
    return page(request, "review.html", review=found, stages=REVIEW_STAGES)


@router.post("/reviews/{review}/replay")
async def replay(review: ReviewName, who: Runner, here: Here, form: Filled) -> Response:
    """Begin a replay of a review, and go to where it can be watched."""
    fields = {name: text_of(form, name, 80) for name in ("from_stage", "structure", "council")}
    wanted = checked(api.ReviewReplayForm, **fields)
    state = await run_in_threadpool(api.replay, review, wanted, who, here, Response())
    return RedirectResponse(f"/work/{state.id}", status_code=303)


@router.post("/reviews/{review}/go-on")
def go_on(review: ReviewName, who: Runner, here: Here) -> Response:
    """Let a review go on, and go to where it can be watched."""
    return RedirectResponse(f"/work/{api.resume(review, who, here, Response()).id}", status_code=303)


@router.get("/reviews/{review}/report")
async def report(review: ReviewName, who: Reader, here: Here) -> Response:
    """Show the whole report, with the quotes beside each sentence."""
    found = await load_review(review, here.settings)
    return enclosed(await run_in_threadpool(render_review, found))
