"""The sample graphs, for every test of the report."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from report_sample import insufficient_graph, sample_graph

from veritas import ClaimGraph
from veritas.report import render_html


@pytest.fixture(scope="session")
def graph() -> ClaimGraph:
    return sample_graph()


@pytest.fixture(scope="session")
def insufficient() -> ClaimGraph:
    return insufficient_graph()


@pytest.fixture(scope="session")
def page(graph: ClaimGraph) -> str:
    return render_html(graph)
