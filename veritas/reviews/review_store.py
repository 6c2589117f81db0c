"""Storage of reviews: a run file for each review below `reviews/`. A folder of JSON files, the old form, becomes such a
file when it is opened."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from veritas.claims.graph import Run
from veritas.engine.kind import Kind
from veritas.engine.stored_runs import Parent, begun, open_for_more
from veritas.errors import InputError, StoreUnavailable, VeritasError
from veritas.frozen import Frozen, content_hash, first_fault
from veritas.reviews.review_document import REVIEW_STAGES
from veritas.reviews.review_request import ReviewRequest
from veritas.reviews.writing.retrieve_claims import read_structure
from veritas.settings import home as default_home
from veritas.store.listing import held
from veritas.store.open_file import StoreLocked
from veritas.store.paths import new_run_id, run_ids, run_path
from veritas.store.run_file import RunStore

RULES = 2
"""Version of the rules, raised if the same inputs give another review: older stages are not resumed from."""

_ID = re.compile(r"review-[0-9a-z-]{6,60}")


def _calls_outside(output: dict[str, Any]) -> dict[str, Any]:
    """Upgrade to version 2: calls are stored beside a stage's output and no longer in it."""
    return {name: value for name, value in output.items() if name != "calls"}


REVIEWS = Kind(
    name="review",
    stages=REVIEW_STAGES,
    resume="veritas review --resume {run}",
    replay="veritas review --replay {run} --from {stage}",
    rests_on="corpus or settings",
    folder="reviews",
    reports="reviews",
    migrations=dict.fromkeys(("write", "review", "revise"), (_calls_outside,)),
)


def reviews_folder(home: Path | None = None) -> Path:
    """Return the folder of reviews, by default that of their texts too."""
    return REVIEWS.home(home or default_home())


def review_ids(home: Path | None = None) -> list[str]:
    """Return the ids of all reviews, oldest first."""
    place = reviews_folder(home)
    old = (file.parent.name for file in place.glob("review-*/review.begun.json"))
    return sorted(name for name in {*run_ids(place), *old} if _ID.fullmatch(name))


class ReviewSummary(Frozen):
    """A review as a line of a list."""

    review_id: str
    status: str
    """`finished`, `interrupted`, `running` or `unreadable`."""
    topic: str = ""
    started_at: datetime | None = None
    stages: tuple[str, ...] = ()
    stage: str | None = None
    """The current stage, if the review is under way."""
    stage_since: datetime | None = None
    problem: str | None = None


def list_reviews(home: Path | None = None) -> list[ReviewSummary]:
    """Return all reviews, newest first, those in the old form too. Never fails on a single one, and changes none."""
    return [_summary(reviews_folder(home), review_id) for review_id in reversed(review_ids(home))]


def _summary(place: Path, review_id: str) -> ReviewSummary:
    try:
        if run_path(place, review_id).exists():
            with RunStore.open(place, review_id, read_only=True, patience=0.1) as store:
                topic, started_at = store.run.question, store.run.started_at
                stages = tuple(row.stage for row in store.stages())
        else:
            was = _Begun.model_validate(_json(place / review_id / "review.begun.json"))
            topic, started_at = str(was.request.get("topic", "")), was.started_at
            stages = tuple(stage for stage, _ in _stages(place / review_id))
    except StoreLocked as error:
        its = held(place, review_id, error)
        return ReviewSummary(
            review_id=review_id, status=its.status, topic=its.question or "", started_at=its.started_at,
            stage=its.stage, stage_since=its.stage_since, problem=its.problem,
        )  # fmt: skip
    except (VeritasError, ValidationError) as error:
        problem = first_fault(error) if isinstance(error, ValidationError) else str(error)
        return ReviewSummary(review_id=review_id, status="unreadable", problem=problem)
    status = "finished" if len(stages) == len(REVIEW_STAGES) else "interrupted"
    return ReviewSummary(review_id=review_id, status=status, topic=topic, started_at=started_at, stages=stages)


def create_review(
    request: ReviewRequest, *, review_id: str | None = None, parent: Parent | None = None, home: Path | None = None
) -> RunStore:
    """Create a review, open for writing."""
    name = review_id or f"review-{new_run_id()}"
    row = begun(request.topic, _settings(request), tier="review", run_id=name, parent=parent)
    return RunStore.create(reviews_folder(home), row)


def open_review(review_id: str, *, home: Path | None = None) -> RunStore:
    """Open a review to resume it. Raises `InputError` for an unknown one, `StoreUnavailable` for one that is damaged or
    in use."""
    _converted(review_id, home)
    return open_for_more(reviews_folder(home), review_id)


def parent_review(review_id: str, start: str, *, home: Path | None = None) -> Parent:
    """Return the review that a replay takes over. Raises as `open_review` does."""
    _converted(review_id, home)
    with RunStore.open(reviews_folder(home), review_id, read_only=True) as store:
        return Parent(REVIEWS, store, start)


def request_of(run: Run) -> ReviewRequest:
    """Return the request a stored review was made from."""
    own = {name: value for name, value in run.settings.items() if name in ReviewRequest.model_fields}
    return ReviewRequest.model_validate({"topic": run.question, **own})


def _settings(request: ReviewRequest) -> dict[str, Any]:
    return request.model_dump(mode="json", exclude={"topic"})


def inputs_of(request: ReviewRequest, corpus_hash: str) -> list[Any]:
    """Return all inputs of a review's first stage. Its budget is none of them."""
    asked = request.model_dump(mode="json", exclude={"stop", "corpus", "structure", "budget"})
    return [RULES, asked, read_structure(request.structure).model_dump(mode="json"), corpus_hash]


def stored_outputs(review_id: str, home: Path | None = None) -> Iterator[tuple[str, Any]]:
    """Yield the stored stages of a review, with their outputs in today's form. Raises as `open_review` does."""
    _converted(review_id, home)
    with RunStore.open(reviews_folder(home), review_id, read_only=True) as store:
        for row in store.stages():
            yield row.stage, REVIEWS.stored(row.stage, store.stage_output(row.stage))


# -- reviews in the old form ------------------------------------------------------------------------------------------


class _Begun(Frozen):
    """The beginning of a review in the old form."""

    review_id: str
    parent_review_id: str | None = None
    request: dict[str, Any]
    started_at: datetime
    version: str


def _converted(review_id: str, home: Path | None) -> None:
    """Make a run file of a review's folder, if it has none. The folder is left as it is.

    Raises `InputError` for an unknown review, `StoreUnavailable` for one whose files are damaged.
    """
    place = reviews_folder(home)
    known = review_ids(home)
    if review_id not in known:
        hint = f"the newest are {', '.join(known[-3:])}" if known else "there is none yet"
        raise InputError(f"no review {review_id[:80]!r}: {hint}")
    if run_path(place, review_id).exists():
        return
    folder = place / review_id
    try:
        was = _Begun.model_validate(_json(folder / "review.begun.json"))
        request = ReviewRequest.model_validate(was.request)
    except ValidationError as error:
        raise StoreUnavailable(f"{folder} cannot be read as a review: {first_fault(error)}") from error
    stages = list(_stages(folder))
    if was.parent_review_id is not None and was.parent_review_id in known:
        _converted(was.parent_review_id, home)
    there = was.parent_review_id is not None and run_path(place, was.parent_review_id).exists()
    row = Run(
        run_id=review_id,
        parent_run_id=was.parent_review_id if there else None,
        question=request.topic,
        tier="review",
        seed=0,
        started_at=was.started_at,
        version=was.version,
        settings=_settings(request),
    )
    with RunStore.create(place, row) as store:
        for stage, input_hash, document, seconds in _chained(request, stages):
            store.save_stage(stage, input_hash, document, seconds=seconds, from_store=True)


def _stages(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the stored stages, up to the first that is missing or was made from another output of the stage before."""
    after = ""
    for number, stage in enumerate(REVIEW_STAGES):
        file = folder / "stages" / f"{number}-{stage}.json"
        if not file.is_file():
            return
        stored = _json(file)
        if content_hash(stored.get("output")) != stored.get("output_hash"):
            raise StoreUnavailable(f"{file} was changed: its output does not fit its hash. Remove it to do it anew")
        if stored.get("after") != after:
            return
        after = stored["output_hash"]
        yield stage, stored


def _chained(
    request: ReviewRequest, stages: list[tuple[str, dict[str, Any]]]
) -> Iterator[tuple[str, str, dict[str, Any], float]]:
    """Yield stage, input hash, document and seconds. A stage made from today's inputs gets today's hash; any other
    keeps a hash that matches nothing, so that it is shown and taken over, but not resumed from."""
    corpus = stages[0][1].get("corpus") if stages else None
    rules, asked, structure, corpus_hash = inputs_of(request, (corpus or {}).get("content_hash", ""))
    so_far = content_hash([rules, asked, structure, corpus_hash])
    for stage, stored in stages:
        same = stored.get("input_hash") == content_hash([rules, stage, asked, structure, corpus_hash])
        input_hash = content_hash([stage, so_far]) if same else str(stored.get("input_hash"))
        output = stored["output"]
        if stage == "retrieve":
            output = {**output, "corpus": corpus}
        so_far = content_hash([input_hash, output])
        yield stage, input_hash, {"output": output, "calls": output.get("calls", [])}, float(stored.get("seconds", 0))


def _json(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise StoreUnavailable(f"{file} cannot be read: {error}. Remove it to do the stage anew") from error
    if not isinstance(found, dict):
        raise StoreUnavailable(f"{file} holds no stage. Remove it to do the stage anew")
    return found
