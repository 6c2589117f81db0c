"""BM25 over titles and leads, in which a document says its subject."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from veritas.search.local.indexed_provider import IndexedProvider
from veritas.search.local.lexical import Lexical
from veritas.search.local.ranking import ranked
from veritas.search.provider import SearchHit
from veritas.text.tokens import index_terms

LEAD = 600
"""Characters of the text that count as its lead (an abstract's first half, a page's first paragraphs)."""
TITLE_WEIGHT = 3
"""Count of each word of the title."""


class BM25Titles(IndexedProvider[Lexical]):
    """A provider that ranks documents by BM25 over title (thrice) and lead."""

    name = "bm25-titles"

    def _index(self) -> Lexical:
        return Lexical(
            index_terms(document.title) * TITLE_WEIGHT + index_terms(document.text[:LEAD])
            for document in self._documents
        )

    def _search(self, query: str, limit: int, since: date | None) -> Sequence[SearchHit]:
        return ranked(
            self._documents,
            self.build().scores(query),
            query=query,
            limit=limit,
            since=since,
            window=lambda i: (0, min(LEAD, len(self._documents[i].text))),
        )
