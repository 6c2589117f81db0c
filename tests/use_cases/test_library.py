"""Runs are found by question, claim, source and verdict, a page at a time; a source by where it was used."""

from __future__ import annotations

from pathlib import Path

import pytest

import veritas
from tests.pumps import QUESTION, write_corpus
from veritas.store.paths import run_path
from veritas.use_cases.library import find_runs, source_uses


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    corpus = write_corpus(folder)
    for question in (QUESTION, "Does the pump need oil?"):
        veritas.research(question, corpus=corpus, tier="quick", home=folder / "store")
    return folder / "store"


def questions(home: Path, *asked: str, **given: object) -> list[str]:
    return [run.question for run in find_runs(*asked, home=home, **given).runs]  # type: ignore[arg-type]


def test_all_runs_newest_first_a_page_at_a_time(home: Path) -> None:
    found = find_runs(home=home)
    assert ([run.question for run in found.runs], found.total) == (["Does the pump need oil?", QUESTION], 2)
    assert all(run.claims >= run.cited > 0 for run in found.runs)
    second = find_runs(limit=1, skip=1, home=home)
    assert ([run.question for run in second.runs], second.total) == ([QUESTION], 2)
    assert find_runs(skip=2, home=home).runs == ()


def test_a_run_is_found_by_its_question_a_claim_or_a_source(home: Path) -> None:
    assert questions(home, "HOW MUCH water", within="question") == [QUESTION]
    assert questions(home, "graphite", within="question") == []
    assert len(questions(home, "graphite", within="claim")) == 2
    assert questions(home, "graphite", within="source") == []
    assert len(questions(home, "data sheet", within="source")) == 2
    assert len(questions(home, "corpus://pumps/manual", within="source")) == 2
    found = find_runs("graphite", home=home).runs
    assert all("graphite" in (run.said or "") for run in found), "what matched is told"
    assert find_runs("How much", home=home).runs[0].said is None


def test_a_source_tells_where_it_was_used_and_why(home: Path) -> None:
    uses = source_uses("corpus://pumps/manual", home=home)
    assert [use.question for use in uses] == ["Does the pump need oil?", QUESTION]
    assert all(use.tier == "1" and use.status == "read" and use.claims and use.cited for use in uses)
    forum = source_uses("https://www.reddit.com/r/pumps/comments/1/borealis", home=home)
    assert forum
    assert all((use.tier, use.status, use.claims, use.cited) == ("4", "rejected", 0, False) for use in forum)
    assert all(use.justification and use.rule for use in forum)
    assert source_uses("https://nowhere.example/", home=home) == []


def test_what_was_read_before_is_not_shown_once_the_store_has_changed(tmp_path: Path, own_home: Path) -> None:
    first = veritas.research(QUESTION, corpus=write_corpus(tmp_path), tier="quick").run.run_id
    assert [run.run_id for run in find_runs().runs] == [first]
    assert veritas.load_run(first) == veritas.load_run(first)
    second = veritas.replay(first, "synthesize").run.run_id
    assert {run.run_id for run in find_runs().runs} == {first, second}
    run_path(own_home, second).unlink()
    with pytest.raises(veritas.UnknownRun):
        veritas.load_run(second)
    run_path(own_home, first).write_bytes(b"no database")
    with pytest.raises(veritas.VeritasError):
        veritas.load_run(first)
