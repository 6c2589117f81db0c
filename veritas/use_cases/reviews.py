"""A literature review: written from a corpus of claims, gone on with, replayed, listed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veritas.errors import InputError, UnknownRun
from veritas.use_cases.background import not_finished
from veritas.use_cases.given import Spending, given_budget, given_home, given_text

if TYPE_CHECKING:
    from veritas.engine.progress import Progress
    from veritas.reviews.review_document import Review, ReviewStage
    from veritas.reviews.review_store import ReviewSummary


async def write_review(
    topic: str,
    corpus: str,
    *,
    structure: str = "auto",
    council: str | Path | None = None,
    year_from: int | None = None,
    year_to: int | None = None,
    stop: bool = False,
    budget: Spending | None = None,
    review_id: str | None = None,
    progress: Progress | None = None,
    home: str | Path | None = None,
) -> Review:
    """Return a literature review on `topic` from the claims of `corpus`, every sentence of it reviewed.

    `structure` names one of `policies/reviews/` or a file. With `stop` the review goes no further than its first stop
    until a person has approved the corpus. `budget` is the most it may spend, in US dollars or as a `Budget`;
    `review_id` the id it gets. Raises `InputError`, and
    `Unavailable` when a writer does not answer, or none of the sections can be paid.
    """
    from veritas.policy.cost_tiers import Budget
    from veritas.reviews.corpus_claim import Filters
    from veritas.reviews.review_request import MAX_TOPIC, ReviewRequest
    from veritas.reviews.review_runs import start

    if len(given_text(topic, "topic")) > MAX_TOPIC:
        raise InputError(f"the topic has {len(topic):,} characters, the limit is {MAX_TOPIC:,}")
    years = {name: year for name, year in (("year_from", year_from), ("year_to", year_to)) if year is not None}
    request = ReviewRequest(
        topic=topic, corpus=given_text(corpus, "corpus"), structure=structure,
        council=Path(council) if council is not None else None, filters=Filters.model_validate(years), stop=stop,
        budget=given_budget(budget) or Budget(),
    )  # fmt: skip
    return await start(request, review_id=review_id, progress=progress, home=given_home(home))


def judge_again(review: Review) -> str:
    """Return the command that judges what nobody could judge, with a budget if it was that which lacked."""
    from veritas.council.spending import BUDGET

    reasons = (v.reason for v in (*review.first.verdicts, *review.second.verdicts) if v.verdict == "UNAVAILABLE")
    more = " --budget USD" if any(BUDGET in reason for reason in reasons) else ""
    return f"veritas review --replay {review.review_id} --from review{more}"


async def resume_review(
    review: str, *, progress: Progress | None = None, home: str | Path | None = None
) -> Review:
    """Return a review that was cut off, gone on with; of a finished one, with what persons have decided since."""
    from veritas.reviews.review_runs import resume

    return await resume(given_text(review, "review"), progress=progress, home=given_home(home))


async def replay_review(
    review: str,
    from_stage: ReviewStage,
    *,
    changes: Mapping[str, Any] | None = None,
    new_id: str | None = None,
    progress: Progress | None = None,
    home: str | Path | None = None,
) -> Review:
    """Return a new review that takes the stages before `from_stage` (retrieve, write, review, revise) from another and
    does the rest anew; `changes` are parameters of `write_review`, the years excepted, and `new_id` is the id it gets.
    Raises `InputError`."""
    from veritas.reviews.review_document import REVIEW_STAGES
    from veritas.reviews.review_runs import replay

    if from_stage not in REVIEW_STAGES:
        raise InputError(f"there is no stage {from_stage!r}; the stages are: {', '.join(REVIEW_STAGES)}")
    return await replay(
        given_text(review, "review"), from_stage, progress=progress, home=given_home(home), new_id=new_id,
        **(changes or {}),
    )


async def load_review(review: str, *, home: str | Path | None = None) -> Review:
    """Return a finished review, with what persons have decided since. Raises `UnknownRun`, and `NotFinished` for
    one that is not finished."""
    place = given_home(home)
    status = known(review, home=place).status
    if status != "finished":
        raise not_finished(review, None, place, what="review", resume="veritas review --resume {run}")
    return await resume_review(review, home=place)


def known(review: str, *, home: str | Path | None = None) -> ReviewSummary:
    """Return a review as it is listed. Raises `UnknownRun` for one that is not."""
    for each in list_reviews(home=home):
        if each.review_id == review:
            return each
    raise UnknownRun(f"there is no review {given_text(review, 'review')!r}")


def list_reviews(*, home: str | Path | None = None) -> list[ReviewSummary]:
    """Return all stored reviews, newest first. Never fails on a single one."""
    from veritas.reviews.review_store import list_reviews as listed

    return listed(given_home(home))
