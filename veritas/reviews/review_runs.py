"""Reviews: begin one, go on with one that was cut off or that persons have decided about, replay one from a stage.

    review = await start(ReviewRequest(topic="freeze-drying of vaccines", corpus="lyophilization"))
    review = await resume(review.review_id)      # after a person has approved something, or after a kill
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from veritas.approvals.person import Person
from veritas.engine.progress import Progress
from veritas.engine.staged_run import Around, plain
from veritas.engine.stored_runs import in_use, parent_of
from veritas.errors import InputError
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.review_document import REVIEW_STAGES, CorpusState, Review, ReviewStage, state_of
from veritas.reviews.review_request import ReviewRequest, checked
from veritas.reviews.review_stages import Reviewing
from veritas.reviews.review_store import (
    REVIEWS,
    create_review,
    open_review,
    parent_review,
    request_of,
    reviews_folder,
)
from veritas.reviews.stage_outputs import Retrieved, Revised, Written
from veritas.reviews.writing.retrieve_claims import read_structure
from veritas.store.run_file import RunStore


async def start(
    request: ReviewRequest,
    *,
    review_id: str | None = None,
    person: Person | None = None,
    progress: Progress | None = None,
    around: Around = plain,
    home: Path | None = None,
) -> Review:
    """Start a review and return it. Raises `InputError` for what cannot be used, `Unavailable` if a writer does not
    answer (resume it later), `Waiting` at the first stop if the request says so."""
    request = checked(request)
    corpus = _corpus(request, home)
    read_structure(request.structure)
    store = create_review(request, review_id=review_id, home=home)
    return await _carry_out(Reviewing(store, request, corpus, state_of(corpus), person, home, progress, around))


async def resume(
    review_id: str,
    *,
    person: Person | None = None,
    progress: Progress | None = None,
    around: Around = plain,
    home: Path | None = None,
) -> Review:
    """Resume a review after the last stage that is stored; take into a finished one what persons have decided since."""
    store = open_review(review_id, home=home)
    try:
        request = request_of(store.run)
        corpus = _corpus(request, home)
        state = _as_it_was(store, corpus)
        parent = parent_of(REVIEWS, reviews_folder(home), store.run)
        made = Reviewing(store, request, corpus, state, person, home, progress, around, parent)
    except BaseException:
        store.close()
        raise
    return await _carry_out(made)


async def replay(
    review_id: str,
    stage: ReviewStage,
    *,
    person: Person | None = None,
    progress: Progress | None = None,
    around: Around = plain,
    home: Path | None = None,
    new_id: str | None = None,
    **changed: object,
) -> Review:
    """Start a review that takes the earlier stages of another and does the rest anew, with changed settings if any;
    `new_id` is the id it gets. Limits of a budget that are not named stay."""
    parent = parent_review(review_id, stage, home=home)
    before = request_of(parent.run)
    if isinstance(limits := changed.get("budget"), Mapping):
        changed["budget"] = {**before.budget.model_dump(), **limits}
    request = checked(ReviewRequest.model_validate({**before.model_dump(), **changed}))
    corpus = _corpus(request, home)
    state = state_of(corpus)
    if "retrieve" in parent.documents:
        then = Retrieved.model_validate(REVIEWS.output("retrieve", parent.documents["retrieve"])).corpus
        if then.content_hash != state.content_hash:
            raise InputError(
                f"the corpus {request.corpus} is not what {review_id} was written from; what was retrieved then may "
                f"be gone: veritas review --replay {review_id} --from retrieve"
            )
    read_structure(request.structure)
    store = create_review(request, review_id=new_id, parent=parent, home=home)
    return await _carry_out(Reviewing(store, request, corpus, state, person, home, progress, around, parent))


def _corpus(request: ReviewRequest, home: Path | None) -> Corpus:
    """Return the corpus. Raises `InputError` for one that does not exist or is empty."""
    corpus = Corpus.open(request.corpus, home_folder=home)
    if not corpus.claims():
        raise InputError(
            f"the corpus {corpus.name} holds no claims: nothing could be written. veritas corpus add {corpus.name} "
            "PATH…"
        )
    return corpus


def _as_it_was(store: RunStore, corpus: Corpus) -> CorpusState:
    """Return the state of the corpus that a stored review is of. A finished review keeps its own state even if the
    corpus has changed, as long as all that it cites is still there."""
    now = state_of(corpus)
    outputs = {name: REVIEWS.stored(name, store.stage_output(name)) for name in REVIEW_STAGES}
    if any(output is None for output in outputs.values()):
        return now
    then = Retrieved.model_validate(outputs["retrieve"]).corpus
    if then.content_hash == now.content_hash:
        return now
    written, revised = Written.model_validate(outputs["write"]), Revised.model_validate(outputs["revise"])
    stand = (*(slot.sentence for slot in written.slots if slot.sentence), *revised.sentences)
    papers = set(now.keys)
    there = all(papers.issuperset(s.keys) and all(map(corpus.claim, s.claim_ids)) for s in stand)
    return then if there else now


async def _carry_out(review: Reviewing) -> Review:
    async with in_use(review.store, None):
        return await review.run()
