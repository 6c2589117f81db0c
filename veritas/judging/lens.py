"""The lens seam: a bare claim and a passage in, a judgment out; a lens sees nothing else (section VI, I4)."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from veritas.claims.judgment import Judgment


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
