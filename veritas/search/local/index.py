"""The local index: the passages of one corpus, searched by words and by meaning."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import chain, groupby
from pathlib import Path

from veritas.documents.document import Document
from veritas.documents.passages import cut_passages
from veritas.search.local.segment import GivenDocuments, Segment, segment_of
from veritas.search.postings import Part, bm25
from veritas.search.provider import SearchHit
from veritas.search.ranking import fused, question_terms, told
from veritas.text.languages import read_in

SNIPPET = 280
"""Most characters of a snippet."""


class LocalIndex:
    """A provider over documents, in any order; the ranking depends on the order only for documents that share a URL.
    All members of a run share it."""

    name = "corpus"
    at_once: int | None = None
    """None, because it works in this process: any number may ask."""

    def __init__(
        self,
        documents: Iterable[Document] = (),
        *,
        segments: Sequence[Segment] | None = None,
        vectors: Path | None = None,
    ) -> None:
        """Take documents, which are indexed at the first search, or indexed segments. `vectors` is the file with the
        encoder's vectors."""
        self._documents = GivenDocuments(documents)
        self._held, self._vectors = segments, vectors
        self._lock = threading.Lock()

    def segments(self) -> Sequence[Segment]:
        """Return the segments; index the documents if necessary. Safe to call from any thread."""
        with self._lock:
            if self._held is None:
                self._held = (segment_of(self._documents),) if self._documents else ()
            return self._held

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        """Return at most `limit` documents, best first by their closest passage; a URL occurs once.

        With `since`, only documents known to be published on or after that day: one without a date is left out. Works
        outside the event loop.
        """
        return await asyncio.to_thread(self._hits, query, limit, since)

    def _hits(self, query: str, limit: int, since: date | None) -> Sequence[SearchHit]:
        import numpy as np

        segments = self.segments()
        if limit <= 0 or not segments:
            return []
        language = read_in(query)
        parts = [Part(segment.windows, segment.live_windows) for segment in segments]
        scores = np.concatenate(list(bm25(parts, question_terms(query, language))))
        counts = np.concatenate([_counting(segment, since) for segment in segments])
        places = np.flatnonzero(counts)
        begins = np.cumsum([0, *(len(segment.windows.lengths) for segment in segments)])

        def document(place: int) -> tuple[Document, int]:
            part = int(np.searchsorted(begins, place, side="right")) - 1
            segment, at = segments[part], place - int(begins[part])
            row = int(np.searchsorted(segment.firsts, at, side="right")) - 1
            return segment.documents[row], at - int(segment.firsts[row])

        def text(at: int) -> str:
            found, number = document(int(places[at]))
            return told(cut_passages(found)[number])

        ranked = fused(query, language, scores[places], text, self._vectors)
        # Behind what was read, by words alone: where many documents are asked for, or a policy rejects the first.
        first = [(round(one.score, 5), int(places[one.at])) for one in ranked]
        behind = places[np.argsort(-np.round(scores[places], 5), kind="stable")] if ranked else places[:0]
        after = ((round(float(scores[place]), 5), int(place)) for place in behind if scores[place] > 0)
        hits: dict[str, SearchHit] = {}
        for _, group in groupby(chain(first, after), key=lambda one: one[0]):
            if len(hits) >= limit:
                break
            for found, number in sorted((document(place) for _, place in group), key=lambda one: one[0].url):
                if found.url not in hits:
                    shown = " ".join(cut_passages(found)[number].text.split())[:SNIPPET]
                    hits[found.url] = SearchHit(
                        url=found.url, title=found.title, snippet=shown, published_at=found.published_at
                    )
        return list(hits.values())[:limit]


def _counting(segment: Segment, since: date | None) -> object:
    """Return which passages of a segment are included."""
    import numpy as np

    live = np.ones(len(segment.documents), dtype=bool) if segment.live is None else segment.live
    if since is not None:
        live = live & (segment.published >= since.toordinal())
    return np.repeat(live, np.diff(segment.firsts))
