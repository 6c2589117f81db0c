"""The use cases of runs: asked for, foreseen, gone on with, replayed, stopped; listed, read, explained, compared."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import veritas
from tests.doors.table import UseCase, answer_of, fields, graph_of, said_of, told_of
from tests.doors.world import World
from tests.pumps import QUESTION
from veritas.store import RunStore
from veritas.use_cases import runs
from veritas.use_cases.run_states import run_state

FORM = {"question": QUESTION, "corpus": ["library/pumps.jsonl"], "tier": "quick"}
SOURCE = "corpus://pumps/manual"


def _http_graph(world: World, begun: Any) -> dict[str, Any]:
    return answer_of(world.http("GET", f"/runs/{begun['run_id']}/graph"))


def _foreseen(told: Any) -> dict[str, Any]:
    return fields(told, "model_calls", "searches", "tokens", "usd")


def _stages(told: str) -> list[str]:
    """The stages that begin, by the events of a stream."""
    events = [json.loads(line.removeprefix("data: ")) for line in told.splitlines() if line.startswith("data: ")]
    return [each["stage"] for each in events if each["kind"] == "stage_started"]


async def _streamed(world: World) -> list[str]:
    events = veritas.stream(QUESTION, corpus=world.pumps, tier="quick")
    return [each.stage async for each in events if type(each).__name__ == "StageStarted"]


def _cancelled(how: Any) -> Any:
    """A run that is under way in this process is asked to stop; whether it was."""

    def ask(world: World) -> bool:
        run = world.stopped_run()
        with RunStore.open(world.home, run) as under_way:
            how(world, run)
            return under_way.cancel_asked()

    return ask


def _listed(found: list[Any]) -> list[tuple[Any, ...]]:
    return [(each["run_id"], each["question"], each["answer_status"]) for each in found]


def _only(found: list[Any], world: World) -> list[tuple[Any, ...]]:
    return [each for each in _listed(found) if each[0] in (world.run, world.other)]


def _state(world: World, run: str) -> dict[str, Any]:
    (found,) = [each for each in world.cli_lines("runs", "--json", "-n", "1000") if each["run_id"] == run]
    return fields(found, "state")


def _export(world: World) -> str:
    world.page(f"/runs/{world.run}")  # its page leads there
    return str(world.http("GET", f"/runs/{world.run}/export", params={"format": "markdown"}))


USE_CASES = [
    UseCase(
        "research", ("research",),
        lambda w: graph_of(veritas.research(QUESTION, corpus=w.pumps, tier="quick")),
        lambda w: answer_of(w.cli_json("research", QUESTION, "--corpus", w.pumps, "--tier", "quick", "--json", "-q")),
        lambda w: _http_graph(w, w.http("POST", "/runs", json=FORM)),
        lambda w: w.page("/ask", **FORM),
        lambda w: told_of(w.mcp("research", question=QUESTION, corpus=[w.pumps], tier="quick")),
        said_of,
    ),
    UseCase(
        "forecast", (),
        lambda w: _foreseen(runs.forecast(runs.make_request(question=QUESTION, corpus=[w.pumps], tier="quick"))
                            .model_dump(mode="json")),
        lambda w: _foreseen(w.cli_json("research", QUESTION, "--corpus", w.pumps, "-t", "quick", "--forecast",
                                       "--json")),
        lambda w: _foreseen(w.http("POST", "/forecasts", json=FORM)),
        lambda w: w.page("/ask/forecast", **FORM),
        shown=lambda told: ["What it will take", "nothing"],
    ),
    UseCase(
        "stream", ("stream",),
        lambda w: asyncio.run(_streamed(w)),
        "its progress on standard error is for persons; with --json there is none",
        lambda w: _stages(w.http("GET", f"/runs/{w.http('POST', '/runs', json=FORM)['run_id']}/events")),
        "the same events, followed in Chromium by tests/browser",
    ),
    UseCase(
        "resume", ("resume",),
        lambda w: graph_of(veritas.resume(w.stopped_run())),
        lambda w: answer_of(w.cli_json("research", "--resume", w.stopped_run(), "--json", "-q")),
        lambda w: _http_graph(w, w.http("POST", f"/runs/{w.stopped_run()}/resume")),
        lambda w: w.page(f"/runs/{w.stopped_run()}/go-on", yes="yes"),
        lambda w: told_of(w.mcp("research", resume=w.stopped_run())),
        said_of,
    ),
    UseCase(
        "replay", ("replay",),
        lambda w: graph_of(veritas.replay(w.run, "synthesize")),
        lambda w: answer_of(w.cli_json("replay", w.run, "--from", "synthesize", "--json", "-q")),
        lambda w: _http_graph(w, w.http("POST", f"/runs/{w.run}/replay", json={"from_stage": "synthesize"})),
        lambda w: w.page(f"/runs/{w.run}/replay", from_stage="synthesize"),
        shown=said_of,
    ),
    UseCase(
        "cancel", ("cancel",),
        _cancelled(lambda w, run: veritas.cancel(run)),
        _cancelled(lambda w, run: w.cli("cancel", run)),
        _cancelled(lambda w, run: w.http("POST", f"/runs/{run}/cancel")),
        _cancelled(lambda w, run: w.page(f"/runs/{run}/stop", yes="yes")),
        "a client cancels its own call, which stops the run: tests/server/mcp",
    ),
    UseCase(
        "list runs", ("list_runs", "runs"),
        lambda w: _only([each.model_dump(mode="json") for each in veritas.list_runs()], w),
        lambda w: _only(w.cli_lines("runs", "--json", "-n", "1000"), w),
        lambda w: _only(w.http("GET", "/runs", params={"limit": 200})["runs"], w),
        lambda w: w.page("/library"),
        "resources of the server: tests/server/mcp",
        lambda found: [question for _, question, _ in found],
    ),
    UseCase(
        "how a run stands", (),
        lambda w: {"state": run_state(w.stopped_run()).state},
        lambda w: _state(w, w.stopped_run()),
        lambda w: fields(w.http("GET", f"/runs/{w.stopped_run()}"), "state"),
        lambda w: w.page(f"/runs/{w.stopped_run()}"),
        lambda w: fields(w.mcp("get_run", run=w.stopped_run()), "state"),
        lambda told: ["cut off"] if told["state"] == "interrupted" else [],
    ),
    UseCase(
        "load a run", ("load_run", "show"),
        lambda w: graph_of(veritas.load_run(w.run)),
        lambda w: answer_of(w.cli_json("show", w.run, "--json")),
        lambda w: answer_of(w.http("GET", f"/runs/{w.run}/graph")),
        lambda w: w.page(f"/runs/{w.run}"),
        lambda w: told_of(w.mcp("get_run", run=w.run)),
        said_of,
    ),
    UseCase(
        "why", ("why",),
        lambda w: veritas.why(w.run, SOURCE).model_dump(mode="json"),
        lambda w: w.cli_json("why", w.run, SOURCE, "--json"),
        lambda w: w.http("GET", f"/runs/{w.run}/why", params={"about": SOURCE}),
        lambda w: w.page(f"/runs/{w.run}/why?about={SOURCE}"),
        lambda w: fields(w.mcp("why", run=w.run, about=SOURCE), "kind", "id", "about", "let_in", "because"),
        lambda chain: [SOURCE],
    ),
    UseCase(
        "diff", ("diff_runs", "diff"),
        lambda w: veritas.diff_runs(w.run, w.other).model_dump(mode="json"),
        lambda w: w.cli_json("diff", w.run, w.other, "--json"),
        lambda w: w.http("GET", f"/runs/{w.run}/diff/{w.other}"),
        lambda w: w.page(f"/runs/{w.run}/compare/{w.other}"),
        shown=lambda diff: ["The Borealis pump moves 40 litres of water per minute at full speed."],
    ),
    UseCase(
        "export", ("render_report", "write_report", "export"),
        lambda w: veritas.render_report(w.run, "markdown"),
        lambda w: w.cli("export", w.run, "--format", "markdown"),
        _export,
        "the page of a run links to the answers of the interface for programs",
        "a resource of the server: tests/server/mcp",
    ),
]  # fmt: skip
