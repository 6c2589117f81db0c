"""Stage 3, verify: somebody else judges every claim against its passages (section VI).

An author's label, interpretive or predictive, spares no claim the judges: whether a sentence states facts is decided
here, and in doubt it does (I5). A source's forecast is a fact about the source.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from veritas.answers.claim_judging import Question, judge_all
from veritas.answers.runtime import Runtime
from veritas.claims.envelope import ClaimEnvelope
from veritas.claims.graph import Event, EventKind, StageName
from veritas.claims.judgment import ClaimJudgment
from veritas.documents.document import Document
from veritas.engine.units import Work
from veritas.frozen import Frozen
from veritas.gate import Decision, OracleSetup, oracle_for


class Verification(Frozen):
    """Output of the stage. `claims` holds every claim with its judgment set; `live` the ids of those that go on.

    `waiting` are the gate's decisions that a person decides last, including those that halted.
    """

    claims: tuple[ClaimEnvelope, ...]
    live: tuple[str, ...]
    judgments: tuple[ClaimJudgment, ...]
    events: tuple[Event, ...] = ()
    waiting: tuple[Decision, ...] = ()


def question(claim: ClaimEnvelope, *, purpose: str = "verify", round: int = 0) -> Question:
    """Return the claim as a question for the gate."""
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


def settle(
    claim: ClaimEnvelope, decision: Decision, stage: StageName = "verify"
) -> tuple[ClaimEnvelope, Event | None]:
    """Return the claim with its verdict, and the row that says why it goes no further, if it does not.

    refutes, judges that disagree, or a difference from its passage: dropped. unavailable: halted, waits for a person.
    silent: goes on with the badge "unverified", and no answer cites it. doubtful: left out, or goes on with the badge
    "doubtful" where the table admits it. A passage that does not stand where it is attributed breaks I1, so the claim
    is out whatever the gate made of a correction: its envelope would still name the wrong document.
    """
    verdict = decision.grounded
    judged = claim.model_copy(update={"verifier_judgment": verdict.label})
    kind: EventKind | None = None
    if decision.verdict == "refutes":
        kind = "claim-refuted"
    elif decision.action == "dropped" or decision.corrections:
        kind = "claim-dropped"
    elif decision.verdict == "doubtful":
        kind = None if decision.admitted else "claim-deferred" if decision.needs_person else "claim-dropped"
        judged = judged.model_copy(update={"badges": (*claim.badges, "doubtful")}) if decision.admitted else judged
    elif decision.verdict == "silent":
        judged = judged.model_copy(update={"badges": (*claim.badges, "unverified")})
    elif not decision.admitted:
        kind = "claim-unavailable" if decision.needs_person else "claim-dropped"
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


async def verify(
    claims: Sequence[ClaimEnvelope], documents: Iterable[Document], rule: str, runtime: Runtime, work: Work
) -> Verification:
    """Put every claim before the gate, whatever type its author gave it.

    `documents` are what the run has read, `rule` names the gate's rule of combination.
    """
    decisions, judgments, moved = await judge_all(
        [question(c) for c in claims],
        rule,
        oracle_for(OracleSetup(kind="research-claim", documents=tuple(documents)), runtime.gate),
        runtime,
        work,
    )
    judged: list[ClaimEnvelope] = []
    live: list[str] = []
    events: list[Event] = list(moved)
    for claim in claims:
        claim, event = settle(claim, decisions[claim.claim_id, "verify"])
        judged.append(claim)
        if event is None:
            live.append(claim.claim_id)
        else:
            events.append(event)
    return Verification(
        claims=tuple(judged),
        live=tuple(live),
        judgments=judgments,
        events=tuple(events),
        waiting=tuple(d for d in decisions.values() if d.needs_person),
    )
