"""Small graphs for the tests of the scorer, by hand and by Hypothesis."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from veritas.scoring.graph import PaperGraph, read_graph
from veritas.scoring.roles import METRICS, ROLES


def node(name: str, role: str, parents: list[str] | None = None, value: Any = 1.0, text: str = "") -> dict[str, Any]:
    """A node whose six metrics are all `value` (None: not verified; a dict: as it is)."""
    metrics = value if isinstance(value, dict) or value is None else dict.fromkeys(METRICS, value)
    return {"id": name, "role": role, "text": text, "parents": parents or [], "children": None, "metrics": metrics}


def graph(*nodes: dict[str, Any]) -> PaperGraph:
    """The checked graph of some nodes; children follow from parents."""
    verdict = read_graph({"nodes": list(nodes)})
    assert verdict.graph is not None, verdict.errors
    return verdict.graph


def chain(*values: float, roles: tuple[str, ...] = ()) -> PaperGraph:
    """Hypothesis -> Evidence ... -> Conclusion, node i with all its metrics at `values[i]`."""
    middle = roles or ("Evidence",) * (len(values) - 2)
    names = ("Hypothesis", *middle, "Conclusion")
    return graph(*(node(f"n{i}", names[i], [f"n{i - 1}"] if i else [], v) for i, v in enumerate(values)))


metric_value = st.floats(0, 1).map(lambda value: round(value, 3))
words = st.lists(st.sampled_from(["dose", "trial", "model", "effect", "the", "of", "rate"]), max_size=5).map(" ".join)


@st.composite
def documents(draw: st.DrawFn, most: int = 9, verified: bool = True, roles: tuple[str, ...] = ROLES) -> dict[str, Any]:
    """Graph documents with edges from earlier to later nodes, listed in any order."""
    count = draw(st.integers(1, most))
    nodes = []
    for place in range(count):
        role = draw(st.sampled_from(("Hypothesis",) if place == 0 else roles))
        if place == count - 1 and count > 1 and draw(st.booleans()):
            role = "Conclusion"
        parents = draw(st.lists(st.integers(0, place - 1), unique=True, max_size=3)) if place else []
        metrics = {metric: draw(metric_value) for metric in METRICS}
        if not verified and draw(st.integers(0, 3)) == 0:
            metrics = None if draw(st.booleans()) else metrics | {draw(st.sampled_from(METRICS)): None}
        made = node(f"n{place}", role, [f"n{parent}" for parent in parents], metrics, draw(words))
        nodes.append(made)
    return {"nodes": nodes}


def read(document: dict[str, Any]) -> PaperGraph:
    """The graph of a good document."""
    found = read_graph(document).graph
    assert found is not None
    return found
