"""How close a run with models comes to its critical path, in process and through a real Prefect server.

    python benchmarks/orchestration.py [--scale 0.1] [--runs 1]

Five members on five model servers on loopback (6 s an answer), five search providers (0.8 s an answer) that bring up
pages of a loopback web, four sub-queries, tier standard. `--scale` shortens the latencies alike; 1 is real time and
takes some two minutes.

Two critical paths are given. *Served*: what the servers make one wait on the longest chain of calls that need each
other's answers, all else being free. *Units*: the longest unit of each step in that very run, added up; the steps need
each other's output. *First judged* is when the first claim had a judge's answer, as a share of the served path. What a
process pays once (imports, mostly LiteLLM's) is in the first run alone, which is given by itself (`--cold` makes it one
of the scale's latencies; without it, its servers answer at once). Tokens are those of questions and answers, at four
characters a token, for each claim that a judge supported.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ.update({"PREFECT_SERVER_ANALYTICS_ENABLED": "false", "DO_NOT_TRACK": "1", "PREFECT_LOGGING_LEVEL": "ERROR"})
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

from tests.loopback.scripted import answer, heard  # noqa: E402
from tests.loopback.server import Asked, Loopback, Reply, loopback  # noqa: E402
from tests.loopback_web import web as loopback_web  # noqa: E402
from veritas.claims.graph import ClaimGraph  # noqa: E402
from veritas.council.model_lens import ModelLens  # noqa: E402
from veritas.engine import units  # noqa: E402
from veritas.reading.web import destination  # noqa: E402
from veritas.use_cases import runs  # noqa: E402

MODEL, SEARCH = 6.0, 0.8
QUESTION = "How much water do the pumps of the northern works move, and what do they need?"
MEMBERS = {"m1": "gemini", "m2": "gpt", "m3": "claude", "m4": "llama", "m5": "deepseek"}
PROVIDERS = ("tavily", "exa", "brave", "perplexity", "searxng")
FACETS = ("flow rate", "power drawn", "oil needed", "pressure held")
CLAIMS = 2
"""Claims a member makes of a sub-query: some forty envelopes, as in section XI of the specification."""


class Latency:
    """Of models and searches, in seconds; none until the process is warm."""

    model = search = 0.0


def script() -> Any:
    def reply(asked: Asked) -> Reply:
        to = heard(asked)
        said = answer(to)
        if to.turn == "decompose":
            said = {"sub_queries": [{"text": f"{QUESTION[:-1]}: {f}", "facet": f} for f in FACETS]}
        if to.turn == "assert":
            said = {"claims": said["claims"][:CLAIMS]}
        return Reply(json.dumps(said), seconds=Latency.model)

    return reply


def pages(served: loopback_web.Web) -> None:
    """Each provider knows pages of its own for each sub-query, each on a host of its own."""
    for p, provider in enumerate(PROVIDERS):
        paths = {"tavily": "/search", "exa": "/search", "brave": "/res/v1/web/search", "perplexity": "/search"}
        path = f"/{provider}{paths.get(provider, '/search')}"

        def found(asked: loopback_web.Asked, p: int = p, provider: str = provider) -> loopback_web.Reply:
            sleep(Latency.search)
            text = asked.query.get("q") or asked.body.decode()
            at = next((i for i, f in enumerate(FACETS) if f in text), 0)
            hits = []
            for n in range(3):
                host = f"s{p}{at}{n}.nist.gov"
                amount = 10 * p + 3 * at + n + 5
                fact = f"Pump number {p}{at}{n} of the northern works has a {FACETS[at]} of {amount} units."
                rest = " The works stand by the river and are kept by the town." * 8
                told = f"<main><h1>Pumps</h1><p>{fact} It was looked at by inspectors in spring.{rest}</p></main>"
                served.pages.setdefault(f"{host}/pump", loopback_web.html(f"<title>Pump {p}{at}{n}</title>{told}"))
                hits.append({"url": served.url("/pump", host), "title": f"Pump {p}{at}{n}", "content": "pump"})
            said = {"web": {"results": hits}} if provider == "brave" else {"results": hits}
            return loopback_web.Reply(json.dumps(said), headers={"Content-Type": "application/json"})

        served.pages[path] = found


def council(folder: Path, servers: Sequence[Loopback]) -> Path:
    lines = ["members:"]
    for (name, family), server in zip(MEMBERS.items(), servers, strict=True):
        lines += [f"  - name: {name}", f"    model: openai/{family}", f"    family: {family}"]
        lines += [f"    base_url: {server.url}", "    structured: schema", "    window: 32000"]
        lines += ["    price: {input: 1, output: 4}"]
    lines += [f"verifiers: [{', '.join(MEMBERS)}]", "writer: m2", "providers:"]
    lines += [f"  {server.url}: {{at_once: 64}}" for server in servers]
    file = folder / "council.yaml"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def policies(folder: Path, served: loopback_web.Web, scale: float) -> None:
    shutil.copytree(ROOT / "policies", folder / "policies")
    lines = ["providers:"]
    for provider in PROVIDERS:
        lines += [f"  {provider}:", f"    url: {served.url('/' + provider)}", "    key: [LOOPBACK_KEY]"]
        lines += ["    at_once: 8"]
    ports = f"ports: [{served.port}]"
    lines += ["reading:", f"  {ports}", f"  interval: {scale}", "  open_copies: false"]
    (folder / "policies" / "providers.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    os.environ.update({"VERITAS_POLICIES": str(folder / "policies"), "LOOPBACK_KEY": "none"})
    os.environ["VERITAS_FETCH_ALLOW"] = f"127.0.0.1:{served.port}"


class Clock:
    """Times every unit from where the stages hand it over, tasks and all, and takes the longest of each step."""

    def __init__(self) -> None:
        self.path = 0.0
        self.steps: list[tuple[str, int, float, float]] = []
        self.first_judged: float | None = None
        self._longest = 0.0
        inner = units.do_unit
        judge = ModelLens.judge

        async def timed(step: Any, unit: Any, runtime: Any, **more: Any) -> Any:
            start = perf_counter()
            try:
                return await inner(step, unit, runtime, **more)
            finally:
                self._longest = max(self._longest, perf_counter() - start)

        async def judged(lens: ModelLens, claim: str, passage: str) -> Any:
            said = await judge(lens, claim, passage)
            self.first_judged = self.first_judged or perf_counter()
            return said

        ModelLens.judge = judged  # type: ignore[method-assign]

        units.do_unit = timed
        import veritas_tasks.task_work

        veritas_tasks.task_work.do_unit = timed

    def around(self, work: Any) -> Any:
        async def timed(step: Any, units: Any, runtime: Any) -> Any:
            self._longest, start = 0.0, perf_counter()
            outcomes = await work(step, units, runtime)
            self.steps.append((step.name, len(units), self._longest, perf_counter() - start))
            self.path += self._longest
            return outcomes

        return timed


def served_path(graph: ClaimGraph, taken: Sequence[tuple[str, int, float, float]], scale: float) -> float:
    """The least that these steps can take: one model's answer each, but for research, which is one search."""
    asks = sum(name != "research" for name, *_ in taken)
    again = any(c.error for c in graph.calls)
    if again:
        raise SystemExit("a call failed: the figures would say nothing")
    return (asks * MODEL + SEARCH) * scale


def tokens(graph: ClaimGraph) -> str:
    """The tokens of each turn, and of all for a supported claim."""
    turns: dict[str, tuple[int, int]] = {}
    for call in graph.calls:
        before = turns.get(call.turn, (0, 0))
        turns[call.turn] = before[0] + call.input_tokens, before[1] + call.output_tokens
    turns = {turn: spent for turn, spent in turns.items() if any(spent)}
    whole = sum(map(sum, turns.values()))
    supported = {j.subject_id for j in graph.judgments if j.purpose == "verify" and j.label == "supports"}
    shares = ", ".join(f"{t} {i:,} + {o:,} ({(i + o) / whole:.0%})" for t, (i, o) in turns.items())
    return f"{whole / max(1, len(supported)):,.0f} tokens a supported claim ({len(supported)} of them): {shares}"


async def once(kind: str, file: Path, clock: Clock) -> tuple[float, ClaimGraph]:
    clock.path, clock.steps, clock.first_judged = 0.0, [], None
    start = perf_counter()
    if kind == "in process":
        request = runs.make_request(question=QUESTION, tier="standard", council=str(file))
        graph = await runs.start(request, work=clock.around(units.in_process))
    else:
        import veritas_flows.carry_out as carry_out
        from veritas_flows.research import research
        from veritas_tasks.task_work import OrchestratedWork

        class Timed(OrchestratedWork):
            async def __call__(self, step: Any, units: Any, runtime: Any) -> Any:
                return await clock.around(super().__call__)(step, units, runtime)

        carry_out.OrchestratedWork = Timed  # type: ignore[misc]
        graph = await research(QUESTION, tier="standard", council=str(file))
        carry_out.OrchestratedWork = OrchestratedWork  # type: ignore[misc]
    if clock.first_judged is not None:
        clock.first_judged -= start
    return perf_counter() - start, graph


async def compare(scale: float, times: int, file: Path, cold: bool) -> None:
    clock = Clock()
    for kind in ("in process", "orchestrated"):
        if cold and kind == "in process":
            Latency.model, Latency.search = MODEL * scale, SEARCH * scale
        wall, graph = await once(kind, file, clock)
        served = served_path(graph, clock.steps, scale)
        share = f" ({wall / served:.2f} of the served path)" if Latency.model else " (servers answer at once)"
        print(f"first {kind} in this process: {wall:.1f} s{share}", flush=True)
        Latency.model = Latency.search = 0.0
    Latency.model, Latency.search = MODEL * scale, SEARCH * scale
    fresh = Path(os.environ["VERITAS_HOME"])
    print(f"scale {scale:g}: an answer {MODEL * scale:g} s, a search {SEARCH * scale:g} s")
    print("| run | wall s | served path s | ratio | first judged | units' path s | ratio |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    shown: dict[str, list[tuple[str, int, float, float]]] = {}
    hashes = set()
    for kind in ("in process", "orchestrated"):
        rows = []
        for _ in range(times):
            shutil.rmtree(fresh / "cache", ignore_errors=True)
            foreseen = runs.forecast(runs.make_request(question=QUESTION, tier="standard", council=str(file)))
            wall, graph = await once(kind, file, clock)
            served = served_path(graph, clock.steps, scale)
            rows.append((wall, served, clock.path, (clock.first_judged or wall) / served))
            hashes.add(graph.content_hash())
        shown[kind] = clock.steps
        wall, served, path, first = (statistics.median(row[i] for row in rows) for i in range(4))
        ratios = f"{served:.2f} | {wall / served:.2f} | {first:.2f} | {path:.2f} | {wall / path:.2f}"
        print(f"| {kind} | {wall:.2f} | {ratios} |", flush=True)
    calls = [c for c in graph.calls if c.model]
    print(f"\n{len(graph.claims)} claims, {len(calls)} model calls, {len(graph.searches)} searches")
    print(tokens(graph))
    took = [c for c in calls if not c.from_ledger]
    sent = sum(c.input_tokens + c.output_tokens for c in took)
    usd = sum(c.cost_usd or 0 for c in graph.calls if not c.from_ledger)
    print(f"{foreseen.said}\ntook {len(took)} calls of models, {sent:,} tokens, ${usd:.4f}")
    for kind, taken in shown.items():
        said = ", ".join(f"{name} {wall:.2f} ({units} units, longest {unit:.2f})" for name, units, unit, wall in taken)
        print(f"{kind}: {said}")
    if len(hashes) != 1:
        raise SystemExit("the runs found different things")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=0.1)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--cold", action="store_true", help="the first run, imports and all, has the latencies too")
    given = parser.parse_args()

    async def resolver(host: str, port: int) -> Sequence[str]:
        return ("127.0.0.1",)

    destination.resolve = resolver
    from prefect.testing.utilities import prefect_test_harness

    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        os.environ["VERITAS_HOME"] = str(folder / "home")
        servers = [stack.enter_context(loopback(script(), (f,))) for f in MEMBERS.values()]
        served = stack.enter_context(loopback_web.web({}))
        pages(served)
        policies(folder, served, given.scale)
        file = council(folder, servers)
        stack.enter_context(prefect_test_harness(server_startup_timeout=120))
        asyncio.run(compare(given.scale, given.runs, file, given.cold))


if __name__ == "__main__":
    main()
