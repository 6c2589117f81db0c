"""The list of audits while one of them is under way, or its file is damaged."""

from __future__ import annotations

from pathlib import Path

from tests.store.store_children import Child, hold_run
from veritas.papers.audit_runs import list_audits, papers_home


def test_an_audit_under_way_is_listed_with_its_name_and_its_stage(own_home: Path) -> None:
    child = Child(hold_run, papers_home(), None)
    assert child.said() == "held"
    try:
        (audit,) = list_audits()
    finally:
        child.end()
    assert (audit.status, audit.stage) == ("running", "decompose")
    assert audit.asked.startswith("By how much")
    assert audit.stage_since is not None


def test_a_damaged_audit_is_unreadable_and_not_in_use(own_home: Path) -> None:
    folder = papers_home() / "runs"
    folder.mkdir(parents=True)
    (folder / "broken.duckdb").write_bytes(b"no database" * 3000)
    (audit,) = list_audits()
    assert audit.status == "unreadable"
    assert audit.problem
