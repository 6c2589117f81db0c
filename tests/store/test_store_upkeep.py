"""Checking, shrinking and thinning out a store."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType

import pytest

from tests.store.store_children import Child, hold_run
from veritas.store import RunStore, list_runs, merge_run, query
from veritas.store.checking import check_store
from veritas.store.paths import catalogue_path
from veritas.store.retention import Retained, retain
from veritas.store.vacuum import vacuum

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def add(
    home: Path, synthetic: ModuleType, name: str, *, days: int = 0, parent: str | None = None, done: bool = True,
    claims: int = 3,
) -> None:  # fmt: skip
    """A run that began so many days before `NOW`."""
    begun = {"started_at": NOW - timedelta(days=days)}
    run = synthetic.synthetic_run(name, parent=parent).model_copy(update=begun)
    with RunStore.create(home, run) as store:
        store.save_stage("decompose", "h", 1, seconds=1)
        if done:
            graph = synthetic.synthetic_graph(name, claims, parent=parent)
            store.finish(graph.model_copy(update={"run": graph.run.model_copy(update=begun)}))
    if done:
        merge_run(home, name)
    (home / "reports" / name).mkdir(parents=True)
    (home / "reports" / name / "report.html").write_text("<p>")


def said(found: list[Retained]) -> dict[str, str | None]:
    return {each.run_id: each.kept_because for each in found}


def test_old_runs_go_with_reports_and_rows_and_the_newest_stay(tmp_path: Path, synthetic: ModuleType) -> None:
    for name, days in (("older", 200), ("old", 100), ("new", 10)):
        add(tmp_path, synthetic, name, days=days)
    add(tmp_path, synthetic, "begun", days=150, done=False)
    dry = retain(tmp_path, older_than=timedelta(days=90), now=NOW, dry_run=True)
    assert said(dry) == {"older": None, "old": None, "begun": None}
    assert len(list_runs(tmp_path)) == 4
    assert said(retain(tmp_path, older_than=timedelta(days=90), keep=2, now=NOW)) == {"older": None, "begun": None}
    gone = retain(tmp_path, older_than=timedelta(days=90), now=NOW)
    assert gone[0].removed == next(each.removed for each in dry if each.run_id == "old")
    assert len(gone[0].removed) == 3
    assert [run.run_id for run in list_runs(tmp_path)] == ["new"]
    assert query(tmp_path, "SELECT DISTINCT run_id FROM claims") == [{"run_id": "new"}]
    assert {path.name for path in (tmp_path / "reports").iterdir()} == {"new"}
    assert {path.stem for path in (tmp_path / "runs").iterdir()} == {"new"}


def test_a_run_whose_replay_stays_is_kept_and_so_are_its_own_parents(tmp_path: Path, synthetic: ModuleType) -> None:
    add(tmp_path, synthetic, "grandparent", days=300)
    add(tmp_path, synthetic, "parent", days=200, parent="grandparent")
    add(tmp_path, synthetic, "child", days=1, parent="parent")
    assert said(retain(tmp_path, older_than=timedelta(days=90), now=NOW)) == {
        "parent": "run child is a replay of it and stays",
        "grandparent": "run parent is a replay of it and stays",
    }
    told = retain(tmp_path, older_than=timedelta(days=90), with_children=True, now=NOW)
    assert said(told) == {"child": None, "parent": None, "grandparent": None}
    assert list_runs(tmp_path) == []


@pytest.mark.parametrize("with_children", [False, True])
def test_what_waits_for_a_person_is_in_use_or_unreadable_stays(
    tmp_path: Path, synthetic: ModuleType, with_children: bool
) -> None:
    add(tmp_path, synthetic, "parent", days=200)
    add(tmp_path, synthetic, "waits", days=100, parent="parent", done=False)
    (tmp_path / "runs" / "broken.duckdb").write_bytes(b"no database" * 3000)
    child = Child(hold_run, tmp_path, None)
    assert child.said() == "held"
    try:
        told = said(
            retain(
                tmp_path, older_than=timedelta(days=0), waiting={"waits"}, with_children=with_children,
                now=NOW + timedelta(days=4000),
            )
        )  # fmt: skip
    finally:
        child.end()
    assert told["waits"] == "it waits for a person"
    assert told["parent"] == "run waits is a replay of it and stays"
    assert told["run"] is not None
    assert "cannot be read" in (told["broken"] or "")
    assert len(list_runs(tmp_path)) == 4


def test_the_catalogue_becomes_smaller_when_runs_are_gone_and_answers_the_same(
    tmp_path: Path, synthetic: ModuleType
) -> None:
    for number in range(4):
        add(tmp_path, synthetic, f"run{number}", days=number, claims=100)
    retain(tmp_path, keep=1, now=NOW)
    rows = query(tmp_path, "SELECT * FROM claims ORDER BY ALL")
    found = {each.name: each for each in vacuum(tmp_path)}
    assert found["catalogue"].after < 0.75 * found["catalogue"].before
    assert found["catalogue"].after == catalogue_path(tmp_path).stat().st_size
    assert found["run run0"].after == found["run run0"].before
    assert query(tmp_path, "SELECT * FROM claims ORDER BY ALL") == rows
    add(tmp_path, synthetic, "later")
    assert len(query(tmp_path, "SELECT run_id FROM runs")) == 2
    again = {each.name: each for each in vacuum(tmp_path)}
    assert {each.state for each in check_store(tmp_path)} == {"ok"}
    assert not [name for name, each in again.items() if each.left_out]
    assert not list(tmp_path.rglob("*.vacuum*"))


def test_a_run_in_use_is_not_rewritten(tmp_path: Path) -> None:
    child = Child(hold_run, tmp_path, None)
    assert child.said() == "held"
    try:
        [found] = vacuum(tmp_path, patience=0.2)
    finally:
        child.end()
    assert found.before == found.after
    assert "going on" in (found.left_out or "")


def test_checking_reads_to_the_end_and_says_what_is_wrong(tmp_path: Path, synthetic: ModuleType) -> None:
    for name in ("good", "late"):
        with RunStore.create(tmp_path, synthetic.synthetic_run(name)) as store:
            store.finish(synthetic.synthetic_graph(name, 30))
    merge_run(tmp_path, "good")
    add(tmp_path, synthetic, "bad", claims=30)
    path = tmp_path / "runs" / "bad.duckdb"
    data = bytearray(path.read_bytes())
    data[-3000] ^= 0xFF
    path.write_bytes(data)
    (tmp_path / "runs" / "empty.duckdb").touch()
    child = Child(hold_run, tmp_path, None)
    assert child.said() == "held"
    try:
        states = {each.name: each.state for each in check_store(tmp_path)}
    finally:
        child.end()
    assert states == {
        "catalogue": "ok", "run good": "ok", "run late": "not catalogued", "run bad": "damaged",
        "run empty": "damaged", "run run": "in use",
    }  # fmt: skip
