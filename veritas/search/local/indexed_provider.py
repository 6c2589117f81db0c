"""The part that the local providers share: an index of the documents, built once."""

from __future__ import annotations

import asyncio
import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import date
from typing import Generic, TypeVar

from veritas.documents.document import Document
from veritas.search.provider import SearchHit

T = TypeVar("T")


class IndexedProvider(ABC, Generic[T]):
    """A provider over documents. Its index is built at the first search, or before it by `build`."""

    at_once: int | None = None
    """None, because it works in this process: any number may ask."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._lock = threading.Lock()
        self._built: T | None = None

    def build(self) -> T:
        """Return the index; build it unless it is there."""
        with self._lock:
            if self._built is None:
                self._built = self._index()
            return self._built

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        """See `SearchProvider`. Builds the index first if need be, off the event loop."""
        return await asyncio.to_thread(self._search, query, limit, since) if self._documents else []

    @abstractmethod
    def _index(self) -> T: ...

    @abstractmethod
    def _search(self, query: str, limit: int, since: date | None) -> Sequence[SearchHit]: ...
