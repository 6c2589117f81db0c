"""Runs in the background: they outlive whoever asked for them, wait in line, and go on where they were cut off."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

import veritas
from tests.pumps import QUESTION, write_corpus
from veritas.errors import InputError, Unavailable, UnknownRun
from veritas.store import jobs as stored
from veritas.use_cases import background, events


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_corpus(tmp_path)


@pytest.fixture
def no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "_start", lambda *given: False)


@pytest.mark.usefixtures("no_process")
def test_a_wrong_question_is_refused_before_anything_is_stored(corpus: Path, own_home: Path) -> None:
    with pytest.raises(InputError, match="the question is empty"):
        background.begin("?", corpus=corpus)
    assert not own_home.exists()
    with pytest.raises(UnknownRun):
        background.find_job("20200101-000000-aaaaaa")


@pytest.mark.usefixtures("no_process")
def test_a_run_is_begun_once_under_its_id(corpus: Path) -> None:
    first = background.begin(QUESTION, corpus=corpus, run_id="one")
    assert background.begin(QUESTION, corpus=corpus, run_id="one") == first
    assert [each.kind for each in background.read_events("one")] == ["queued"]


@pytest.mark.usefixtures("no_process")
def test_a_run_that_was_half_asked_for_or_cannot_be_read_holds_up_no_other(corpus: Path, own_home: Path) -> None:
    background.begin(QUESTION, corpus=corpus, run_id="whole")
    stored.mark_open(own_home, "half")  # whoever asked was killed before it was written
    stored.mark_open(own_home, "broken")
    (stored.jobs_folder(own_home) / "broken").mkdir()
    (stored.jobs_folder(own_home) / "broken" / "job.json").write_text("{")
    stored.write_job(own_home, "told-nothing", background.Wanted(question="Why?", asked_at="2026-01-01T00:00:00Z"))
    stored.mark_open(own_home, "told-nothing")
    background.advance()
    assert [(job.run_id, job.place) for job in background.list_jobs(unfinished=True)] == [
        ("told-nothing", 0), ("whole", 1),
    ]  # fmt: skip
    assert stored.open_jobs(own_home) == ["broken", "told-nothing", "whole"]


@pytest.mark.usefixtures("no_process")
def test_one_that_was_killed_comes_first_in_line_and_is_given_up_after_three_times(
    corpus: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b"):
        background.begin(QUESTION, corpus=corpus, run_id=name)
    stored.append_event(own_home, "b", "begun", {"attempt": 1})  # and nobody holds its lock
    assert [(job.run_id, job.state, job.place) for job in background.list_jobs()] == [
        ("a", "queued", 1), ("b", "interrupted", 0),
    ]  # fmt: skip
    for attempt in (2, 3):
        stored.append_event(own_home, "b", "begun", {"attempt": attempt})
    monkeypatch.undo()
    monkeypatch.setenv("VERITAS_HOME", str(own_home))
    background.cancel("a")
    assert background.advance() == []
    job = background.find_job("b")
    assert (job.state, job.failed) == ("failed", events.Failed(
        error="CutOff", said="its process was killed 3 times: it may need more memory than there is"
    ))  # fmt: skip
    assert background.list_jobs(unfinished=True) == []


def test_with_a_run_that_is_removed_its_job_goes_as_well(corpus: Path, own_home: Path) -> None:
    from veritas.use_cases.housekeeping import retain

    graph = veritas.research(QUESTION, corpus=corpus, tier="quick")
    newer = veritas.replay(graph.run.run_id, "render")
    for run in (graph, newer):
        stored.write_job(own_home, run.run.run_id, background.Wanted(asked_at=run.run.started_at))
    assert [each.run_id for each in retain(keep=1, with_children=True, dry_run=True)] == [
        newer.run.run_id, graph.run.run_id,
    ]  # fmt: skip
    assert len(background.job_ids()) == 2
    retain(keep=1, with_children=True)
    assert background.job_ids() == []


def process_of(run_id: str) -> subprocess.Popen[bytes]:
    """The last process that was started for a run. Those of earlier tests may still be ending."""
    found = [child for child in background._children if run_id in child.args]  # type: ignore[operator]
    return found[-1]


async def test_a_run_is_followed_killed_and_goes_on_as_if_nothing_had_been(corpus: Path, own_home: Path) -> None:
    """Two real processes: the first is killed after a stage."""
    job = await asyncio.to_thread(background.begin, QUESTION, corpus=corpus, tier="quick", at_once=1)
    child = process_of(job.run_id)
    os.kill(child.pid, signal.SIGSTOP)  # it must not end before it is killed, however busy the machine is
    second = await asyncio.to_thread(background.begin, QUESTION, corpus=corpus, tier="quick", at_once=1)
    assert (second.state, second.place) == ("queued", 0)
    background.cancel(second.run_id)
    heard: list[events.Told] = []
    killed = False
    async for told in background.follow(job.run_id):
        heard.append(told)
        if isinstance(told.event, events.Begun) and not killed:
            os.kill(child.pid, signal.SIGKILL)
            child.wait()
            killed = True
            assert background.find_job(job.run_id).state == "interrupted"
            assert await asyncio.to_thread(background.advance) == [job.run_id]
    assert [told.number for told in heard] == list(range(1, len(heard) + 1))
    assert [told.event.attempt for told in heard if isinstance(told.event, events.Begun)] == [1, 2]
    assert isinstance(heard[-1].event, events.Ended)
    assert heard[-1].event.status == "answered"
    graph = veritas.load_run(job.run_id)
    assert graph.content_hash() == (await veritas.aio.research(QUESTION, corpus=corpus, tier="quick")).content_hash()
    found = [told.event for told in heard if isinstance(told.event, events.SourcesFound)][-1]
    assert {(each.source_id, each.status, each.rule) for each in found.sources} == {
        (each.source_id, each.status, each.rule) for each in graph.sources
    }  # fmt: skip
    judged = [told.event for told in heard if isinstance(told.event, events.ClaimsSeen)][-1]
    assert {(each.claim_id, each.label) for each in judged.claims} == {
        (each.claim_id, each.verifier_judgment) for each in graph.claims
    }  # fmt: skip
    meter = [told.event for told in heard if isinstance(told.event, events.Agreement)][-1]
    assert [each.agreement for each in meter.rounds] == [each.agreement for each in graph.rounds]
    assert [each.event.stage for each in heard if isinstance(each.event, events.LeftOut)] == ["research"]
    later = [told async for told in background.follow(job.run_id, after=len(heard) - 2)]
    assert later == heard[-2:]
    assert (own_home / "reports" / job.run_id / "report.html").is_file()
    process_of(job.run_id).wait()
    assert background.find_job(second.run_id).state == "cancelled"


def test_a_note_that_somebody_does_not_answer_says_that_another_try_may_find_more(
    own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from veritas.factcheck.sources import Sources, WebPages
    from veritas.policy.source_tiers import load_source_policy
    from veritas.reading.web import WebReader
    from veritas.use_cases import background_run, bibliographies, factchecks

    async def audit(*files: object, told: Callable[[str], None], **settings: object) -> list[object]:
        told("crossref failed: its server was not found")
        return []

    async def check(*given: object, told: factchecks.Told, **settings: object) -> None:
        class Away(WebReader):
            async def read(self, url: str, title: str | None = None) -> None:  # type: ignore[override]
                raise Unavailable("its server was not found")

        rules = load_source_policy()
        told.read(await Sources(rules, [WebPages(Away(rules))]).read("https://example.org/a"))
        told.read(await Sources(rules, []).read("https://example.org/b"))
        raise InputError("enough")

    monkeypatch.setattr(bibliographies, "audit_bibliography", audit)
    monkeypatch.setattr(factchecks, "check_facts", check)
    for work, given in (("bibliography", {"files": []}), ("factcheck", {"text": "A text."})):
        stored.write_job(own_home, work, background.Wanted(work=work, settings=given, question="", asked_at=AT))
        wanted = stored.read_job(own_home, work, background.Wanted)
        with suppress(InputError):
            asyncio.run(background_run.carry_out(background_run.Writing(own_home, work, details=False), wanted))
    told = [[(n.text, n.outage) for n in notes(work)] for work in ("bibliography", "factcheck")]
    assert told[0] == [("crossref failed: its server was not found", True)]
    assert told[1] == [
        ("https://example.org/a: the source could not be read: its server was not found", True),
        (f"https://example.org/b: the source was not read: {NO_WEB}", False),
    ]


NO_WEB = "it is in no corpus that was given, and the web is not asked"
AT = "2026-01-01T00:00:00Z"


def notes(work: str) -> list[events.Noted]:
    return [each.event for each in background.read_events(work) if isinstance(each.event, events.Noted)]
