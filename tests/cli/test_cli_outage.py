"""Providers that are away, as a person at the command line meets them: said before anything is spent, and else at the
end, with exit code 3 and in the providers' own words; and gone on with when they are back."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Veritas
from tests.loopback.scripted import heard, honest
from tests.loopback.server import Asked, Loopback, Reply, fault, loopback
from tests.pumps import QUESTION

WORDS = "your account has been closed"
MODELS = {"red": "crimson", "green": "olive", "blue": "navy"}


PAPER = """# Graphite bearings let a pump run dry

## Abstract
We show that graphite bearings let the Borealis pump run without oil. We measured 40 litres of water per minute.

## Introduction
Pumps usually need oil in their bearings. We hypothesise that graphite bearings make oil unnecessary.

## Methods
We ran the Borealis pump for 100 hours without oil and measured its flow every hour.

## Results
The Borealis pump moved 40 litres of water per minute for all 100 hours. The bearings showed no wear after 100 hours.

## Conclusion
Graphite bearings make oil unnecessary in the Borealis pump.
"""


@pytest.fixture
def closed() -> Iterator[str]:
    """A base URL at which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}/v1"


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback(honest, models=tuple(f"model-{name}" for name in MODELS)) as running:
        yield running


def council(folder: Path, server: Loopback, **elsewhere: str) -> Path:
    """A council of three houses on one server; `elsewhere` gives one of them another address."""
    model = {"structured": "schema", "limits": {"timeout": 20, "retries": 0, "backoff": 0.01, "patience": 1}}
    members: list[dict[str, Any]] = [
        {"name": n, "model": f"openai/model-{n}", "family": f, "base_url": elsewhere.get(n, server.url), **model}
        for n, f in MODELS.items()
    ]
    path = folder / "council.yaml"
    said = {"members": members, "verifiers": list(MODELS), "writer": ["red", "green", "blue"]}
    path.write_text(json.dumps(said), encoding="utf-8")  # which is YAML
    return path


def dead(asked: Asked) -> Reply:
    return fault(401, WORDS)


def test_total_outage_ends_in_3_with_the_servers_status_in_every_form_and_goes_on_when_they_are_back(
    veritas: Veritas, server: Loopback, corpus: Path, tmp_path: Path, own_home: Path
) -> None:
    made = council(tmp_path, server)
    server.script = dead
    ended = veritas("research", QUESTION, "-c", corpus, "--council", made, "-q", "--out", tmp_path / "out")
    assert ended.code == 3
    text = " ".join(ended.out.split())
    status = f"{server.url} refuses the key (status 401)"
    assert text.index("Unavailable.") < text.index(status) < text.index("veritas research --resume")
    assert WORDS not in ended.out + ended.err
    assert "nsufficient" not in text
    for form in ("answer.md", "report.html", "graph.json"):
        assert "status 401" in (tmp_path / "out" / form).read_text(encoding="utf-8"), form
    assert WORDS in (tmp_path / "out" / "graph.json").read_text(encoding="utf-8")  # among its calls
    assert WORDS not in (tmp_path / "out" / "answer.md").read_text(encoding="utf-8")
    assert "Insufficient evidence." not in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    first = json.loads((tmp_path / "out" / "graph.json").read_text(encoding="utf-8"))
    assert first["answer"]["status"] == "unavailable"
    assert first["schema_version"] == "1.1"
    assert "unavailable" in veritas("runs").out
    assert "Unavailable." in veritas("show", "latest").out
    # As JSON too, and when it is gone on with in vain: that is a run of its own.
    again = veritas("research", "--resume", "latest", "--json", "-q")
    assert (again.code, again.json["answer"]["status"]) == (3, "unavailable")
    assert status in again.err
    server.script = honest
    resumed = veritas("research", "--resume", first["run"]["run_id"], "--json")
    assert resumed.code == 0, resumed.err
    assert resumed.json["answer"]["status"] == "answered"
    assert resumed.json["run"]["parent_run_id"] == first["run"]["run_id"]
    assert f"run {first['run']['run_id']} had ended unavailable; it continues as" in resumed.err
    kept = veritas("export", first["run"]["run_id"], "--json")
    assert kept.json["answer"] == first["answer"]


def test_run_that_only_lacked_its_writer_is_gone_on_with_from_the_writing_alone(
    veritas: Veritas, server: Loopback, corpus: Path, tmp_path: Path
) -> None:
    made = council(tmp_path, server)
    server.script = lambda asked: fault(500, "overloaded") if heard(asked).turn == "synthesize" else honest(asked)
    ended = veritas("research", QUESTION, "-c", corpus, "--council", made, "--json", "-q")
    assert ended.code == 3
    assert "supported claims, but no writer answered" in ended.json["answer"]["reason"]
    assert ended.json["claims"]
    server.script, before = honest, len(server.asked)
    resumed = veritas("research", "--resume", "latest", "--json", "-q")
    assert resumed.json["answer"]["status"] == "answered"
    # The data sheet has the printed sentence in another order of words, which a judge is asked about.
    assert [heard(a).turn for a in server.asked[before:]] == ["synthesize", "judge"]


def test_dead_council_is_known_before_anything_is_spent_or_stored(
    veritas: Veritas, server: Loopback, closed: str, corpus: Path, tmp_path: Path, own_home: Path
) -> None:
    server.listing = fault(401, "Invalid API key")
    made = council(tmp_path, server, blue=closed)
    ended = veritas("research", QUESTION, "-c", corpus, "--council", made, "--json")
    assert (ended.code, ended.out) == (3, "")
    assert "nobody can state claims, judge or write" in ended.err
    assert f"red, green: {server.url}/models refuses the key (401: “Invalid API key”)" in ended.err
    assert "blue: " in ended.err
    assert "connection is refused; start the server" in ended.err
    assert not (own_home / "runs").exists()
    assert server.asked == []
    begun = veritas("research", QUESTION, "-c", corpus, "--council", made, "--json", "-q", "--no-preflight")
    assert begun.code == 0  # whoever lists nothing may answer all the same
    assert server.asked


def test_dead_member_and_writer_are_left_out_from_the_start_and_asked_nothing(
    veritas: Veritas, server: Loopback, closed: str, corpus: Path, tmp_path: Path
) -> None:
    made = council(tmp_path, server, red=closed)
    ended = veritas("research", QUESTION, "-c", corpus, "--council", made, "--json")
    assert ended.code == 0, ended.err
    assert ended.err.startswith("veritas: left out: red: ")
    graph = ended.json
    assert graph["answer"]["written_by"] == "green"
    assert {c["asserted_by"] for c in graph["claims"]} == {"green", "blue"}
    said = "red could not state claims and take part in the debate, and others did in its place: red is left out"
    assert any(line.startswith(said) for line in graph["answer"]["missing"])
    assert [e["reason"] for e in graph["events"] if e["subject_id"] == "preflight"][1:] == [
        "green writes in place of red"
    ]
    assert not any(call["model"] == "openai/model-red" for call in graph["calls"])


def test_searches_that_all_fail_are_known_beforehand_and_else_make_the_run_unavailable(
    veritas: Veritas, closed: str, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("WIKIPEDIA", "OPENALEX", "SEMANTIC_SCHOLAR", "CROSSREF", "ARXIV", "EUROPEPMC"):
        monkeypatch.setenv(f"VERITAS_{name}_URL", closed)
    ended = veritas("research", QUESTION, "--tier", "quick")
    assert ended.code == 3
    assert "nobody can search" in ended.err
    assert not (own_home / "runs").exists()
    ended = veritas("research", QUESTION, "--tier", "quick", "--no-preflight", "--json", "-q")
    assert ended.code == 3
    assert ended.json["answer"]["status"] == "unavailable"
    assert ended.json["answer"]["reason"].startswith("No search was answered: ")


def test_audit_of_a_paper_ends_in_3_where_no_model_or_nobody_on_the_web_answered(
    veritas: Veritas, server: Loopback, closed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paper, made = tmp_path / "paper.md", council(tmp_path, server)
    paper.write_text(PAPER, encoding="utf-8")
    server.script = dead
    ended = veritas("paper", paper, "--council", made, "--graphs", 1, "--samples", 1, "-q", "--out", tmp_path / "out")
    assert ended.code == 3
    assert "no model of the council answered" in ended.err
    assert ended.out.index("Unavailable: no model") < ended.out.lower().index("score")
    assert WORDS in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    server.script = lambda asked: Reply("{}")
    ended = veritas("paper", paper, "--council", made, "--graphs", 1, "--samples", 1, "-q")
    assert ended.code == 3, "an answer of which nothing can be used is none"
    assert "no model of the council answered" in ended.err
    for name in ("WIKIPEDIA", "OPENALEX", "SEMANTIC_SCHOLAR", "CROSSREF", "ARXIV", "EUROPEPMC", "DATACITE"):
        monkeypatch.setenv(f"VERITAS_{name}_URL", closed)
    ended = veritas("paper", paper, "--web", "--graphs", 1, "-q")
    assert ended.code == 3
    assert "nobody on the web answered: " in ended.err


def test_replay_needs_nobody_whose_answers_are_in_the_ledger(
    veritas: Veritas, server: Loopback, corpus: Path, tmp_path: Path
) -> None:
    veritas("research", QUESTION, "-c", corpus, "--council", council(tmp_path, server), "-q")
    server.script, server.listing = dead, fault(401, WORDS)
    ended = veritas("replay", "latest", "--from", "decompose", "--json", "-q")
    assert ended.code == 0
    assert ended.json["answer"]["status"] == "answered"
