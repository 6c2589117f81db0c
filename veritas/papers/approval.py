"""Put a paper's undecided statements before a person: those of the shown graph (the halt table)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from veritas.approvals import Approval, CasePassage, Person, ask_about
from veritas.approvals.notes import note_of
from veritas.approvals.settlement import find
from veritas.claims.override import ApprovalNote
from veritas.errors import InputError, StoreUnavailable
from veritas.frozen import content_id
from veritas.gate import Decision
from veritas.papers.audit import PaperAudit

OPTIONS = (
    "approve: it stands as let in by you, with your reason beside it; verdict and score stay as they are",
    "reject: it stays undecided, with your reason, and nobody is asked again",
    "do nothing: it stays undecided",
)


async def put_before_a_person(
    audit: PaperAudit, waiting: Sequence[Decision], *, home: Path, person: Person | None = None
) -> tuple[ApprovalNote, ...]:
    """Return a note on each of the shown graph's undecided statements, in the graph's order; with `person`, once the
    waiting is over. A question concerns the paper, the statement and the passages, not the audit: another audit that
    asks it again gets the answer already given."""
    shown = next((g.nodes for g in audit.graphs if g.index == audit.primary), ())
    undecided = {d.finding_id: d for d in waiting}
    until = person.until() if person is not None else None
    asked: dict[str, Approval] = {}
    for name in shown:
        if name not in undecided:
            continue
        node = audit.node(name)
        decision = undecided[name]
        subject = content_id("n", audit.paper.document_id, node.text)
        asked[name] = await ask_about(
            decision.model_copy(update={"finding": decision.finding.model_copy(update={"finding_id": subject})}),
            question=f"Is this {node.role} of “{audit.paper.title}” borne out by the passages?",
            passages=_passages(audit, decision),
            options=OPTIONS,
            then=f"veritas paper --show {audit.audit_id}",
            expires_at=until,
            home=home,
        )
    pending = [a for a in asked.values() if a.state() == "pending"]
    if pending and person is not None:
        await person.wait(pending)
        asked = {name: await asyncio.to_thread(find, a.approval_id, home=home) for name, a in asked.items()}
    return tuple(note_of(a, subject=name) for name, a in asked.items())


def noted_now(audit: PaperAudit, home: Path) -> PaperAudit:
    """Return the audit with the decisions made since it was stored. An unreadable decision counts as pending."""
    notes = []
    for note in audit.approvals:
        try:
            notes.append(note_of(find(note.approval_id, home=home), subject=note.subject_id))
        except (InputError, StoreUnavailable):
            notes.append(note.model_copy(update={"state": "pending", "decisions": ()}))
    return audit.model_copy(update={"approvals": tuple(notes)})


def _passages(audit: PaperAudit, decision: Decision) -> list[CasePassage]:
    """Return the judged passages, each with its place."""
    by_text = {e.text: e for e in audit.evidence if e.node == decision.finding_id}
    found = []
    for text in decision.finding.passages:
        piece = by_text.get(text)
        if piece is None:
            found.append(CasePassage(text=text))
            continue
        place = f", p. {piece.page}" if piece.page else ""
        tier = "" if piece.tier is None else str(piece.tier)
        found.append(CasePassage(text=text, source=f"{piece.title}{place}", url=piece.url, tier=tier))
    return found
