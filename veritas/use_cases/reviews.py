"""A corpus of claims and the literature review that is written from it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from veritas.use_cases.given import Paths, given_paths, given_text

if TYPE_CHECKING:
    from veritas.reviews.add_papers import Addition
    from veritas.reviews.claim_corpus import Corpus
    from veritas.reviews.review_document import Review, ReviewStage


async def add_to_corpus(
    name: str, paths: Paths, *, extractor: str = "auto", embedder: str | None = None, again: bool = False
) -> Sequence[Addition]:
    """Add the papers in `paths` to a corpus, made if there is none of that name, and return what came of each root.

    Each claim is a quote that stands word for word in its document. `extractor` is auto, embedded, a member of the
    council or a model; `embedder` a plug-in and its model for embeddings. What has not changed is left as it is unless
    `again`. Raises `InputError`, `CorpusError`; what did not answer is in `Addition.unavailable`.
    """
    from veritas.reviews.prepare_addition import Wanted, add_wanted

    given = tuple(Path(path) for path in given_paths(paths, "paths"))
    return await add_wanted(Wanted(name=name, paths=given, extractor=extractor, embedder=embedder, again=again))


def open_corpus(name: str) -> Corpus:
    """Return a corpus of claims to search in and to list. Raises `CorpusError` where there is none of that name."""
    from veritas.reviews.claim_corpus import Corpus

    return Corpus.open(name)


async def write_review(
    topic: str,
    corpus: str,
    *,
    structure: str = "imrad",
    council: str | Path | None = None,
    year_from: int | None = None,
    year_to: int | None = None,
    stop: bool = False,
    budget: float | None = None,
    home: str | Path | None = None,
) -> Review:
    """Return a literature review on `topic` from the claims of `corpus`, every sentence of it reviewed.

    `structure` names one of `policies/reviews/` or a file. With `stop` the review goes no further than its first stop
    until a person has approved the corpus. `budget` is the most it may cost, in US dollars. Raises `InputError`, and
    `Unavailable` when a writer does not answer, or none of the sections can be paid.
    """
    from veritas.policy.cost_tiers import Budget
    from veritas.reviews.filters import Filters
    from veritas.reviews.review_request import ReviewRequest
    from veritas.reviews.review_stages import start

    years = {name: year for name, year in (("year_from", year_from), ("year_to", year_to)) if year is not None}
    request = ReviewRequest(
        topic=topic, corpus=corpus, structure=structure, council=Path(council) if council is not None else None,
        filters=Filters.model_validate(years), stop=stop, budget=Budget(usd=budget),
    )  # fmt: skip
    return await start(request, home=Path(home) if home is not None else None)


async def resume_review(review: str, *, home: str | Path | None = None) -> Review:
    """Return a review that was cut off, gone on with; of a finished one, with what persons have decided since."""
    from veritas.reviews.review_stages import resume

    return await resume(given_text(review, "review"), home=Path(home) if home is not None else None)


async def replay_review(review: str, from_stage: ReviewStage, *, home: str | Path | None = None) -> Review:
    """Return a new review that takes the stages before `from_stage` from another and does the rest anew."""
    from veritas.reviews.review_stages import replay

    return await replay(given_text(review, "review"), from_stage, home=Path(home) if home is not None else None)
