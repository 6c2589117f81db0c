"""The inputs and outputs of a member's turns. No field can hold a URL, a tier, a date or an author (I2)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from veritas.claims.envelope import ClaimType
from veritas.frozen import Frozen


class SubQueryDraft(Frozen):
    """A sub-question as a member words it; code gives it its id."""

    text: str = Field(min_length=1)
    facet: str = ""


class Quote(Frozen):
    """A part of a passage that the member was shown: the passage's id and the exact words."""

    passage_id: str
    quote: str


class Draft(Frozen):
    """Everything that a member may state about a claim: quotes, the assertion, its type, and its confidence (0 to 1).

    The quotes come first, because a model that has copied them words the claim accordingly. `stands_on` names other
    claims of the same answer by their number, from 1: those that an interpretation or a prediction is drawn from. It is
    then judged against their quotes too, and is dropped with them.
    """

    quotes: tuple[Quote, ...] = Field(min_length=1)
    claim: str = Field(min_length=1)
    claim_type: ClaimType
    confidence: float = Field(ge=0, le=1)
    stands_on: tuple[int, ...] = ()


class PeerClaim(Frozen):
    """A peer's claim as shown in R2: without its citations and without its author."""

    claim_id: str
    claim: str
    claim_type: ClaimType


class Objection(Frozen):
    """An objection in R2. `counter_claim` is the contesting position; the quotes must support it, otherwise the
    objection is void."""

    claim_id: str
    quotes: tuple[Quote, ...] = ()
    counter_claim: str
    objection: str


class ContestedClaim(Frozen):
    """The asserter's own claim in R3, with the objection, the counter-passages, and the best tier on either side."""

    claim_id: str
    claim: str
    claim_type: ClaimType
    own_passages: tuple[str, ...]
    own_tier: int
    objection: str
    counter_claim: str
    counter_passages: tuple[str, ...]
    counter_tier: int


class Defence(Frozen):
    """The asserter stands by the claim with further quotes, judged anew."""

    kind: Literal["defence"] = "defence"
    statement: str
    quotes: tuple[Quote, ...] = Field(min_length=1)


class Concession(Frozen):
    """The asserter gives the claim up."""

    kind: Literal["concession"] = "concession"
    statement: str


class Refinement(Frozen):
    """The asserter narrows the claim: a successor with its own quotes, verified like any other."""

    kind: Literal["refinement"] = "refinement"
    statement: str
    claim: str = Field(min_length=1)
    claim_type: ClaimType
    confidence: float = Field(ge=0, le=1)
    quotes: tuple[Quote, ...] = Field(min_length=1)


class AdmittedClaim(Frozen):
    """A claim the writer may use. `dissent` holds the standing objection, word for word, if there is one."""

    claim_id: str
    claim: str
    claim_type: ClaimType
    tier: int
    members: int
    """Number of council members that assert it or an equivalent one."""
    confidence: float
    sub_query_ids: tuple[str, ...]
    """The sub-queries it answers, beginning with the one it was made for."""
    passages: tuple[str, ...]
    dissent: str | None = None
    paywalled: bool = False
    """True if it rests on paywalled sources alone."""
    documents: tuple[str, ...] = ()
    """Ids of the documents that its passages stand in."""


class DraftSentence(Frozen):
    """A sentence of the answer as the writer words it. A `gap` of the writer is not printed, because its words are not
    judged: code writes the gaps, the dissent and the answer's statement about itself."""

    text: str = Field(min_length=1)
    claim_ids: tuple[str, ...] = ()
    paragraph: int = Field(default=0, ge=0)
    kind: Literal["claim", "gap"] = "claim"


Response = Defence | Concession | Refinement
