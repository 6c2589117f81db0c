"""Cases of a run before a person, and persons' decisions: those in the answer, those made since, and those pending."""

from __future__ import annotations

from typing import NamedTuple

from veritas.claims.envelope import ClaimEnvelope
from veritas.claims.graph import ClaimGraph
from veritas.claims.override import ApprovalNote, Override, PersonDecision

_ORDER = ("let-in", "doubted", "approved", "pending", "withdrawn", "rejected", "expired")

HEADINGS = {
    "let-in": "Let in by a person",
    "doubted": "Let in, and withdrawn since",
    "approved": "Approved since this answer was written",
    "pending": "Waiting for a person",
    "withdrawn": "Withdrawn",
    "rejected": "Rejected by a person",
    "expired": "Left out when the time was up",
}
"""State of a case -> heading."""


class Settled(NamedTuple):
    """A claim that was or is before a person. `fate` is a key of `HEADINGS`; `next` a command, or empty."""

    claim: ClaimEnvelope
    fate: str
    words: str
    next: str
    approval_id: str
    decisions: tuple[PersonDecision, ...]


def settled(graph: ClaimGraph) -> list[Settled]:
    """Every claim of the graph that the approvals or its overrides name, by what became of it and in graph order. The
    same claim of several members is named once, where one approval is for all of them."""
    taken = {o.claim_id: o for o in graph.overrides}
    notes = {n.subject_id: n for n in graph.approvals}
    by_approval = {n.approval_id: n for n in graph.approvals}
    rows: dict[str, Settled] = {}
    for claim in graph.claims:
        override = taken.get(claim.claim_id)
        note = notes.get(claim.claim_id) or (by_approval.get(override.approval_id) if override else None)
        if override is not None or note is not None:
            row = _row(claim, override, note, graph.run.run_id)
            if note is not None and note.asserted_by:
                row = row._replace(words=f"{row.words} Asserted by {', '.join(note.asserted_by)}.")
            rows.setdefault(row.approval_id, row)
    return sorted(rows.values(), key=lambda row: _ORDER.index(row.fate))


def _row(claim: ClaimEnvelope, taken: Override | None, note: ApprovalNote | None, run: str) -> Settled:
    last = note.last if note else None
    key = note.approval_id if note else taken.approval_id if taken else ""
    decisions = note.decisions if note else ()
    again = f"veritas replay {run} --from synthesize"
    if taken is not None:
        words = f"Let in by {taken.who}: {taken.reason}"
        if note is not None and note.state != "approved" and decisions:
            since = f"it counts for nothing ({decisions[-1].void})." if last is None else _did(note, last)
            more = f"{words} Since then {since} The next replay leaves it out."
            return Settled(claim, "doubted", more, again, key, decisions)
        return Settled(claim, "let-in", words, "", key, decisions)
    if note is None or note.state == "expired":
        return Settled(claim, "expired", "Nobody settled it in time, so it was left out.", again, key, decisions)
    if note.state == "pending" or last is None:
        limit = f" until {note.expires_at:%Y-%m-%d %H:%M} UTC" if note.expires_at else ""
        command = f'veritas approve {key} --name "…" --reason "…"'
        more = ""
        if last is not None:
            did = _did(note, last)
            more = f" {did[0].upper()}{did[1:]} That is not enough by itself."
        elif decisions:
            more = f" What {decisions[-1].who} said counts for nothing: {decisions[-1].void}."
        words = f"Left out, and waits for a person{limit}.{more}"
        return Settled(claim, "pending", words, command, key, decisions)
    did = _did(note, last)
    words = f"{did[0].upper()}{did[1:]}"
    if note.state == "approved":
        return Settled(claim, "approved", f"{words} Not in this answer: a replay takes it in.", again, key, decisions)
    return Settled(claim, "withdrawn" if note.state == "withdrawn" else "rejected", words, "", key, decisions)


def _did(note: ApprovalNote, decision: PersonDecision) -> str:
    done = {"approve": "approved", "reject": "rejected", "withdraw": "withdrawn"}[decision.verdict]
    end = "" if decision.reason.endswith((".", "!", "?", "…")) else "."
    return f"{done} by {note.by} on {decision.at:%Y-%m-%d}: {decision.reason}{end}"
