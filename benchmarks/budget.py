"""How well a budget holds: runs at many budgets against model servers and search providers that send a bill.

    python benchmarks/budget.py [--runs 200]

Three members on three model servers on loopback (real HTTP, token counts, answers of random length, some requests that
fail after they were worked for), two search providers with a price each; tiers quick, standard and deep in turn;
budgets from a hundredth of what such a run costs to twice that, every tenth some millionths of a dollar. What was spent
is added up by the servers, not taken from VERITAS. A run may overshoot its budget by 5 %. The forecast of a run
without a budget, made after one like it, is held against what it took.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import statistics
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

from tests.loopback.scripted import answer, heard  # noqa: E402
from tests.loopback.server import Asked, Reply, fault, loopback  # noqa: E402
from tests.loopback_web import web as loopback_web  # noqa: E402
from veritas.claims.graph import ClaimGraph  # noqa: E402
from veritas.reading.web import destination  # noqa: E402
from veritas.use_cases import runs  # noqa: E402

QUESTION = "How much water do the pumps of the northern works move, and what do they need?"
FACETS = ("flow rate", "power drawn", "oil needed")
MODELS = {"red": ("crimson", 1.0, 4.0), "green": ("olive", 3.0, 15.0), "blue": ("navy", 0.5, 2.0)}
"""Name of the member -> family, US dollars for a million tokens in and out."""
SEARCH = {"tavily": 0.008, "exa": 0.02}
REPORTED = 0.006
"""What the second provider says that each search cost."""
TIERS = ("quick", "standard", "deep")
OVERSHOOT = 0.05


class Bill:
    """What the servers would send a bill for. `random` makes answers longer and lets some requests fail."""

    def __init__(self) -> None:
        self.usd, self.calls, self.failing = 0.0, 0, 0.0
        self.random = random.Random(0)
        self._lock = threading.Lock()

    def reset(self) -> None:
        self.usd, self.calls = 0.0, 0

    def add(self, usd: float) -> None:
        with self._lock:
            self.usd += usd
            self.calls += 1

    def reply(self, asked: Asked) -> Reply:
        to = heard(asked)
        said = answer(to)
        if to.turn == "decompose":
            said = {"sub_queries": [{"text": f"{QUESTION[:-1]}: {f}", "facet": f} for f in FACETS]}
        if to.turn == "judge":
            said["rationale"] += " It is said plainly." * self.random.randrange(8)
        text = json.dumps(said)
        _, come, go = next(m for m in MODELS.values() if m[0] == asked.model)
        with self._lock:
            fails = self.random.random() < self.failing
        most = int(asked.body.get("max_tokens") or asked.body.get("max_completion_tokens") or 10**9)
        cut = len(text) // 4 > most
        text = text[: most * 4] if cut else text
        if fails and self.random.random() < 0.5:
            return fault(500)  # it did not work, and sends no bill
        self.add((len(asked.text) // 4 * come + max(1, len(text) // 4) * go) / 1e6)
        if fails:
            return Reply(raw=b"<garbage")  # it did
        return Reply(text, finish="length" if cut else "stop")


def pages(served: loopback_web.Web, bill: Bill) -> None:
    for p, provider in enumerate(SEARCH):

        def found(asked: loopback_web.Asked, p: int = p, provider: str = provider) -> loopback_web.Reply:
            text = asked.body.decode()
            at = next((i for i, f in enumerate(FACETS) if f in text), 0)
            hits = []
            for n in range(3):
                host = f"s{p}{at}{n}.nist.gov"
                amount = 10 * p + 3 * at + n
                fact = f"Pump number {p}{at}{n} of the northern works has a {FACETS[at]} of {amount} units."
                rest = " The works stand by the river and are kept by the town." * 8
                told = f"<main><h1>Pumps</h1><p>{fact} It was looked at by inspectors in spring.{rest}</p></main>"
                served.pages.setdefault(f"{host}/pump", loopback_web.html(f"<title>Pump {p}{at}{n}</title>{told}"))
                hits.append({"url": served.url("/pump", host), "title": f"Pump {p}{at}{n}", "content": "pump"})
            bill.add(REPORTED if provider == "exa" else SEARCH[provider])
            said = {"results": hits, **({"costDollars": {"total": REPORTED}} if provider == "exa" else {})}
            return loopback_web.Reply(json.dumps(said), headers={"Content-Type": "application/json"})

        served.pages[f"/{provider}/search"] = found


def council(folder: Path, urls: Sequence[str]) -> Path:
    lines = ["members:"]
    for (name, (family, come, go)), url in zip(MODELS.items(), urls, strict=True):
        lines += [f"  - name: {name}", f"    model: openai/{family}", f"    family: {family}", f"    base_url: {url}"]
        lines += ["    structured: schema", "    window: 32000", f"    price: {{input: {come}, output: {go}}}"]
        lines += ["    limits: {timeout: 20, retries: 2, backoff: 0.01, patience: 1}"]
    lines += [f"verifiers: [{', '.join(MODELS)}]", "writer: green", "providers:"]
    lines += [f"  {url}: {{at_once: 64}}" for url in urls]
    file = folder / "council.yaml"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def policies(folder: Path, served: loopback_web.Web) -> None:
    shutil.copytree(ROOT / "policies", folder / "policies")
    lines = ["providers:"]
    for name, price in SEARCH.items():
        lines += [f"  {name}:", f"    url: {served.url('/' + name)}", "    key: [LOOPBACK_KEY]", "    needs: key"]
        lines += [f"    price: {price}", "    at_once: 8"]
    lines += ["reading:", f"  ports: [{served.port}]", "  interval: 0", "  open_copies: false"]
    (folder / "policies" / "providers.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    os.environ.update({"VERITAS_POLICIES": str(folder / "policies"), "LOOPBACK_KEY": "none"})
    os.environ["VERITAS_FETCH_ALLOW"] = f"127.0.0.1:{served.port}"


async def once(file: Path, tier: str, usd: float | None) -> tuple[ClaimGraph, float]:
    request = runs.make_request(question=QUESTION, tier=tier, council=str(file), budget={"usd": usd})
    start = perf_counter()
    graph = await runs.start(request, preflight=False)
    return graph, perf_counter() - start


def counted(graph: ClaimGraph) -> float:
    return sum(call.cost_usd or 0.0 for call in graph.calls if not call.from_ledger)


def within(low: float, high: float, took: float) -> float:
    """How far the middle of a range lies from what was taken, as a share of that."""
    return abs((low / 0.8) - took) / took if took else high


async def measure(times: int, file: Path, bill: Bill) -> int:
    whole: dict[str, float] = {}
    print("| tier | $ by the servers | $ in the graph | forecast off by: calls | tokens | $ |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for tier in TIERS:
        for again in range(2):
            request = runs.make_request(question=QUESTION, tier=tier, council=str(file))
            foreseen = runs.forecast(request)
            bill.reset()
            graph, _ = await once(file, tier, None)
            if not again:
                continue
            whole[tier] = bill.usd
            models = [c for c in graph.calls if c.model and not c.from_ledger]
            off = [
                within(*foreseen.model_calls, len(models)),
                within(*foreseen.tokens, sum(c.input_tokens + c.output_tokens for c in models)),
                within(*foreseen.usd, bill.usd),
            ]
            shown = " | ".join(f"{x:.1%}" for x in off)
            print(f"| {tier} | {bill.usd:.4f} | {counted(graph):.4f} | {shown} |", flush=True)
    bill.failing = 0.1
    over, status, wrong = [], Counter[str](), []
    begun = perf_counter()
    for number in range(times):
        tier = TIERS[number % 3]
        usd = round(whole[tier] * 10 ** random.Random(number).uniform(-2.0, 0.3), 6)
        if number % 10 == 9:
            usd = 0.000001 * (number + 1)
        bill.reset()
        graph, _ = await once(file, tier, usd)
        over.append(bill.usd / usd - 1)
        wrong.append(counted(graph) - bill.usd)
        status[graph.answer.status] += 1
        if number % 20 == 19:
            print(f"{number + 1} runs, {perf_counter() - begun:.0f} s, worst {max(over):+.1%}", flush=True)
        if over[-1] > OVERSHOOT:
            print(f"run {number}, {tier}: ${bill.usd:.6f} of ${usd:g}", flush=True)
    took = perf_counter() - begun
    past = sum(x > OVERSHOOT for x in over)
    print(f"\n{times} runs in {took:.0f} s: {past} beyond 5 %, worst {max(over):+.1%}, "
          f"median {statistics.median(over):+.1%}; {dict(status)}")  # fmt: skip
    print(f"in the graph less than by the servers: ${max(0.0, -min(wrong)):.6f} at most in a run")
    return past


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    given = parser.parse_args()

    async def resolver(host: str, port: int) -> Sequence[str]:
        return ("127.0.0.1",)

    destination.resolve = resolver
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        os.environ["VERITAS_HOME"] = str(folder / "home")
        bill = Bill()
        servers = [stack.enter_context(loopback(bill.reply, (f,))) for f, _, _ in MODELS.values()]
        served = stack.enter_context(loopback_web.web({}))
        pages(served, bill)
        policies(folder, served)
        file = council(folder, [server.url for server in servers])
        if asyncio.run(measure(given.runs, file, bill)):
            raise SystemExit(1)


if __name__ == "__main__":
    main()
