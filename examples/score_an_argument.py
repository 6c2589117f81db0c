"""Score the argument of a paper, written down as a graph, and see what one weak node costs.

    python examples/score_an_argument.py
"""

import veritas
from veritas.scoring.roles import METRICS

NODES = [
    ("h", "Hypothesis", "Dry pumps last longer than oiled pumps.", []),
    ("m", "Method", "120 pumps were assigned at random to two arms.", ["h"]),
    ("r", "Result", "Dry pumps lasted 15.2 months, oiled pumps 11.8.", ["m"]),
    ("c", "Conclusion", "Dry pumps should be preferred.", ["r"]),
]


def document(weak: str | None = None) -> dict[str, object]:
    """The graph with every metric 0.8, and those of the `weak` node 0.2."""
    return {
        "nodes": [
            {"id": key, "role": role, "text": text, "parents": parents,
             "metrics": dict.fromkeys(METRICS, 0.2 if key == weak else 0.8)}
            for key, role, text, parents in NODES
        ]
    }  # fmt: skip


def main() -> None:
    for weak in (None, "m", "r", "c"):
        found = veritas.score_graph(document(weak))
        print(f"weak: {weak or 'nothing':8} score {found.score:.3f}, fragility {found.components['fragility']:.2f}")


if __name__ == "__main__":
    main()
