"""A run that is asked for over HTTP is carried out in the background: answered, stopped with its call, gone on with."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import Path

from tests.pumps import QUESTION
from tests.server.mcp.test_mcp_http import running
from tests.server.mcp.test_mcp_tools import told
from veritas.server.mcp.research_tool import in_background
from veritas.use_cases import background
from veritas.use_cases.events import RunEnded


async def test_a_run_in_the_background_stops_when_nobody_listens_and_goes_on_when_asked(project: Path) -> None:
    home = project.parent / "veritas-home"
    settings = {"question": QUESTION, "corpus": [str(project / "pumps.jsonl")], "tier": "quick"}
    run = background.new_id()
    async with aclosing(in_background(home, 2)(run, settings, "somebody")) as events:
        async for _ in events:
            break
    async for last in background.follow(run, home=home):
        assert last.kind != "ended"
    job = background.find_job(run, home=home)
    assert (job.state, job.wanted.owner) == ("cancelled", "somebody")

    async with running(project) as server, server.client("run") as client:
        found = told(await client.call_tool("research", {"resume": run}))
    assert (found["run"], found["status"]) == (run, "answered")
    assert background.find_job(run, home=home).state == "finished"
    # Who asks for a finished run again gets it as it is.
    again = [event async for event in in_background(home, 2)(run, None, "")]
    assert isinstance(again[-1], RunEnded)
