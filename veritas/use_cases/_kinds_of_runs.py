"""The kinds of runs in one place: listing, cancelling, cleaning and retention treat all of them alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from veritas.engine.kind import Kind


def kinds_of_runs() -> tuple[Kind, ...]:
    """Return runs of research, audits of papers and reviews. Loads what they stand for when it is called."""
    from veritas.answers.pipeline import RESEARCH_RUNS
    from veritas.papers.audit_stages import AUDITS
    from veritas.reviews.review_store import REVIEWS

    return RESEARCH_RUNS, AUDITS, REVIEWS
