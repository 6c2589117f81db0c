"""The benchmark's claim graphs, for the tests of the store."""

from __future__ import annotations

from types import ModuleType

import pytest

import benchmarks.store


@pytest.fixture(scope="session")
def synthetic() -> ModuleType:
    """`synthetic.synthetic_graph(run_id, claims)`, `synthetic.synthetic_run(run_id)`, `synthetic.synthetic_entry`."""
    return benchmarks.store
