"""The schemas of a language model's answers in each turn. None has a field for a URL, a tier, a date or an author."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator

from veritas.claims.envelope import ClaimType
from veritas.council.turns import (
    Concession,
    Defence,
    Draft,
    DraftSentence,
    Objection,
    Quote,
    Refinement,
    Response,
    SubQueryDraft,
)
from veritas.frozen import Frozen
from veritas.meaning.compare import unnamed

LONGEST_SUB_QUERY = 1_000
"""Most characters of a sub-question or its facet: each goes into every request of the stage after it."""


class SubQueries(Frozen):
    """Stage 0."""

    sub_queries: tuple[SubQueryDraft, ...] = Field(min_length=1)

    def fault(self) -> str | None:
        """Return what is wrong with the sub-questions, or None."""
        longest = max(len(text) for draft in self.sub_queries for text in (draft.text, draft.facet))
        if longest <= LONGEST_SUB_QUERY:
            return None
        return f"a sub-question or its facet has {longest:,} characters, and at most {LONGEST_SUB_QUERY:,} are taken"


class NamedDraft(Draft):
    """A draft whose claim names its subject. One that does not is asked for again."""

    @field_validator("claim")
    @classmethod
    def _named(cls, claim: str) -> str:
        fault = _unnamed(claim)
        if fault:
            raise ValueError(fault)
        return claim


def _unnamed(claim: str) -> str | None:
    said = unnamed(claim)
    return f"a claim stands by itself: name what its “{said}” is, as the text around the quote does" if said else None


class Claims(Frozen):
    """Stage 2; empty if the passages say nothing about the sub-question."""

    claims: tuple[NamedDraft, ...]


class Objections(Frozen):
    """R2; empty if there is no objection."""

    objections: tuple[Objection, ...]


class Reply(Frozen):
    """R3, flat, because not every provider takes a schema of alternatives."""

    kind: Literal["defence", "concession", "refinement"]
    statement: str
    claim: str | None = None
    claim_type: ClaimType | None = None
    confidence: float | None = None
    quotes: tuple[Quote, ...] = ()

    def fault(self) -> str | None:
        """Return what is missing for a reply of this kind, or None."""
        if self.kind != "concession" and not self.quotes:
            return f"a {self.kind} needs at least one quote"
        if self.kind == "refinement":
            if not self.claim or self.claim_type is None or self.confidence is None:
                return "a refinement needs claim, claim_type and confidence"
            if not 0 <= self.confidence <= 1:
                return "confidence lies between 0 and 1"
            return _unnamed(self.claim)
        return None

    def response(self) -> Response:
        """Return the reply as the debate takes it; `fault()` must be None."""
        if self.kind == "concession":
            return Concession(statement=self.statement)
        if self.kind == "defence":
            return Defence(statement=self.statement, quotes=self.quotes)
        return Refinement.model_validate(
            {
                "statement": self.statement,
                "claim": self.claim,
                "claim_type": self.claim_type,
                "confidence": self.confidence,
                "quotes": self.quotes,
            }
        )


class Sentences(Frozen):
    """Stage 5."""

    sentences: tuple[DraftSentence, ...] = Field(min_length=1)


class Repaired(Frozen):
    """Stage 5, one repaired sentence; null if it cannot be repaired."""

    sentence: DraftSentence | None


class Verdict(Frozen):
    """A judge's answer. The reason comes first, because a model that reasons before it decides, decides better."""

    rationale: str
    label: Literal["supports", "refutes", "silent"]
    score: float = Field(ge=0, le=1)


class NumberedVerdict(Frozen):
    """A judge's answer about one of several claims, by its number from 1."""

    claim: int
    rationale: str
    label: Literal["supports", "refutes", "silent"]
    score: float = Field(ge=0, le=1)


class Verdicts(Frozen):
    """A judge's answers about several claims."""

    verdicts: tuple[NumberedVerdict, ...]
