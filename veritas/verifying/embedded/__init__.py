"""The embedded lenses: three mechanisms that judge without a model, a network or a download."""

from __future__ import annotations

from collections.abc import Callable

from veritas.verifying.embedded.coverage import CoverageLens
from veritas.verifying.embedded.entailment import EmbeddedLens
from veritas.verifying.embedded.numeric import NumericLens
from veritas.verifying.lens import Lens

__all__ = ["CoverageLens", "EmbeddedLens", "NumericLens", "builtin_lenses"]


def builtin_lenses() -> dict[str, Callable[[], Lens]]:
    """Name -> factory of every lens that needs nothing but this package; the first is the default."""
    return {EmbeddedLens.name: EmbeddedLens, CoverageLens.name: CoverageLens, NumericLens.name: NumericLens}
