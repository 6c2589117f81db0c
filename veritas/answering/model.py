"""The fitted weights: a unit's features in, the chance that it answers out."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

WEIGHTS = Path(__file__).parent / "weights.json"


class Model:
    """Weights as `benchmarks/train_answering.py` writes them.

    `weights` has one number a feature, by name; `bias` is added. `curve` is a slope and an offset: it turns that score
    into the chance that what is shown with the unit answers the question. `least` is the chance below which nothing is
    shown. `meets` is what a text gains that an encoder finds to meet the question by 1 more; `spread` is how much a
    difference of such scores counts against one by the weights alone.
    """

    def __init__(self, fitted: Mapping[str, Any], names: Sequence[str]) -> None:
        self.weights = [float(fitted["weights"].get(name, 0.0)) for name in names]
        self.bias = float(fitted["bias"])
        self.slope, self.offset = map(float, fitted["curve"])
        self.least = float(fitted["least"])
        self.meets, self.spread = float(fitted["meets"]), float(fitted["spread"])

    def score(self, features: Sequence[float]) -> float:
        """Return a unit's score; higher is better, and the numbers mean nothing else."""
        return self.bias + math.fsum(w * f for w, f in zip(self.weights, features, strict=True))

    def chance(self, score: float) -> float:
        """Return the calibrated chance of a score, 0 to 1."""
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, self.slope * score + self.offset))))


@lru_cache(maxsize=1)
def fitted(names: tuple[str, ...]) -> Model:
    """Return the model that is shipped."""
    return Model(json.loads(WEIGHTS.read_text(encoding="utf-8")), names)
