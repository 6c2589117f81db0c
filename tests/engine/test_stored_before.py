"""What was stored by the version before the one engine: a run, an audit and a review, each finished and cut off.

Real files, made by that version from the documents below; they are opened, shown, gone on with and replayed.
"""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import pytest

import veritas
from veritas import aio
from veritas.errors import StoreUnavailable
from veritas.reviews.review_runs import replay as replay_review
from veritas.reviews.review_runs import resume as resume_review
from veritas.reviews.review_store import review_ids, stored_outputs
from veritas.store import RunStore
from veritas.use_cases import runs

STORED = Path(__file__).parent / "stored"
FINISHED, CUT = "review-20261122-143749-79ffb1", "review-20261122-143749-de389f"
FINDINGS = "c6db16db029c5acf30c4fab8aa0ec94dd1c53abf11f9c9e7c69bfbebba3c52ca"
"""The content hash of the finished review, as the version before gave it."""


def placed(name: str, folder: Path) -> Path:
    """A file of before, laid into a store's folder of runs."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.duckdb"
    path.write_bytes(gzip.decompress((STORED / f"{name}.duckdb.gz").read_bytes()))
    return path


async def test_a_run_of_before_is_shown_gone_on_with_and_replayed(own_home: Path) -> None:
    placed("stored-run", own_home / "runs")
    with RunStore.open(own_home, "stored-run", read_only=True) as store:
        graph = store.graph()
    assert graph is not None
    assert graph.answer.status == "answered"
    assert (await aio.resume("stored-run")).content_hash() == graph.content_hash()
    child = await runs.replay("stored-run", "render", changes={"corpus": [documents(own_home)]}, preflight=False)
    assert child.run.parent_run_id == "stored-run"
    assert [s.text for s in child.answer.sentences] == [s.text for s in graph.answer.sentences]
    assert [t.from_store for t in child.run.timings] == [True] * 6 + [False]


async def test_a_run_that_was_cut_off_before_is_replayed_from_where_it_stopped(own_home: Path) -> None:
    placed("cut-run", own_home / "runs")
    child = await runs.replay("cut-run", "verify", changes={"corpus": [documents(own_home)]}, preflight=False)
    assert child.answer.status == "answered"
    assert [t.from_store for t in child.run.timings] == [True] * 3 + [False] * 4


def documents(folder: Path) -> str:
    place = folder / "docs"
    place.mkdir()
    text = "# Valves\n\nThe relief valve opens at 12 bar. It is tested every 6 months by the operator.\n"
    (place / "valves.md").write_text(text, encoding="utf-8")
    return str(place)


async def test_an_audit_of_before_is_shown_gone_on_with_and_replayed(own_home: Path) -> None:
    for name in ("stored-audit", "cut-audit"):
        placed(name, own_home / "papers" / "runs")
    audit = veritas.load_paper_audit("stored-audit")
    assert audit.scoring() is not None
    assert await aio.resume_paper_audit("stored-audit") == audit
    assert {a.audit_id: a.status for a in veritas.list_paper_audits()} == {
        "stored-audit": "finished", "cut-audit": "interrupted"
    }  # fmt: skip
    changes = {"corpus": [documents(own_home)]}
    with pytest.raises(Exception, match="corpus has no effect after stage verify"):
        await aio.replay_paper_audit("cut-audit", "propagate", changes=changes)
    anew = await aio.replay_paper_audit("cut-audit", "verify", changes=changes)
    assert anew.parent_audit_id == "cut-audit"
    assert [n.text for n in anew.nodes] == [n.text for n in audit.nodes]


def reviews_of_before(own_home: Path) -> None:
    for name in (FINISHED, CUT):
        shutil.copytree(STORED / name, own_home / "reviews" / name)
    placed("drying", own_home / "corpora")


async def test_a_review_of_before_is_shown_gone_on_with_and_replayed(own_home: Path) -> None:
    reviews_of_before(own_home)
    assert review_ids() == [FINISHED, CUT]
    made = await resume_review(FINISHED)
    assert made.content_hash() == FINDINGS
    assert [t.from_store for t in made.timings] == [True] * 4
    went_on = await resume_review(CUT)
    assert [t.from_store for t in went_on.timings] == [True, True, False, False]
    assert went_on.content_hash() == FINDINGS
    child = await replay_review(FINISHED, "review")
    assert child.parent_review_id == FINISHED
    assert child.content_hash() == FINDINGS
    assert [name for name, _ in stored_outputs(FINISHED)] == ["retrieve", "write", "review", "revise"]
    assert all("calls" not in output for _, output in stored_outputs(FINISHED))


async def test_of_a_review_of_before_what_follows_a_missing_stage_is_done_anew(own_home: Path) -> None:
    reviews_of_before(own_home)
    (own_home / "reviews" / FINISHED / "stages" / "1-write.json").unlink()
    again = await resume_review(FINISHED)
    assert [t.from_store for t in again.timings] == [True, False, False, False]
    assert again.content_hash() == FINDINGS


async def test_a_tampered_stage_of_a_review_of_before_is_noticed(own_home: Path) -> None:
    reviews_of_before(own_home)
    file = own_home / "reviews" / FINISHED / "stages" / "1-write.json"
    file.write_text(file.read_text(encoding="utf-8").replace("drying", "frying"), encoding="utf-8")
    with pytest.raises(StoreUnavailable, match="was changed"):
        await resume_review(FINISHED)
