"""BM25 over titles and leads, in which a document says its subject."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from datetime import date

from veritas.documents.document import Document
from veritas.search.local.lexical import Lexical
from veritas.search.local.ranking import ranked
from veritas.search.provider import SearchHit
from veritas.text.tokens import index_terms

LEAD = 600
"""Characters of the text that count as its lead (an abstract's first half, a page's first paragraphs)."""
TITLE_WEIGHT = 3
"""Count of each word of the title."""


class BM25Titles:
    """A provider that ranks documents by BM25 over title (thrice) and lead."""

    name = "bm25-titles"
    at_once: int | None = None
    """None, because it works in this process: any number may ask."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._lock = threading.Lock()
        self._lexical: Lexical | None = None

    def build(self) -> None:
        """Build the index unless it is there."""
        with self._lock:
            if self._lexical is None:
                self._lexical = Lexical(
                    index_terms(document.title) * TITLE_WEIGHT + index_terms(document.text[:LEAD])
                    for document in self._documents
                )

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        """See `SearchProvider`. Builds the index first if need be, off the event loop."""
        return await asyncio.to_thread(self._search, query, limit, since)

    def _search(self, query: str, limit: int, since: date | None) -> Sequence[SearchHit]:
        self.build()
        if self._lexical is None:
            return []
        return ranked(
            self._documents,
            self._lexical.scores(query),
            query=query,
            limit=limit,
            since=since,
            window=lambda i: (0, min(LEAD, len(self._documents[i].text))),
        )
