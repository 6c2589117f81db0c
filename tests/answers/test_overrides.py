"""What the gate leaves to a person: left out until somebody lets it in by name and reason, and never past I1 or I8."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.answers.conftest import Carry
from tests.approvers import Team
from veritas import ClaimGraph, approvals
from veritas.answers.debate import Debate
from veritas.answers.gather import Research
from veritas.answers.runtime import Runtime
from veritas.answers.synthesize import synthesize
from veritas.approvals import Approval, Case
from veritas.approvals.approval import approval_id
from veritas.approvals.notes import noted_in
from veritas.approvals.render_case import markdown, screen
from veritas.claims.envelope import Label
from veritas.claims.graph import SubQuery
from veritas.claims.override import Override
from veritas.claims.run_diff import diff_runs
from veritas.claims.sources import Passage
from veritas.council.turns import AdmittedClaim, Draft, DraftSentence, Quote
from veritas.engine.units import in_process
from veritas.errors import InputError, StoreUnavailable, Unavailable
from veritas.report.decisions import settled
from veritas.store import RunStore
from veritas.testing import FakeLens, FakeMember, document, fake_runtime

BOILS, MELTS = "Water boils at 100 degrees Celsius at sea level.", "Ice melts at 0 degrees Celsius."
GOOD = document("https://good.example/a", f"{BOILS}\n\n{MELTS}", title="On water")


def each_sentence(query: SubQuery, passages: Sequence[Passage]) -> list[Draft]:
    return [
        Draft(
            claim=line,
            claim_type="factual",
            confidence=0.9,
            quotes=(Quote(passage_id=p.passage_id, quote=line),),
        )
        for p in passages
        for line in p.text.split("\n\n")
    ]


def sentences(**more: Any) -> FakeMember:
    return FakeMember(on_assert=each_sentence, **more)


def doubting(about: str = MELTS, label: Label = "silent") -> FakeLens:
    return FakeLens(verdict=lambda claim, passage: label if claim == about else "supports")


def undecided(about: str = MELTS, label: Label = "silent", **more: Any) -> Runtime:
    return fake_runtime([GOOD], **{"members": [sentences()], "verifiers": [doubting(about, label)], **more})


def told(graph: ClaimGraph) -> list[str]:
    return [s.text for s in graph.answer.sentences if s.kind == "claim"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The store that `carry` writes to."""
    return tmp_path


def only(home: Path) -> Approval:
    (one,) = approvals.every(home=home)
    return one


def approve(home: Path, **more: Any) -> Approval:
    return approvals.settle(only(home).approval_id, "approve", "Ada Lovelace", "I saw it melt", home=home, **more)


async def test_what_nobody_confirmed_is_left_out_and_put_before_a_person(carry: Carry, home: Path) -> None:
    graph = await carry(undecided())
    assert told(graph) == [BOILS]
    asked = only(home)
    assert asked.state() == "pending"
    assert (asked.kind, asked.run_id) == ("research-claim", "run-1")
    assert asked.sentence.startswith(f"You probably expected “{MELTS}” to be citable; it was left out because ")
    assert asked.sentence.endswith(f"override with: veritas approve {asked.approval_id}")
    assert [(p.text, p.source, p.url, p.tier) for p in asked.case.passages] == [(MELTS, "On water", GOOD.url, "1")]
    assert [j.label for j in asked.case.judgments] == ["silent"]
    assert "confirmed" in asked.case.oracle
    assert asked.case.question == graph.run.question


@pytest.mark.parametrize("start", ["synthesize", "debate", "verify"])
@pytest.mark.parametrize("label", ["silent", "unavailable"])
async def test_a_replay_takes_an_override_in_with_name_and_reason(
    carry: Carry, home: Path, start: str, label: Label
) -> None:
    before = await carry(undecided(label=label))
    approved = approve(home)
    child = await carry(undecided(label=label), "run-2", parent="run-1", start=start)
    assert told(child) == [BOILS, MELTS]
    (sentence,) = [s for s in child.answer.sentences if s.text == MELTS]
    assert "override" in sentence.badges
    assert sentence.footnote == "Let in by Ada Lovelace (unsigned): I saw it melt"
    assert sentence.references, "I8: it cites its source like any other"
    (claim,) = [c for c in child.claims if c.claim == MELTS]
    assert "override" in claim.badges
    assert claim.verifier_judgment == label, "what the verifier said stays what it said"
    (override,) = child.overrides
    assert (override.claim_id, override.approval_id, override.name) == (
        claim.claim_id, approved.approval_id, "Ada Lovelace"
    )
    (cause,) = [each for each in diff_runs(before, child).causes if each.kind == "approval"]
    assert cause.after == "let in by Ada Lovelace (unsigned): I saw it melt"
    assert MELTS in cause.said
    with RunStore.open(home, "run-1", read_only=True) as store:
        assert store.graph() == before, "I6: the parent is what it was"
        assert store.query("SELECT * FROM overrides") == []
    with RunStore.open(home, "run-2", read_only=True) as store:
        assert [row["reason"] for row in store.query("SELECT * FROM overrides")] == ["I saw it melt"]
    assert len(approvals.every(home=home)) == 1, "what is settled for the parent is not asked again"


async def test_after_a_withdrawal_the_next_replay_leaves_it_out_again(carry: Carry, home: Path) -> None:
    await carry(undecided())
    approve(home)
    await carry(undecided(), "run-2", parent="run-1", start="synthesize")
    approvals.withdraw(only(home).approval_id, "Bob", "it was wax", home=home)
    for parent, child in (("run-1", "run-3"), ("run-2", "run-4")):
        graph = await carry(undecided(), child, parent=parent, start="synthesize")
        assert told(graph) == [BOILS]
        assert graph.overrides == ()
    assert [d.name for d in only(home).decisions] == ["Ada Lovelace", "Bob"]


@pytest.mark.parametrize("verdict", ["reject", None])
async def test_rejected_and_unsettled_stay_out(carry: Carry, home: Path, verdict: Any) -> None:
    await carry(undecided())
    if verdict:
        approvals.settle(only(home).approval_id, verdict, "Ada", "no", home=home)
    graph = await carry(undecided(), "run-2", parent="run-1", start="verify")
    assert told(graph) == [BOILS]


async def test_an_override_in_one_run_says_nothing_about_another(carry: Carry, home: Path) -> None:
    await carry(undecided())
    approve(home)
    stranger = await carry(undecided(), "run-2")
    assert told(stranger) == [BOILS]
    assert {a.run_id: a.state() for a in approvals.every(home=home)} == {"run-1": "approved", "run-2": "pending"}


async def test_what_this_runs_verifiers_refute_no_earlier_override_lets_in(carry: Carry, home: Path) -> None:
    await carry(undecided())
    approve(home)
    child = await carry(undecided(label="refutes"), "run-2", parent="run-1", start="verify")
    assert told(child) == [BOILS]
    assert child.overrides == ()
    assert any("Ada Lovelace (unsigned) let it in" in e.reason and "refutes" in e.reason for e in child.events)


async def test_no_person_can_lift_i1(carry: Carry, home: Path) -> None:
    runtime = undecided()
    await carry(runtime)
    approve(home)
    with RunStore.open(home, "run-1", read_only=True) as store:
        stage = store.stage_output("debate")
        assert stage is not None
        debated = Debate.model_validate(stage.value()["output"])
    (claim,) = [c for c in debated.claims if c.claim == MELTS]
    forged = claim.model_copy(update={"source_passages": ("Ice melts at 40 degrees Celsius.",)})
    with RunStore.open(home, "run-1", read_only=True) as store:
        stage = store.stage_output("research")
        assert stage is not None
        found = Research.model_validate(stage.value()["output"])
    last = only(home).last
    assert last is not None
    override = Override(
        claim_id=claim.claim_id, approval_id=only(home).approval_id, name=last.name, reason=last.reason, at=last.at
    )
    bent = debated.model_copy(
        update={"claims": tuple(forged if c == claim else c for c in debated.claims), "live": debated.live}
    )
    made = await synthesize(bent, found, runtime, in_process, [override])
    assert [s.text for s in made.answer.sentences if s.kind == "claim"] == [BOILS]
    assert any("I1" in e.reason for e in made.events)


async def test_i8_holds_for_a_claim_that_a_person_let_in(carry: Carry, home: Path) -> None:
    def bold(question: str, claims: Sequence[AdmittedClaim]) -> list[DraftSentence]:
        return [DraftSentence(text=f"{c.claim[:-1]}, and at 7 bar too.", claim_ids=(c.claim_id,)) for c in claims]

    await carry(undecided())
    approve(home)
    writer = sentences(on_synthesize=bold)
    child = await carry(undecided(members=[writer]), "run-2", parent="run-1", start="synthesize")
    assert told(child) == [MELTS], "the writer's additions are taken out; the person's claim stands in its own words"
    assert all(s.claim_ids and s.references for s in child.answer.sentences if s.kind == "claim")


def three(label: Label = "silent", **more: Any) -> Runtime:
    """Three members who draft the same sentences of the same page."""
    members = [sentences(name=name, family=family) for name, family in (("a", "fa"), ("b", "fb"), ("c", "fc"))]
    return fake_runtime([GOOD], **{"members": members, "verifiers": [doubting(MELTS, label)], **more})


async def test_one_sentence_that_three_members_quote_is_one_case_that_names_all_three(carry: Carry, home: Path) -> None:
    graph = await carry(three())
    assert [c.asserted_by for c in graph.claims if c.claim == MELTS] == ["a", "b", "c"]
    asked = only(home)
    assert asked.case.asserted_by == ("a", "b", "c")
    assert "by a, b, c" in screen(asked)
    assert "Asserted by a, b, c" in markdown(asked)
    with RunStore.open(home, "run-1", read_only=True) as store:
        shown = noted_in(graph, home, store.lineage())
    (row,) = settled(shown)
    assert (row.claim.claim, row.fate) == (MELTS, "pending")
    assert "Asserted by a, b, c." in row.words


async def test_nobody_is_asked_about_a_claim_that_stands_in_the_words_of_another_member(
    carry: Carry, home: Path
) -> None:
    members = [sentences(name=name, family=family) for name, family in (("a", "fa"), ("b", "fb"))]
    doubts = FakeLens(name="two", family="fb", verdict=lambda claim, passage: "silent")
    graph = await carry(fake_runtime([GOOD], members=members, verifiers=[FakeLens(name="one", family="fa"), doubts]))
    assert {c.verifier_judgment for c in graph.claims if c.claim == MELTS} == {"supports", "silent"}
    assert told(graph) == [BOILS, MELTS]
    assert approvals.every(home=home) == []


async def test_what_a_person_says_of_it_holds_for_all_three(carry: Carry, home: Path) -> None:
    await carry(three())
    approved = approve(home)
    child = await carry(three(), "run-2", parent="run-1", start="verify")
    assert told(child) == [BOILS, MELTS]
    assert [o.approval_id for o in child.overrides] == [approved.approval_id] * 3
    assert len({o.claim_id for o in child.overrides}) == 3
    (row,) = settled(child)
    assert row.fate == "let-in"
    assert len(approvals.every(home=home)) == 1
    approvals.withdraw(only(home).approval_id, "Bob", "it was wax", home=home)
    with RunStore.open(home, "run-2", read_only=True) as store:
        (since,) = settled(noted_in(child, home, store.lineage()))
    assert since.fate == "doubted"
    after = await carry(three(), "run-3", parent="run-2", start="verify")
    assert (told(after), after.overrides) == ([BOILS], ())


async def test_who_is_waited_for_is_asked_once_about_it(carry: Carry, home: Path) -> None:
    def act(asked: Sequence[Approval]) -> None:
        for one in asked:
            approvals.settle(one.approval_id, "approve", "Ada", "I saw it", home=home)

    person = Waited(home, act)
    graph = await carry(three(), person=person)
    assert told(graph) == [BOILS, MELTS]
    assert len(person.asked) == 1


async def test_a_member_that_the_case_does_not_name_is_asked_about_for_itself(carry: Carry, home: Path) -> None:
    await carry(three())
    approve(home)
    members = [sentences(name=n, family=f) for n, f in (("a", "fa"), ("b", "fb"), ("c", "fc"), ("d", "fd"))]
    child = await carry(three(members=members), "run-2", parent="run-1", start="decompose")
    found = approvals.every(home=home)
    assert [(a.run_id, a.state(), a.case.asserted_by) for a in found] == [
        ("run-1", "approved", ("a", "b", "c")), ("run-2", "pending", ())
    ]  # fmt: skip
    assert {o.claim_id for o in child.overrides} == {
        c.claim_id for c in child.claims if c.claim == MELTS and c.asserted_by != "d"
    }


class Waited:
    """A person who does something when asked."""

    def __init__(self, home: Path, act: Any = None, minutes: float | None = 10) -> None:
        self.home, self.act, self.minutes = home, act, minutes
        self.asked: list[str] = []

    def until(self) -> datetime | None:
        return None if self.minutes is None else datetime.now(UTC) + timedelta(minutes=self.minutes)

    async def wait(self, asked: Sequence[Approval]) -> None:
        self.asked += [a.approval_id for a in asked]
        if self.act:
            self.act(asked)


async def test_who_is_waited_for_can_settle_before_the_answer_is_written(carry: Carry, home: Path) -> None:
    def act(asked: Sequence[Approval]) -> None:
        for one in asked:
            approvals.settle(one.approval_id, "approve", "Ada", "I saw it", home=home)

    person = Waited(home, act)
    graph = await carry(undecided(), person=person)
    assert told(graph) == [BOILS, MELTS]
    assert len(person.asked) == 1
    assert only(home).expires_at is not None


async def test_when_the_time_is_up_it_is_left_out(carry: Carry, home: Path) -> None:
    graph = await carry(undecided(), person=Waited(home, minutes=-1))
    assert told(graph) == [BOILS]
    assert only(home).state() == "expired"
    with pytest.raises(InputError, match="left out"):
        approve(home)
    again = await carry(undecided(), "run-2", parent="run-1", start="synthesize")
    assert told(again) == [BOILS]
    assert {a.run_id: a.state() for a in approvals.every(home=home)} == {"run-1": "expired", "run-2": "pending"}


async def test_a_run_cut_off_while_waiting_takes_in_what_was_settled_since(carry: Carry, home: Path) -> None:
    class Gone(Exception):
        """The process ends."""

    def leave(asked: Sequence[Approval]) -> None:
        raise Gone

    lens = doubting()
    with pytest.raises(Gone):
        await carry(fake_runtime([GOOD], members=[sentences()], verifiers=[lens]), person=Waited(home, leave))
    questions = len(lens.asked)
    approve(home)
    graph = await carry(fake_runtime([GOOD], members=[sentences()], verifiers=[lens]), again=True)
    assert told(graph) == [BOILS, MELTS]
    assert len(lens.asked) == questions, "no judge is asked twice"


async def test_a_written_answer_stands_on_what_it_was_written_with(
    carry: Carry, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cut off between synthesize and the end, and overrides change meanwhile: the stage is not done twice (I6)."""
    import veritas.report

    def broken(graph: ClaimGraph) -> str:
        raise Unavailable("no room")

    with monkeypatch.context() as patch:
        patch.setattr(veritas.report, "render_markdown", broken)
        with pytest.raises(Unavailable):
            await carry(undecided())
    approve(home)
    graph = await carry(undecided(), again=True)
    assert told(graph) == [BOILS]
    child = await carry(undecided(), "run-2", parent="run-1", start="synthesize")
    assert told(child) == [BOILS, MELTS]


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Team:
    made = Team(tmp_path / "team", "Ada Lovelace", "Bob")
    monkeypatch.setenv("VERITAS_APPROVERS", str(made.roster))
    return made


async def test_what_was_signed_is_taken_in_and_says_so(carry: Carry, home: Path, team: Team) -> None:
    await carry(undecided())
    approve(home, key=team.key("Ada Lovelace"))
    child = await carry(undecided(), "run-2", parent="run-1", start="synthesize")
    (sentence,) = [s for s in child.answer.sentences if s.text == MELTS]
    assert sentence.footnote == "Let in by Ada Lovelace: I saw it melt"
    assert [o.signed for o in child.overrides] == [True]
    with RunStore.open(home, "run-2", read_only=True) as store:
        assert [row["signed"] for row in store.query("SELECT * FROM overrides")] == [True]


@pytest.mark.parametrize("attack", ["delete-withdrawal", "roll-back", "score", "expiry", "by-hand", "shadow"])
async def test_no_replay_takes_in_what_was_forged(carry: Carry, home: Path, team: Team, attack: str) -> None:
    await carry(undecided())
    folder = home / "approvals"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    if attack in ("delete-withdrawal", "roll-back"):
        approve(home, key=team.key("Ada Lovelace"))
        approved = {path.name: path.read_bytes() for path in folder.iterdir()}
        approvals.withdraw(only(home).approval_id, "Bob", "it was wax", key=team.key("Bob"), home=home)
    (case,) = (folder / name for name in before)
    asked = json.loads(before[case.name])
    if attack == "delete-withdrawal":
        next(iter(folder.glob("*.2.*.json"))).unlink()
    elif attack == "roll-back":
        for path in folder.iterdir():
            path.unlink()
        for name, raw in approved.items():
            (folder / name).write_bytes(raw)
    elif attack == "score":
        asked["case"]["judgments"][0] |= {"label": "supports", "score": 0.99}
        case.write_text(json.dumps(asked))
    elif attack == "expiry":
        asked["expires_at"] = "2099-01-01T00:00:00Z"
        case.write_text(json.dumps(asked))
    said = {"verdict": "approve", "name": "Ada Lovelace", "reason": "I saw it melt", "at": "2026-01-01T00:00:00Z"}
    if attack == "shadow":  # a case that nobody asked, about the same claim, and later than the one that was
        asked |= {"created_at": "2026-12-31T00:00:00Z"}
        key = approval_id("research-claim", "run-1", asked["subject_id"], Case.model_validate(asked["case"]), 1)
        (folder / f"{key}.json").write_text(json.dumps({**asked, "approval_id": key}))
        said_of = {"approval_id": key, "number": 1, "decision": said}
        (folder / f"{key}.1.json").write_text(json.dumps(said_of))
    said_of = {"approval_id": asked["approval_id"], "number": 1, "decision": said}
    (folder / f"{asked['approval_id']}.1.json").write_text(json.dumps(said_of))
    if attack in ("delete-withdrawal", "roll-back"):  # what persons said is not to be read: not as if they had not
        with pytest.raises(StoreUnavailable, match="was decided by a person"):
            await carry(undecided(), "run-2", parent="run-1", start="synthesize")
        return
    child = await carry(undecided(), "run-2", parent="run-1", start="synthesize")
    assert told(child) == [BOILS]
    assert child.overrides == ()


async def test_what_was_let_in_before_the_roster_stays_said_and_lets_in_nothing_new(
    carry: Carry, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await carry(undecided())
    approve(home)
    await carry(undecided(), "run-2", parent="run-1", start="synthesize")
    monkeypatch.setenv("VERITAS_APPROVERS", str(Team(tmp_path / "team", "Ada Lovelace").roster))
    child = await carry(undecided(), "run-3", parent="run-2", start="synthesize")
    assert told(child) == [BOILS]
    with RunStore.open(home, "run-2", read_only=True) as store:
        (row,) = store.query("SELECT * FROM overrides")
        noted = noted_in(store.graph(), home, store.lineage())
    assert (row["name"], row["signed"]) == ("Ada Lovelace", False)
    (fate,) = settled(noted)
    assert fate.words.startswith("Let in by Ada Lovelace (unsigned): I saw it melt")
    assert fate.fate == "doubted"
    assert [d.name for d in fate.decisions] == ["Ada Lovelace"], "the word of before stays visible"


async def test_a_damaged_record_lets_nothing_in_until_it_is_mended(
    carry: Carry, home: Path, team: Team
) -> None:
    await carry(undecided())
    done = approve(home, key=team.key("Ada Lovelace"))
    (signed,) = (home / "approvals").glob("*.1.*.json")
    signed.rename(home / "kept")
    with pytest.raises(StoreUnavailable, match=r"record of .* is damaged"):
        approvals.find(done.approval_id, home=home)
    with pytest.raises(StoreUnavailable, match=f"{done.approval_id} was decided by a person"):
        await carry(undecided(), "run-2", parent="run-1", start="synthesize")
    (home / "kept").rename(signed)
    assert told(await carry(undecided(), "run-3", parent="run-1", start="synthesize")) == [BOILS, MELTS]


@pytest.mark.parametrize("gone", ["*", "a-*.1.*", "a-????????????.json"])
async def test_a_rejection_that_is_removed_is_not_asked_again_as_if_nobody_had_decided(
    carry: Carry, home: Path, team: Team, gone: str
) -> None:
    await carry(undecided())
    case = only(home).approval_id
    approvals.settle(case, "reject", "", "it was wax", key=team.key("Ada Lovelace"), home=home)
    kept = {path: home / path.name for path in (home / "approvals").glob(gone)}
    for path, away in kept.items():
        path.rename(away)
    with pytest.raises(StoreUnavailable, match=f"{case} was decided by a person, and what they said cannot be read"):
        await carry(undecided(), "run-2", parent="run-1", start="synthesize")
    for path, away in kept.items():
        away.rename(path)
    assert only(home).state() == "rejected", "nobody was asked under another id"
    assert told(await carry(undecided(), "run-3", parent="run-1", start="synthesize")) == [BOILS]


async def test_a_case_that_nobody_asked_changes_nothing_that_a_finished_run_says(
    carry: Carry, home: Path, team: Team
) -> None:
    graph = await carry(undecided())
    (asked,) = (home / "approvals").iterdir()
    about = {c.claim_id: c for c in graph.claims}
    with RunStore.open(home, "run-1", read_only=True) as store:
        before = noted_in(store.graph(), home, store.lineage())
    for number, claim in enumerate(about):
        said = json.loads(asked.read_bytes()) | {"subject_id": claim, "sentence": "It was retracted", "decision_id": ""}
        said["created_at"] = "2026-12-31T00:00:00Z"
        key = approval_id("research-claim", "run-1", claim, Case.model_validate(said["case"]), number)
        (home / "approvals" / f"{key}.json").write_text(json.dumps({**said, "approval_id": key}))
    with RunStore.open(home, "run-1", read_only=True) as store:
        assert noted_in(store.graph(), home, store.lineage()) == before
