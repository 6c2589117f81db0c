"""Routes of reviews and of the corpora they are written from."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response
from pydantic import Field, model_validator

from veritas.server.access import Reader, Runner
from veritas.server.api.common import JSON_OBJECT, Key, begun_once, limited, words
from veritas.server.api.forms import CouncilName, Form, Limits
from veritas.server.api.work import WorkState, begun, gone_on_with
from veritas.server.context import Here
from veritas.server.roots import corpus_paths
from veritas.server.stored import corpus_overview, load_review
from veritas.use_cases import corpora, reviews
from veritas.use_cases.shapes import Hit, Overview, ReviewStage, ReviewSummary

router = APIRouter(tags=["reviews"])
NAME = "^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$"
ReviewName = Annotated[str, Path(max_length=100)]
CorpusName = Annotated[str, Path(max_length=80, pattern=NAME)]


class AddForm(Form):
    """What is added to a corpus of claims: documents (as in a question's `corpus`), or the claims of a run. With the
    extractor `embedded` no language model is asked."""

    documents: list[str] = Field(default_factory=list, max_length=50)
    run: str | None = Field(default=None, max_length=80)
    extractor: str = Field(default="embedded", max_length=80, pattern="^[A-Za-z0-9][A-Za-z0-9_-]*$")

    @model_validator(mode="after")
    def _some(self) -> AddForm:
        if not self.documents and self.run is None:
            raise ValueError("give documents, or a run")
        return self


class ReviewForm(Form):
    """A review: its topic, the corpus of claims it is written from, and what it may take."""

    topic: str = Field(min_length=1, max_length=2_000)
    corpus: str = Field(pattern=NAME)
    structure: str = Field(default="auto", max_length=80, pattern="^[A-Za-z0-9_-]+$")
    council: str | None = CouncilName
    year_from: int | None = Field(default=None, ge=0, le=9999)
    year_to: int | None = Field(default=None, ge=0, le=9999)
    stop: bool = False
    budget: Limits | None = None


class ReviewReplayForm(Form):
    """A replay of a review: the first stage that is done again, and what is to be other than in the earlier one."""

    from_stage: ReviewStage
    structure: str | None = Field(default=None, max_length=80, pattern="^[A-Za-z0-9_-]+$")
    council: str | None = CouncilName
    budget: Limits | None = None


@router.get("/corpora")
def corpora_listed(who: Reader) -> list[str]:
    """Return the names of all corpora of claims."""
    return corpora.list_corpora()


@router.get("/corpora/{name}")
def described(name: CorpusName, who: Reader, here: Here) -> Overview:
    """Return a corpus at a glance: its papers, its claims by kind, what was left out."""
    return corpus_overview(name, here.settings)


@router.get("/corpora/{name}/search")
async def search(
    name: CorpusName,
    q: Annotated[str, Query(min_length=1, max_length=2_000)],
    who: Reader,
    limit: Annotated[int, Query(ge=1, le=200)] = 20,
) -> list[Hit]:
    """Return the claims of a corpus that speak of a query, best first."""
    return await corpora.search_corpus(q, name, limit=limit, lexical_only=True)


@router.post("/corpora/{name}/papers", status_code=202)
def add(name: CorpusName, form: AddForm, who: Runner, here: Here, response: Response, key: Key = None) -> WorkState:
    """Add papers to a corpus of claims, made if there is none of that name, in the background."""
    settings = {
        "name": name, "paths": corpus_paths(form.documents, here.settings), "run": form.run,
        # What a model costs here has no limit: a token with a budget goes without.
        "extractor": form.extractor if who.budget_usd is None else "embedded",
    }  # fmt: skip
    with begun_once(key, [name, form.model_dump(mode="json")], who, here) as run_id:
        return begun("corpus", settings, name, run_id, who, here, response)


@router.post("/reviews", status_code=202)
def write(form: ReviewForm, who: Runner, here: Here, response: Response, key: Key = None) -> WorkState:
    """Write a literature review in the background; the review has the id of the work."""
    limits = form.budget.model_dump() if form.budget is not None else {}
    words(form.topic, "topic")
    settings: dict[str, Any] = form.model_dump(exclude={"budget"})
    with here.beginning, begun_once(key, form.model_dump(mode="json"), who, here, "review-") as run_id:
        settings["budget"] = limited(limits, who, here, run_id)
        return begun("review", settings, form.topic, run_id, who, here, response)


@router.get("/reviews")
def listed(who: Reader, here: Here) -> list[ReviewSummary]:
    """Return the reviews, the newest first."""
    return reviews.list_reviews(home=here.home)


@router.get("/reviews/{review}", responses=JSON_OBJECT)
async def show(review: ReviewName, who: Reader, here: Here) -> Response:
    """Return a finished review, with what persons have decided since."""
    found = await load_review(review, here.settings)
    return Response(found.model_dump_json(), media_type="application/json")


@router.post("/reviews/{review}/replay", status_code=202)
def replay(
    review: ReviewName, form: ReviewReplayForm, who: Runner, here: Here, response: Response, key: Key = None
) -> WorkState:
    """Begin a review that takes the stages before `from_stage` from another, in the background."""
    reviews.known(review, home=here.home)
    changes = form.model_dump(exclude={"from_stage"}, exclude_none=True)
    asked = ["replay", review, form.model_dump(mode="json")]
    with here.beginning, begun_once(key, asked, who, here, "review-") as run_id:
        if limits := limited(changes.get("budget"), who, here, run_id):
            changes["budget"] = limits
        settings = {"replay": review, "from_stage": form.from_stage, "changes": changes}
        return begun("review", settings, review, run_id, who, here, response)


@router.post("/reviews/{review}/resume", status_code=202)
def resume(review: ReviewName, who: Runner, here: Here, response: Response) -> WorkState:
    """Let a review that was stopped or cut off go on, also behind a case that a person has decided."""
    topic = reviews.known(review, home=here.home).topic
    return gone_on_with("review", review, topic or review, who, here, response)
