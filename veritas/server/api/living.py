"""Routes of living questions: saved, listed, asked again, removed; what changed."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response
from pydantic import BaseModel, Field

from veritas.server.access import Reader, Runner
from veritas.server.api.common import Key, begun_once, unlimited, words
from veritas.server.api.forms import QuestionForm
from veritas.server.api.work import WorkState, begun
from veritas.server.context import Context, Here
from veritas.server.problems import without_paths
from veritas.use_cases import living
from veritas.use_cases.living import Entry

router = APIRouter(tags=["living questions"])
Name = Annotated[str, Path(max_length=80, description="The question's name, or an unambiguous beginning of it.")]
_COSTS = "saves and asks no living question: a scheduled run has no token to pay for it"


class LivingForm(QuestionForm):
    """A question that is asked again, and how; `name` is by default made of its words."""

    name: str = Field(default="", max_length=60)


class LivingQuestion(BaseModel):
    """A living question. `run` holds its present answer, None before the first; `asked_at` is when it was last looked
    whether it has to be asked again."""

    name: str
    question: str
    tier: str
    corpus: list[str]
    web: bool
    added_at: datetime
    run: str | None = None
    asked_at: datetime | None = None


@router.get("/living")
def listed(who: Reader, here: Here) -> list[LivingQuestion]:
    """Return all living questions, by name."""
    return [_shown(each, here) for each in living.questions(home=here.home)]


@router.post("/living", status_code=201)
def add(form: LivingForm, who: Runner, here: Here) -> LivingQuestion:
    """Save a question. Nobody is asked yet: `POST /living/run` does that, or a schedule."""
    unlimited(who, _COSTS)
    words(form.question, "question")
    return _shown(living.add(form.question, name=form.name, **form.given(here.settings), home=here.home), here)


@router.delete("/living/{name}")
def remove(name: Name, who: Runner, here: Here) -> LivingQuestion:
    """Ask a question no more. Its runs, and its entries, stay."""
    question = _shown(living.find(name, home=here.home), here)
    living.remove(question.name, home=here.home)
    return question


@router.post("/living/run", status_code=202)
def ask_all(who: Runner, here: Here, response: Response, key: Key = None) -> WorkState:
    """Ask every living question again of which anything may have changed, in the background."""
    unlimited(who, _COSTS)
    with begun_once(key, ["living"], who, here) as run_id:
        return begun("living", {"name": None}, "all living questions", run_id, who, here, response)


@router.post("/living/{name}/run", status_code=202)
def ask_again(name: Name, who: Runner, here: Here, response: Response, key: Key = None) -> WorkState:
    """Ask a living question again if anything may have changed, in the background."""
    unlimited(who, _COSTS)
    found = living.find(name, home=here.home)
    with begun_once(key, ["living", found.name], who, here) as run_id:
        return begun("living", {"name": found.name}, found.question, run_id, who, here, response)


@router.get("/living/entries")
def entries(
    who: Reader, here: Here, name: Annotated[str | None, Query(min_length=1, max_length=80)] = None
) -> list[Entry]:
    """Return what changed about one question, or about all, the newest first."""
    return living.entries(name, home=here.home)


def _shown(question: living.Question, here: Context) -> LivingQuestion:
    given, known = question.settings, living.memory(question.name, home=here.home)
    return LivingQuestion(
        name=question.name, question=question.question, tier=given["tier"], web=given["web"],
        corpus=[without_paths(str(each), here.settings) for each in given["corpus"]], added_at=question.added_at,
        run=known.run, asked_at=known.asked_at,
    )  # fmt: skip
