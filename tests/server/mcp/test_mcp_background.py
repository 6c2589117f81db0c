"""A run that is asked for over HTTP is carried out in the background: answered, stopped with its call, gone on with."""

from __future__ import annotations

import json
from pathlib import Path

import anyio
import pytest

from tests.pumps import QUESTION
from tests.server.mcp.conftest import Connecting
from tests.server.mcp.test_mcp_http import running
from tests.server.mcp.test_mcp_tools import told
from veritas.server.app import create_app
from veritas.server.mcp.research_tool import carry_out, for_tokens
from veritas.server.mcp.strict_tool import Caller
from veritas.server.settings import Settings, named_roots
from veritas.server.tokens import new_token
from veritas.store import jobs
from veritas.use_cases import background, events
from veritas.use_cases.events import Begun

DOCUMENTS = 600
"""So many that reading them takes longer than to hear of the run and stop it."""


async def silent(progress: float, total: float, line: str) -> None:
    """Hears nothing."""


async def test_a_run_in_the_background_stops_when_nobody_listens_and_goes_on_when_asked(project: Path) -> None:
    home = project.parent / "veritas-home"
    begin = for_tokens(create_app(Settings(home=home, roots=named_roots([project]))).state.context)
    _, token = new_token("somebody", ["run"])
    somebody = Caller(frozenset(["run"]), token)
    said = "The Borealis pump number {0} moves {0} litres of water per minute at full speed in hall {0}. " * 8
    more = [{"id": f"hall-{n}", "title": f"Hall {n}", "text": said.format(n)} for n in range(DOCUMENTS)]
    (project / "halls.jsonl").write_text("\n".join(map(json.dumps, more)), encoding="utf-8")
    settings = {"question": QUESTION, "corpus": [str(project / "pumps.jsonl"), str(project / "halls.jsonl")],
                "tier": "quick"}  # fmt: skip
    for _ in range(20):  # a run may be quicker than whoever stops it
        run = background.new_id()
        with anyio.CancelScope() as scope:

            async def give_up(progress: float, total: float, line: str) -> None:
                if progress > 0.5:
                    scope.cancel()

            await carry_out(begin, give_up, run_id=run, settings=settings, caller=somebody, home=home)
        told_of = [each.kind async for each in background.follow(run, home=home)]
        if told_of[-1] != "ended":
            break
    job = background.find_job(run, home=home)
    assert (job.state, job.wanted.owner) == ("cancelled", token.token_id)

    async with running(project) as server, server.client("run") as client:
        found = told(await client.call_tool("research", {"resume": run}))
    assert (found["run_id"], found["status"]) == (run, "answered")
    assert background.find_job(run, home=home).state == "finished"
    # Who asks for a finished run again gets it as it is.
    again = await carry_out(begin, silent, run_id=run, settings=None, caller=somebody, home=home)
    assert again.run.run_id == run


async def test_a_run_that_is_still_stopping_says_so_and_is_not_denied(
    project: Path, client: Connecting, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = project.parent / "veritas-home"
    monkeypatch.setattr(background, "advance", lambda **_: None)  # this test is the process that carries it out
    run = background.begin(QUESTION, corpus=[str(project / "pumps.jsonl")], tier="quick", home=home).run_id
    assert told(await client.call_tool("get_run", {"run": run}))["state"] == "queued"
    held = jobs.hold_job(home, run)
    assert held is not None
    with held:
        events.tell(home, run, Begun(attempt=1))
        jobs.ask_job_to_stop(home, run)
        (said,) = told(await client.call_tool("get_run", {"run": run}))["could_not_tell"]
        assert "is stopping" in said
        refused = await client.call_tool("research", {"resume": run})
    assert refused.is_error
    said = getattr(refused.content[0], "text", "")
    assert "is stopping" in said
    assert "no run" not in said
