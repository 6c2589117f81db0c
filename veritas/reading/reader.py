"""The reader seam: an admitted URL in, a stored document with offsets out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from veritas.documents.document import Document
from veritas.errors import Unavailable


class Changed(Unavailable):
    """A document that was read has changed at its address, or is gone."""


@runtime_checkable
class Reader(Protocol):
    """A reader of admitted URLs; never called for others (I3)."""

    async def read(self, url: str) -> Document:
        """Read the document at `url`. Raises `veritas.errors.Unavailable`, with the reason, if it cannot be read or is
        no evidence (a consent wall, an empty shell)."""
        ...


@runtime_checkable
class Confirming(Protocol):
    """A reader whose documents can change after they were read."""

    async def confirm(self, document: Document, quotes: Sequence[str] = ()) -> None:
        """Check that each of `quotes` still occurs verbatim in a document; without quotes, that its text is the same.

        Raises `Changed` if not, or if it is gone, and `Unavailable` if that cannot be determined.
        """
        ...
