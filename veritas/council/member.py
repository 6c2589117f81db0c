"""The member seam: one method for each turn a member of the council may take (sections III, VII, VIII)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from veritas.claims.graph import SubQuery
from veritas.claims.sources import Passage
from veritas.council.turns import (
    AdmittedClaim,
    ContestedClaim,
    Draft,
    DraftSentence,
    Objection,
    PeerClaim,
    Response,
    SubQueryDraft,
)


@runtime_checkable
class Member(Protocol):
    """A member of the council. `passages` are always the member's own, from what it was given to read.

    A `description`, if it has one, is shown in the report; a language model has its name in `model`. Every method
    raises `veritas.errors.Unavailable` if there is no answer, and `UnreadableAnswer` if its form was wrong even after a
    repeated request.
    """

    @property
    def name(self) -> str: ...

    @property
    def family(self) -> str: ...

    async def decompose(self, question: str) -> Sequence[SubQueryDraft]:
        """Return two to six sub-questions that together cover the question; one when it is a single claim or
        keywords."""
        ...

    async def assert_claims(self, sub_query: SubQuery, passages: Sequence[Passage]) -> Sequence[Draft]:
        """Return claims from the passages that help to answer the sub-question; they are given best first."""
        ...

    async def contest(self, peer_claims: Sequence[PeerClaim], passages: Sequence[Passage]) -> Sequence[Objection]:
        """Return objections to the peer claims that the member's own passages contradict (R2)."""
        ...

    async def respond(self, contested: ContestedClaim, passages: Sequence[Passage]) -> Response:
        """Defend, concede or refine a claim of its own (R3)."""
        ...

    async def synthesize(self, question: str, claims: Sequence[AdmittedClaim]) -> Sequence[DraftSentence]:
        """Return the answer's sentences, in order; every factual sentence names the claims it rests on."""
        ...

    async def repair(
        self, sentence: DraftSentence, claims: Sequence[AdmittedClaim], fault: str
    ) -> DraftSentence | None:
        """Return the repaired sentence, or None to drop it."""
        ...
