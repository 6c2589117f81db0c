"""The model: a gate over forms of input and a small forest for each, read from JSON. It gives three probabilities."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import mul
from pathlib import Path
from typing import Any, Literal

Verdict = Literal["supports", "refutes", "silent"]
VERDICTS: tuple[Verdict, ...] = ("supports", "refutes", "silent")
Chances = dict[Verdict, float]

WEIGHTS = Path(__file__).parent / "weights.json"
NEGLIGIBLE = 0.02
"""Share below which a form has no say: its forest is not asked."""
STRANGE = 2.0
"""Square of the distance, in that of the edge of the nearest set, from which on a form is a strange one."""

Node = Sequence[float]


class Model:
    """Fitted weights as `benchmarks/train_lens.py` writes them; docs/lens.md is their data card.

    `gate[form]` is a linear score of the form features; `forests[form]` a list of trees. A tree is a list of nodes: a
    branch `[feature, threshold, left, right]` (left if the value is at most the threshold), or a leaf of three
    thousandths in the order of `VERDICTS`. The forest "any" saw every form and knows none. It has `share_any` of the
    say where the form is familiar, and all of it where it is not. `known[set]` tells which forms are: a centre, and the
    rows of a triangle that turns a distance from it into one whose square is 1 at the edge of the set.
    """

    def __init__(self, weights: Mapping[str, Any]) -> None:
        self.features: list[str] = list(weights["features"])
        self.form: list[str] = list(weights["form"])
        self.gate: Mapping[str, Mapping[str, Any]] = weights["gate"]
        self.forests: Mapping[str, list[list[Node]]] = weights["forests"]
        self.known: Mapping[str, Mapping[str, Any]] = weights["known"]
        self.share_any: float = weights["share_any"]
        self.sharpness: float = weights["sharpness"]

    def forms(self, features: Mapping[str, float]) -> dict[str, float]:
        """Return how likely the input is of each form ("abstract", "table", "page", "excerpt"); sums to 1."""
        return _softmax({
            form: row["bias"] + sum(w * features.get(name, 0.0) for name, w in row["weights"].items())
            for form, row in self.gate.items()
        })

    def familiarity(self, features: Mapping[str, float]) -> float:
        """Return how familiar the form of the input is, 0 to 1: 1 within the edge of a set that the model was fitted
        on, 0 from `STRANGE` times that distance on."""
        nearest = math.inf
        for row in self.known.values():
            apart = [features.get(name, 0.0) - centre for name, centre in zip(self.form, row["centre"], strict=True)]
            nearest = min(nearest, sum(sum(map(mul, side, apart)) ** 2 for side in row["triangle"]))
        return max(0.0, min(1.0, (STRANGE - nearest) / (STRANGE - 1)))

    def chances(self, features: Mapping[str, float]) -> Chances:
        """Return calibrated probabilities of the three labels; they sum to 1."""
        values = [features.get(name, 0.0) for name in self.features]
        known = self.familiarity(features) * (1 - self.share_any)
        say = {form: share * known for form, share in self.forms(features).items() if share * known > NEGLIGIBLE}
        say["any"] = 1 - sum(say.values())
        mixed = [0.0, 0.0, 0.0]
        for form, share in say.items():
            forest = self.forests[form]
            for tree in forest:
                for i, part in enumerate(_leaf(tree, values)):
                    mixed[i] += share * part / len(forest)
        raised = [max(m, 1e-6) ** self.sharpness for m in mixed]
        total = sum(raised)
        return {verdict: r / total for verdict, r in zip(VERDICTS, raised, strict=True)}


@lru_cache(maxsize=1)
def fitted() -> Model:
    """Return the model that is shipped."""
    with WEIGHTS.open(encoding="utf-8") as file:
        return Model(json.load(file))


def _leaf(tree: Sequence[Node], values: Sequence[float]) -> Node:
    node = tree[0]
    while len(node) == 4:
        node = tree[int(node[2] if values[int(node[0])] <= node[1] else node[3])]
    return node


def _softmax(scores: Mapping[str, float]) -> dict[str, float]:
    highest = max(scores.values())
    raised = {name: math.exp(score - highest) for name, score in scores.items()}
    total = sum(raised.values())
    return {name: r / total for name, r in raised.items()}
