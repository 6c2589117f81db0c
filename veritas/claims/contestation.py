"""Results of the claim-level debate: contestations with their outcome, and the agreement meter (section VII)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from veritas.claims.envelope import Citation, SpanRef
from veritas.frozen import Frozen

Resolution = Literal["invalid", "open", "defended", "conceded", "refined"]


class Contestation(Frozen):
    """An objection raised in R2. `objection`, `response` and the passages are verbatim.

    It counts only if `resolution` is not "invalid", which means that its counter-passage passed I1 and the verifier.
    `ruling` gives in one sentence why it is invalid, or how it was resolved.
    """

    contestation_id: str
    claim_id: str
    challenger: str
    objection: str
    counter_claim: str
    counter_citations: tuple[Citation, ...] = ()
    counter_passages: tuple[str, ...] = ()
    counter_spans: tuple[SpanRef, ...] = ()
    resolution: Resolution
    ruling: str
    response: str | None = None
    response_citations: tuple[Citation, ...] = ()
    response_passages: tuple[str, ...] = ()
    response_spans: tuple[SpanRef, ...] = ()
    successor_id: str | None = None


class Round(Frozen):
    """The agreement meter after one round: of `clusters` of equivalent live claims, `agreed` are asserted by at least
    two members and not under an open contestation; `agreement` is their share, 0 to 1 (None when nothing is live)."""

    round: int = Field(ge=1, le=3)
    live_claims: int
    clusters: int
    agreed: int
    agreement: float | None = Field(default=None, ge=0, le=1)
    open_contestations: int = 0
