"""A run of fakes, end to end, for the tests of the stages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from veritas import report
from veritas.answers.pipeline import RESEARCH_RUNS, Pipeline
from veritas.answers.runtime import Runtime
from veritas.claims import ClaimGraph, Run
from veritas.engine.progress import Silent
from veritas.engine.stored_runs import Parent
from veritas.engine.units import in_process
from veritas.store import RunStore

Carry = Callable[..., Awaitable[ClaimGraph]]


@pytest.fixture
def carry(tmp_path: Path) -> Carry:
    """Carries out a run with the given runtime in a store of its own; `run_id` and `parent` may be given."""

    async def run(runtime: Runtime, run_id: str = "run-1", **more: Any) -> ClaimGraph:
        parent: Parent | None = None
        if "parent" in more:
            with RunStore.open(tmp_path, more["parent"], read_only=True) as old:
                parent = Parent(RESEARCH_RUNS, old, more["start"])
        row = Run(
            run_id=run_id,
            parent_run_id=more.get("parent"),
            replayed_from=more.get("start"),
            question=runtime.request.question,
            tier=runtime.request.tier,
            seed=runtime.request.seed,
            started_at=datetime(2026, 1, 2, tzinfo=UTC),
            version="test",
            settings=runtime.request.model_dump(mode="json", exclude={"question"}),
            policy_hash=runtime.policy_hash,
        )
        store = RunStore.open(tmp_path, run_id) if more.get("again") else RunStore.create(tmp_path, row)
        with store:
            return await Pipeline(
                store,
                runtime,
                more.get("work", in_process),
                render=lambda graph: report.render_markdown(graph),
                parent=parent,
                progress=Silent(),
                person=more.get("person"),
            ).run()

    return run
