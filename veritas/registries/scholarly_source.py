"""The seam to registries: an identifier or a title in, the matching records out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, Protocol, runtime_checkable

from veritas.frozen import Frozen
from veritas.works.identifiers import arxiv_of_doi, normalise_arxiv_id, normalise_doi
from veritas.works.records import BibRecord, Source

IdentifierKind = Literal["doi", "arxiv", "pmid"]


class Identifier(Frozen):
    """A DOI, an arXiv id or a PubMed id, normalised."""

    kind: IdentifierKind
    value: str

    def __str__(self) -> str:
        return f"{ {'doi': 'doi:', 'arxiv': 'arXiv:', 'pmid': 'PMID:'}[self.kind] }{self.value}"


class Found(Frozen):
    """A record of a source. `abstract` is the source's own text; `links` are known copies, open or not, best first."""

    record: BibRecord
    abstract: str | None = None
    links: tuple[str, ...] = ()


@runtime_checkable
class ScholarlySource(Protocol):
    """A source of records. Both methods raise `Unavailable` if it cannot answer; that is never "not found" (I5)."""

    @property
    def name(self) -> Source: ...

    @property
    def knows(self) -> frozenset[IdentifierKind]:
        """The kinds of identifiers it can look up."""
        ...

    @property
    def searches(self) -> bool:
        """True if it can be searched by title and would have the paper if it existed."""
        ...

    async def look_up(self, identifier: Identifier) -> Found | None:
        """Return the record for an identifier, None if the source has none."""
        ...

    async def search(self, words: str, *, limit: int = 10, anywhere: bool = False) -> Sequence[Found]:
        """Return records whose titles match the words, best first; with `anywhere`, also those whose abstracts or texts
        match, as far as the source can search them."""
        ...


@runtime_checkable
class LooksAhead(Protocol):
    """A source that can look up many identifiers in one request."""

    async def look_ahead(self, identifiers: Sequence[Identifier]) -> None:
        """Look up the identifiers that are not cached, many at a time, and cache each answer like a single one.
        Identifiers without an answer are left to `look_up`. Raises `Unavailable`."""
        ...


def parts(values: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """Yield the values in groups of `size`."""
    for at in range(0, len(values), size):
        yield values[at : at + size]


def identifiers_of(record: BibRecord) -> tuple[Identifier, ...]:
    """Return the identifiers of a record: DOI first, an arXiv DOI as the arXiv id that it is."""
    found: dict[str, Identifier] = {}
    arxiv_id = record.arxiv_id or arxiv_of_doi(record.doi)
    if record.doi and arxiv_of_doi(record.doi) is None:
        found["doi"] = Identifier(kind="doi", value=record.doi)
    if arxiv_id:
        found["arxiv"] = Identifier(kind="arxiv", value=arxiv_id)
    if record.pmid and record.pmid.isdigit():
        found["pmid"] = Identifier(kind="pmid", value=record.pmid)
    return tuple(found.values())


def identifier_in(text: str) -> Identifier | None:
    """Return the DOI, arXiv id or PubMed id that a text is or contains (`10.…`, `arXiv:…`, a URL, `PMID: …`)."""
    if doi := normalise_doi(text):
        arxiv_id = arxiv_of_doi(doi)
        return Identifier(kind="arxiv", value=arxiv_id) if arxiv_id else Identifier(kind="doi", value=doi)
    if arxiv_id := normalise_arxiv_id(text):
        return Identifier(kind="arxiv", value=arxiv_id)
    bare = text.strip().lower().removeprefix("pmid:").strip()
    return Identifier(kind="pmid", value=bare) if bare.isdigit() and "pmid" in text.lower() else None
