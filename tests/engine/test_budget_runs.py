"""Runs under a budget, over real HTTP to servers on loopback that send a bill: it holds, and what was paid is said."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import random
import shlex
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests import preloaded
from tests.loopback.scripted import heard, honest
from tests.loopback.server import Asked, Loopback, Reply, fault, loopback
from tests.pumps import QUESTION, write_corpus
from veritas import ClaimGraph, Unavailable, aio
from veritas.engine.progress import Silent
from veritas.report import render_html, render_markdown, render_terminal
from veritas.report.wording import again
from veritas.store import RunStore, find_run
from veritas.use_cases import runs

COME, GO = 10.0, 40.0


class Bill:
    """Answers honestly and writes a bill for each answer, also for those that nobody can read."""

    def __init__(self, garbage: float = 0.0) -> None:
        self.usd, self.garbage, self._chance = 0.0, garbage, random.Random(1)
        self._lock = threading.Lock()

    def __call__(self, asked: Asked) -> Reply:
        said = honest(asked)
        with self._lock:
            bad = self._chance.random() < self.garbage
            self.usd += (len(asked.text) // 4 * COME + max(1, len(said.text) // 4) * GO) / 1e6
        return Reply(raw=b"<garbage") if bad else said


def council(folder: Path, server: Loopback, price: str = f"{{input: {COME}, output: {GO}}}", **members: str) -> Path:
    lines = ["members:"]
    named = members or {"red": "crimson", "green": "olive", "blue": "navy"}
    for name, family in named.items():
        lines += [f"  - name: {name}", f"    model: openai/{family}", f"    family: {family}"]
        lines += [f"    base_url: {server.url}", "    structured: schema", f"    price: {price}"]
        lines += ["    limits: {timeout: 20, retries: 2, backoff: 0.01, patience: 1}"]
    lines += [f"verifiers: [{', '.join(named)}]", f"writer: {next(iter(named))}"]
    file = folder / "council.yaml"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


async def ask(tmp_path: Path, file: Path, usd: float | None, **more: Any) -> ClaimGraph:
    return await aio.research(
        QUESTION, home=tmp_path / "home", corpus=[str(write_corpus(tmp_path))], council=str(file),
        budget={"usd": usd, **more.pop("limits", {})}, **more,
    )  # fmt: skip


def paid(graph: ClaimGraph) -> float:
    return sum(call.cost_usd or 0.0 for call in graph.calls if not call.from_ledger)


@pytest.mark.parametrize(("garbage", "shares"), [(0.0, (0.01, 0.2, 0.8)), (0.2, (0.05, 0.5))])
async def test_runs_at_any_budget_send_no_larger_bill_and_say_what_they_did_without(
    tmp_path: Path, garbage: float, shares: tuple[float, ...]
) -> None:
    bill = Bill(garbage)
    with loopback(bill, ("crimson", "olive", "navy")) as server:
        file = council(tmp_path, server)
        whole = await ask(tmp_path, file, None, tier="standard")
        cost = bill.usd
        for share in shares:
            bill.usd = 0.0
            graph = await ask(tmp_path, file, cost * share, tier="standard", preflight=False)
            assert bill.usd <= cost * share
            assert paid(graph) == pytest.approx(bill.usd) if not garbage else paid(graph) >= bill.usd * 0.99
            assert graph.run.degraded
            if share >= 0.8 and not garbage:
                assert graph.answer.status == "answered", (share, graph.run.degraded, graph.answer.reason)
    assert whole.answer.status == "answered"


@pytest.mark.parametrize(("limit", "option"), [("usd", "--budget 0.0002"), ("calls", "--max-calls 2")])
def test_a_run_that_used_up_its_budget_names_the_command_with_more_of_what_it_lacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, option: str
) -> None:
    from veritas.cli import main

    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    limits: dict[str, float] = {"usd": 0.0001} if limit == "usd" else {"calls": 1}
    with loopback(honest, ("crimson", "olive", "navy")) as server:
        graph = asyncio.run(ask(tmp_path, council(tmp_path, server), None, limits=limits, preflight=False))
        assert graph.answer.status == "unavailable"
        _, command = again(graph)
        start = graph.answer.unavailable_at
        assert command == f"veritas replay {graph.run.run_id} --from {start} {option}"
        for shown in (render_markdown(graph), render_terminal(graph, 200), render_html(graph)):
            assert command in shown
            assert "--resume" not in shown
        with contextlib.suppress(SystemExit):  # it takes the command; and with enough to spend it helps
            main([*shlex.split(command)[1:-1], "500"])
    with RunStore.open(tmp_path / "home", find_run(tmp_path / "home", "latest"), read_only=True) as store:
        better = store.graph()
    assert better is not None
    assert better.run.parent_run_id == graph.run.run_id
    assert better.answer.status == "answered"


async def test_when_the_time_is_over_nobody_is_waited_for(tmp_path: Path) -> None:
    """The first answer takes for ever: the run ends all the same, and says that nobody was heard."""

    def slow(asked: Asked) -> Reply:
        time.sleep(30)
        return honest(asked)

    with loopback(honest, ("crimson", "olive", "navy")) as server:
        file = council(tmp_path, server)
        await ask(tmp_path, file, None)  # LiteLLM is loaded
        server.script = slow
        begun = time.monotonic()
        graph = await ask(tmp_path, file, None, limits={"seconds": 3.0}, preflight=False)
        assert time.monotonic() - begun < 25
    assert graph.answer.status == "unavailable"
    assert "the time of the budget did not suffice" in (graph.answer.reason or "")
    assert paid(graph) > 0, "what was sent may be billed"


@pytest.mark.parametrize("preflight", [True, False])
async def test_nothing_paid_is_asked_under_a_budget_of_nothing(tmp_path: Path, preflight: bool) -> None:
    with loopback(honest, ("crimson", "olive", "navy")) as server:
        with pytest.raises(Unavailable, match="the budget is \\$0") as ended:
            await ask(tmp_path, council(tmp_path, server), 0.0, preflight=preflight)
        assert not server.asked
        assert not server.listed
    assert ended.value.exit_code == 3
    assert "--no-preflight" not in str(ended.value)
    assert not list((tmp_path / "home").rglob("*.duckdb"))


async def test_a_writer_who_cannot_be_paid_leaves_the_claims_in_their_own_words(tmp_path: Path) -> None:
    """The time for all but the writer is there: its answer does not come before it is over."""
    from tests.loopback.scripted import heard

    def script(asked: Asked) -> Reply:
        if heard(asked).turn == "synthesize":
            time.sleep(8)
        return honest(asked)

    with loopback(honest, ("crimson", "olive", "navy")) as server:
        file = council(tmp_path, server)
        await ask(tmp_path, file, None)
        server.script = script
        (tmp_path / "again").mkdir()
        graph = await ask(tmp_path / "again", file, None, limits={"seconds": 6.0})
    assert graph.answer.status == "answered"
    assert any("gives the verified claims verbatim" in said for said in graph.run.degraded)
    claims = {c.claim for c in graph.claims}
    assert {s.text for s in graph.answer.sentences if s.kind == "claim"} <= claims


KILLED = """
import asyncio, sys
from veritas import aio
asyncio.run(aio.research(sys.argv[1], corpus=[sys.argv[2]], council=sys.argv[3], budget={"usd": float(sys.argv[4])}))
"""


def test_what_was_paid_before_a_kill_counts_once_after_it(tmp_path: Path, own_home: Path) -> None:
    from tests.loopback.scripted import heard

    bill, stopped = Bill(), threading.Event()
    reached = threading.Semaphore(0)

    def script(asked: Asked) -> Reply:
        if not stopped.is_set() and heard(asked).turn == "judge":
            reached.release()
            if reached._value > 1:
                time.sleep(60)  # under way when the process dies
        return bill(asked)

    with loopback(script, ("crimson", "olive", "navy")) as server:
        made, corpus = council(tmp_path, server), write_corpus(tmp_path)
        environment = {**os.environ, "VERITAS_HOME": str(own_home)}
        command = ["-c", KILLED, QUESTION, corpus, made, "5"]
        with preloaded.start(command, env=environment, also=["litellm", "openai.resources"]) as child:
            for _ in range(2):
                assert reached.acquire(timeout=90)
            time.sleep(2)  # what was answered is in the ledger by then
            child.kill()
            child.ended()
        stopped.set()
        before = bill.usd
        graph = asyncio.run(aio.resume("latest", home=own_home))
        assert 0 < before <= bill.usd
        assert paid(graph) == pytest.approx(bill.usd)
        # A replay's parent paid for what the replay takes from it.
        again = asyncio.run(aio.replay(graph.run.run_id, "synthesize", home=own_home))
        assert paid(again) == 0.0
    assert f"${bill.usd:,.2f}" in render_markdown(graph)


async def test_what_was_paid_before_a_cut_is_no_longer_there_to_be_spent(tmp_path: Path) -> None:
    """The budget pays for a little more than what was spent: the run ends within it, not within twice of it."""
    bill = Bill()
    with loopback(bill, ("crimson", "olive", "navy")) as server:
        file = council(tmp_path, server)
        whole = await ask(tmp_path, file, None)
        limit = bill.usd * 1.5
        bill.usd = 0.0

        class Cut(Silent):
            def stage_done(self, stage: Any, seconds: float, said: str, from_store: bool) -> None:
                if stage == "verify":
                    raise RuntimeError("cut off")

        request = runs.make_request(
            question=QUESTION, corpus=[str(write_corpus(tmp_path))], council=str(file), budget={"usd": limit}
        )
        with pytest.raises(RuntimeError):
            await runs.start(request, home=tmp_path / "second", run_id="cut", progress=Cut())
        spent = bill.usd
        graph = await aio.resume("cut", home=tmp_path / "second")
    assert spent > 0.15 * limit
    assert bill.usd <= limit
    assert paid(graph) == pytest.approx(bill.usd)
    assert whole.answer.status == "answered"


async def test_an_answer_that_cannot_be_read_is_paid_for_and_an_error_is_not(tmp_path: Path) -> None:
    with loopback(lambda asked: Reply(raw=b"<garbage"), ("crimson", "olive", "navy")) as server:
        graph = await ask(tmp_path, council(tmp_path, server), 5.0)
        assert paid(graph) > 0
        server.script = lambda asked: fault(500)
        (tmp_path / "again").mkdir()
        graph = await ask(tmp_path / "again", council(tmp_path, server), 5.0)
        assert paid(graph) == 0


async def test_a_forecast_comes_before_the_run_and_is_close_once_a_run_like_it_is_known(tmp_path: Path) -> None:
    said: list[str] = []

    class Listening(Silent):
        def noted(self, text: str) -> None:
            said.append(text)

    bill = Bill()
    with loopback(bill, ("crimson", "olive", "navy")) as server:
        request = runs.make_request(
            question=QUESTION, corpus=[str(write_corpus(tmp_path))], council=str(council(tmp_path, server))
        )
        guess = runs.forecast(request, home=tmp_path / "home")
        assert not server.asked
        assert guess.runs == 0
        assert guess.usd[0] > 0
        first = await runs.start(request, home=tmp_path / "home", progress=Listening())
        assert said == [guess.said]
        bill.usd = 0.0
        known = runs.forecast(request, home=tmp_path / "home")
        asked = f"{datetime.now(UTC) - timedelta(days=1):%Y%m%d-%H%M%S}-abcdef"
        again = await runs.start(request, home=tmp_path / "home", run_id=asked)
        after = runs.forecast(request, home=tmp_path / "home")
    assert known.runs == 1
    assert after.runs == 2
    assert after.seconds[1] < timedelta(hours=6).total_seconds(), "it waited in line, which says nothing of the next"
    models = [c for c in again.calls if c.model and not c.from_ledger]
    for (low, high), took in (
        (known.model_calls, len(models)),
        (known.tokens, sum(c.input_tokens + c.output_tokens for c in models)),
        (known.usd, bill.usd),
    ):
        assert low <= took <= high
        assert high <= 1.7 * low
    assert first.answer.status == again.answer.status == "answered"
    assert json.loads(known.model_dump_json())["runs"] == 1


@pytest.mark.parametrize("tier", ["quick", "standard", "deep"])
async def test_the_first_forecast_of_a_council_is_within_30_percent(tmp_path: Path, tier: str) -> None:
    """Of models that split the question in two, and of whose answers every tenth cannot be read."""
    docs, question = Path(__file__).parents[2] / "docs", "How does a budget limit what a run of the council spends?"
    count = itertools.count(1)

    def usual(asked: Asked) -> Reply:
        if next(count) % 10 == 0:
            return Reply("Sorry, that is more than I can do.")
        if heard(asked).turn != "decompose":
            return honest(asked)
        parts = [{"text": text, "facet": "part"} for text in (question, f"Limits and exceptions: {question}")]
        return Reply(json.dumps({"sub_queries": parts}))

    with loopback(usual, ("crimson", "olive", "navy")) as server:
        file = council(tmp_path, server)
        request = runs.make_request(question=question, corpus=[str(docs)], council=str(file), tier=tier)
        foreseen = runs.forecast(request, home=tmp_path / "home")
        graph = await runs.start(request, home=tmp_path / "home")
    assert foreseen.runs == 0
    models = [c for c in graph.calls if c.model and not c.from_ledger]
    for (low, high), took in (
        (foreseen.model_calls, len(models)),
        (foreseen.tokens, sum(c.input_tokens + c.output_tokens for c in models)),
        (foreseen.usd, paid(graph)),
    ):
        assert low / 0.7 == pytest.approx(took, rel=0.3), (low, high, took)
        assert low <= took <= high


async def test_a_budget_that_is_enough_for_nothing_spends_nothing_and_one_for_another_tier_names_it(
    tmp_path: Path,
) -> None:
    said: list[str] = []

    class Listening(Silent):
        def noted(self, text: str) -> None:
            said.append(text)

    bill = Bill()
    with loopback(bill, ("crimson", "olive", "navy")) as server:
        request = runs.make_request(
            question=QUESTION, corpus=[str(write_corpus(tmp_path))], council=str(council(tmp_path, server)), tier="deep"
        )
        quick = runs.forecast(request.model_copy(update={"tier": "quick"}), home=tmp_path)
        tight = request.model_copy(update={"budget": request.budget.model_copy(update={"usd": quick.usd[1]})})
        await runs.start(tight, home=tmp_path / "home", progress=Listening())
        assert any("--tier standard about" in line for line in said), said
        server.asked.clear()
        none = request.model_copy(update={"budget": request.budget.model_copy(update={"usd": 0.0012})})
        with pytest.raises(Unavailable, match="nothing was spent"):
            await runs.start(none, home=tmp_path / "home")
        assert not server.asked
