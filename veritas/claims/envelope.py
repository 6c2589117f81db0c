"""The claim envelope: one atomic claim with its full origin (veritas spec, section V, Fig. 4)."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import Field, model_validator

from veritas.frozen import Frozen, content_id

ClaimType = Literal["factual", "numerical", "interpretive", "predictive"]
Label = Literal["supports", "refutes", "silent", "unavailable"]
DebateStatus = Literal["uncontested", "contested", "defended", "conceded", "refined"]
Badge = Literal[
    "unverified",  # the verifier found no support in its passages
    "doubtful",  # judges support it, and the comparison with its passages does not
    "not-judged",  # of older runs: no verifier judged interpretive and predictive claims then
    "contradicted",  # another sentence of the same answer says otherwise
    "paywalled-only",
    "single-source",  # one voice of tier 3 alone
    "abstract-only",
    "planted",  # its source carries the corpus owner's remark
    "override",  # the verifier could not confirm it; a person let it in, with name and reason
]


class Citation(Frozen):
    """A source of a claim. Code takes every field from the document that was fetched (I2)."""

    url: str
    tier: Literal[1, 2, 3]
    fetch: date
    document_id: str
    paywalled: bool = False


class SpanRef(Frozen):
    """The place of a quoted passage: `[start, end)` in characters of the stored document's text."""

    passage_id: str
    document_id: str
    start: int = Field(ge=0)
    end: int = Field(gt=0)

    @model_validator(mode="after")
    def _ordered(self) -> SpanRef:
        if self.end <= self.start:
            raise ValueError("a span ends after it starts")
        return self


class Provenance(Frozen):
    """The origin of a claim, set by code: the member, the sub-query it was asked, and the prompt."""

    member: str
    family: str
    sub_query_id: str
    also: tuple[str, ...] = ()
    """Further sub-queries for which the member made the same claim."""
    also_confidence: tuple[float, ...] = Field(default=(), exclude_if=lambda value: not value)
    """The confidence of the claim for each of them, 0 to 1; empty in files of earlier versions."""
    stage: Literal["extract", "debate"] = "extract"
    prompt: str | None = None
    """Name and version of the prompt; None for a member without a language model."""


class ClaimEnvelope(Frozen):
    """A claim. `source_passages[i]` stands verbatim at `spans[i]` (I1); `citations` has one entry a document.

    Of these fields later stages set only `verifier_judgment`, `debate_status` and `badges`, each by making a copy.
    """

    claim_id: str
    claim: str = Field(min_length=1)
    claim_type: ClaimType
    confidence: float = Field(ge=0, le=1)
    citations: tuple[Citation, ...] = Field(min_length=1)
    source_passages: tuple[str, ...] = Field(min_length=1)
    asserted_by: str
    verifier_judgment: Label | None = None
    debate_status: DebateStatus = "uncontested"
    spans: tuple[SpanRef, ...] = Field(min_length=1)
    refines: str | None = None
    stands_on: tuple[str, ...] = Field(default=(), exclude_if=lambda value: not value)
    """Ids of the claims that a reading or a prediction is drawn from, if it names some. Their passages are among its
    own, and no answer cites it unless each of them may be cited."""
    badges: tuple[Badge, ...] = ()
    provenance: Provenance

    @model_validator(mode="after")
    def _aligned(self) -> ClaimEnvelope:
        if len(self.source_passages) != len(self.spans):
            raise ValueError("each source passage has exactly one span")
        cited = {c.document_id for c in self.citations}
        if cited != {s.document_id for s in self.spans}:
            raise ValueError("the cited documents are exactly those the spans lie in")
        return self

    @property
    def best_tier(self) -> int:
        """Best (lowest) tier among the citations, 1 to 3."""
        return min(c.tier for c in self.citations)


def claim_id(claim: str, member: str, spans: tuple[SpanRef, ...], refines: str | None = None) -> str:
    """Return the id of a claim: made of its text, member, spans and the claim it refines; nothing of the run."""
    return content_id("c", claim, member, [(s.document_id, s.start, s.end) for s in spans], refines)
