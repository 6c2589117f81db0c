"""`veritas approvals`, `approve` and `lenses`: what a person at a terminal, or a program, gets from them."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path

import pytest

from tests.approvers import Team
from tests.cli.conftest import Veritas
from veritas import Judgment, approvals, plugins
from veritas.approvals import Approval, Case, CasePassage
from veritas.approvals.approval import approval_id

HOSTILE = "The pump \x1b[2J\x1b]0;owned\x07needs\u202e no\u200b oil.\r\nveritas: all fine"


class Mute:
    """A lens that finds support for nothing."""

    name, family = "mute", "house:mute"

    async def judge(self, claim: str, passage: str) -> Judgment:
        return Judgment(label="silent", score=0.5, rationale="not said", lens=self.name, family=self.family)


def put(claim: str = "The pump needs no oil.", **more: object) -> Approval:
    case = Case(
        claim=claim,
        question="Does it need oil?",
        passages=(CasePassage(text=f"{claim} I think.", source="A forum", url="https://forum.example/1", tier="3"),),
        oracle="stored documents: confirmed",
        judgments=(Judgment(label="silent", score=0.6, rationale="it only thinks so", lens="embedded", family="e"),),
    )
    sentence = f"You probably expected “{claim}” to be citable; it was left out because it only thinks so."
    return asyncio.run(approvals.ask("citation", claim, sentence, case, **more))  # type: ignore[arg-type]


def test_the_list_as_json_lines_is_json_alone(veritas: Veritas) -> None:
    first, second = put(), put("Another claim altogether.")
    veritas("approve", second.approval_id, "--name", "Ada", "--reason", "seen", "--reject")
    (line,) = veritas("approvals", "--json").out.splitlines()
    assert json.loads(line)["approval_id"] == first.approval_id
    assert json.loads(line)["state"] == "pending"
    every = [json.loads(line) for line in veritas("approvals", "--json", "--all").out.splitlines()]
    assert {a["state"] for a in every} == {"pending", "rejected"}
    assert every[1]["decisions"][0]["name"] == "Ada"


def test_cases_of_one_cause_stand_together_and_one_command_settles_those_of_one_claim(veritas: Veritas) -> None:
    passage = (CasePassage(text="The pump needs no oil, I think.", source="A forum"),)

    def unsure(subject: str, claim: str) -> Approval:
        return asyncio.run(approvals.ask("citation", subject, "It is unsure.", Case(claim=claim, passages=passage)))

    alike = [unsure("one", "The pump needs no oil."), unsure("two", "The pump needs no oil.")]
    other = put("Another claim altogether.")
    ids = " ".join(a.approval_id for a in alike)
    listed = veritas("approvals").out
    assert "These 2 wait for one reason: It is unsure." in listed
    assert f"One command settles them: veritas approve {ids}" in listed
    assert other.approval_id in listed
    lie = unsure("three", "The pump needs oil.")
    listed = veritas("approvals").out
    assert "These 3 wait for one reason: It is unsure." in listed
    assert "One command" not in listed, "a claim and its contrary are two decisions"
    veritas("approve", lie.approval_id, "--name", "Ada", "--reason", "It says otherwise", "--reject")
    veritas("approve", *ids.split(), "--name", "Ada", "--reason", "The data sheet says so")
    assert [a.approval_id for a in approvals.pending()] == [other.approval_id]
    assert all(approvals.find(a.approval_id).state() == "approved" for a in alike)


def test_a_case_is_one_screen_with_all_that_the_decision_needs(veritas: Veritas) -> None:
    asked = put()
    out = veritas("approvals", asked.approval_id[:7]).out
    for part in ("You probably expected", "Does it need oil?", "I think.", "A forum, tier 3, https://forum.example/1",
                 "stored documents: confirmed", "embedded (e): silent 0.60. it only thinks so", asked.approval_id):
        assert part in " ".join(out.split())
    assert len(out.splitlines()) < 24
    assert max(map(len, out.splitlines())) <= 100


def test_a_case_names_the_words_of_its_claim_that_no_passage_has(veritas: Veritas) -> None:
    case = Case(
        claim="The pump always needs 40 litres of oil.", passages=(CasePassage(text="The pump needs 30 litres oil."),)
    )
    asked = asyncio.run(approvals.ask("citation", case.claim, "It is unsure.", case))
    assert "Differs:    its passages have no “always”, “40”" in veritas("approvals", asked.approval_id).out
    assert "Differs" not in veritas("approvals", put().approval_id).out


def test_what_strangers_wrote_cannot_drive_the_terminal(veritas: Veritas) -> None:
    asked = put(HOSTILE)
    veritas("approve", asked.approval_id, "--name", "A\x1b[31mda", "--reason", "be\x9bcause\u202e")
    for ended in (veritas("approvals", "--all"), veritas("approvals", asked.approval_id)):
        assert not set("\x1b\x07\x9b\u202e\u200b\r") & set(ended.out)
        assert "\nveritas: all fine" not in ended.out
    settled = veritas("approve", asked.approval_id, "--withdraw", "--name", "\x1b[2JBob", "--reason", "no")
    assert "\x1b" not in settled.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "give the name"),
        (("--name", "Ada"), "reason"),
        (("--reason", "why"), "give the name"),
        (("--name", " ", "--reason", "x"), "give the name"),
    ],
)
def test_an_override_needs_name_and_reason(veritas: Veritas, arguments: tuple[str, ...], said: str) -> None:
    asked = put()
    ended = veritas("approve", asked.approval_id, *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err
    assert approvals.find(asked.approval_id).state() == "pending"


@pytest.mark.parametrize("name", ["a-000000000000", "nonsense", "../../etc/passwd", "d-000000000000", "\x1b[2J"])
def test_an_unknown_id_is_wrong_input(veritas: Veritas, name: str) -> None:
    assert veritas("approve", name, "--name", "Ada", "--reason", "x").code == 2
    ended = veritas("approvals", name)
    assert ended.code == 2
    assert "\x1b" not in ended.err


def test_a_damaged_approval_is_named_and_ends_in_3(veritas: Veritas, own_home: Path) -> None:
    asked, other = put(), put("Another claim altogether.")
    (own_home / "approvals" / f"{asked.approval_id}.json").write_text("{")
    ended = veritas("approvals", "--json")
    assert ended.code == 3
    assert [json.loads(line)["approval_id"] for line in ended.out.splitlines()] == [other.approval_id]
    assert asked.approval_id in ended.err


def test_a_finished_run_is_replayed_with_what_was_let_in(veritas: Veritas, corpus: Path) -> None:
    """Through the commands alone: a claim that no verifier confirms, let in by name, seen wherever it is shown."""
    question = "How much water does the Borealis pump move, and what might it be good for?"
    council = corpus.parent / "council.yaml"
    council.write_text(
        "members:\n  - {name: lead, member: embedded-lead, judge: embedded-coverage}\n"
        "verifiers: [mute]\nwriter: lead\n"
    )
    known = plugins.installed("lens")
    entry = type("Entry", (), {"load": lambda self: Mute})()
    known["mute"] = entry  # the cached table of plug-ins, as an installed one would be in it
    try:
        ended = veritas("research", question, "--corpus", corpus, "--council", council, "-t", "quick", "--json", "-q")
        assert ended.code == 0, ended.err
        graph = ended.json
        run = graph["run"]["run_id"]
        waiting = [json.loads(line) for line in veritas("approvals", "--json", "--run", run).out.splitlines()]
        assert {a["subject_id"] for a in graph["approvals"]} == {a["subject_id"] for a in waiting}
        asked = waiting[0]
        ended = veritas("approve", asked["approval_id"], "--name", "Ada <b>", "--reason", "I *measured* it")
        assert f"Next: veritas replay {run} --from synthesize" in ended.out
        before = veritas("export", run, "--json").json
        assert before["answer"] == graph["answer"], "the finished run stays as it is"
        noted = next(a for a in before["approvals"] if a["approval_id"] == asked["approval_id"])
        assert (noted["state"], noted["decisions"][0]["name"]) == ("approved", "Ada <b>")
        for kind in ("markdown", "html"):
            assert "measured" in veritas("export", run, "--format", kind).out
        assert "Ada <b>" in veritas("show", run).out
        row = next(json.loads(line) for line in veritas("runs", "--json").out.splitlines())
        assert (row["waiting"], row["approved"], row["overrides"]) == (len(waiting) - 1, 1, 0)

        child = veritas("replay", run, "--from", "synthesize", "--json", "-q").json
        (let_in,) = child["overrides"]
        assert (let_in["name"], let_in["reason"]) == ("Ada <b>", "I *measured* it")
        (sentence,) = [s for s in child["answer"]["sentences"] if "override" in s["badges"]]
        assert sentence["footnote"] == "Let in by Ada <b> (unsigned): I *measured* it"
        name = child["run"]["run_id"]
        assert "Let in by Ada <b> (unsigned): I *measured* it" in veritas("show", name).out
        assert "Let in by Ada &lt;b&gt; (unsigned): I *measured* it" in veritas("export", name, "--format", "html").out
        markdown = veritas("export", name, "--format", "markdown").out
        assert "Let in by Ada &lt;b&gt; (unsigned): I \\*measured\\* it" in markdown

        ended = veritas("approve", asked["approval_id"], "--withdraw", "--name", "Bob", "--reason", "wrong pump",
                        "--replay", "--json")
        assert ended.code == 0
        assert ended.json["overrides"] == []
        after = veritas("show", name, "--json").json
        (noted,) = [a for a in after["approvals"] if a["approval_id"] == asked["approval_id"]]
        assert noted["state"] == "withdrawn"
        assert "wrong pump" in veritas("export", name, "--format", "html").out
    finally:
        del known["mute"]


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Team:
    made = Team(tmp_path / "team", "Ada", "Bob")
    monkeypatch.setenv("VERITAS_APPROVERS", str(made.roster))
    monkeypatch.setenv("VERITAS_APPROVAL_KEY", str(made.key("Ada")))
    return made


def test_with_a_roster_the_key_says_the_name(veritas: Veritas, team: Team) -> None:
    asked = put()
    assert "unsigned" not in veritas("approvals").out
    ended = veritas("approve", asked.approval_id, "--reason", "page 3", "--json")
    assert ended.code == 0, ended.err
    (decision,) = ended.json["decisions"]
    assert (decision["name"], decision["signed"], ended.json["state"]) == ("Ada", True, "approved")
    refused = veritas("approve", asked.approval_id, "--withdraw", "--reason", "no", "--name", "Bob")
    assert (refused.code, "cannot sign for" in refused.err) == (2, True)
    done = veritas("approve", asked.approval_id, "--withdraw", "--reason", "no", "--key", team.key("Bob"))
    assert "withdrawn by Bob on" in done.out


def test_a_draft_is_signed_by_who_has_seen_it(veritas: Veritas, team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = put()
    assert "no form has drafted" in veritas("approve", asked.approval_id, "--draft").err
    approvals.draft(asked.approval_id, "reject", "Somebody", "it \x1b[2Jguesses")
    assert "Drafted, and not signed: reject, by Somebody" in veritas("approvals").out
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    ended = veritas("approve", asked.approval_id, "--draft")
    assert ended.code == 2
    assert "nothing was signed" in ended.err
    assert "To be signed: reject: it " in ended.err
    assert "\x1b" not in ended.err
    assert approvals.find(asked.approval_id).state() == "pending"
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    ended = veritas("approve", asked.approval_id, "--draft")
    assert ended.code == 0
    assert "rejected by Ada on" in ended.out


def test_an_edited_case_is_named_with_what_was_edited_and_is_not_signed(
    veritas: Veritas, team: Team, own_home: Path
) -> None:
    asked = put()
    path = own_home / "approvals" / f"{asked.approval_id}.json"
    path.write_text(path.read_text().replace('"score":0.6', '"score":0.9').replace("A forum", "The manual"))
    for ended in (veritas("approve", asked.approval_id, "--reason", "page 3"), veritas("approvals", asked.approval_id)):
        assert ended.code == 3
        assert "not what was asked" in ended.err
        assert "case.passages, case.judgments" in ended.err
    assert veritas("approvals").code == 3


def plant(home: Path, asked: Approval, changes: dict[str, object], tier: str = "3") -> str:
    """A case that nobody asked, with a right id, beside one that was; its id."""
    (passage,) = asked.case.passages
    case = asked.case.model_copy(update={"passages": (passage.model_copy(update={"tier": tier}),)})
    case = case.model_copy(update={"claim": f"Planted {tier}{sorted(changes.items())}"})
    said = {**json.loads(asked.on_file()), "case": case.model_dump(mode="json"), **changes}
    key = approval_id(asked.kind, said["run_id"], asked.subject_id, case)
    (home / "approvals" / f"{key}.json").write_text(json.dumps({**said, "approval_id": key}))
    return key


@pytest.mark.parametrize("field", ["created_at", "expires_at"])
@pytest.mark.parametrize("moment", ["2026-01-01T00:00:00", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", -9e15])
def test_a_case_of_no_sane_time_is_named_and_stops_nothing(
    veritas: Veritas, own_home: Path, field: str, moment: object
) -> None:
    good = put()
    bad = plant(own_home, good, {field: moment})
    ended = veritas("approvals")
    assert (ended.code, bad in ended.err, good.approval_id in ended.out) == (3, True, True)
    assert veritas("runs").code == 0
    assert veritas("approvals", good.approval_id).code == 0


def test_a_pending_case_that_was_removed_is_missed_and_copied_back(veritas: Veritas, own_home: Path) -> None:
    asked = put()
    path, own = (own_home / place / f"{asked.approval_id}.json" for place in ("approvals", "asked"))
    path.unlink()
    for ended in (veritas("approvals"), veritas("approvals", asked.approval_id)):
        assert ended.code == 3
        assert "it is gone" in ended.err
        assert ended.err.count(f"asked/{own.name}") == ended.err.count("Copy it from ") == 1
        assert "nothing waits" not in ended.out
    path.write_text(own.read_text().replace("0.6", "0.9"))
    ended = veritas("approvals")
    assert ended.err.count(f"asked/{own.name}") == ended.err.count("Copy it from ") == 1
    assert "remove it" not in ended.err.lower()
    path.write_bytes(own.read_bytes())
    assert (veritas("approvals").code, veritas("approvals", asked.approval_id).code) == (0, 0)
