"""The embedded lenses: three mechanisms that judge without a model, a network or a download."""

from __future__ import annotations

from collections.abc import Callable

from veritas.meaning.embedded._coverage import CoverageLens
from veritas.meaning.embedded._numeric import NumericLens
from veritas.meaning.embedded.entailment import EmbeddedLens
from veritas.meaning.lens import Lens

__all__ = ["CoverageLens", "EmbeddedLens", "NumericLens", "builtin_lenses"]


def builtin_lenses() -> dict[str, Callable[[], Lens]]:
    """Return the factories of all lenses that need nothing but this package, by name; the first is the default."""
    return {EmbeddedLens.name: EmbeddedLens, CoverageLens.name: CoverageLens, NumericLens.name: NumericLens}
