"""The reader seam: an admitted URL in, a stored document with offsets out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from veritas.documents.document import Document
from veritas.errors import Unavailable


class Changed(Unavailable):
    """What was read no longer stands at its address: it says something else, or is gone."""


@runtime_checkable
class Reader(Protocol):
    """Reads what the policy admitted; never called for anything else (I3)."""

    async def read(self, url: str) -> Document:
        """The document behind `url`. Raises `veritas.errors.Unavailable` when it cannot be had or is no evidence
        (a consent wall, an empty shell), with the reason."""
        ...


@runtime_checkable
class Confirming(Protocol):
    """A reader whose documents can change after they were read."""

    async def confirm(self, document: Document, quotes: Sequence[str] = ()) -> None:
        """Whether each of `quotes` still stands verbatim in a document; without any, whether its text is the same.

        Raises `Changed` if not, or if it is gone, and `Unavailable` where that cannot be found out.
        """
        ...
