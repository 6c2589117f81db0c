"""A research flow that waits for a person on a real Prefect server: form, files, time limit, a worker that stopped."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.approvers import Team
from tests.flows.forms import paused_run, send
from tests.pumps import QUESTION
from veritas import ClaimGraph, Judgment, approvals, plugins
from veritas.store import RunStore, list_runs

pytestmark = [
    pytest.mark.server,
    pytest.mark.usefixtures("prefect_server"),
]


class Unsure:
    """Supports what says litres, is silent about oil; counts what it is asked."""

    name, family = "unsure", "house:unsure"
    asked = 0

    async def judge(self, claim: str, passage: str) -> Judgment:
        Unsure.asked += 1
        label: Any = "silent" if "oil" in claim else "supports"
        return Judgment(label=label, score=0.9, rationale="by the word", lens=self.name, family=self.family)


@pytest.fixture
def council(tmp_path: Path) -> Iterator[str]:
    """A council whose verifier cannot confirm one of the claims."""
    known = plugins.installed("lens")
    known["unsure"] = type("Entry", (), {"load": lambda self: Unsure})()  # type: ignore[assignment]
    path = tmp_path / "council.yaml"
    path.write_text(
        "members:\n  - {name: lead, member: embedded-lead, judge: embedded-coverage}\n"
        "verifiers: [unsure]\nwriter: lead\n"
    )
    Unsure.asked = 0
    yield str(path)
    del known["unsure"]


@asynccontextmanager
async def _running(corpus: Path, council: str, minutes: float = 5) -> AsyncIterator[asyncio.Task[ClaimGraph]]:
    from veritas_flows.research import research

    task = asyncio.ensure_future(
        research(QUESTION, tier="quick", corpus=[str(corpus)], council=council, wait_for_person=minutes)
    )
    try:
        yield task
    finally:
        task.cancel()


def told(graph: ClaimGraph) -> list[str]:
    return [s.text for s in graph.answer.sentences if "override" in s.badges]


async def test_the_form_shows_the_case_and_lets_the_finding_in(corpus: Path, council: str) -> None:
    async with _running(corpus, council) as run:
        paused, (schema, text) = await paused_run()
        (asked,) = approvals.pending()
        assert "You probably expected" in text
        assert "needs no oil" in text
        assert "unsure" in text
        assert set(schema["properties"]) == {"name", "let_in_1", "reason_1"}
        assert schema["properties"]["let_in_1"]["title"].startswith("1 · Let it in: The Borealis pump needs no oil")

        await send(paused, name="Ada", let_in_1=True, reason_1="")
        paused, (_, text) = await paused_run()
        assert "Not taken: finding 1 is let in without a reason" in text
        assert approvals.find(asked.approval_id).state() == "pending"

        await send(paused, name="Ada", let_in_1=True, reason_1="I run one dry")
        graph = await asyncio.wait_for(run, 60)
    (footnote,) = [s.footnote for s in graph.answer.sentences if s.text in told(graph)]
    assert footnote == "Let in by Ada (unsigned): I run one dry"
    assert approvals.find(asked.approval_id).state() == "approved"


async def test_with_a_roster_the_form_drafts_and_the_run_goes_on_when_the_draft_is_signed(
    corpus: Path, council: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from veritas.cli import main

    team = Team(tmp_path / "team", "Ada")
    monkeypatch.setenv("VERITAS_APPROVERS", str(team.roster))
    async with _running(corpus, council) as run:
        paused, (_, text) = await paused_run()
        assert "is a draft: it takes effect once an approver on the roster has signed it" in text
        (asked,) = approvals.pending()
        await send(paused, name="Whoever", let_in_1=True, reason_1="I run one dry")
        await asyncio.sleep(0.5)
        _, (_, text) = await paused_run()
        assert "Drafted, and not signed: approve, by Whoever: I run one dry" in text
        assert approvals.find(asked.approval_id).state() == "pending"
        monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
        with pytest.raises(SystemExit) as ended:
            main(["approve", asked.approval_id, "--draft", "--key", str(team.key("Ada"))])
        assert not ended.value.code
        graph = await asyncio.wait_for(run, 60)
    assert [s.footnote for s in graph.answer.sentences if s.text in told(graph)] == ["Let in by Ada: I run one dry"]
    assert [o.signed for o in graph.overrides] == [True]


async def test_when_the_time_is_up_the_finding_is_left_out_and_the_run_ends_well(corpus: Path, council: str) -> None:
    async with _running(corpus, council, minutes=0.1) as run:
        graph = await asyncio.wait_for(run, 90)
    assert graph.answer.status == "answered"
    assert told(graph) == []
    (asked,) = approvals.every()
    assert asked.state() == "expired"
    from prefect.client.orchestration import get_client

    async with get_client() as client:
        ended = [r for r in await client.read_flow_runs() if r.id.hex[-6:] == (asked.run_id or "")[-6:]]
    assert [run.state_name for run in ended] == ["Completed"]


async def test_after_a_worker_stopped_the_run_goes_on_from_the_store_and_no_judge_is_asked_twice(
    corpus: Path, council: str, own_home: Path
) -> None:
    from veritas_flows.resume import resume

    async with _running(corpus, council) as run:
        paused, _ = await paused_run()
        run.cancel()
        await asyncio.wait({run})
    questions = Unsure.asked
    assert questions > 0
    (cut_off,) = list_runs(own_home)
    assert cut_off.status == "interrupted"
    assert cut_off.run_id.endswith(paused.hex[-6:]), "a second try at the same flow run finds it"
    (asked,) = approvals.pending()
    approvals.settle(asked.approval_id, "approve", "Ada", "I run one dry")
    graph = await resume(cut_off.run_id, wait_for_person=5)
    assert len(told(graph)) == 1
    # No claim is judged again; the printed sentence is, against the data sheet, which has it in another order of words.
    assert Unsure.asked == questions + 1


async def test_a_flow_run_tried_again_goes_on_with_its_own_run(corpus: Path, council: str, own_home: Path) -> None:
    from veritas.use_cases import runs
    from veritas_flows.carry_out import begun

    request = runs.make_request(question=QUESTION, tier="quick", corpus=[corpus], council=council)
    tries: list[str | None] = []

    async def start(*, run_id: str | None, **how: Any) -> ClaimGraph:
        tries.append(run_id)
        return await runs.start(request, run_id=run_id)

    first = await begun("20260101-000000-abcdef", start)
    asked = Unsure.asked
    second = await begun("20260101-000000-abcdef", start)
    assert (first.run.run_id, second.run.run_id, len(tries)) == ("20260101-000000-abcdef",) * 2 + (1,)
    assert Unsure.asked == asked
    with RunStore.open(own_home, first.run.run_id, read_only=True) as store:
        assert store.status == "finished"


async def test_a_server_that_went_away_while_the_flow_waited_is_taken_up_again(
    corpus: Path, council: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import httpx

    from veritas_flows import waiting

    known = waiting.apause_flow_run
    cut: list[str] = []

    async def cut_off(**how: Any) -> Any:
        if cut:
            return await known(**how)
        cut.append(how["key"])
        pause = asyncio.ensure_future(known(**how))
        await paused_run()
        pause.cancel()
        raise httpx.ConnectError("the server is restarting")

    monkeypatch.setattr(waiting, "apause_flow_run", cut_off)
    async with _running(corpus, council) as run:
        paused, _ = await paused_run()
        await asyncio.sleep(0.5)
        await send(paused, name="Ada", let_in_1=True, reason_1="I run one dry")
        graph = await asyncio.wait_for(run, 60)
    assert len(cut) == 1
    assert len(told(graph)) == 1


async def test_an_approval_that_becomes_unreadable_while_it_waits_lets_nothing_in(
    corpus: Path, council: str, own_home: Path
) -> None:
    async with _running(corpus, council) as run:
        await paused_run()
        (asked,) = approvals.pending()
        (own_home / "approvals" / f"{asked.approval_id}.json").write_text("{")
        graph = await asyncio.wait_for(run, 60)
    assert graph.answer.status == "answered"
    assert told(graph) == []
