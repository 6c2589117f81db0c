"""Everything else that can be asked for: claims, citations, bibliographies, papers, corpora, reviews, cases."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from tests.pumps import QUESTION
from tests.server.conftest import Called, detail
from veritas.errors import InputError
from veritas.server.mcp.research_tool import begun
from veritas.server.settings import Settings
from veritas.server.tokens import Keeper, new_token
from veritas.store.jobs import append_event, hold_job, job_asked_to_stop, job_folder
from veritas.use_cases import background

CLAIM = "The Borealis pump needs no oil."
PASSAGE = "The Borealis pump needs no oil, because its bearings are made of graphite."


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
    assert detail(client.post("/api/v1/uploads/0000000000000000", params={"name": "a"}, content=b"x"), 404)


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


def test_a_bibliography_that_nobody_answered_for_is_told_by_cause_and_tried_again(
    called: Called, request: pytest.FixtureRequest
) -> None:
    text = "\n".join(f"@book{{b{n}, title = {{A history of pump {n}}}, author = {{Ada Ng}}}}" for n in range(3))
    form = {"text": text, "name": "pumps.bib", "offline": True}
    with called("run") as client:
        work = client.post("/api/v1/bibliographies", json=form).json()["id"]
        while client.get(f"/api/v1/work/{work}").json()["state"] != "finished":
            time.sleep(0.05)
        (cause,) = client.get(f"/api/v1/work/{work}/result").json()["unanswered"]
        assert cause["keys"] == ["b0", "b1", "b2"]
        assert "crossref" in cause["registries"]
        page = client.get(f"/work/{work}", headers={"Accept": "text/html"}).text
        assert "Try again" in page
        assert "b0" in page
        assert "None of 3 entries could be checked" in page
        assert f'href="/work/{work}">' in client.get("/library", headers={"Accept": "text/html"}).text
        request.getfixturevalue("no_process")
        again = client.post(f"/api/v1/work/{work}/resume").json()
        assert (again["id"], again["state"]) == (work, "queued")


@pytest.mark.usefixtures("no_process")
def test_a_check_under_way_that_nobody_answers_is_tried_again_after_it_stopped(called: Called, app: FastAPI) -> None:
    home, client = app.state.context.home, called("run")
    form = {"text": "@book{b1, title = {A history of pumps}, author = {Ada Ng}}"}
    work = client.post("/api/v1/bibliographies", json=form).json()["id"]
    shown = {"headers": {"Accept": "text/html"}}
    lock = hold_job(home, work)
    assert lock is not None
    append_event(home, work, "begun", {"attempt": 1})
    assert 'id="again" hidden' in client.get(f"/work/{work}", **shown).text
    append_event(home, work, "noted", {"text": "crossref did not answer", "outage": True})
    page = client.get(f"/work/{work}", **shown).text
    assert 'id="again">' in page
    assert "crossref did not answer" in page

    def stops() -> None:
        while not job_asked_to_stop(home, work):
            time.sleep(0.01)
        append_event(home, work, "stopped", {})
        lock.release()

    with ThreadPoolExecutor(1) as other:
        stopped = other.submit(stops)
        origin = {"Origin": str(client.base_url).rstrip("/")}
        assert client.post(f"/work/{work}/go-on", headers=origin, follow_redirects=False).status_code == 303
        stopped.result()
    assert client.get(f"/api/v1/work/{work}").json()["state"] == "queued"
    page = client.get(f"/work/{work}", **shown).text
    assert 'id="again" hidden' in page
    assert "crossref did not answer" not in page, "what the attempt before was told is not news of this one"
