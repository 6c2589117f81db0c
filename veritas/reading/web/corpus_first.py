"""A reader for a run that has a corpus and the web: documents of the corpus are read there."""

from __future__ import annotations

from collections.abc import Sequence

from veritas.documents.document import Document
from veritas.reading.corpus import Corpus, CorpusReader
from veritas.reading.reader import Confirming, Reader


class CorpusFirstReader:
    """A `Reader` of a corpus, and of the web for anything outside it."""

    def __init__(self, corpus: Corpus, web: Reader) -> None:
        self._held = corpus.by_url
        self._corpus, self._web = CorpusReader(corpus), web

    async def read(self, url: str) -> Document:
        """Read a document. Raises `Unavailable` if neither has it."""
        return await (self._corpus if url in self._held else self._web).read(url)

    async def confirm(self, document: Document, quotes: Sequence[str] = ()) -> None:
        """Check a document of the web (see `Confirming`); a corpus does not change while it is used."""
        if document.url not in self._held and isinstance(self._web, Confirming):
            await self._web.confirm(document, quotes)
