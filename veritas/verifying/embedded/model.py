"""The model: fitted weights read from JSON, and probabilities of the three labels from features."""

from __future__ import annotations

import json
import math
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

Verdict = Literal["supports", "refutes", "silent"]
VERDICTS: tuple[Verdict, ...] = ("supports", "refutes", "silent")

WEIGHTS = Path(__file__).parent / "weights.json"


@lru_cache(maxsize=1)
def weights() -> dict[str, Any]:
    """What `benchmarks/train_lens.py` wrote."""
    with WEIGHTS.open(encoding="utf-8") as file:
        loaded: dict[str, Any] = json.load(file)
    return loaded


def probabilities(features: dict[str, float]) -> dict[Verdict, float]:
    """Calibrated probabilities of the labels; they sum to 1."""
    scores = {}
    for verdict in VERDICTS:
        row = weights()["linear"][verdict]
        scores[verdict] = row["bias"] + sum(row["weights"].get(n, 0.0) * v for n, v in features.items())
    highest = max(scores.values())
    raised = {v: math.exp(s - highest) for v, s in scores.items()}
    total = sum(raised.values())
    return {v: r / total for v, r in raised.items()}
