"""The journal beside a run's file: what other processes read of a run that is going on, and how they ask it to stop."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.store.store_children import Child, hold_run
from veritas import InputError, UnknownRun
from veritas.store import RunStore, list_runs
from veritas.store import journal as journals
from veritas.store.journal import Journal, ask_to_cancel, is_live, read_journal
from veritas.store.open_file import StoreLocked
from veritas.store.paths import cancel_path, journal_path


def test_what_is_written_is_read_at_once_and_from_any_point_on(tmp_path: Path) -> None:
    with Journal.open(tmp_path, "run", question="Why?", kind="review") as journal:
        journal.write("unit", stage="research", done=3, of=7)
        begun, unit = read_journal(tmp_path, "run")
        assert (begun.number, begun.event, begun.fields) == (1, "begun", {"kind": "review", "question": "Why?"})
        assert (unit.number, unit.event, unit.fields) == (2, "unit", {"stage": "research", "done": 3, "of": 7})
        journal.write("stage", stage="extract")
        assert [event.event for event in read_journal(tmp_path, "run", after=2)] == ["stage"]
    assert [event.event for event in read_journal(tmp_path, "run", after=3)] == ["closed"]
    assert read_journal(tmp_path, "nobody") == []


def test_a_torn_line_is_no_error_and_costs_no_other(tmp_path: Path) -> None:
    with Journal.open(tmp_path, "run") as journal:
        journal.write("unit", number_of="first")
    path = journal_path(tmp_path, "run")
    with path.open("ab") as file:
        file.write(b'{"at": "2026-03-01T12:00:00+00:00", "event": "unit", "sta')
    assert [event.event for event in read_journal(tmp_path, "run")] == ["begun", "unit", "closed"]
    with Journal.open(tmp_path, "run") as journal:
        journal.write("unit", number_of="second")
        events = read_journal(tmp_path, "run")
    assert [(event.number, event.event) for event in events] == [
        (1, "begun"), (2, "unit"), (3, "closed"), (5, "resumed"), (6, "unit")
    ]  # fmt: skip


def test_no_key_and_no_document_is_in_a_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = "sk-" + "q7" * 150
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with Journal.open(tmp_path, "run", question=f"is {key} mine?") as journal:
        journal.write("failed", reason="x" * 280 + key, more=[{"said": key}], **{key: 1})
        journal.write("read", text="a document " * 5_000)
        journal.write("read", **{f"part{n}": "words " * 50 for n in range(50)})
    text = journal_path(tmp_path, "run").read_text(encoding="utf-8")
    assert key[:12] not in text
    assert len(text) < 3_000
    assert [event.event for event in read_journal(tmp_path, "run")] == ["begun", "failed", "read", "read", "closed"]


def test_what_cannot_be_written_never_reaches_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with Journal.open(tmp_path, "run") as journal:
        journal.write("odd", value=object(), surrogate="\ud800", number=float("nan"))
        deep: list[object] = []
        for _ in range(5_000):
            deep = [deep]
        journal.write("too deep", value=deep)
        monkeypatch.setattr(journals.os, "write", lambda *_: (_ for _ in ()).throw(OSError("no space left")))
        journal.write("lost")
        monkeypatch.undo()
        journal.write("again")
    assert [e.event for e in read_journal(tmp_path, "run")] == ["begun", "odd", "again", "closed"]
    assert "no space left" in caplog.text


def test_a_journal_has_a_bound_and_its_stages_are_told_beyond_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journals, "BOUND", 5_000)
    with Journal.open(tmp_path, "run") as journal:
        for number in range(1_000):
            journal.write("unit", number_of=number)
        journal.write("stage", stage="debate")
    assert journal_path(tmp_path, "run").stat().st_size < 5_300
    assert read_journal(tmp_path, "run")[-2].fields == {"stage": "debate"}


def test_a_run_is_live_as_long_as_its_process(tmp_path: Path) -> None:
    assert not is_live(tmp_path, "run")
    child = Child(hold_run, tmp_path, None)
    assert child.said() == "held"
    assert is_live(tmp_path, "run")
    with pytest.raises(StoreLocked, match="run run is going on in another process"):
        Journal.open(tmp_path, "run")
    child.kill()
    child.end()
    assert not is_live(tmp_path, "run")
    with RunStore.open(tmp_path, "run"):
        assert is_live(tmp_path, "run")
    assert not is_live(tmp_path, "run")


def test_a_child_that_outlives_its_run_does_not_keep_it_alive(tmp_path: Path) -> None:
    code = (
        "import os, sys\nfrom pathlib import Path\nfrom veritas.store.journal import Journal\n"
        "journal = Journal.open(Path(sys.argv[1]), 'run')\n"
        "if os.fork() == 0:\n    print('forked', flush=True)\n    sys.stdin.read()\n    os._exit(0)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    forking = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert forking.stdout is not None
    assert forking.stdin is not None
    assert forking.stdout.readline() == "forked\n"
    forking.wait(60)
    assert not is_live(tmp_path, "run")
    forking.stdin.close()
    forking.stdout.close()


def test_cancelling_is_asked_of_a_run_that_goes_on_and_forgotten_when_it_is_resumed(
    tmp_path: Path, synthetic: ModuleType
) -> None:
    with pytest.raises(UnknownRun):
        ask_to_cancel(tmp_path, "run")
    with RunStore.create(tmp_path, synthetic.synthetic_run("run")) as store:
        assert store.journal is not None
        assert not store.journal.cancel_asked()
        ask_to_cancel(tmp_path, "run")
        assert store.journal.cancel_asked()
        with Journal.open(tmp_path, "run") as again:
            assert again.cancel_asked()
    with pytest.raises(InputError, match="nothing to cancel"):
        ask_to_cancel(tmp_path, "run")
    assert cancel_path(tmp_path, "run").exists()
    with RunStore.open(tmp_path, "run") as store:
        assert store.journal is not None
        assert not store.journal.cancel_asked()


def test_a_run_goes_on_where_no_journal_can_be_written(tmp_path: Path, synthetic: ModuleType) -> None:
    journal_path(tmp_path, "run").mkdir(parents=True)
    with RunStore.create(tmp_path, synthetic.synthetic_run("run")) as store:
        store.save_stage("decompose", "h", 1, seconds=1)
    assert [run.status for run in list_runs(tmp_path)] == ["interrupted"]
