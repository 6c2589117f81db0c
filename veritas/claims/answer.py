"""The answer: sentences that cite claims, and a bibliography that code made from the claims' sources (section VIII)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, computed_field, model_validator

from veritas.claims.brief import ANSWERS, Brief
from veritas.claims.envelope import Badge
from veritas.claims.sources import Tier
from veritas.frozen import Frozen

SentenceKind = Literal["claim", "gap", "dissent", "frame"]
DERIVED = frozenset({"chance"})
"""Derived fields of an answer: they are exported with it, and not hashed."""
AnswerStatus = Literal["answered", "closest_passages", "insufficient_evidence", "unavailable"]
"""The one word for the state of an answer, at every door."""


class Sentence(Frozen):
    """A sentence of the answer. `claim` and `dissent` cite at least one claim (I8); a `gap` reads "[Citation needed:
    …]"; a `frame` states no fact about the world, only about the answer."""

    sentence_id: str
    paragraph: int
    kind: SentenceKind
    text: str
    claim_ids: tuple[str, ...] = ()
    references: tuple[int, ...] = ()
    """Numbers in the bibliography, best tier first."""
    footnote: str | None = None
    badges: tuple[Badge, ...] = ()


class Reference(Frozen):
    """An entry of the bibliography, numbered from 1 in order of first mention."""

    number: int
    source_id: str
    url: str
    title: str
    tier: Tier
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None
    paywalled: bool = False


class Answer(Frozen):
    """The answer to a question.

    `closest_passages` shows the closest passages, none of which surely answers, or sentences on such passages; an
    `answered` brief answers at least a part of the question with a chance of at least one half. `insufficient_evidence`
    is an answer too (I10), with what was missing as `reason`. `unavailable` says nothing about the question (I5):
    searching, stating claims, judging or writing failed, and `reason` quotes the failures.
    """

    status: AnswerStatus
    sentences: tuple[Sentence, ...] = ()
    bibliography: tuple[Reference, ...] = ()
    reason: str | None = None
    written_by: str = ""
    missing: tuple[str, ...] = Field(default=(), exclude_if=lambda value: not value)
    """Members and judges that gave no answer while others did, a line each, with the reason."""
    unavailable_at: str | None = Field(default=None, exclude_if=lambda value: value is None)
    """First stage to repeat once they answer again; only if the status is `unavailable`."""
    brief: Brief | None = Field(default=None, exclude_if=lambda value: value is None)
    """The whole passages behind the sentences; only for an answer without a writer."""

    @model_validator(mode="before")
    @classmethod
    def _of_today(cls, given: Any) -> Any:
        """Take a stored answer without derived values. An older one has `answered` for every brief with passages."""
        if not isinstance(given, dict):
            return given
        known = {name: value for name, value in given.items() if name not in (*DERIVED, "answered")}
        brief = known.get("brief")
        chance = brief.get("chance") if isinstance(brief, dict) else getattr(brief, "chance", None)
        if known.get("status") == "answered" and chance is not None and chance < ANSWERS:
            known["status"] = "closest_passages"
        return known

    @computed_field  # type: ignore[prop-decorator]
    @property
    def chance(self) -> float | None:
        """The calibrated chance, 0 to 1, that the question is answered: that its first passage answers it, or, for a
        question that asks for several things, the least chance of a part (`brief.parts` has each). None if a model
        worded the answer, or without a passage."""
        if self.brief is None:
            return None
        return min((part.chance for part in self.brief.parts if not part.side), default=self.brief.chance)
