"""The lens seam: a bare claim and its passage in, a judgment out; a lens sees no reasoning (section VI, I4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from veritas.claims.judgment import Judgment
from veritas.frozen import Frozen


class Pair(Frozen):
    """A bare claim and a passage. `context` (title, headings, the sentences beside the passage) is for lenses that read
    it: it tells what a word means, and supports nothing."""

    claim: str
    passage: str
    context: str = ""


@runtime_checkable
class Lens(Protocol):
    """Judges whether a passage supports a claim.

    `name` is unique in a gate; `family` decides whose claims it may judge (I4). A lens that cannot answer returns the
    label `unavailable` with the reason (I5), or raises `veritas.errors.Unavailable`, which is read the same way.
    """

    @property
    def name(self) -> str: ...

    @property
    def family(self) -> str: ...

    async def judge(self, claim: str, passage: str) -> Judgment:
        """Return one judgment. Deterministic where no model is asked."""
        ...


@runtime_checkable
class ReadsAround(Protocol):
    """A lens that reads where a passage stands, and judges several claims in a call."""

    async def judge_pairs(self, pairs: Sequence[Pair]) -> Sequence[Judgment]:
        """Return a judgment for each pair, in order. Raises `Unavailable`."""
        ...
