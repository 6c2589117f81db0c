"""A question is asked in a form, its documents are chosen, dropped or pasted, and its run is watched."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import AUTHORITY, Called
from tests.server.pages.conftest import Opened
from tests.server.pages.pages import Page, check_frame
from veritas.claims.graph import Call
from veritas.server.pages.forms import Sent, keep
from veritas.server.pages.live import live
from veritas.server.tokens import new_token
from veritas.store.jobs import hold_job
from veritas.use_cases import background, events
from veritas.use_cases.background_events import Told, tell

FILES = [("files", ("..\\up/../pump.md", b"The pump needs no oil.", "text/markdown")),
         ("files", ("pump.md", b"It weighs 12 kg.", "text/markdown"))]  # fmt: skip


@pytest.mark.usefixtures("no_process")
def test_asking_begins_a_run_with_all_documents(browse: Callable[..., Any], own_home: Path) -> None:
    fields = {"question": "What does it weigh?", "corpus": "library/pumps.jsonl", "tier": "quick", "budget": "0.5",
              "pasted": "It is blue."}  # fmt: skip
    answer = browse().post("/ask", data=fields, files=FILES)
    assert answer.status_code == 303, answer.text
    (job,) = background.list_jobs()
    assert answer.headers["location"] == f"/runs/{job.run_id}"
    assert job.wanted.question == "What does it weigh?"
    assert (job.wanted.settings["tier"], job.wanted.settings["budget"]["usd"]) == ("quick", 0.5)
    chosen, upload = map(Path, job.wanted.settings["corpus"])
    assert chosen.name == "pumps.jsonl"
    assert upload.parent == (own_home / "uploads").resolve()
    assert {path.name: path.read_text() for path in upload.iterdir()} == {
        "pump.md": "The pump needs no oil.", "pump-2.md": "It weighs 12 kg.", "pasted text.txt": "It is blue.",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"question": " "}, "Write a question"),
        ({"question": "What?", "budget": "much"}, "give a number"),
        ({"question": "What?", "since": "soon"}, "give a day"),
        ({"question": "What?", "corpus": "library/../../etc"}, "no document or folder"),
        ({"question": "What?", "tier": "endless"}, "Tier"),
    ],
)
def test_what_cannot_be_asked_is_said_above_the_form_which_keeps_its_fields(
    browse: Callable[..., Any], fields: dict[str, str], said: str
) -> None:
    page = Page(browse().post("/ask", data=fields))
    assert page.status == 422
    check_frame(page)
    assert said in page.texts("p", role="alert")[0]
    assert page.texts("textarea", id="question")[0] == fields["question"].strip()
    assert not background.job_ids()


def test_an_empty_file_is_refused_and_leaves_nothing(browse: Callable[..., Any], own_home: Path) -> None:
    files = [("files", ("full.md", b"words", "text/plain")), ("files", ("none.md", b"", "text/plain"))]
    page = Page(browse().post("/ask", data={"question": "What?"}, files=files))
    assert "is empty" in page.texts("p", role="alert")[0]
    assert not (own_home / "uploads").exists()


def test_a_forecast_shows_every_depth_and_keeps_what_was_sent(browse: Callable[..., Any]) -> None:
    page = Page(browse("run").post("/ask/forecast", data={"question": "What does it weigh?"}, files=FILES[1:]))
    check_frame(page)
    assert page.texts("th", scope="row") == ["Quick", "Standard", "Deep"]
    (upload,) = [each for each, _ in page.all("input", name="corpus") if each["value"].startswith("upload:")]
    assert "checked" in upload
    assert not background.job_ids()


def test_a_form_of_another_origin_or_of_none_is_refused(called: Called, tokens: Any) -> None:
    client = called(None)
    client.cookies.set("veritas-8765", tokens["all"][0])
    for headers in ({}, {"Origin": "null"}, {"Origin": "http://evil.example"}):
        assert client.post("/ask", data={"question": "What?"}, headers=headers).status_code == 403
    asked = client.post("/ask", data={"question": ""}, headers={"Origin": f"http://{AUTHORITY}"})
    assert asked.status_code == 422


@pytest.mark.usefixtures("no_process")
def test_a_run_that_was_asked_to_stop_says_so_until_it_has(
    browse: Callable[..., Any], opened: Opened, own_home: Path
) -> None:
    job = background.begin("What does it weigh?", corpus="package:pytest")
    tell(own_home, job.run_id, events.Begun(attempt=1))
    held = hold_job(own_home, job.run_id)
    assert held is not None
    try:
        page = opened(f"/runs/{job.run_id}")
        assert "under way" in page.texts("p", role="status")[0]
        assert not page.all("button", disabled="")
        browse().post(f"/runs/{job.run_id}/stop")
        page = opened(f"/runs/{job.run_id}")
        assert "stopping…" in page.texts("p", role="status")[0]
        assert page.texts("button", disabled="") == ["Stop"]
        assert page.all("meta", **{"http-equiv": "refresh"}), "without a script the page still refreshes"
        assert browse().get(f"/api/v1/runs/{job.run_id}").json()["stopping"] is True
    finally:
        held.release()


@pytest.mark.usefixtures("no_process")
def test_a_run_is_watched_stopped_and_goes_on(browse: Callable[..., Any], opened: Opened) -> None:
    job = background.begin("What does it weigh?", corpus="package:pytest")
    page = opened(f"/runs/{job.run_id}")
    check_frame(page)
    (watched,) = page.all("div", **{"data-run": job.run_id})
    assert watched[0]["data-follow"] == f"/api/v1/runs/{job.run_id}/events"
    assert "waits in line" in page.texts("p", role="status")[0]
    assert page.all("meta", **{"http-equiv": "refresh"}), "without a script the page refreshes"
    assert browse().post(f"/runs/{job.run_id}/stop").headers["location"] == f"/runs/{job.run_id}"
    page = opened(f"/runs/{job.run_id}")
    assert "stopped" in page.texts("p", role="status")[0]
    assert not page.all("meta", **{"http-equiv": "refresh"})
    assert browse().post(f"/runs/{job.run_id}/go-on").status_code == 303
    assert background.find_job(job.run_id).state == "queued"


def test_a_replay_begins_from_a_stage_with_other_settings(
    browse: Callable[..., Any], finished: str, no_process: None
) -> None:
    answer = browse().post(f"/runs/{finished}/replay", data={"from_stage": "verify", "tier": "deep"})
    assert answer.status_code == 303, answer.text
    (job,) = background.list_jobs()
    assert (job.wanted.replay, job.wanted.start_stage, job.wanted.settings) == (finished, "verify", {"tier": "deep"})


def told(*every: Any) -> list[Told]:
    import re

    names = [re.sub("(?<!^)(?=[A-Z])", "_", type(each).__name__).lower() for each in every]
    return [
        Told(number=number, at="2026-01-01T00:00:00Z", kind=name, event=each)
        for number, (name, each) in enumerate(zip(names, every, strict=True), 1)
    ]


def test_events_amount_to_stages_sources_claims_and_cost() -> None:
    call = Call(call_id="c", request_hash="h", stage="extract", who="m", turn="assert", model="x", input_tokens=70,
                output_tokens=30, cost_usd=0.02)  # fmt: skip
    source = events.SourceSeen(source_id="s1", title="A", url="https://a.example", status="rejected", tier=4, rule="r",
                               reason="why")  # fmt: skip
    claim = events.ClaimSeen(claim_id="n1", claim="It is.", asserted_by="m")
    view = live(told(
        events.Queued(), events.Begun(attempt=1), events.StageStarted(stage="research"),
        events.StageDone(stage="research", seconds=2, said="1 source", from_store=False),
        events.SourcesFound(sources=(source,), more=2),
        events.StageStarted(stage="extract"), events.UnitsBegun(step="assert", total=3),
        events.UnitDone(calls=(call, call.model_copy(update={"from_ledger": True}))),
        events.ClaimsSeen(stage="extract", claims=(claim,)),
        events.ClaimsSeen(stage="verify", claims=(claim.model_copy(update={"label": "supports"}),)),
    ))  # fmt: skip
    assert (view.stages["research"].state, view.stages["research"].seconds) == ("done", 2)
    extract = view.stages["extract"]
    assert (extract.state, extract.done, extract.total) == ("under-way", 1, 3)
    assert view.stages["verify"].state == "waiting"
    assert (list(view.sources), view.more_sources) == (["s1"], 2)
    assert view.claims["n1"].label == "supports"
    assert (view.calls, view.tokens, view.usd) == (2, 100, 0.02), "what the ledger had is not paid for again"
    assert view.last == 10
    assert [view.named(each) for each in ("n1", "s1", "x-0a1b", "docs")] == ["“It is.”", "A", "", "docs"]


@pytest.mark.usefixtures("no_process")
def test_what_is_told_stands_on_the_page_as_text_without_paths(
    opened: Opened, settings: Any, root: Path
) -> None:
    job = background.begin("What does it weigh?", corpus="package:pytest")
    reason = f"{root.resolve()}/secret.md <img src=x onerror=alert(1)>"
    source = events.SourceSeen(source_id="s1", title="A <script>", url="u", status="rejected", tier=4, rule="r",
                               reason=reason)  # fmt: skip
    claim = events.ClaimSeen(claim_id="n1", claim="It is <b>so</b>.", asserted_by="m", label="supports")
    again = claim.model_copy(update={"claim_id": "n2", "asserted_by": "other"})
    out = events.OutSeen(kind="source-rejected", subject_id="s1", reason=reason)
    lost = [events.OutSeen(kind="dropped", subject_id=each, reason="not in its passage") for each in ("n1", "n2")]
    for event in (events.Noted(text=reason), events.SourcesFound(sources=(source,)),
                  events.ClaimsSeen(stage="verify", claims=(claim, again)),
                  events.LeftOut(stage="research", out=(out,)), events.LeftOut(stage="verify", out=tuple(lost))):
        tell(settings.home, job.run_id, event)
    page = opened(f"/runs/{job.run_id}")
    check_frame(page)
    assert str(root.resolve()) not in page.source
    assert page.text.count("library/secret.md <img src=x onerror=alert(1)>") == 3
    assert "Rejected" in page.texts("li", **{"data-id": "s1"})[0]
    assert "supported" in page.texts("li", **{"data-id": claim.claim})[0]
    assert page.texts("span", class_="who")[0] == "m, other", "the same words of two members are one row"
    assert page.texts("span", id="claim-count") == ["1"]
    assert page.text.count("not in its passage") == 1, "and are left out in one row"
    assert page.texts("span", id="out-count") == ["2"]


def test_a_killed_run_that_goes_on_does_the_stage_again() -> None:
    started = events.StageStarted(stage="verify")
    view = live(told(events.Begun(attempt=1), started, events.Begun(attempt=2)))
    assert view.stages["verify"].state == "waiting"
    view = live(told(events.Begun(attempt=1), started, events.Failed(error="Unavailable", said="nobody")))
    assert view.stages["verify"].state == "stopped"


def test_files_of_one_form_are_one_upload(app: Any) -> None:
    sent = [Sent("a.txt", BytesIO(each), 1) for each in (b"1", b"2")]
    name = keep(sent, app.state.context, new_token("x", ["run"])[1])
    folder = app.state.context.home / "uploads" / name.removeprefix("upload:")
    assert sorted(path.name for path in folder.iterdir()) == ["a-2.txt", "a.txt"]


@pytest.mark.usefixtures("no_process")
def test_a_file_of_a_kind_that_is_not_read_is_neither_offered_nor_taken(
    browse: Callable[..., Any], opened: Opened, root: Path
) -> None:
    (root / "conf.py").write_text("x = 1", encoding="utf-8")
    (root / "notes.rst").write_text("Notes\n=====\n", encoding="utf-8")
    for path in ("/", "/living", "/papers", "/check/claim"):
        page = opened(path)
        assert "notes.rst" in page.text, path
        assert "conf.py" not in page.text, path
    for path, fields in (
        ("/ask", {"question": "What does it weigh?", "corpus": "library/conf.py", "tier": "quick"}),
        ("/papers", {"document": "library/conf.py", "mode": "general_science"}),
    ):
        answer = browse().post(path, data=fields)
        assert answer.status_code == 422, path
        assert "is of no kind that is read" in answer.text
    sent = [("files", ("conf.py", b"x = 1", "text/x-python"))]
    answer = browse().post("/ask", data={"question": "What?", "tier": "quick"}, files=sent)
    assert answer.status_code == 422
    assert "is of no kind that is read" in answer.text
    assert background.list_jobs() == []
