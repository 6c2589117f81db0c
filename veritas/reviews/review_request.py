"""A person's request for a review."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from veritas.council.select_council import council_file
from veritas.errors import InputError
from veritas.frozen import Frozen
from veritas.policy.cost_tiers import Budget
from veritas.reviews.corpus_claim import Filters

MAX_TOPIC = 1_000


class ReviewRequest(Frozen):
    """`structure` names one of `policies/reviews/` or a file; `auto` is `imrad` for a model, without one `thematic`.

    With `stop`, the review goes no further than its first stop until a person has approved the corpus; without, it goes
    on and is marked as a draft. What does not fit the `budget` is not asked: its section stays a gap, its sentence
    unjudged.
    """

    topic: Annotated[str, Field(max_length=MAX_TOPIC)]
    corpus: str
    structure: str = "auto"
    council: Path | None = None
    filters: Filters = Filters()
    stop: bool = False
    budget: Budget = Budget()


def checked(request: ReviewRequest) -> ReviewRequest:
    """Return the request with its topic trimmed and its council's file found, by path or by the name of a built-in one.
    Raises `InputError` for an empty topic, and for a council that does not exist."""
    topic = " ".join(request.topic.split())
    if not any(c.isalnum() for c in topic):
        raise InputError('a review needs a topic: veritas review "freeze-drying of vaccines" --corpus NAME')
    council = council_file(request.council) if request.council is not None else None
    return request.model_copy(update={"topic": topic, "council": council})
