"""A corpus: the papers an expert chose and the claims of them that may be cited, which is all that a review knows."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any, Self

from veritas.citations.record_exports import bibtex, tex
from veritas.errors import Absent, InputError
from veritas.reviews.corpus_claim import CorpusClaim, CorpusPaper, Filters
from veritas.reviews.corpus_file import (
    CorpusFile,
    corpora_folder,
    corpus_names,
    corpus_path,
    read_claims,
    read_papers,
    read_text,
    signature,
)
from veritas.reviews.embedder import Embedder, load_embedder
from veritas.reviews.retrieval import ClaimIndex, Hit
from veritas.settings import home

if TYPE_CHECKING:
    import duckdb
    from numpy import float32
    from numpy.typing import NDArray


def bibliography(papers: Iterable[CorpusPaper]) -> str:
    """Return the `.bib` of some papers, in Unicode; an entry that a person gave has all its fields as given. A paper
    without authors is cited by the beginning of its title, one without a year as n.d."""
    entries = []
    for paper in papers:
        entry = bibtex(paper.record, paper.paper_key)
        if paper.record.given:
            fields = ",\n".join(f"  {name}={{{value}}}" for name, value in paper.record.given)
            entry = f"@{paper.item_type or 'misc'}{{{paper.paper_key},\n{fields}\n}}\n"
        head, _, rest = entry.partition("\n")
        label = shorten(paper.title, 40, placeholder=" …") or paper.paper_key
        missing = "" if paper.record.authors else f"  key={{{tex(label)}}},\n"
        missing += "" if paper.record.year else "  year={n.d.},\n"
        entries.append(f"{head}\n{missing}{rest}")
    return "\n".join(entries)


_TEXTS = 64
"""Number of documents whose text is kept in memory."""


@dataclass(frozen=True)
class _Snapshot:
    """The contents of a corpus at the time the file had this signature; of its documents those that were asked for."""

    signature: tuple[tuple[int, int, int], ...]
    papers: tuple[CorpusPaper, ...]
    claims: tuple[CorpusClaim, ...]
    vectors: NDArray[float32] | None
    texts: dict[str, str] = field(default_factory=dict)

    @cached_property
    def index(self) -> ClaimIndex:
        return ClaimIndex(self.claims, self.vectors)

    @cached_property
    def by_id(self) -> dict[str, CorpusClaim]:
        return {claim.claim_id: claim for claim in self.claims}


class Corpus:
    """A corpus in its file. It is kept in memory and read anew if the file has changed; between calls the file is
    closed, so that others may add to it. Usable from several threads."""

    def __init__(self, file: CorpusFile, name: str, embedding_model: str | None, embedder: Embedder | None) -> None:
        """Not for callers: use `open` or `create`."""
        self.file, self.name, self.embedding_model = file, name, embedding_model
        self._embedder = embedder
        self._lock = threading.Lock()
        self._held: _Snapshot | None = None

    @property
    def path(self) -> Path:
        """Path of the corpus' file."""
        return self.file.path

    @classmethod
    def create(cls, name: str, *, embedder: Embedder | None = None, home_folder: Path | None = None) -> Self:
        """Create an empty corpus, locked to the embedder's model, or to BM25 alone.

        Raises `InputError` for a name that cannot be used or is taken, `StoreUnavailable`.
        """
        path = corpus_path(home_folder or home(), name)
        file = CorpusFile(path)
        file.create(name, embedder.model if embedder is not None else None)
        return cls(file, name, embedder.model if embedder is not None else None, embedder)

    @classmethod
    def open(cls, name: str | Path, *, embedder: Embedder | None = None, home_folder: Path | None = None) -> Self:
        """Open a corpus by its name, or by the path of its file.

        `embedder` is by default the one it is locked to. Raises `InputError` if there is no such corpus, and for an
        embedder of another model, since vectors of two models are not comparable.
        """
        path = name if isinstance(name, Path) else corpus_path(home_folder or home(), name)
        if not path.is_file():
            raise Absent(_unknown(str(name), path))
        file = CorpusFile(path)
        with file.reading() as connection:
            rows = connection.execute("SELECT name, embedding_model FROM corpus").fetchall()
        if not rows:
            raise InputError(f"{path} holds no corpus: its making was cut off. Remove it")
        named, model = rows[0]
        if embedder is not None and embedder.model != model:
            held = f"was made with the embeddings of {model}" if model else "was made without embeddings"
            raise InputError(
                f"the corpus {named} {held} and cannot take those of {embedder.model}: make another corpus for them"
            )
        return cls(file, named, model, embedder)

    @property
    def embedder(self) -> Embedder | None:
        """The embedder the corpus is locked to; None if BM25 alone retrieves."""
        if self._embedder is None and self.embedding_model is not None:
            self._embedder = load_embedder(self.embedding_model)
        return self._embedder

    def papers(self) -> tuple[CorpusPaper, ...]:
        """Return all papers, by key."""
        return self._snapshot().papers

    def paper(self, paper_key: str) -> CorpusPaper:
        """Return the paper of that key. Raises `InputError` if there is none."""
        for paper in self.papers():
            if paper.paper_key == paper_key:
                return paper
        raise InputError(f"the corpus {self.name} has no paper {paper_key!r}")

    def claims(self, filters: Filters | None = None) -> tuple[CorpusClaim, ...]:
        """Return the claims that the filters admit, by paper and place."""
        claims = self._snapshot().claims
        return tuple(claim for claim in claims if filters.admits(claim)) if filters else claims

    def claim(self, claim_id: str) -> CorpusClaim | None:
        """Return the claim of that id, or None; a claim that is not here cannot be cited."""
        return self._snapshot().by_id.get(claim_id)

    async def search(
        self, query: str, filters: Filters | None = None, limit: int = 20, *, lexical_only: bool = False
    ) -> tuple[Hit, ...]:
        """Return the claims that answer a query, best first.

        Raises `Unavailable` if the corpus has embeddings and its embedder does not answer; `lexical_only` needs no
        embedder.
        """
        import asyncio

        vector: Sequence[float] | None = None
        if self.embedding_model is not None and not lexical_only and query.strip():
            embedder = self.embedder
            assert embedder is not None
            vector = (await embedder.embed([query], "query"))[0]
        return await asyncio.to_thread(self._search, query, vector, filters, limit)

    def _search(
        self, query: str, vector: Sequence[float] | None, filters: Filters | None, limit: int
    ) -> tuple[Hit, ...]:
        return self._snapshot().index.search(query, vector, filters, limit)

    def document_text(self, document_id: str) -> str:
        """Return the stored text in which claims' offsets count. Raises `InputError` for an unknown id."""
        held = self._snapshot().texts
        if (text := held.get(document_id)) is None:
            with self.file.reading() as connection:
                text = read_text(connection, document_id)
            if text is None:
                raise InputError(f"the corpus {self.name} has no document {document_id!r}")
            # A review asks for the text of each quote's document again and again; opening the file takes longer than
            # all else that it does with it.
            while len(held) >= _TEXTS:
                held.pop(next(iter(held)), None)
            held[document_id] = text
        return text

    def bibliography(self, keys: Sequence[str] | None = None) -> str:
        """Return the `.bib` of the papers with these keys, or of all, under the corpus' keys."""
        wanted = None if keys is None else set(keys)
        return bibliography(paper for paper in self.papers() if wanted is None or paper.paper_key in wanted)

    def _snapshot(self) -> _Snapshot:
        with self._lock:
            now = signature(self.path)
            if self._held is None or self._held.signature != now:
                with self.file.reading() as connection:
                    # The file cannot change while it is open for reading.
                    now = signature(self.path)
                    papers, claims = read_papers(connection), read_claims(connection)
                    vectors = _vectors(connection, claims) if self.embedding_model else None
                self._held = _Snapshot(now, papers, claims, vectors)
            return self._held


def _vectors(connection: duckdb.DuckDBPyConnection, claims: Sequence[CorpusClaim]) -> NDArray[float32]:
    """Return the embeddings of the claims, row by row, each of length 1."""
    import numpy as np

    held: Any = connection.execute("SELECT claim_id, vector FROM embeddings").fetchnumpy()
    rows = {claim.claim_id: at for at, claim in enumerate(claims)}
    found = np.zeros((len(claims), len(held["vector"][0]) if len(held["vector"]) else 0), dtype=np.float32)
    for claim_id, vector in zip(held["claim_id"], held["vector"], strict=True):
        if (at := rows.get(claim_id)) is not None:
            found[at] = vector
    return found


def _unknown(name: str, path: Path) -> str:
    known = corpus_names(path.parent.parent) if path.parent.name == corpora_folder(Path()).name else []
    hint = f"there are {', '.join(known)}" if known else "`veritas corpus add` makes one"
    return f"no corpus {name!r} ({path}): {hint}"
