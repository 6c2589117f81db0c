"""The benchmark's claim graphs, for the tests of the store."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest


def load_benchmark() -> ModuleType:
    """`benchmarks/store.py`, which is a script and no package."""
    name = "store_benchmark"
    if name not in sys.modules:
        path = Path(__file__).resolve().parents[2] / "benchmarks" / "store.py"
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


@pytest.fixture(scope="session")
def synthetic() -> ModuleType:
    """`synthetic.synthetic_graph(run_id, claims)`, `synthetic.synthetic_run(run_id)`, `synthetic.synthetic_entry`."""
    return load_benchmark()
