"""The embedded members: extraction by three preferences, with no language model, no network and no chance."""

from __future__ import annotations

from collections.abc import Sequence

from veritas.claims.graph import SubQuery
from veritas.claims.sources import Passage
from veritas.council.embedded._contest_rules import objections, response
from veritas.council.embedded._preferences import Preference, lead, numeric, salience
from veritas.council.embedded._showing import drafts
from veritas.council.embedded.compose import arranged, restored
from veritas.council.embedded.questions import sub_queries
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
from veritas.text.languages import unread_language

CLAIMS = 8
"""Most claims a member makes for a sub-query."""


class EmbeddedMember:
    """A member that asserts verbatim sentences of what it read, those closest to the question.

    The same passages always give the same claims. Nothing is in its own wording, and its `description` says so.
    """

    def __init__(self, name: str, preference: Preference, description: str) -> None:
        self.name = name
        self.family = f"embedded:{preference.__name__}"
        self.description = f"{description} Works by extraction alone, without a language model."
        self._preference = preference

    async def decompose(self, question: str) -> Sequence[SubQueryDraft]:
        """See `Member`; by the rules of `questions`."""
        return sub_queries(question)

    async def assert_claims(self, sub_query: SubQuery, passages: Sequence[Passage]) -> Sequence[Draft]:
        """Return a claim of each of the first `CLAIMS` passages, which are given best first; the closest are told even
        where none surely answers, with their chance as the confidence.

        None are made for a question in a language that no rules here read.
        """
        if unread_language(sub_query.text):
            return []
        return list(drafts(sub_query.text, passages, CLAIMS, self._preference))

    async def contest(self, peer_claims: Sequence[PeerClaim], passages: Sequence[Passage]) -> Sequence[Objection]:
        """See `Member`; by sentences that exclude a claim."""
        return objections(peer_claims, passages)

    async def respond(self, contested: ContestedClaim, passages: Sequence[Passage]) -> Response:
        """See `Member`; by the rules of `_contest_rules.response`."""
        return response(contested, passages)

    async def synthesize(self, question: str, claims: Sequence[AdmittedClaim]) -> Sequence[DraftSentence]:
        """See `Member`; the claims' own words, arranged."""
        return arranged(claims)

    async def repair(
        self, sentence: DraftSentence, claims: Sequence[AdmittedClaim], fault: str
    ) -> DraftSentence | None:
        """Return the sentence in the words of the claim it cites."""
        return restored(sentence, claims)


class LeadMember(EmbeddedMember):
    """Among equals, first sentences first."""

    def __init__(self) -> None:
        super().__init__("e1 (lead)", lead, "Prefers the first sentence of a paragraph.")


class SalienceMember(EmbeddedMember):
    """What answers best first."""

    def __init__(self) -> None:
        super().__init__("e2 (salience)", salience, "Prefers what answers best, whatever its form.")


class NumericMember(EmbeddedMember):
    """Among equals, quantities and comparisons first."""

    def __init__(self) -> None:
        super().__init__("e3 (numeric)", numeric, "Prefers quantities and comparisons.")
