"""The embedded members: extraction by three strategies, with no language model, no network and no chance."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veritas.claims.graph import SubQuery
from veritas.claims.sources import Passage
from veritas.council.embedded._candidate_evidence import Candidate, Inquiry, candidates, relevance
from veritas.council.embedded._contest_rules import objections, quoted, response
from veritas.council.embedded._strategies import Strategy, lead, numeric, salience
from veritas.council.embedded.claim_types import claim_type
from veritas.council.embedded.compose import arranged, restored
from veritas.council.embedded.facets import shows
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
from veritas.meaning.compare import compare
from veritas.meaning.relation import Setting

CLAIMS = 5
"""Most claims a member makes for a sub-query."""
A_DOCUMENT = 2
"""Most of them from one document."""
BESIDE = 0.72
"""Least relevance of a sentence, as a share of the most relevant one's."""
LISTS = 0.3
"""How much more a list is worth than a sentence where several things are asked for."""


class EmbeddedMember:
    """A member that asserts verbatim sentences of what it read, chosen by its strategy.

    The same passages always give the same claims. Nothing is in its own wording, and its `description` says so.
    """

    def __init__(self, name: str, strategy: Strategy, description: str) -> None:
        self.name = name
        self.family = f"embedded:{strategy.__name__}"
        self.description = f"{description} Works by extraction alone, without a language model."
        self._strategy = strategy

    async def decompose(self, question: str) -> Sequence[SubQueryDraft]:
        """See `Member`; by the rules of `questions`."""
        return sub_queries(question)

    async def assert_claims(self, sub_query: SubQuery, passages: Sequence[Passage]) -> Sequence[Draft]:
        """Return at most `CLAIMS` sentences that stand alone and speak to the sub-query, best first; none when none
        does.

        The confidence is how well the sentence speaks to the sub-query, from 0.3 to 0.9: 0.3 + 0.6 · relevance, less
        0.1 for one with a hedge ("may", "suggests") or a word that leans on its neighbours ("these"). It is no
        probability of being true.
        """
        inquiry = Inquiry.of(sub_query.text, sub_query.facet)
        found = [c for c in candidates(inquiry, passages) if shows(inquiry.facet, c.statement.claim)]
        best = max(map(relevance, found), default=0.0)
        found = [candidate for candidate in found if relevance(candidate) >= BESIDE * best]
        scores = self._strategy(inquiry, found)
        worth = [
            round(score - leaning(candidate) + (LISTS if inquiry.which and candidate.statement.items else 0.0), 6)
            for score, candidate in zip(scores, found, strict=True)
        ]
        order = sorted(
            range(len(found)), key=lambda i: (-worth[i], found[i].statement.claim, found[i].passage.passage_id)
        )
        chosen: list[Candidate] = []
        for i in order:
            if len(chosen) == CLAIMS:
                break
            if found[i].statement.pointer or found[i].statement.items:
                # The pair says all that its first sentence says alone, and the list all that its items do.
                chosen = [c for c in chosen if c.statement.claim not in found[i].statement.claim]
            if _adds(found[i], chosen):
                chosen.append(found[i])
        return [
            Draft(
                claim=candidate.statement.claim,
                claim_type=claim_type(candidate.statement.claim),
                confidence=round(min(0.9, max(0.3, 0.3 + 0.6 * relevance(candidate) - leaning(candidate))), 2),
                quotes=(quoted(candidate.passage, candidate.statement),),
            )
            for candidate in chosen
        ]

    async def contest(self, peer_claims: Sequence[PeerClaim], passages: Sequence[Passage]) -> Sequence[Objection]:
        """See `Member`; by numeric and polar conflict."""
        return objections(peer_claims, passages)

    async def respond(self, contested: ContestedClaim, passages: Sequence[Passage]) -> Response:
        """See `Member`; by the four rules of `contest_rules.response`."""
        return response(contested, passages)

    async def synthesize(self, question: str, claims: Sequence[AdmittedClaim]) -> Sequence[DraftSentence]:
        """See `Member`; the claims' own words, arranged."""
        return arranged(question, claims)

    async def repair(
        self, sentence: DraftSentence, claims: Sequence[AdmittedClaim], fault: str
    ) -> DraftSentence | None:
        """Return the sentence in the words of the claim it cites."""
        return restored(sentence, claims)


_LEANS = re.compile(
    r"(?i)\b(?:this|these|those|such|you|your|may|might|suggests?|unknown|unclear|poorly (?:understood|defined|"
    r"characteri[sz]ed)|not (?:well|fully|yet|been) (?:understood|known|characteri[sz]ed|established|defined|explored)|"
    r"remains?)\b"
)


def leaning(candidate: Candidate) -> float:
    """Return 0.1 for a sentence that hedges, says what is not known, or leans on its neighbours by a "these" or "such"
    inside it; else 0."""
    return 0.1 if _LEANS.search(candidate.statement.claim) else 0.0


def _adds(candidate: Candidate, chosen: Sequence[Candidate]) -> bool:
    if sum(c.passage.document_id == candidate.passage.document_id for c in chosen) >= A_DOCUMENT:
        return False
    claim = candidate.statement.claim
    for other in chosen:
        said = other.statement.claim
        if claim in said or compare(said, claim, of_first=_setting(other), of_second=_setting(candidate)).entailed:
            return False
    return True


def _setting(candidate: Candidate) -> Setting:
    return Setting(document=candidate.passage.document_id)


class LeadMember(EmbeddedMember):
    """Definitions, leads and what stands under a fitting heading first."""

    def __init__(self) -> None:
        super().__init__("e1 (lead)", lead, "Prefers definitions, first sentences and fitting headings.")


class SalienceMember(EmbeddedMember):
    """The sentences that say the most about the question's rarest words first."""

    def __init__(self) -> None:
        super().__init__("e2 (salience)", salience, "Prefers sentences that cover the question's rarest words.")


class NumericMember(EmbeddedMember):
    """Score quantities, comparisons and results."""

    def __init__(self) -> None:
        super().__init__("e3 (numeric)", numeric, "Prefers quantities, comparisons and results.")
