"""The reader seam: an admitted URL in, a stored document with offsets out."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from veritas.reading.document import Document


@runtime_checkable
class Reader(Protocol):
    """Reads what the policy admitted; never called for anything else (I3)."""

    async def read(self, url: str) -> Document:
        """The document behind `url`. Raises `veritas.errors.Unavailable` when it cannot be had or is no evidence
        (a consent wall, an empty shell), with the reason."""
        ...
