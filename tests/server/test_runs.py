"""Runs over HTTP: asked for, listed, followed, and what they came to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from tests.pumps import QUESTION
from tests.server.conftest import Called, detail
from veritas.server import streams
from veritas.server.app import look
from veritas.server.tokens import new_token
from veritas.store.jobs import append_event, job_folder
from veritas.use_cases import background

ASKED = {"question": QUESTION, "corpus": ["library/pumps.jsonl"], "tier": "quick"}


def frames(text: str) -> list[dict[str, Any]]:
    """The events of a stream, each with the number in `id:`, which is that in its data."""
    found = []
    for frame in filter(None, text.split("\n\n")):
        parts = dict(line.split(": ", 1) for line in frame.splitlines())
        data = json.loads(parts["data"])
        assert (int(parts["id"]), parts["event"]) == (data["number"], data["kind"])
        found.append(data)
    return found


@pytest.fixture
def queued(client: TestClient, no_process: None) -> str:
    """A run that waits in line."""
    answer = client.post("/api/v1/runs", json=ASKED)
    assert answer.status_code == 202, answer.text
    return str(answer.json()["run_id"])


def test_a_run_waits_in_line_and_says_so(client: TestClient, queued: str) -> None:
    second = client.post("/api/v1/runs", json=ASKED)
    assert second.headers["location"] == f"/api/v1/runs/{second.json()['run_id']}"
    assert [client.get(f"/api/v1/runs/{run}").json()["place"] for run in (queued, second.json()["run_id"])] == [0, 1]
    assert client.post(f"/api/v1/runs/{queued}/cancel").json()["state"] == "cancelled"
    assert client.get(second.headers["location"]).json() | {"state": "queued", "place": 0} == client.get(
        second.headers["location"]
    ).json()
    assert "nothing to cancel" in detail(client.post(f"/api/v1/runs/{queued}/cancel"), 422)
    again = client.post(f"/api/v1/runs/{queued}/resume")
    assert (again.status_code, again.json()["state"], again.json()["place"]) == (202, "queued", 1)


@pytest.mark.usefixtures("no_process")
def test_the_same_key_gives_the_same_run_and_another_request_under_it_is_a_conflict(called: Called) -> None:
    client = called("run")
    first, again = (client.post("/api/v1/runs", json=ASKED, headers={"Idempotency-Key": "k1"}) for _ in range(2))
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json()["run_id"] == again.json()["run_id"]
    assert len(client.get("/api/v1/runs").json()["runs"]) == 1
    other = client.post("/api/v1/runs", json=ASKED | {"seed": 1}, headers={"Idempotency-Key": "k1"})
    assert "another request" in detail(other, 409)
    someone = called("all").post("/api/v1/runs", json=ASKED, headers={"Idempotency-Key": "k1"})
    assert someone.json()["run_id"] != first.json()["run_id"]
    assert "k1" not in "".join(path.read_text() for path in background.stored.jobs_folder(Path(
        client.app.state.context.home  # type: ignore[attr-defined]
    )).rglob("*.json"))  # fmt: skip


@pytest.mark.parametrize(
    "corpus",
    ["/etc/passwd", "../library-2", "library/../../etc", "library/way-out", "library/way-out/passwd", "nothing",
     "file:///etc", "https://github.com/a/b", "upload:0000000000000000", "library\\..\\x", "~/x", "package:../x", ""],
)  # fmt: skip
def test_documents_outside_the_roots_are_refused_and_their_places_not_told(
    client: TestClient, root: Path, corpus: str
) -> None:
    (root / "way-out").symlink_to("/etc")
    said = client.post("/api/v1/runs", json=ASKED | {"corpus": [corpus]})
    assert detail(said, 422)
    assert str(root.parent) not in said.text
    assert client.get("/api/v1/runs").json()["runs"] == []


WRONG: list[tuple[dict[str, Any], str]] = [
    ({}, "question"), ({"question": "?"}, "the question is empty"), ({"question": "What?", "tier": "free"}, "tier"),
    ({"question": "What?", "council": "/etc/passwd"}, "council"),
    ({"question": "What?", "policy": "../x.yaml"}, "x.yaml"),
    ({"question": "What?", "budget": {"usd": -1}}, "budget.usd"), ({"question": "What?", "other": 1}, "other"),
    ({"question": "What\ud800?"}, "unicode"), ({"question": "What?", "council": "no-such-council"}, "no-such-council"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "said"), WRONG)
def test_a_wrong_request_is_told_what_is_wrong_and_begins_nothing(
    client: TestClient, body: dict[str, Any], said: str
) -> None:
    answer = client.post("/api/v1/runs", content=json.dumps(body), headers={"Content-Type": "application/json"})
    assert said in detail(answer, 422)
    assert "Traceback" not in answer.text
    assert "/work" not in answer.text
    assert client.get("/api/v1/runs").json()["runs"] == []


def test_an_error_nobody_expected_is_told_without_its_words(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**given: object) -> None:
        raise ValueError("secret words")

    monkeypatch.setattr("veritas.server.api.runs.run_states", fail)
    answer = client.get("/api/v1/runs")
    assert "a defect of veritas" in detail(answer, 500)
    assert "secret" not in answer.text
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


def test_whoever_runs_the_server_learns_whether_it_works_and_what_it_does(called: Called, queued: str) -> None:
    client = called(None)
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/readyz").json() == {"status": "ready"}
    home = client.app.state.context.home  # type: ignore[attr-defined]
    told = called("read").get("/metrics").text
    assert 'veritas_background_runs{state="queued"} 1.0' in told
    assert 'veritas_http_answers_total{method="GET",status="200"} 2.0' in told
    assert "veritas_followers 0.0" in told
    (home.parent / "kept").mkdir()
    home.rename(home.parent / "kept" / "store")
    home.write_text("no folder any more")
    look(client.app.state.context)  # type: ignore[attr-defined]
    answer = client.get("/readyz")
    assert "cannot be written" in detail(answer, 503)
    assert str(home.parent) not in answer.text


@pytest.mark.parametrize(("file", "named"), [("runs/{run}.duckdb", "run {run}"), ("veritas.duckdb", "catalogue")])
@pytest.mark.parametrize("left", [0.5, 0.0], ids=["cut off", "garbage"])
def test_a_damaged_store_is_not_ready_and_pages_say_so(
    called: Called, finished: str, own_home: Path, file: str, named: str, left: float
) -> None:
    client, path = called("read"), own_home / file.format(run=finished)
    assert client.get("/readyz").json() == {"status": "ready"}
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * left)] or b"garbage" * 3000)
    here = client.app.state.context  # type: ignore[attr-defined]
    look(here)
    answer = client.get("/readyz")
    assert f"the store is damaged: {named.format(run=finished)} cannot be read" in detail(answer, 503)
    assert str(own_home) not in answer.text
    for page in ("/", "/library", f"/runs/{finished}", "/approvals"):
        assert client.get(page, headers={"Accept": "text/html"}).status_code in (200, 503)
    path.write_bytes(whole)
    look(here)
    assert client.get("/readyz").json() == {"status": "ready"}


def test_a_list_waits_for_no_file_and_says_what_is_coming(
    client: TestClient, finished: str, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs whose files are there and whom no catalogue knows, as after an upgrade or a restored copy."""
    (own_home / "veritas.duckdb").unlink()
    monkeypatch.setattr("veritas.use_cases.run_states.READ_FOR", 0)
    opened: list[str] = []
    monkeypatch.setattr("veritas.server.app.damaged", lambda **given: opened.append("checked"))
    listed = client.get("/api/v1/runs").json()
    assert (listed["runs"], listed["coming"]) == ([], 1)
    assert "1 more run is being read" in client.get("/library", headers={"Accept": "text/html"}).text
    assert client.get("/readyz").status_code == 200
    assert opened == []
    look(client.app.state.context)  # type: ignore[attr-defined]
    listed = client.get("/api/v1/runs").json()
    assert ([run["run_id"] for run in listed["runs"]], listed["coming"]) == ([finished], 0)
    assert (own_home / "veritas.duckdb").is_file()


def test_runs_are_listed_a_page_at_a_time_and_filtered(client: TestClient, finished: str, queued: str) -> None:
    listed = client.get("/api/v1/runs").json()
    assert [(run["run_id"], run["state"]) for run in listed["runs"]] == [(queued, "queued"), (finished, "finished")]
    first = client.get("/api/v1/runs", params={"limit": 1}).json()
    assert [run["run_id"] for run in first["runs"]] == [first["after"]] == [queued]
    last = client.get("/api/v1/runs", params={"limit": 1, "after": queued}).json()
    assert ([run["run_id"] for run in last["runs"]], last["after"]) == ([finished], None)
    assert client.get("/api/v1/runs", params={"state": "finished"}).json()["runs"] == listed["runs"][1:]
    assert client.get("/api/v1/runs", params={"q": "BOREALIS"}).json() == listed
    assert client.get("/api/v1/runs", params={"q": "nothing like it"}).json()["runs"] == []
    assert detail(client.get("/api/v1/runs", params={"after": "nowhere"}), 404)


@pytest.mark.usefixtures("no_process")
def test_a_replay_is_a_run_of_its_own_and_waits(client: TestClient, finished: str) -> None:
    answer = client.post(f"/api/v1/runs/{finished}/replay", json={"from_stage": "synthesize", "tier": "standard"})
    assert answer.status_code == 202
    told = answer.json()
    assert (told["state"], told["parent_run_id"], told["replayed_from"]) == ("queued", finished, "synthesize")
    assert detail(client.post(f"/api/v1/runs/{finished}/replay", json={"from_stage": "nowhere"}), 422)
    assert detail(client.post("/api/v1/runs/20200101/replay", json={"from_stage": "verify"}), 404)


def test_events_are_given_from_any_point_to_any_number_of_followers(client: TestClient, queued: str) -> None:
    home = client.app.state.context.home  # type: ignore[attr-defined]
    for stage in ("decompose", "research"):
        append_event(home, queued, "stage_started", {"stage": stage})
    with job_folder(home, queued).joinpath("events.jsonl").open("a") as file:
        file.write('{"at": "2026-01-01T00:00:00", "kind": "not')  # its writer was killed
    append_event(home, queued, "ended", {"run_id": queued, "status": "answered", "reason": f"see {home}/runs/x.duckdb"})
    place = f"/api/v1/runs/{queued}/events"
    told = frames(client.get(place).text)
    assert [(each["number"], each["kind"]) for each in told] == [
        (1, "queued"), (2, "stage_started"), (3, "stage_started"), (5, "ended"),
    ]  # fmt: skip
    assert told[-1]["reason"] == "see the store/runs/x.duckdb"
    for after in (1, 2, 3, 4):
        rest = [each for each in told if each["number"] > after]
        assert frames(client.get(place, params={"after": after}).text) == rest
        assert frames(client.get(place, headers={"Last-Event-ID": str(after)}).text) == rest
    assert client.get(place, params={"after": 5}).status_code == 204
    assert detail(client.get("/api/v1/runs/20200101-000000-aaaaaa/events"), 404)
    assert detail(client.get(place, params={"after": -1}), 422)


@pytest.fixture
def quick_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "POLL", 0.01)
    monkeypatch.setattr(streams, "QUIET", 0.05)


@pytest.mark.usefixtures("quick_looks")
async def test_followers_share_one_reader_and_leave_nothing_behind(client: TestClient, queued: str) -> None:
    import asyncio

    here = client.app.state.context  # type: ignore[attr-defined]

    async def all_of(after: int) -> bytes:
        stream = await here.streams.begin(queued, after)
        return b"".join([part async for part in stream])

    async with asyncio.TaskGroup() as group:
        following = [group.create_task(all_of(after)) for after in [0] * 20 + [1]]
        await asyncio.sleep(0.1)
        append_event(here.home, queued, "stage_started", {"stage": "decompose"})
        append_event(here.home, queued, "stopped", {"said": ""})
    whole = [each.result().replace(b": nothing new\n\n", b"") for each in following]
    assert len(set(whole[:20])) == 1
    assert [each["kind"] for each in frames(whole[0].decode())] == ["queued", "stage_started", "stopped"]
    assert [each["kind"] for each in frames(whole[20].decode())] == ["stage_started", "stopped"]
    assert here.streams.followers() == 0


async def test_whose_token_is_revoked_or_expired_follows_no_longer(app: FastAPI, queued: str) -> None:
    here = app.state.context
    _, kept = new_token("reader", ["read"])
    here.keeper.add(kept)
    stream = await here.streams.begin(queued, 0, lambda: here.keeper.is_valid(kept))
    assert b"queued" in await anext(stream)
    here.keeper.revoke(kept.token_id)
    assert [more async for more in stream] == []
    assert here.streams.followers() == 0
    assert not here.keeper.is_valid(kept.model_copy(update={"expires_at": kept.made_at}))


def test_a_damaged_or_forged_line_is_passed_over_and_ends_nothing(client: TestClient, queued: str) -> None:
    home = client.app.state.context.home  # type: ignore[attr-defined]
    with job_folder(home, queued).joinpath("events.jsonl").open("ab") as file:
        file.write(b'{"at": "2026-01-01T00:00:00",\r "kind": "noted", "text": "x", "number": 99}\n\r\n')
    append_event(home, queued, "x\n\nevent: ended\ndata: {}", {})
    append_event(home, queued, "stopped", {"said": ""})
    told = frames(client.get(f"/api/v1/runs/{queued}/events").text)
    assert [(each["number"], each["kind"]) for each in told] == [(1, "queued"), (2, "noted"), (5, "stopped")]


@pytest.mark.parametrize("levels", [40, 400, 900, 100_000])
def test_an_event_of_any_depth_ends_no_follower(client: TestClient, queued: str, levels: int) -> None:
    home = client.app.state.context.home  # type: ignore[attr-defined]
    deep = '{"a":[' * (levels // 2) + "]}" * (levels // 2)
    with job_folder(home, queued).joinpath("events.jsonl").open("a") as file:
        file.write(f'{{"at": "2026-01-01T00:00:00", "kind": "noted", "text": "x", "more": {deep}}}\n')
    append_event(home, queued, "stopped", {"said": ""})
    told = frames(client.get(f"/api/v1/runs/{queued}/events").text)
    assert [each["kind"] for each in told if each["kind"] != "noted"] == ["queued", "stopped"]
    assert background.find_job(queued, home=home).state == "cancelled"
    assert client.get(f"/runs/{queued}", headers={"Accept": "text/html"}).status_code == 200


@pytest.mark.parametrize(
    ("path", "asked", "said"),
    [
        ("runs", {"question": "Does it need oil?", "corpus": ["package:no-such-package"]}, "is no installed package"),
        ("runs", {"question": "Does it need oil?", "corpus": ["library"], "council": "nobody"}, "no ready council"),
        ("runs/RUN/replay", {"from_stage": "verify", "council": "nobody"}, "no ready council"),
        ("papers", {"asked": "10.1000/182", "council": "nobody"}, "no ready council"),
        ("papers", {"asked": "10.1000/182", "mode": "poetry"}, "poetry"),
        ("reviews", {"topic": "oil", "corpus": "nothing"}, "nothing"),
        ("reviews", {"topic": "?", "corpus": "nothing"}, "nothing"),
        ("corpora/own/papers", {"run": "20200101"}, "no run '20200101'"),
        ("corpora/own/papers", {"documents": ["package:no-such-package"]}, "is no installed package"),
        ("living", {"question": "Does it need oil?", "corpus": ["package:no-such-package"]}, "is no installed package"),
        ("verifications", {"claim": "It needs oil.", "corpus": ["package:no-such-package"]}, "is no installed package"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_refused_before_it_begins(
    client: TestClient, request: pytest.FixtureRequest, path: str, asked: dict[str, Any], said: str, no_process: None
) -> None:
    if "RUN" in path:
        path = path.replace("RUN", request.getfixturevalue("finished"))
    answer = client.post(f"/api/v1/{path}", json=asked)
    assert said in detail(answer, 404 if said.startswith("no run") or said == "nothing" else 422)
    assert background.job_ids() == []
