"""The weights of the signals: how likely a page supports or contradicts a statement. Fitted by
benchmarks/train_factcheck.py."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

CLASSES = ("contradicted", "not_in_source", "supported")


class Weights(NamedTuple):
    """Weights of a logistic fit by class and signal, on signals of mean 0 and deviation 1."""

    names: tuple[str, ...]
    means: tuple[float, ...]
    scales: tuple[float, ...]
    weights: tuple[tuple[float, ...], ...]
    biases: tuple[float, ...]


def weighed(values: Mapping[str, float]) -> dict[str, float]:
    """Return the probability of each class, 0 to 1, together 1."""
    fit = _fitted()
    scaled = [
        (values.get(name, 0.0) - mean) / scale
        for name, mean, scale in zip(fit.names, fit.means, fit.scales, strict=True)
    ]
    scores = [
        bias + sum(w * x for w, x in zip(row, scaled, strict=True))
        for row, bias in zip(fit.weights, fit.biases, strict=True)
    ]
    most = max(scores)
    powers = [math.exp(score - most) for score in scores]
    return {name: power / sum(powers) for name, power in zip(CLASSES, powers, strict=True)}


@lru_cache(maxsize=1)
def _fitted() -> Weights:
    with (Path(__file__).parent / "weights.json").open(encoding="utf-8") as file:
        told = json.load(file)
    return Weights(
        tuple(told["names"]), tuple(told["means"]), tuple(told["scales"]),
        tuple(tuple(row) for row in told["weights"]), tuple(told["biases"]),
    )  # fmt: skip
