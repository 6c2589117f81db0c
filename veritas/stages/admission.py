"""Which of the live claims may be cited, and with what badge: the corroboration rules (sections IV and VIII).

Claims are weighed in clusters of equivalent ones, for corroboration is what others say too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from veritas.claims.envelope import VERIFIED_TYPES, Badge, Citation, ClaimEnvelope
from veritas.claims.graph import Event
from veritas.claims.sources import Source
from veritas.verifying.equivalence import cluster


@dataclass(frozen=True)
class Group:
    """A cluster of equivalent admitted claims. `first` speaks for it: best tier, confidence, council order."""

    first: ClaimEnvelope
    claims: tuple[ClaimEnvelope, ...]
    citations: tuple[Citation, ...]
    badges: tuple[Badge, ...]

    @property
    def members(self) -> int:
        """How many members of the council assert it."""
        return len({c.asserted_by for c in self.claims})

    @property
    def tier(self) -> int:
        """The best tier among its citations."""
        return min(c.tier for c in self.citations)


def admit(
    live: Sequence[ClaimEnvelope], sources: Mapping[str, Source]
) -> tuple[tuple[Group, ...], tuple[Event, ...]]:
    """The groups that may be cited, and a row for each claim that may not (I7).

    `sources` maps document id to the source that was read. A claim judged `silent` is kept in the graph with its badge
    and is not cited: an answer rests on judgments that say `supports`, or on admissible sources where the type of the
    claim leaves nothing to judge.
    """
    events: list[Event] = []

    def leave_out(claim: ClaimEnvelope, kind: str, reason: str) -> None:
        events.append(
            Event.model_validate(
                {
                    "stage": "synthesize",
                    "kind": kind,
                    "subject_id": claim.claim_id,
                    "member": claim.asserted_by,
                    "reason": reason,
                    "planted": "planted" in claim.badges,
                }
            )
        )

    citable: list[ClaimEnvelope] = []
    for claim in live:
        if claim.claim_type in VERIFIED_TYPES and claim.verifier_judgment != "supports":
            leave_out(claim, "claim-unused", "the verifier found no support in its passages: the answer cannot cite it")
        else:
            citable.append(claim)
    groups: list[Group] = []
    for indices in cluster([c.claim for c in citable]):
        claims = [citable[i] for i in indices]
        cited = {c.document_id: c for claim in claims for c in claim.citations}
        citations = tuple(sorted(cited.values(), key=lambda c: (c.tier, c.paywalled)))
        if citations[0].tier == 3:
            voices = {_voice(c, sources) for c in citations}
            if len(voices) < 2:
                for claim in claims:
                    leave_out(
                        claim,
                        "claim-uncorroborated",
                        f"tier 3 alone needs two independent sources, and only {next(iter(voices))} says so",
                    )
                continue
        badges: list[Badge] = []
        if any(c.paywalled for c in citations) and not any(not c.paywalled and c.tier <= 2 for c in citations):
            badges.append("paywalled-only")
        if all(c.verifier_judgment is None for c in claims):
            badges.append("not-judged")
        if all("planted" in c.badges for c in claims):
            badges.append("planted")
        order = sorted(
            range(len(claims)), key=lambda i: (claims[i].best_tier, -claims[i].confidence, i)
        )
        groups.append(Group(claims[order[0]], tuple(claims[i] for i in order), citations, tuple(badges)))
    return tuple(groups), tuple(events)


def _voice(citation: Citation, sources: Mapping[str, Source]) -> str:
    source = sources.get(citation.document_id)
    return source.publisher if source and source.publisher else citation.url
