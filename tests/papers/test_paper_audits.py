"""Whole audits by the embedded member: evidence, the gate, copies, retractions; stored, resumed, replayed, killed."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import preloaded
from tests.citations.registry_server import RegistryServer, Work, registry_server
from tests.papers.pump_papers import (
    EVIDENCE,
    HYPOTHESIS,
    JONES,
    OPPOSING,
    PAPER,
    SUPPORTING,
    write_documents,
    write_paper,
)
from veritas import Budget, InputError, UnknownRun, aio, list_paper_audits, load_paper_audit
from veritas.cli.app import main
from veritas.documents.verbatim import fold_whitespace
from veritas.engine.budget import Spending
from veritas.papers import audit_runs, audit_stages
from veritas.papers.audit import PAPER_STAGES, AuditNode, PaperAudit
from veritas.report.paper.audit_text import show_audit
from veritas.scoring.graph import read_graph
from veritas.scoring.roles import METRICS
from veritas.scoring.score import score
from veritas.settings import policy_file
from veritas.store import RunStore


async def audited(folder: Path, *records: dict[str, object], text: str = PAPER, **settings: Any) -> PaperAudit:
    paper = write_paper(folder, text)
    if records:
        settings["corpus"] = [write_documents(folder, *records)]
    return await aio.audit_paper(str(paper), **{"graphs": 3, **settings})


def the(audit: PaperAudit, text: str) -> AuditNode:
    return next(n for n in audit.nodes if n.text == text)


async def test_every_node_and_every_piece_of_evidence_stands_where_it_says(tmp_path: Path) -> None:
    audit = await audited(tmp_path, JONES, SUPPORTING)
    with RunStore.open(audit_runs.papers_home(), audit.audit_id, read_only=True) as store:
        read, verified = store.stage_output("read"), store.stage_output("verify")
    assert read is not None
    assert verified is not None
    document = read.value()["output"]["document"]
    texts = {document["document_id"]: document["text"]}
    texts |= {d["document_id"]: d["text"] for d in verified.value()["output"]["documents"]}
    for node in audit.nodes:
        assert fold_whitespace(document["text"][node.place.start : node.place.end]) == node.text
    assert {e.source for e in audit.evidence} >= {"paper", "corpus", "reference"}
    for piece in audit.evidence:
        assert piece.document_id is not None
        assert texts[piece.document_id][piece.start : piece.end] == piece.text


async def test_the_graph_document_scores_as_the_audit_says(tmp_path: Path) -> None:
    audit = await audited(tmp_path, SUPPORTING)
    graph = read_graph(audit.graph_document()).graph
    assert graph is not None
    for rules in ("veritas", "paper", "reference"):
        found = audit.scoring(rules)
        assert found is not None
        assert score(graph, rules=rules).score == pytest.approx(found.score, abs=1e-9)
    assert audit.uncertainty is not None
    assert audit.uncertainty["graphs"] == 3
    assert {m for n in audit.nodes for m in n.metrics} == set(METRICS)


async def test_two_audits_of_the_same_are_the_same(tmp_path: Path) -> None:
    one = await audited(tmp_path, JONES, SUPPORTING)
    two = await audited(tmp_path, JONES, SUPPORTING)
    assert one.audit_id != two.audit_id
    assert one.content_hash() == two.content_hash()


async def test_outside_support_grounds_a_statement_and_contradiction_is_the_first_flaw(tmp_path: Path) -> None:
    alone = await audited(tmp_path / "a")
    backed = await audited(tmp_path / "b", SUPPORTING)
    refuted = await audited(tmp_path / "c", OPPOSING)
    nodes = [the(audit, HYPOTHESIS) for audit in (alone, backed, refuted)]
    values = [n.metrics["credibility"].value for n in nodes]
    assert values[1] is not None
    assert values[2] is not None
    assert values[1] > 0.7 > 0.4 > values[2]
    assert values[0] is None or values[2] < values[0] < values[1]
    decisions = [n.grounding.decision for n in nodes if n.grounding is not None]
    assert decisions[0] == "unverified"
    assert decisions[1:] == ["grounded", "contradicted"]
    assert refuted.flaws[0].kind == "contradicted"
    scores = [s.score for a in (alone, backed, refuted) if (s := a.scoring()) is not None]
    assert scores[1] > scores[2]


async def test_a_copy_of_the_paper_is_no_witness_for_it(tmp_path: Path) -> None:
    text = PAPER.replace("\n", " ").replace("120 pumps", "the pumps")
    copy = {"id": "copy", "title": "Pumps, the preprint", "text": text}
    audit = await audited(tmp_path, copy)
    assert {e.source for e in audit.evidence} == {"paper"}
    assert any(e.kind == "copy-left-out" for e in audit.events)


async def test_a_cited_work_in_the_corpus_is_read_for_what_it_is_cited_for(tmp_path: Path) -> None:
    shown = JONES["text"].replace("Oil vapour", "We show that oil vapour")
    audit = await audited(tmp_path, {**JONES, "text": shown})
    assert [r.verdict for r in audit.references] == ["not_checked", "in_corpus"]
    node = the(audit, EVIDENCE)
    assert node.cites == ("2",)
    assert node.metrics["citation_support"].value == 1.0
    (piece,) = [e for e in audit.evidence if e.node == node.id and e.source == "reference"]
    assert (piece.reference, piece.label) == ("2", "supports")


async def test_what_nobody_was_asked_about_is_unknown_and_not_a_middle(tmp_path: Path) -> None:
    audit = await audited(tmp_path)
    metric = the(audit, EVIDENCE).metrics["citation_support"]
    assert metric.value is None
    assert "nobody was asked" in metric.why
    scoring = audit.scoring()
    assert scoring is not None
    low, high = scoring.interval
    assert low < scoring.score < high


@pytest.fixture
def registries(monkeypatch: pytest.MonkeyPatch) -> Iterator[RegistryServer]:
    smith = Work(
        title="Oil in pumps: a history of lubrication", authors=("A. Smith",), year=1990, doi="10.1000/smith",
        venue="Journal of Pumps",
    )  # fmt: skip
    jones = Work(
        title="Oil vapour on wafers in clean rooms", authors=("B. Jones", "C. Roy"), year=2005, doi="10.1000/jones",
        venue="Journal of Clean Rooms", retracted=True,
        updates=({"DOI": "10.1000/notice", "type": "retraction", "label": "Retraction",
                  "updated": {"date-parts": [[2010, 1, 1]]}},),
    )  # fmt: skip
    with registry_server(smith, jones) as running:
        for name, value in running.environment().items():
            monkeypatch.setenv(name, value)
        yield running


async def test_a_retracted_reference_is_found_out_and_supports_nothing(
    registries: RegistryServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Registries are asked, and no search provider is: the web has nothing to say here.
    monkeypatch.setattr("veritas.search.configured_providers.live_providers", lambda file=None: ())
    whole = policy_file("paper_verification.yaml").read_text(encoding="utf-8")
    policy = tmp_path / "verification.yaml"
    policy.write_text(whole.replace("texts: 12", "texts: 0"), encoding="utf-8")
    doubtful = await audited(tmp_path, web=True, verification=policy)  # it cites [3], and its list ends at [2]
    assert [f for f in doubtful.flaws if f.kind in ("citation", "dangling", "uncited")] == []
    (point,) = [p for p in doubtful.open_points if p.kind == "citation"]
    assert point.subject == "reference:2"
    assert "the text cites up to number 3, and the reference list ends at 2" in point.why
    text = PAPER.replace(" Others found it too [3].", "")
    audit = await audited(tmp_path / "whole", text=text, web=True, verification=policy)
    assert {r.key: r.verdict for r in audit.references} == {"1": "verified", "2": "retracted"}
    assert the(audit, EVIDENCE).metrics["citation_support"].value == 0.0
    flaw = next(f for f in audit.flaws if f.kind == "citation")
    assert flaw.subject == "reference:2"
    assert flaw.severity > 0.9
    assert not [p for p in audit.open_points if p.kind == "citation"]


async def test_a_paper_without_an_argument_ends_in_a_result_without_a_score(tmp_path: Path) -> None:
    audit = await audited(tmp_path, text="\n\n".join(f"Item {i}: screws and nuts, size {i}." for i in range(60)))
    assert audit.primary is None
    assert audit.scoring() is None
    assert audit.scorings == ()
    assert audit.flaws == ()
    assert audit.open_points[0].kind == "missing-part"
    assert audit.headline is not None
    assert audit.headline.score is None
    reasons = audit.open_points[0].why.removeprefix("no argument could be read: ").split("; ")
    assert len(reasons) == len(set(reasons))
    assert len(audit.graphs) > 1
    assert reasons == ["no main aim, no main result and no main conclusion were found"]
    said = " ".join(show_audit(audit).split())
    assert "No statement was assessed for flaws" in said
    assert "no argument could be read in it, since no main aim, no main result and no main conclusion" in said
    assert "stayed broken" not in said


async def test_time_that_is_over_leaves_metrics_unknown_and_says_so(tmp_path: Path) -> None:
    audit = await audited(tmp_path, budget={"seconds": 0.000001})
    assert all(m.value is None for n in audit.nodes for m in n.metrics.values())
    assert any(e.kind == "budget-degraded" for e in audit.events)
    reached = [e.reason for e in audit.events if e.kind == "budget-reached"]
    count = len(audit.nodes)
    assert reached == [f"1e-06 seconds are over: {count} of {count} statements were not verified"]
    scoring = audit.scoring()
    assert scoring is not None
    assert scoring.interval[0] < scoring.interval[1]


@pytest.mark.parametrize(("stage", "by_then"), [("verify_paper", "begun"), ("propagate", "verified")])
async def test_time_that_was_over_too_late_to_leave_anything_out_is_said(
    stage: str, by_then: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent: list[Spending] = []

    def begun(budget: Budget) -> Spending:
        spent.append(Spending(budget))
        return spent[-1]

    real = getattr(audit_stages, stage)

    def late(*given: Any) -> Any:
        async def verified() -> Any:
            made = await real(*given)
            spent[-1]._begun -= 1000
            return made

        if stage == "verify_paper":
            return verified()
        spent[-1]._begun -= 1000
        return real(*given)

    monkeypatch.setattr(audit_stages, "Spending", begun)
    monkeypatch.setattr(audit_stages, stage, late)
    audit = await audited(tmp_path, budget={"seconds": 500})
    assert [e.reason for e in audit.events if e.kind.startswith("budget")] == [
        f"500 seconds are over: no statement was left out for it, all were {by_then} by then"
    ]


async def test_a_limit_that_is_not_reached_is_not_spoken_of(tmp_path: Path) -> None:
    audit = await audited(tmp_path, budget={"seconds": 500, "calls": 10_000})
    assert not [e for e in audit.events if e.kind.startswith("budget")]


async def test_references_that_time_left_unasked_are_named(
    tmp_path: Path, registries: RegistryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("veritas.search.configured_providers.live_providers", lambda file=None: ())
    audit = await audited(tmp_path, web=True, budget={"seconds": 0.000001})
    said = [e.reason for e in audit.events if e.kind == "references-unasked"]
    assert said == [f"none of {len(audit.references)} references were asked about: 1e-06 seconds are over"]


async def test_a_replay_takes_what_was_done_and_changes_the_rest(tmp_path: Path) -> None:
    first = await audited(tmp_path, SUPPORTING)
    (tmp_path / "pumps.txt").unlink()  # the paper is not needed again
    again = await aio.replay_paper_audit(first.audit_id, "propagate", changes={"rules": "paper"})
    assert again.parent_audit_id == first.audit_id
    assert again.nodes == first.nodes
    assert again.rules == "paper"
    assert [t.from_store for t in again.timings] == [True, True, True, False, False]
    assert load_paper_audit(first.audit_id) == first
    with pytest.raises(InputError, match="no stage"):
        await aio.replay_paper_audit(first.audit_id, "debate")
    with pytest.raises(UnknownRun):
        await aio.replay_paper_audit("20200101", "score")


KILLED = """
import asyncio, os, signal, sys
from veritas.papers import audit_runs, audit_stages
from veritas.papers.audit_request import make_paper_request

async def around(stage, work):
    if stage == sys.argv[1]:
        os.kill(os.getpid(), signal.SIGKILL)
    return await work()

request = make_paper_request(sys.argv[2], corpus=[sys.argv[3]], graphs=3)
asyncio.run(audit_runs.start(request, around=around))
"""


@pytest.mark.parametrize("stage", ["extract", "verify", "score"])
def test_a_killed_audit_goes_on_and_ends_as_if_nothing_had_happened(stage: str, tmp_path: Path) -> None:
    paper, corpus = write_paper(tmp_path), write_documents(tmp_path, SUPPORTING)
    environment = {**os.environ, "VERITAS_HOME": str(tmp_path / "home")}
    ended = preloaded.run(["-c", KILLED, stage, paper, corpus], env=environment)
    assert ended.returncode == -signal.SIGKILL
    (cut,) = list_paper_audits(home=tmp_path / "home")
    assert cut.status == "interrupted"
    assert cut.stages == PAPER_STAGES[: PAPER_STAGES.index(stage)]  # type: ignore[arg-type]
    one = asyncio.run(aio.resume_paper_audit(cut.audit_id, home=tmp_path / "home"))
    two = asyncio.run(aio.audit_paper(str(paper), corpus=[corpus], graphs=3, home=tmp_path / "home"))
    assert one.audit_id == cut.audit_id
    assert one.content_hash() == two.content_hash()


def veritas(*args: object, command: str = "paper") -> int:
    """The command's exit code, run in this process."""
    try:
        main([command, *map(str, args)])
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def test_the_command_shows_the_score_the_flaws_and_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paper, corpus = write_paper(tmp_path), write_documents(tmp_path, OPPOSING)
    assert veritas(paper, "--corpus", corpus, "--out", tmp_path / "out") == 0
    shown = capsys.readouterr()
    assert "Score 0." in shown.out
    assert "the length of the text alone reaches 0.81" in " ".join(shown.out.split())
    assert "contradicted: n1 Hypothesis" in shown.out
    assert shown.out.index("contradicted: n1 Hypothesis") < shown.out.index("Score 0.")
    assert "not a verdict" in shown.out
    assert (tmp_path / "out" / "report.html").stat().st_size > 10_000
    assert "verify" in shown.err
    assert veritas("--list", "--json") == 0
    (row,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert row["status"] == "finished"
    assert veritas("--show", "latest", "--json", "-q") == 0
    assert json.loads(capsys.readouterr().out)["audit_id"] == row["audit_id"]
    assert veritas(row["audit_id"][:17], command="show") == 0
    written = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("Report: "))
    assert Path(written.removeprefix("Report: ")).is_file()
    assert veritas(row["audit_id"], "--json", command="show") == 0
    assert json.loads(capsys.readouterr().out)["audit_id"] == row["audit_id"]
    assert veritas("nobody", command="show") == 2
    assert veritas(command="runs") == 0
    assert "1 audit of papers: veritas paper --list" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        ((), 2, "no paper"),
        (("a.pdf", "--resume", "x"), 2, "both"),
        (("nowhere.pdf",), 2, "no such file"),
        (("--replay", "x"), 2, "belong together"),
        (("--resume", "x"), 2, "no audit"),
        (("{paper}", "--mode", "poetry"), 2, "no mode"),
        (("{paper}", "--rules", "mine"), 2, "rules"),
        (("{paper}", "--nodes", "2"), 2, "nodes"),
        (("{empty}",), 1, ""),
    ],
)
def test_the_command_ends_with_the_code_that_fits(
    args: tuple[str, ...], code: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paper = write_paper(tmp_path)
    empty = write_paper(tmp_path, "\n\n".join(f"Item {i}: nuts, size {i}." for i in range(60)), "empty.txt")
    assert veritas(*[a.format(paper=paper, empty=empty) for a in args]) == code
    assert said in capsys.readouterr().err


def test_two_audits_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    paper = write_paper(tmp_path)
    environment = {**os.environ, "VERITAS_HOME": str(tmp_path / "h")}
    command = ["-m", "veritas", "paper", paper, "--json", "-q"]
    with preloaded.start(command, env=environment) as one, preloaded.start(command, env=environment) as other:
        audits = [PaperAudit.model_validate_json(each.ended().stdout) for each in (one, other)]
    assert audits[0].audit_id != audits[1].audit_id
    assert audits[0].content_hash() == audits[1].content_hash()
    assert any("14.2 months" in n.text for n in audits[0].nodes)


async def test_sources_that_are_down_are_named_and_no_statement_says_that_they_were_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from veritas.report.paper.audit_text import show_audit
    from veritas.testing import FakeProvider

    providers = [FakeProvider("library", problem="it cannot be reached"), FakeProvider("archive")]
    monkeypatch.setattr("veritas.search.configured_providers.live_providers", lambda: providers)
    dead = "http://127.0.0.1:9"
    with registry_server() as running:
        for name in running.environment():
            monkeypatch.setenv(name, dead)
    audit = await aio.audit_paper(str(write_paper(tmp_path)), graphs=1, web=True, home=tmp_path / "home")
    said = " ".join(show_audit(audit).split())
    assert "library did not answer" in said
    for node in audit.nodes:
        for metric in node.metrics.values():
            if "searched" in metric.why and "library" in metric.why:
                assert "library could not be asked" in metric.why
                assert "through archive searched" in metric.why
    assert any("library could not be asked" in m.why for n in audit.nodes for m in n.metrics.values())
