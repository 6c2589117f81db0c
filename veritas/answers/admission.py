"""Admission of live claims to the answer, and their badges: the corroboration rules (sections IV and VIII).

Claims are weighed in clusters of equivalent ones, since corroboration counts what others say too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from veritas.claims.corroboration import lone_voice, paywalled_only, voice
from veritas.claims.envelope import Badge, Citation, ClaimEnvelope
from veritas.claims.graph import Event, EventKind
from veritas.claims.sources import Source
from veritas.judging import Setting
from veritas.judging.sameness import cluster

_OF_ALL: tuple[Badge, ...] = ("planted", "doubtful")
"""Badges of a cluster that all its claims bear."""


@dataclass(frozen=True)
class Group:
    """A cluster of equivalent admitted claims. `first` represents it: best tier, confidence, council order."""

    first: ClaimEnvelope
    claims: tuple[ClaimEnvelope, ...]
    citations: tuple[Citation, ...]
    badges: tuple[Badge, ...]

    @property
    def members(self) -> int:
        """Number of council members that assert it."""
        return len({c.asserted_by for c in self.claims})

    @property
    def tier(self) -> int:
        """Best tier among its citations."""
        return min(c.tier for c in self.citations)


def admit(
    live: Sequence[ClaimEnvelope], sources: Mapping[str, Source], let_in: Set[str] = frozenset()
) -> tuple[tuple[Group, ...], tuple[Event, ...]]:
    """Return the groups that may be cited, and a row for each claim that may not (I7).

    `sources` maps document id to the source that was read. A claim judged `silent`, or not judged (in older runs),
    stays in the graph and is not cited. A claim drawn from others is cited only if each of these is admitted by itself.
    `let_in` are the ids of claims that a person approved: they corroborate nothing, and if a cluster has a claim that a
    verifier supports, that one is cited instead.
    """
    events: list[Event] = []

    def leave_out(claim: ClaimEnvelope, kind: EventKind, reason: str) -> None:
        events.append(
            Event(
                stage="synthesize",
                kind=kind,
                subject_id=claim.claim_id,
                member=claim.asserted_by,
                reason=reason,
                planted="planted" in claim.badges,
            )
        )

    citable: list[ClaimEnvelope] = []
    supported = {c.claim_id for c in live if c.verifier_judgment == "supports" and c.claim_id not in let_in}
    for claim in live:
        if claim.claim_id in let_in:
            citable.append(claim)
        elif claim.verifier_judgment != "supports":
            leave_out(claim, "claim-unused", "the verifier found no support in its passages: the answer cannot cite it")
        elif fallen := [i for i in claim.stands_on if i not in supported]:
            leave_out(claim, "claim-dropped", f"it stands on {', '.join(fallen)}, which may not be cited")
        else:
            citable.append(claim)
    groups: list[Group] = []
    placed: set[int] = set()
    for number, claims in _parts(citable, sources, let_in):
        if number in placed:
            for claim in claims:
                leave_out(claim, "claim-redundant", "a person let it in, and a supported claim says the same")
            continue
        cited = {c.document_id: c for claim in claims for c in claim.citations}
        citations = tuple(sorted(cited.values(), key=lambda c: (c.tier, c.paywalled)))
        only = lone_voice(citations, [voice(c, sources) for c in citations])
        overridden = claims[0].claim_id in let_in
        if only and not overridden:
            for claim in claims:
                leave_out(
                    claim,
                    "claim-uncorroborated",
                    f"tier 3 alone needs two independent sources, and only {only} says so",
                )
            continue
        placed.add(number)
        badges: list[Badge] = ["override"] if overridden else []
        if only:
            badges.append("single-source")
        if paywalled_only(citations):
            badges.append("paywalled-only")
        badges += [b for b in _OF_ALL if all(b in c.badges for c in claims)]
        order = sorted(
            range(len(claims)), key=lambda i: (claims[i].best_tier, -claims[i].confidence, i)
        )
        groups.append(Group(claims[order[0]], tuple(claims[i] for i in order), citations, tuple(badges)))
    return tuple(groups), tuple(events)


def setting(claim: ClaimEnvelope, sources: Mapping[str, Source]) -> Setting:
    """Return the context of a claim: the first document that it cites, and its title."""
    document = claim.citations[0].document_id
    return Setting(document, sources[document].title or "" if document in sources else "")


def _parts(
    citable: Sequence[ClaimEnvelope], sources: Mapping[str, Source], let_in: Set[str]
) -> Iterator[tuple[int, list[ClaimEnvelope]]]:
    """Yield the clusters, numbered. Supported claims come first, approved ones after them; they are never mixed."""
    clusters = cluster([c.claim for c in citable], [setting(c, sources) for c in citable])
    for number, indices in enumerate(clusters):
        claims = [citable[i] for i in indices]
        for part in ([c for c in claims if c.claim_id not in let_in], [c for c in claims if c.claim_id in let_in]):
            if part:
                yield number, part
