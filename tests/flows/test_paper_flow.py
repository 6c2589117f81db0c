"""`paper` and `paper-watch` on a real Prefect server: stages as task runs, the summary in the UI, the forms."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.papers.pump_papers import SUPPORTING, write_documents, write_paper

pytestmark = [pytest.mark.server, pytest.mark.usefixtures("prefect_server")]


async def test_paper_audits_stage_by_stage_and_shows_the_score(tmp_path: Path) -> None:
    from prefect.client.orchestration import get_client

    from veritas.papers.audit import PAPER_STAGES
    from veritas_flows.paper import paper

    corpus = write_documents(tmp_path, SUPPORTING)
    said = await paper(str(write_paper(tmp_path)), corpus=[str(corpus)], graphs=2)
    assert 0 < said["score"] < 1
    assert Path(said["report"]).exists()  # noqa: ASYNC240
    async with get_client() as client:
        shown = [a for a in await client.read_artifacts() if (a.description or "") == f"Paper · {said['title']}"]
        runs = {run.name for run in await client.read_task_runs()}
    assert "Score 0." in str(shown[0].data)
    assert {f"paper · {stage}" for stage in PAPER_STAGES} <= runs


async def test_paper_waits_for_a_person_and_goes_on_when_all_is_settled(tmp_path: Path) -> None:
    from veritas import approvals
    from veritas.papers.audit_runs import load_audit
    from veritas_flows.paper import paper

    corpus = write_documents(tmp_path, {**SUPPORTING})
    task = asyncio.ensure_future(paper(str(write_paper(tmp_path)), corpus=[str(corpus)], graphs=1, wait_for_person=5))
    try:
        while not approvals.pending() and not task.done():  # noqa: ASYNC110  what changes are files
            await asyncio.sleep(0.2)
        await asyncio.sleep(1)
        assert not task.done()
        waiting = approvals.pending()
        assert {asked.kind for asked in waiting} == {"paper-node"}
        assert all(asked.expires_at is not None for asked in waiting)
        for asked in waiting:
            approvals.settle(asked.approval_id, "approve", "Ada", "I know the field")
        said = await asyncio.wait_for(task, 120)
    finally:
        task.cancel()
    notes = load_audit(said["audit"]).approvals
    assert {note.approval_id for note in notes} == {asked.approval_id for asked in waiting}
    assert {(note.state, note.decisions[0].name) for note in notes} == {("approved", "Ada")}


async def test_paper_watch_audits_what_is_new(tmp_path: Path) -> None:
    from veritas_flows.paper import paper_watch

    write_paper(tmp_path / "in")
    (tmp_path / "in" / "bad.pdf").write_bytes(b"junk")
    first = await paper_watch(folder=str(tmp_path / "in"), graphs=1)
    assert sorted(p["outcome"] for p in first["papers"]) == ["audited", "failed"]
    assert (await paper_watch(folder=str(tmp_path / "in"), graphs=1))["known"] == 2
