"""A person's request: everything a run depends on, in one value that can be stored, sent and hashed."""

from __future__ import annotations

from datetime import date

from pydantic import Field, field_validator

from veritas.errors import InputError
from veritas.frozen import Frozen
from veritas.policy.cost_tiers import Budget

MAX_QUESTION = 10_000
"""Limit of a question, in characters. Longer text is a document: put it in a corpus."""


class Request(Frozen):
    """A research question with its settings. Paths are absolute; None means the default of `policies/`."""

    question: str
    tier: str = "standard"
    corpus: tuple[str, ...] = ()
    policy: str | None = None
    council: str | None = None
    cost_tiers: str | None = None
    budget: Budget = Budget()
    seed: int = Field(default=0, ge=0)
    since: date | None = None
    web: bool = False
    """True if the web is searched beside the corpus; without a corpus it always is."""

    @field_validator("question", mode="before")
    @classmethod
    def _checked(cls, question: object) -> str:
        """Return the question, trimmed. Raises `InputError` if it is no text, too long, without letter or digit, or no
        Unicode."""
        if not isinstance(question, str):
            what = "None" if question is None else f"of type {type(question).__name__}"
            raise InputError(f"the question is {what}: give a text")
        text = question.strip()
        if not any(c.isalnum() for c in text):
            raise InputError("the question is empty: ask something, as in veritas research \"What …?\" --corpus docs/")
        if len(text) > MAX_QUESTION:
            raise InputError(
                f"the question has {len(text):,} characters, the limit is {MAX_QUESTION:,}: put long material into a "
                "file and pass it with --corpus"
            )
        if any("\ud800" <= c <= "\udfff" for c in text):
            raise InputError("the question holds bytes that are not valid UTF-8 text: retype it")
        return text
