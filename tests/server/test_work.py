"""Everything else that can be asked for: claims, citations, bibliographies, papers, corpora, reviews, cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

import veritas
from tests.pumps import QUESTION
from tests.server.conftest import Called, detail
from veritas.errors import InputError
from veritas.server.mcp.research_tool import begun
from veritas.server.settings import Settings
from veritas.server.tokens import Keeper, new_token
from veritas.store.jobs import append_event, job_folder
from veritas.use_cases import background, background_events, background_run

CLAIM = "The Borealis pump needs no oil."
PASSAGE = "The Borealis pump needs no oil, because its bearings are made of graphite."


@pytest.fixture
def here_and_now(monkeypatch: pytest.MonkeyPatch, own_home: Path) -> None:
    """Carries work out in this process when it begins, in a thread: a process takes seconds to start."""
    from concurrent.futures import ThreadPoolExecutor

    def start(home: Path, run_id: str, limit: int) -> bool:
        lock = background.stored.hold_job(home, run_id)
        assert lock is not None
        background_events.tell(home, run_id, background.events.Begun(attempt=1))
        lock.release()
        monkeypatch.setattr(background, "advance", lambda **given: [])
        with ThreadPoolExecutor(1) as thread:
            thread.submit(background_run.main, [run_id]).result()
        return True

    monkeypatch.setattr(background, "_start", start)
    monkeypatch.setattr(background_run, "withhold_on_streams", lambda: None)
    monkeypatch.setattr(background_run, "advance", lambda **given: [])


def finished(client: TestClient, answer: Any) -> dict[str, Any]:
    """The result of work that has been done."""
    assert answer.status_code == 202, answer.text
    place = answer.headers["location"]
    told = client.get(place).json()
    assert told["state"] == "finished", told
    found: dict[str, Any] = client.get(f"{place}/result").json()
    return found


def test_a_claim_is_judged_and_verified_as_in_python(client: TestClient, root: Path) -> None:
    judged = client.post("/api/v1/judgments", json={"claim": CLAIM, "passage": PASSAGE})
    assert judged.json() == veritas.judge(CLAIM, PASSAGE).model_dump(mode="json")
    verified = client.post("/api/v1/verifications", json={"claim": CLAIM, "corpus": ["library/pumps.jsonl"]})
    assert verified.json() == veritas.verify(CLAIM, root / "pumps.jsonl").model_dump(mode="json")
    assert verified.json()["verdict"] == "supports"
    assert "name of a file" in detail(
        client.post("/api/v1/verifications", json={"claim": "/etc/passwd", "corpus": ["library"]}), 422
    )
    assert "no lens" in detail(client.post("/api/v1/judgments", json={"claim": "a", "passage": "b", "lens": "x"}), 422)


def test_the_tier_of_a_source_and_the_score_of_a_graph(client: TestClient) -> None:
    url = "https://doi.org/10.1038/nature12373"
    assert client.get("/api/v1/tier", params={"url": url}).json() == veritas.tier(url).model_dump(mode="json")
    node = {"id": "a", "role": "Hypothesis", "text": "x", "parents": ["a"], "children": ["a"], "metrics": {}}
    assert "cannot be scored" in detail(client.post("/api/v1/scores", json={"graph": {"nodes": [node]}}), 422)
    assert detail(client.post("/api/v1/scores", json={"graph": {"nodes": 3}}), 422)


def test_the_citations_of_a_text_and_of_a_tree_are_checked(client: TestClient, root: Path) -> None:
    text = "As shown[^1].\n\n[^1]: [Nobody 2020](docs/citations/nobody-2020.md)\n"
    told = client.post("/api/v1/checks", json={"text": text, "name": "../../notes.md"}).json()
    assert [(each["path"], each["level"]) for each in told["findings"]] == [("notes.md", "error")]
    (root / "notes.md").write_text(text)
    tree = client.post("/api/v1/checks", json={"path": "library"}).json()
    assert [each["rule"] for each in tree["findings"]] == [each["rule"] for each in told["findings"]]
    inside = client.post("/api/v1/checks", json={"text": text, "project": "library"})
    assert [each["rule"] for each in inside.json()["findings"]] == [each["rule"] for each in told["findings"]]
    assert str(root) not in inside.text
    assert detail(client.post("/api/v1/checks", json={"path": "../x"}), 422)
    assert detail(client.post("/api/v1/checks", json={}), 422)


def test_an_upload_is_a_corpus_and_its_names_are_plain(client: TestClient, settings: Settings) -> None:
    row = json.dumps({"id": "m", "title": "Manual", "text": PASSAGE})
    first = client.post("/api/v1/uploads", params={"name": "../../etc/pumps.jsonl"}, content=row)
    assert (first.status_code, first.json()["files"]) == (201, ["pumps.jsonl"])
    corpus = first.json()["corpus"]
    upload = corpus.removeprefix("upload:")
    more = client.post(f"/api/v1/uploads/{upload}", params={"name": ".hidden"}, content=b"x")
    assert more.json()["files"] == ["hidden", "pumps.jsonl"]
    document = f"{corpus}/pumps.jsonl"
    assert (settings.home / "uploads" / upload / "pumps.jsonl").read_text() == row
    asked = {"claim": CLAIM, "corpus": [corpus]}
    assert client.post("/api/v1/verifications", json=asked).json()["verdict"] == "supports"
    assert client.post("/api/v1/verifications", json={**asked, "corpus": [document]}).json()["verdict"] == "supports"
    for bad in (f"{corpus}/../x", f"{corpus}/.hidden", f"{corpus}/none.txt", "upload:../x"):
        assert detail(client.post("/api/v1/verifications", json={**asked, "corpus": [bad]}), 422)
    assert detail(client.post("/api/v1/uploads/0000000000000000", params={"name": "a"}, content=b"x"), 422)


@pytest.mark.usefixtures("here_and_now")
def test_a_bibliography_is_checked_in_the_background_and_corrected(client: TestClient) -> None:
    text = "@article{nobody2020, title={On pumps that never were}, author={Nobody, Ann}, year={2020}}\n"
    answer = client.post("/api/v1/bibliographies", json={"text": text, "offline": True})
    told = finished(client, answer)
    assert [(entry["key"], entry["verdict"], entry["file"]) for entry in told["entries"]] == [
        ("nobody2020", "unavailable", "bibliography.bib")
    ]
    place = answer.headers["location"]
    assert client.get(f"{place}/files/corrected.bib").text == text
    assert client.get(place).json()["status"] == "unavailable"
    for bad in ("job.json", "events.jsonl", "..%2Fjob.json"):
        assert detail(client.get(f"{place}/files/{bad}"), 404)


@pytest.mark.usefixtures("here_and_now")
def test_a_citation_that_cannot_be_had_offline_says_why(client: TestClient) -> None:
    told = finished(client, client.post("/api/v1/citations", json={"claim": CLAIM, "offline": True}))
    assert (told["cited"], told["refusal"]) == (False, "RetriesExhausted")


@pytest.mark.usefixtures("here_and_now")
def test_a_paper_is_audited_listed_and_scored_with_other_metrics(client: TestClient, root: Path) -> None:
    from tests.papers.pump_papers import write_paper

    paper = write_paper(root)
    answer = client.post("/api/v1/papers", json={"document": f"library/{paper.name}", "graphs": 1})
    audit = finished(client, answer)["audit_id"]
    assert audit == answer.json()["id"]
    assert [each["audit_id"] for each in client.get("/api/v1/papers").json()] == [audit]
    found = veritas.load_paper_audit(audit)
    told, stored = client.get(f"/api/v1/papers/{audit}").json(), found.model_dump(mode="json")
    assert told["paper"].pop("asked").startswith("library/")
    assert stored["paper"].pop("asked").endswith(".txt")
    told.pop("settings"), stored.pop("settings")
    assert told == stored
    assert client.get(f"/api/v1/papers/{audit}/export", params={"format": "graphml"}).text.startswith("<?xml")
    assert "no form" in detail(client.get(f"/api/v1/papers/{audit}/export", params={"format": "x"}), 422)
    same = client.post(f"/api/v1/papers/{audit}/what-if", json={"changes": {}}).json()
    scoring = found.scoring()
    assert scoring is not None
    assert same["score"] == pytest.approx(scoring.score)
    node, metric = same["nodes"][0], next(iter(found.node(same["nodes"][0]).metrics))
    changed = client.post(f"/api/v1/papers/{audit}/what-if", json={"changes": {node: {metric: 0.0}}}).json()
    assert changed["score"] != same["score"]
    for wrong in ({"nobody": {}}, {node: {"beauty": 1}}, {node: {metric: 2}}):
        assert detail(client.post(f"/api/v1/papers/{audit}/what-if", json={"changes": wrong}), 422)
    assert "name of a file" in detail(client.post("/api/v1/papers", json={"asked": str(paper)}), 422)


@pytest.mark.usefixtures("here_and_now")
def test_a_corpus_of_claims_is_filled_searched_and_reviewed(client: TestClient, root: Path) -> None:
    (root / "manual.md").write_text(f"# The Borealis pump\n\n{PASSAGE} We find that it moves 40 litres per minute.\n")
    answer = client.post("/api/v1/corpora/pumps/papers", json={"documents": ["library/manual.md"]})
    assert finished(client, answer)["additions"][0]["claims"] > 0
    assert client.get("/api/v1/corpora").json() == ["pumps"]
    assert client.get("/api/v1/corpora/pumps").json()["claims"] > 0
    hits = client.get("/api/v1/corpora/pumps/search", params={"q": "oil"}).json()
    assert "oil" in json.dumps(hits[0])
    assert detail(client.get("/api/v1/corpora/nothing"), 422)
    assert client.get("/api/v1/reviews").json() == []
    assert detail(client.get("/api/v1/reviews/review-20200101"), 404)


@pytest.mark.usefixtures("no_process")
def test_a_token_with_a_budget_spends_no_more_than_it_has(called: Called, settings: Settings) -> None:
    token, record = new_token("student", ["run"], budget_usd=1.0)
    Keeper(settings.home).add(record)
    client = called(None, Authorization=f"Bearer {token}")
    asked = {"question": QUESTION, "corpus": ["library/pumps.jsonl"]}
    first = client.post("/api/v1/runs", json={**asked, "budget": {"usd": 0.25}}, headers={"Idempotency-Key": "a"})
    run = first.json()["run_id"]
    second = client.post("/api/v1/runs", json=asked).json()["run_id"]
    budgets = [background.find_job(each).wanted.settings["budget"]["usd"] for each in (run, second)]
    assert budgets == [0.25, 0.75]
    assert "used up" in detail(client.post("/api/v1/runs", json=asked), 403)
    again = client.post("/api/v1/runs", json={**asked, "budget": {"usd": 0.25}}, headers={"Idempotency-Key": "a"})
    assert again.json()["run_id"] == run
    call = {"cost_usd": 0.5, "from_ledger": False}
    append_event(settings.home, second, "unit_done", {"calls": [call, {**call, "from_ledger": True}]})
    client.post(f"/api/v1/runs/{second}/cancel")
    third = client.post("/api/v1/runs", json=asked).json()["run_id"]
    assert background.find_job(third).wanted.settings["budget"]["usd"] == pytest.approx(0.25)
    other = called("all").post("/api/v1/runs", json=asked).json()["run_id"]
    called("all").post(f"/api/v1/runs/{other}/cancel")
    assert "its own runs" in detail(client.post(f"/api/v1/runs/{other}/resume"), 403)
    text = {"text": "The pump needs oil [1].\n\n[1] https://pumps.example/", "offline": True}
    assert "without a council" in detail(client.post("/api/v1/factchecks", json={**text, "council": "one-key"}), 403)
    assert client.post("/api/v1/factchecks", json=text).status_code == 202
    for kind in ("runs", "work"):
        assert "its own runs" in detail(client.post(f"/api/v1/{kind}/{other}/cancel"), 403)


@pytest.mark.usefixtures("no_process")
def test_runs_that_go_on_are_counted_against_the_budget_by_every_door(called: Called, app: FastAPI) -> None:
    here = app.state.context
    token, record = new_token("student", ["run"], budget_usd=1.0)
    Keeper(here.home).add(record)
    client = called(None, Authorization=f"Bearer {token}")
    runs = []
    for usd in (0.75, 0.75, 0.25):
        asked = {"question": QUESTION, "corpus": ["library/pumps.jsonl"], "budget": {"usd": usd}}
        runs.append(client.post("/api/v1/runs", json=asked).json()["run_id"])
        client.post(f"/api/v1/runs/{runs[-1]}/cancel")
    assert client.post(f"/api/v1/runs/{runs[0]}/resume").status_code == 202
    assert client.post(f"/api/v1/runs/{runs[0]}/resume").status_code == 202  # is under way, and counted once
    assert "more than is left" in detail(client.post(f"/api/v1/runs/{runs[1]}/resume"), 403)
    with pytest.raises(InputError, match="more than is left"):
        begun(here, runs[1], None, record)
    assert begun(here, runs[2], None, record).state == "queued"
    client.post(f"/api/v1/runs/{runs[0]}/cancel")
    append_event(here.home, runs[1], "unit_done", {"calls": [{"cost_usd": 0.5}]})
    assert client.post(f"/api/v1/runs/{runs[1]}/resume").status_code == 202  # of 0.75 dollars 0.25 are to come
    assert background.spent_by(record.token_id) == pytest.approx(1.0)


@pytest.mark.usefixtures("no_process")
def test_a_job_that_cannot_be_read_holds_up_no_budget(called: Called, app: FastAPI) -> None:
    token, record = new_token("student", ["run"], budget_usd=1.0)
    Keeper(app.state.context.home).add(record)
    torn = job_folder(app.state.context.home, background.new_id()) / "job.json"
    torn.parent.mkdir(parents=True)
    torn.write_text('{"work": "rese')
    asked = {"question": QUESTION, "corpus": ["library/pumps.jsonl"]}
    answer = called(None, Authorization=f"Bearer {token}").post("/api/v1/runs", json=asked)
    assert answer.status_code == 202
