"""The approval step between debate and answer: cases for a person are filed, and decisions are applied.

The run waits for decisions only if a person is given. A decision never changes the gate's verdict: an approved claim
keeps its judgment and gets a badge.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from veritas.approvals import Approval, CasePassage, Person, ask_about, survey
from veritas.approvals.case_folder import Unreadable
from veritas.claims.envelope import ClaimEnvelope
from veritas.claims.graph import Event
from veritas.claims.override import Override
from veritas.claims.sources import Source
from veritas.errors import StoreUnavailable
from veritas.gate import Decision
from veritas.store import RunStore

logger = logging.getLogger(__name__)


class Docket:
    """The cases of a run that a person decides. Without a `person` the run does not wait."""

    def __init__(self, store: RunStore, person: Person | None) -> None:
        self.store, self.person = store, person

    async def settled(
        self,
        waiting: Sequence[Decision],
        claims: Sequence[ClaimEnvelope],
        sources: Sequence[Source],
        *,
        ask: bool = True,
    ) -> tuple[tuple[Override, ...], tuple[Event, ...]]:
        """Return the approved claims, in the claims' order, and a row for each override that no longer applies.

        An override applies only to a claim that the gate could not decide, both in this run and in the run it was given
        in. With `ask` false no new case is filed. Nobody is asked about one that another member has supported in the
        same words.
        """
        lineage = await asyncio.to_thread(self.store.lineage)
        undecided = {d.finding_id: d for d in waiting}
        alive = [c for c in claims if c.debate_status not in ("conceded", "refined")]
        stands = {c.claim for c in alive if c.verifier_judgment == "supports" and c.claim_id not in undecided}
        mine = [c for c in alive if c.claim_id in undecided and c.claim not in stands]
        if not mine and len(lineage) == 1:
            return (), ()
        standing, damaged = await self._standing(lineage)
        _none_lost(damaged, mine, self.store.run_id)
        documents = {s.document_id: s for s in sources if s.document_id}
        until = self.person.until() if self.person is not None else None
        unasked = [
            c
            for c in (mine if ask else ())
            if (known := standing.of(c)) is None or (known.run_id != self.store.run_id and known.state() == "expired")
        ]
        for first, *others in _alike(unasked):
            standing.add(
                await ask_about(
                    undecided[first.claim_id],
                    question=self.store.run.question,
                    passages=_passages(first, documents),
                    also=[undecided[c.claim_id] for c in others],
                    asserted_by=list(dict.fromkeys(c.asserted_by for c in (first, *others))) if others else (),
                    run_id=self.store.run_id,
                    expires_at=until,
                    home=self.store.home,
                )
            )
        stand = {c.claim_id: found for c in mine if (found := standing.of(c)) is not None}
        pending = {a.approval_id: a for a in stand.values() if a.state() == "pending"}
        if pending and self.person is not None:
            await self.person.wait(list(pending.values()))
            standing = (await self._standing(lineage))[0]
            stand = {c.claim_id: standing.of(c) or stand[c.claim_id] for c in mine if c.claim_id in stand}
        overrides = [_override(approval, claim_id) for claim_id, approval in stand.items()]
        notes = [_note(found, c) for c in claims if c.claim_id not in stand and (found := standing.of(c)) is not None]
        return tuple(o for o in overrides if o is not None), tuple(n for n in notes if n is not None)

    async def _standing(self, lineage: Sequence[str]) -> tuple[_Standing, list[Unreadable]]:
        """Return the approvals of these runs (for each claim the newest of the nearest run that asked about it), and
        the approvals that cannot be read."""
        found, damaged = await asyncio.to_thread(survey, run_ids=lineage, home=self.store.home)
        near = {run_id: place for place, run_id in enumerate(lineage)}
        found.sort(key=lambda a: (-near[a.run_id or ""], a.created_at))
        standing = _Standing()
        for approval in found:
            if approval.kind == "research-claim" and approval.recorded:
                standing.add(approval)
        return standing, damaged


class _Standing:
    """Finds the approval that applies to a claim: one about the claim itself, or about a group of equal claims."""

    def __init__(self) -> None:
        self._by_claim: dict[str, Approval] = {}
        self._shared: list[Approval] = []

    def add(self, approval: Approval) -> None:
        """Add an approval; it takes precedence over those already there."""
        self._by_claim[approval.subject_id] = approval
        if approval.case.asserted_by:
            self._shared.insert(0, approval)

    def of(self, claim: ClaimEnvelope) -> Approval | None:
        """Return the approval that applies to the claim; None if there is none."""
        return self._by_claim.get(claim.claim_id) or next((a for a in self._shared if _covers(a, claim)), None)


def _alike(claims: Sequence[ClaimEnvelope]) -> list[list[ClaimEnvelope]]:
    """Return the claims in groups of equal words on the same passages."""
    found: dict[object, list[ClaimEnvelope]] = {}
    for claim in claims:
        found.setdefault((claim.claim, claim.source_passages, claim.spans), []).append(claim)
    return list(found.values())


def _covers(approval: Approval, claim: ClaimEnvelope) -> bool:
    """Return whether the approval is about this claim on these passages, and names the member that asserts it."""
    case, urls = approval.case, {c.document_id: c.url for c in claim.citations}
    rests_on = [(t, urls[s.document_id]) for s, t in zip(claim.spans, claim.source_passages, strict=True)]
    same = case.claim == claim.claim and [(p.text, p.url) for p in case.passages] == rests_on
    return same and claim.asserted_by in case.asserted_by


def _none_lost(damaged: Sequence[Unreadable], claims: Sequence[ClaimEnvelope], run_id: str) -> None:
    """Raise `StoreUnavailable` if a person's decision on one of the claims cannot be read: it may be a rejection, so
    nobody is asked again. Other damage is logged."""
    for one in damaged:
        asked = one.asked
        if one.decided and asked is not None and asked.kind == "research-claim" and any(
            asked.subject_id == claim.claim_id or _covers(asked, claim) for claim in claims
        ):
            raise StoreUnavailable(
                f"{one.approval_id} was decided by a person, and what they said cannot be read, so its claim is "
                f"neither used nor asked again: {one.problem}. Then: veritas research --resume {run_id}"
            )
        logger.warning("%s", one.problem)


def _override(approval: Approval, claim_id: str) -> Override | None:
    last = approval.last
    if last is None or approval.state() != "approved" or not approval.voices:
        return None
    voices = approval.voices
    return Override(
        claim_id=claim_id,
        approval_id=approval.approval_id,
        name=" and ".join(voice.name for voice in voices),
        reason=approval.why,
        at=last.at,
        signed=all(voice.signed for voice in voices),
    )


def _note(approval: Approval, claim: ClaimEnvelope) -> Event | None:
    """Return a row saying why an override does not hold here; None without one, or if the claim is supported."""
    override = _override(approval, claim.claim_id)
    if override is None or claim.verifier_judgment == "supports":
        return None
    now = (
        f"the claim was {claim.debate_status} in the debate"
        if claim.debate_status in ("conceded", "refined")
        else "this run's verifiers decided about it (" + (claim.verifier_judgment or "not judged") + ")"
    )
    reason = f"{override.who} let it in ({override.reason}), but {now}: an override is of what nobody could decide"
    return Event(stage="synthesize", kind="note", subject_id=claim.claim_id, member=claim.asserted_by, reason=reason)


def _passages(claim: ClaimEnvelope, documents: dict[str, Source]) -> list[CasePassage]:
    cited = {c.document_id: c for c in claim.citations}
    found = []
    for span, text in zip(claim.spans, claim.source_passages, strict=True):
        source, citation = documents.get(span.document_id), cited[span.document_id]
        found.append(
            CasePassage(
                text=text,
                source=(source.title if source else "") or citation.url,
                url=citation.url,
                tier=str(citation.tier),
            )
        )
    return found
