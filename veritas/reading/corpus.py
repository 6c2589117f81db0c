"""A corpus: the documents that its owner named, each under one URL, and the problems of those not read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from veritas.documents.document import Document
from veritas.errors import Unavailable


@dataclass(frozen=True, slots=True)
class CorpusProblem:
    """A file or record that was left out, or with `kept` was read with a doubt; a row in the claim graph (I7).

    `reason` is a predicate, to be read after `path`: "is encrypted".
    """

    path: str
    reason: str
    kept: bool = False

    def __str__(self) -> str:
        return f"{self.path} {self.reason}"


class Corpus:
    """An immutable corpus. `documents` are in a fixed order, `by_url` has each under its URL."""

    __slots__ = ("_fingerprint", "by_url", "documents", "problems")

    def __init__(self, documents: Iterable[Document], problems: Iterable[CorpusProblem] = ()) -> None:
        """Keep the first of several documents with one URL; `load_corpus` reports the others."""
        by_url: dict[str, Document] = {}
        for document in documents:
            by_url.setdefault(document.url, document)
        self.by_url: Mapping[str, Document] = MappingProxyType(by_url)
        self.documents: tuple[Document, ...] = tuple(by_url.values())
        self.problems: tuple[CorpusProblem, ...] = tuple(problems)
        self._fingerprint: str | None = None

    def __len__(self) -> int:
        return len(self.documents)

    @property
    def fingerprint(self) -> str:
        """SHA-256 (64 hex digits) of everything a run can see of the documents, except the day of reading."""
        if self._fingerprint is None:
            digest = hashlib.sha256()
            for document in sorted(self.documents, key=lambda d: d.url):
                # The text is in document_id.
                digest.update(document.model_dump_json(exclude={"text", "fetched_at"}).encode("utf-8", "replace"))
                digest.update(b"\n")
            self._fingerprint = digest.hexdigest()
        return self._fingerprint


class CorpusReader:
    """A `Reader` of a corpus; anything outside it is unavailable."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    async def read(self, url: str) -> Document:
        """Return the document under `url`. Raises `Unavailable` if the corpus has none."""
        document = self._corpus.by_url.get(url)
        if document is None:
            raise Unavailable(f"no document of the corpus has the URL {url}")
        return document
