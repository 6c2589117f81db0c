"""Notes of approvals about a stored run's findings, added when they are shown.

A finished run never changes (I6), but a later decision must be visible wherever its findings are shown.
"""

from __future__ import annotations

from pathlib import Path

from veritas.approvals.approval import Approval
from veritas.approvals.settlement import every
from veritas.claims.graph import ClaimGraph
from veritas.claims.override import ApprovalNote


def noted_in(graph: ClaimGraph, home: Path, lineage: list[str]) -> ClaimGraph:
    """Return the graph with a note for each approval about one of its claims, asked by this run or one it replays. If
    several are about one claim, the nearest run's counts. An approval without a record here is skipped. `lineage` are
    the runs' ids, the run itself first."""
    near = {run_id: place for place, run_id in enumerate(lineage)}
    place = {claim.claim_id: number for number, claim in enumerate(graph.claims)}
    found = [a for a in every(run_ids=lineage, home=home) if a.kind == "research-claim" and a.subject_id in place]
    found = [a for a in found if a.recorded]
    found.sort(key=lambda a: (-near[a.run_id or ""], a.created_at))
    latest = {a.subject_id: a for a in found}
    notes = tuple(note_of(a) for a in sorted(latest.values(), key=lambda a: place[a.subject_id]))
    return graph.model_copy(update={"approvals": notes})


def note_of(approval: Approval, subject: str | None = None) -> ApprovalNote:
    """Return the note of an approval's present state. `subject` is the finding's id where that is not the approval's
    own."""
    return ApprovalNote(
        approval_id=approval.approval_id,
        subject_id=subject or approval.subject_id,
        sentence=approval.sentence,
        asserted_by=approval.case.asserted_by,
        state=approval.state(),
        expires_at=approval.expires_at,
        decisions=approval.decisions,
    )
