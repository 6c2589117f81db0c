"""Units done in other processes: what they paid for is in the run's ledger, and is never paid for again (I9)."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.council.test_model_runs import NAMES, THREE, council
from tests.loopback.scripted import honest
from tests.loopback.server import Loopback, loopback
from tests.pumps import QUESTION, write_corpus
from tests.store.store_children import PRELOADED
from veritas import ClaimGraph
from veritas.answers.claim_judging import JUDGE
from veritas.answers.contest import CONTEST
from veritas.answers.decompose import DECOMPOSE
from veritas.answers.extract import EXTRACT
from veritas.answers.member_search import RESEARCH
from veritas.answers.request import Request
from veritas.answers.respond import RESPOND
from veritas.answers.runtime import Runtime, build_runtime
from veritas.answers.sentence_check import REPAIR
from veritas.answers.synthesize import WRITE
from veritas.council.connections import State
from veritas.engine.units import Step, UnitFailed, do_unit, in_process, received
from veritas.store import RunStore
from veritas.store.call_record import Outcome
from veritas.use_cases import runs

STEPS = {s.name: s for s in (DECOMPOSE, RESEARCH, EXTRACT, JUDGE, CONTEST, RESPOND, WRITE, REPAIR)}


def there(name: str, unit: Any, request: Request, state: State) -> Outcome[Any]:
    """In the other process: a runtime of its own, which never sees the run's file."""
    runtime = build_runtime(request)
    assert runtime.switchboard is not None
    runtime.switchboard.told(state)

    async def one() -> Outcome[Any]:
        try:
            return await do_unit(STEPS[name], unit, runtime)
        finally:
            assert runtime.switchboard is not None
            await runtime.switchboard.close()

    try:
        return replace(asyncio.run(one()), left_out=runtime.switchboard.left_out())
    except UnitFailed as problem:
        problem.outcome = replace(problem.outcome, left_out=runtime.switchboard.left_out())
        raise


class Elsewhere:
    """`Work` over a pool of processes. Stops, as a killed flow would, when `stop_after` units have arrived."""

    def __init__(self, pool: ProcessPoolExecutor, stop_after: int | None = None) -> None:
        self.pool, self.left = pool, stop_after

    async def __call__(self, step: Step[Any, Any], units: Sequence[Any], runtime: Runtime) -> list[Outcome[Any]]:
        if step.name == "research":
            return await in_process(step, units, runtime)
        return list(await asyncio.gather(*(self._one(step, unit, runtime) for unit in units)))

    async def _one(self, step: Step[Any, Any], unit: Any, runtime: Runtime) -> Outcome[Any]:
        board = runtime.switchboard
        assert board is not None
        loop = asyncio.get_running_loop()
        models = {m.model for s in runtime.council.seats if (m := s.member) is not None}  # type: ignore[attr-defined]
        try:
            outcome = await loop.run_in_executor(
                self.pool, there, step.name, unit, runtime.request, board.state(models)
            )
        except UnitFailed as problem:
            outcome = problem.outcome
        outcome = received(outcome, runtime)
        assert not outcome.entries
        if self.left is not None:
            self.left -= 1
            if self.left == 0:
                raise RuntimeError("cut off")
        return outcome


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPoolExecutor]:
    """Two processes, forked from one that has loaded what asks models: that takes several seconds."""
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload([*PRELOADED, "litellm", __name__])
    with ProcessPoolExecutor(2, mp_context=server) as made:
        yield made


async def start(tmp_path: Path, server: Loopback, work: Any) -> ClaimGraph:
    file = council(tmp_path, server, THREE, **NAMES)
    request = runs.make_request(question=QUESTION, corpus=[write_corpus(tmp_path)], council=str(file))
    return await runs.start(request, home=tmp_path / "home", run_id="run", work=work)


async def test_calls_made_elsewhere_are_in_the_ledger_and_not_made_again_after_a_cut(
    tmp_path: Path, pool: ProcessPoolExecutor
) -> None:
    with loopback(honest, tuple(NAMES.values())) as server:
        with pytest.raises(RuntimeError, match="cut off"):
            await start(tmp_path, server, Elsewhere(pool, stop_after=3))
        before = len(server.asked)
        assert before >= 3
        with RunStore.open(tmp_path / "home", "run", read_only=True) as store:
            kept = store.ledger.entries()
        assert len(kept) >= 3
        assert all(e.request["messages"] for e in kept), "the question is kept with the answer"
        graph = await runs.resume("run", home=tmp_path / "home", work=Elsewhere(pool))
        assert graph.answer.status == "answered"
        settled = {e.request_hash for e in kept}
        # This run paid for them, once, and before it was cut off.
        assert {c.request_hash for c in graph.calls if not c.from_ledger and c.model} >= settled
        called = [c for c in graph.calls if c.model]
        with RunStore.open(tmp_path / "home", "run", read_only=True) as store:
            entries = {e.request_hash: e for e in store.ledger.entries()}
        assert all(c.request_hash in entries for c in called)
        assert all(e.request["messages"] for e in entries.values())
        # Only what was under way when the flow was cut off can have been asked twice.
        again = await runs.replay("run", "decompose", home=tmp_path / "home", work=Elsewhere(pool))
        assert again.content_hash() == graph.content_hash()
        assert all(c.from_ledger for c in again.calls if c.model)
