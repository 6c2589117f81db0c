"""A flow run in which nobody could speak fails, in the providers' words; what it made is stored and shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_cli_outage import MODELS, PAPER, WORDS, council
from tests.loopback.scripted import honest
from tests.loopback.server import fault, loopback
from veritas.store import RunStore, list_runs

pytestmark = [pytest.mark.server, pytest.mark.usefixtures("prefect_server")]


async def _artifacts(words: str) -> list[Any]:
    from prefect.client.orchestration import get_client

    async with get_client() as client:
        return [a for a in await client.read_artifacts() if words in str(a.data)]


async def test_total_outage_fails_the_flow_in_the_providers_words_and_leaves_a_run_that_goes_on(
    corpus: Path, tmp_path: Path, own_home: Path
) -> None:
    from veritas_flows.research import research
    from veritas_flows.resume import resume

    question = "What moves forty litres of water?"
    with loopback(honest, models=tuple(f"model-{name}" for name in MODELS)) as server:
        made = str(council(tmp_path, server))
        server.listing = fault(401, "Incorrect API key provided")
        begun = await research(question, "quick", corpus=[str(corpus)], council=made, return_state=True)  # type: ignore[call-overload]
        assert begun.is_failed()
        assert "nobody can state claims" in begun.message
        assert server.asked == []
        assert list_runs(own_home) == []
        mine = begun.state_details.flow_run_id
        (said,) = [a for a in await _artifacts("Incorrect API key provided") if a.flow_run_id == mine]
        first, _, *each = said.data.splitlines()
        assert first.startswith("**Unavailable.** Nobody can state claims")
        assert each
        assert all(line.startswith("- ") for line in each)  # whom it is about, a line each

        server.listing, server.script = None, lambda asked: fault(401, WORDS)
        ended = await research(question, "quick", corpus=[str(corpus)], council=made, return_state=True)  # type: ignore[call-overload]
        assert ended.is_failed()
        assert "status 401" in ended.message
        (row,) = list_runs(own_home)
        mine = ended.state_details.flow_run_id
        (answer,) = [
            a for a in await _artifacts("status 401") if a.flow_run_id == mine and a.key and a.key.startswith("answer-")
        ]
        assert "**Unavailable.**" in answer.data
        with RunStore.open(own_home, row.run_id, read_only=True) as store:
            graph = store.graph()
        assert graph is not None
        assert graph.answer.status == "unavailable"

        server.script = honest
        again = await resume(row.run_id)
    assert again.answer.status == "answered"
    assert again.run.parent_run_id == row.run_id


async def test_papers_that_nobody_could_audit_fail_the_watch_and_are_tried_again(tmp_path: Path) -> None:
    from veritas_flows.paper import paper_watch

    inbox = tmp_path / "in"
    inbox.mkdir()
    (inbox / "pump.md").write_text(PAPER, encoding="utf-8")
    with loopback(lambda asked: fault(401, WORDS), models=tuple(f"model-{name}" for name in MODELS)) as server:
        made = str(council(tmp_path, server))
        for _ in range(2):
            looked = await paper_watch(str(inbox), graphs=1, council=made, return_state=True)  # type: ignore[call-overload]
            assert looked.is_failed()
            assert "1 of 1 new papers wait for the next time: no model of the council answered" in looked.message
    first = await paper_watch(str(inbox), graphs=1, council="embedded")
    assert [each["outcome"] for each in first["papers"]] == ["audited"]
    again = await paper_watch(str(inbox), graphs=1, council="embedded", return_state=True)  # type: ignore[call-overload]
    assert (again.name, again.is_completed()) == ("NothingToDo", True)
    assert again.message == f"nothing new in {inbox} (1 audited before)"
