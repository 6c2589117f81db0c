"""A paper's statements before a person: asked once, settled by name and reason, shown wherever the statement is."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

import pytest

import veritas
from tests.approvers import Team
from tests.papers.pump_papers import SUPPORTING, write_documents, write_paper
from veritas import PaperAudit, approvals
from veritas.approvals import Approval
from veritas.claims.override import ApprovalNote
from veritas.cli.app import main
from veritas.papers import audit_runs
from veritas.papers.approval import noted_now
from veritas.papers.audit_request import make_paper_request
from veritas.report.paper import render_paper_html
from veritas.report.paper.audit_text import show_audit
from veritas.settings import home as default_home
from veritas.text.plural import plural

HOSTILE = "I read it \x1b[31m\u202e<script>alert(1)</script>"


async def audited(folder: Path, person: approvals.Person | None = None) -> PaperAudit:
    """An audit whose corpus says something near one statement, so that the gate asks and cannot confirm."""
    near = f"{SUPPORTING['text']} Whether oil protects bearings in clean air is not known."
    corpus = write_documents(folder, {**SUPPORTING, "text": near})
    request = make_paper_request(str(write_paper(folder)), corpus=[corpus], graphs=2)
    return await audit_runs.start(request, person=person)


def asked_about_bearings(audit: PaperAudit) -> ApprovalNote:
    """The case of the statement that the corpus comes near to and does not say."""
    (note,) = [n for n in audit.approvals if "oil does not protect bearings" in audit.node(n.subject_id).text]
    return note


class Settles:
    """A person who answers at once, or never."""

    def __init__(self, verdict: Literal["approve", "reject"] | None) -> None:
        self.verdict = verdict
        self.asked: list[str] = []

    def until(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=600 if self.verdict else 0.2)

    async def wait(self, asked: Sequence[Approval]) -> None:
        self.asked += [a.approval_id for a in asked]
        for each in asked:
            if self.verdict is not None:
                approvals.settle(each.approval_id, self.verdict, "Ada", "I know the field")
        await asyncio.sleep(0 if self.verdict else 0.3)


async def test_what_the_gate_could_not_decide_waits_with_the_whole_case(tmp_path: Path) -> None:
    audit = await audited(tmp_path)
    note = asked_about_bearings(audit)
    assert note.state == "pending"
    assert note.sentence.startswith("You probably expected")
    node = audit.node(note.subject_id)
    assert node.grounding is not None
    assert node.grounding.decision == "unverified"
    assert {a.approval_id for a in approvals.pending()} == {n.approval_id for n in audit.approvals}
    (asked,) = [a for a in approvals.pending() if a.approval_id == note.approval_id]
    assert (asked.kind, asked.case.claim) == ("paper-node", node.text)
    assert asked.case.passages[0].source.startswith("Field data on pumps")
    assert {j.lens for j in asked.case.judgments} == {j.lens for j in node.grounding.judgments}
    counted = plural(len(audit.approvals), "statement")
    assert re.search(rf"{counted} waits? for a person: veritas approvals", show_audit(audit))


async def test_nothing_waits_where_the_gate_decided(tmp_path: Path) -> None:
    audit = await audited(tmp_path)
    waiting = {note.subject_id for note in audit.approvals}
    decided = {n.id for n in audit.nodes if n.grounding and n.grounding.decision in ("grounded", "contradicted")}
    assert decided
    assert not waiting & decided


async def test_an_override_is_shown_wherever_the_statement_is_and_changes_no_score(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = await audited(tmp_path)
    note = asked_about_bearings(before)
    approvals.settle(note.approval_id, "approve", "Ada", HOSTILE)
    after = veritas.load_paper_audit(before.audit_id)
    assert after.content_hash() == before.content_hash()
    assert asked_about_bearings(after).state == "approved"
    assert after.node(note.subject_id).grounding == before.node(note.subject_id).grounding
    text, page = show_audit(after), render_paper_html(after)
    assert "let in by Ada (unsigned): I read it" in text
    assert not {"\x1b", "\u202e"} & set(text)
    assert len(re.findall(r"[Ll]et in by\W+(?:<[^>]*>)*Ada \(unsigned\)", page)) == 2
    assert "<script>alert" not in page
    assert "\x1b" not in page
    with pytest.raises(SystemExit):
        main(["paper", "--show", before.audit_id, "--json"])
    told = json.loads(capsys.readouterr().out)
    (shown,) = [each for each in told["approvals"] if each["approval_id"] == note.approval_id]
    assert shown["decisions"][0]["reason"] == HOSTILE

    approvals.withdraw(note.approval_id, "Bob", "It is another pump")
    taken_back = veritas.load_paper_audit(before.audit_id)
    assert asked_about_bearings(taken_back).state == "withdrawn"
    assert "taken back by Bob (unsigned): It is another pump" in show_audit(taken_back)


async def test_the_answer_stands_when_the_same_paper_is_audited_again(tmp_path: Path) -> None:
    note = asked_about_bearings(await audited(tmp_path))
    approvals.settle(note.approval_id, "reject", "Ada", "the field data are of oiled pumps")
    again = asked_about_bearings(await audited(tmp_path))
    assert (again.approval_id, again.state) == (note.approval_id, "rejected")
    assert note.approval_id not in {a.approval_id for a in approvals.pending()}


async def test_a_person_who_is_waited_for_is_heard(tmp_path: Path) -> None:
    person = Settles("approve")
    heard = (await audited(tmp_path, person)).approvals
    assert sorted(person.asked) == sorted(note.approval_id for note in heard)
    assert {(note.state, note.decisions[0].name) for note in heard} == {("approved", "Ada")}


async def test_when_the_time_is_up_it_is_left_out(tmp_path: Path) -> None:
    audit = await audited(tmp_path, Settles(None))
    assert {n.state for n in audit.approvals} == {"expired"}
    assert audit.scoring() is not None


async def test_the_first_of_two_who_have_to_approve_lets_nothing_in_and_nothing_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    team = Team(tmp_path / "team", "Ada", "Bob")
    team.write("Ada", "Bob", more="two_persons: [paper-node]")
    monkeypatch.setenv("VERITAS_APPROVERS", str(team.roster))
    audit = await audited(tmp_path)
    case = asked_about_bearings(audit).approval_id
    approvals.settle(case, "approve", "", "I know the field", key=team.key("Ada"))
    first = show_audit(noted_now(audit, default_home()), width=500)
    assert "approved by Ada: I know the field; not let in, it waits for another person" in first
    assert "let in by" not in first
    approvals.settle(case, "approve", "", "so do I", key=team.key("Bob"))
    assert "let in by Ada and Bob: so do I" in show_audit(noted_now(audit, default_home()), width=500)


async def test_an_approval_that_cannot_be_read_lets_nothing_in(tmp_path: Path, own_home: Path) -> None:
    audit = await audited(tmp_path)
    note = asked_about_bearings(audit)
    approvals.settle(note.approval_id, "approve", "Ada", "yes")
    (own_home / "approvals" / f"{note.approval_id}.1.json").write_text("{")
    assert asked_about_bearings(veritas.load_paper_audit(audit.audit_id)).state == "pending"
