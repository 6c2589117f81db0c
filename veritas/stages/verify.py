"""Stage 3, verify: every factual or numerical claim is judged against its passages by somebody else (section VI)."""

from __future__ import annotations

from collections.abc import Sequence

from veritas.claims.envelope import VERIFIED_TYPES, ClaimEnvelope
from veritas.claims.graph import Event, EventKind, StageName
from veritas.claims.judgment import ClaimJudgment
from veritas.frozen import Frozen
from veritas.stages.judging import Question, judge_all
from veritas.stages.runtime import Runtime
from veritas.stages.steps import Work
from veritas.verifying.quorum import Mode, Verdict


class Verification(Frozen):
    """Output of the stage. `claims` holds every claim with its judgment set; `live` the ids of those that go on."""

    claims: tuple[ClaimEnvelope, ...]
    live: tuple[str, ...]
    judgments: tuple[ClaimJudgment, ...]
    events: tuple[Event, ...] = ()


def question(claim: ClaimEnvelope, *, purpose: str = "verify", round: int = 0) -> Question:
    """The claim as the gate is asked about it."""
    return Question(
        subject_id=claim.claim_id,
        claim=claim.claim,
        passages=claim.source_passages,
        spans=claim.spans,
        author=claim.asserted_by,
        family=claim.provenance.family,
        purpose="refine" if purpose == "refine" else "verify",
        round=round,
    )


def settle(claim: ClaimEnvelope, verdict: Verdict, stage: StageName = "verify") -> tuple[ClaimEnvelope, Event | None]:
    """The claim with its verdict, and the row that says why it goes no further, if it does not.

    refutes: dropped. A quorum that disagrees: dropped. unavailable: halted, waits for a person. silent: goes on with
    the badge "unverified".
    """
    judged = claim.model_copy(update={"verifier_judgment": verdict.label})
    kind: EventKind | None = None
    if verdict.label == "refutes":
        kind = "claim-refuted"
    elif verdict.label == "unavailable":
        kind = "claim-unavailable"
    elif not verdict.agreed:
        kind = "claim-dropped"
    elif verdict.label == "silent":
        judged = judged.model_copy(update={"badges": (*claim.badges, "unverified")})
    if kind is None:
        return judged, None
    event = Event(
        stage=stage,
        kind=kind,
        subject_id=claim.claim_id,
        member=claim.asserted_by,
        reason=verdict.rationale,
        planted="planted" in claim.badges,
    )
    return judged, event


async def verify(claims: Sequence[ClaimEnvelope], mode: Mode, runtime: Runtime, work: Work) -> Verification:
    """Judges the claims that are to be judged; interpretive and predictive ones go on as they are."""
    verdicts, judgments = await judge_all(
        [question(c) for c in claims if c.claim_type in VERIFIED_TYPES], mode, runtime, work
    )
    judged: list[ClaimEnvelope] = []
    live: list[str] = []
    events: list[Event] = []
    for claim in claims:
        event = None
        if claim.claim_type in VERIFIED_TYPES:
            claim, event = settle(claim, verdicts[claim.claim_id, "verify"])
        judged.append(claim)
        if event is None:
            live.append(claim.claim_id)
        else:
            events.append(event)
    return Verification(claims=tuple(judged), live=tuple(live), judgments=judgments, events=tuple(events))
