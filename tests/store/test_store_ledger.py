"""The ledger: a call that was answered is never paid for twice (I9)."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from veritas.store import Ledger, LedgerEntry, MemoryLedger, RunStore


@pytest.fixture(params=["file", "memory"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path, synthetic: ModuleType) -> Iterator[Ledger]:
    if request.param == "memory":
        yield MemoryLedger()
    else:
        with RunStore.create(tmp_path, synthetic.synthetic_run("run")) as store:
            yield store.ledger


def entry(name: str, **fields: Any) -> LedgerEntry:
    return LedgerEntry(
        **{"request_hash": name, "model": "m", "prompt": "p/1", "request": [], "answer": "a",
           "at": datetime(2026, 3, 1, tzinfo=UTC)} | fields
    )


def test_an_answer_is_stored_without_the_keys_of_this_process(
    tmp_path: Path, synthetic: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "sk-live-7Qw9Zr2YxLm4Np8Tb6Vc1"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with RunStore.create(tmp_path, synthetic.synthetic_run("run")) as store:
        store.ledger.put(entry("asked", answer=f"your key is {key}, and {key.encode().hex()}"))
        (stored,) = store.query("SELECT answer FROM ledger")
        assert stored["answer"] == "your key is OPENAI_API_KEY-withheld, and OPENAI_API_KEY-withheld"
        found = store.ledger.get("asked")
        assert found is not None
        assert key not in found.answer


def test_the_first_answer_to_a_request_stays(ledger: Ledger) -> None:
    ledger.put(entry("asked", answer="first"))
    ledger.put(entry("asked", answer="second"))
    found = ledger.get("asked")
    assert found is not None
    assert found.answer == "first"


@given(answer=st.text(st.characters(codec=None)), asked=st.text(st.characters(codec=None)))
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_comes_back_to_the_letter(ledger: Ledger, answer: str, asked: str) -> None:
    put = entry(f"{answer!r} {asked!r}", answer=answer, request={"content": asked})
    ledger.put(put)
    assert ledger.get(put.request_hash) == put


def test_a_replay_takes_answers_from_all_its_ancestors_and_writes_only_its_own(
    tmp_path: Path, synthetic: ModuleType
) -> None:
    for name, parent in (("grandparent", None), ("parent", "grandparent")):
        with RunStore.create(tmp_path, synthetic.synthetic_run(name, parent=parent)) as store:
            store.ledger.put(entry(f"asked by {name}", answer=name))
            store.ledger.put(entry("asked by both", answer=name))
    files = {name: (tmp_path / "runs" / f"{name}.duckdb").read_bytes() for name in ("grandparent", "parent")}
    with RunStore.create(tmp_path, synthetic.synthetic_run("child", parent="parent")) as child:
        wanted = {
            "asked by grandparent": "grandparent", "asked by parent": "parent",
            # A resumed parent would have found its own parent's answer; where it has its own, that was used.
            "asked by both": "parent",
        }
        for name, answer in wanted.items():
            found = child.ledger.get(name)
            assert found is not None
            assert found.answer == answer
        child.ledger.put(entry("asked by child", answer="child"))
        assert child.ledger.get("never asked") is None
        assert child.query("SELECT request_hash FROM ledger") == [{"request_hash": "asked by child"}]
    assert {name: (tmp_path / "runs" / f"{name}.duckdb").read_bytes() for name in files} == files


def test_what_a_missing_ancestor_knew_is_asked_again_and_said(
    tmp_path: Path, synthetic: ModuleType, caplog: pytest.LogCaptureFixture
) -> None:
    with RunStore.create(tmp_path, synthetic.synthetic_run("parent")) as store:
        store.ledger.put(entry("asked"))
    RunStore.create(tmp_path, synthetic.synthetic_run("child", parent="parent")).close()
    (tmp_path / "runs" / "parent.duckdb").unlink()
    with caplog.at_level(logging.WARNING), RunStore.open(tmp_path, "child") as child:
        assert child.ledger.get("asked") is None
        assert child.ledger.get("asked") is None
    assert [record.message for record in caplog.records if "must be asked again" in record.message] != []
    assert len(caplog.records) == 1


def test_a_parent_being_written_by_this_process_is_read_all_the_same(tmp_path: Path, synthetic: ModuleType) -> None:
    with RunStore.create(tmp_path, synthetic.synthetic_run("parent")) as parent:
        parent.ledger.put(entry("asked"))
        with RunStore.create(tmp_path, synthetic.synthetic_run("child", parent="parent")) as child:
            assert child.ledger.get("asked") == entry("asked")
        parent.ledger.put(entry("asked later"))
