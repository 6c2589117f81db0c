"""A question is asked in a form, its documents are chosen, dropped or pasted, and its run is watched."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import AUTHORITY, Called
from tests.server.pages.conftest import Opened
from tests.server.pages.pages import Page, check_frame
from veritas.store.jobs import hold_job
from veritas.use_cases import background, events
from veritas.use_cases.events import Told, tell

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
