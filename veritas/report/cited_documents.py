"""Cited documents in full, with the passages that claims rest on marked: a page of the report for each."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

from veritas.claims.answer import Reference
from veritas.claims.envelope import SpanRef
from veritas.claims.graph import ClaimGraph
from veritas.documents.document import Document
from veritas.text.blocks import code_like

MAX_SHOWN = 400_000
"""Limit in characters of a document that is shown whole; of a longer one, what stands around its passages is."""
AROUND = 20_000
"""Characters before and after a passage that are shown of a long document."""
_GAP = re.compile(r"[^\S\n]*\n(?:[^\S\n]*\n)+")


class Piece(NamedTuple):
    """Text that is marked or not. `place` is the fragment it is found at, `page` the page that begins with it; "" and
    None for most."""

    text: str
    marked: bool
    place: str = ""
    page: int | None = None


class Paragraph(NamedTuple):
    """A paragraph, program text or rows as they stand; of `cut`, `pieces` say how much is not shown."""

    kind: Literal["prose", "program", "cut"]
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class CitedDocument:
    """A document that the answer cites, with the passages in it, as ordered pairs of offsets."""

    document: Document
    references: tuple[Reference, ...]
    spans: tuple[tuple[int, int], ...]

    @property
    def anchor(self) -> str:
        """The fragment of the document's page."""
        return f"document-{self.document.document_id[:16]}"

    @property
    def first(self) -> str:
        """The fragment of the first passage, or of the page if no passage of it is known."""
        return self.place(self.spans[0][0]) if self.spans else self.anchor

    def place(self, start: int) -> str:
        """Return the fragment of the passage that begins at an offset."""
        return f"at-{self.document.document_id[:16]}-{start}"

    def paragraphs(self) -> Iterator[Paragraph]:
        """Yield the document's paragraphs in order; what is not shown of a long one is said."""
        text, end = self.document.text, 0
        for start, stop in self._shown():
            if start > end:
                yield _cut(start - end)
            at = start
            for gap in (*_GAP.finditer(text, start, stop), None):
                until = gap.start() if gap else stop
                if text[at:until].strip():
                    yield Paragraph(kind_of(text[at:until]), tuple(self._pieces(at, until)))
                at = gap.end() if gap else stop
            end = stop
        if end < len(text):
            yield _cut(len(text) - end)

    def _shown(self) -> Iterator[tuple[int, int]]:
        """Yield the stretches of the text that are shown."""
        length = len(self.document.text)
        if length <= MAX_SHOWN:
            yield 0, length
            return
        begun, until = 0, AROUND
        for start, end in self.spans:
            if start - AROUND > until:
                yield begun, until
                begun = start - AROUND
            until = min(length, max(until, end + AROUND))
        yield begun, until

    def _pieces(self, start: int, end: int) -> Iterator[Piece]:
        pages = {at: number for number, at in enumerate(self.document.page_starts, 1) if start <= at < end}
        places = {max(begin, start): begin for begin, stop in reversed(self.spans) if begin < end and stop > start}
        cuts = {at for span in self.spans for at in span if start < at < end}
        for at, until in pairwise(sorted({start, end, *cuts, *pages})):
            marked = any(begin <= at and until <= stop for begin, stop in self.spans)
            begins = places.get(at)
            # A passage that began in the paragraph before has its place there.
            here = begins is not None and not self.document.text[begins:at].strip()
            place = self.place(begins) if begins is not None and here else ""
            yield Piece(self.document.text[at:until], marked, place, pages.get(at))


class CitedDocuments:
    """The documents that an answer cites, of those whose text is at hand, in the order of its references."""

    def __init__(self, graph: ClaimGraph, documents: Iterable[Document] = ()) -> None:
        texts = {document.document_id: document for document in documents}
        of_source = {source.source_id: source.document_id for source in graph.sources}
        referring: dict[str, list[Reference]] = defaultdict(list)
        for reference in graph.answer.bibliography:
            identity = of_source.get(reference.source_id)
            if identity in texts:
                referring[identity].append(reference)
        spans = _spans(graph)
        self._pages = {
            identity: CitedDocument(texts[identity], tuple(references), _standing(texts[identity], spans[identity]))
            for identity, references in referring.items()
        }
        self._by_reference = {r.number: page for page in self._pages.values() for r in page.references}

    def __iter__(self) -> Iterator[CitedDocument]:
        return iter(self._pages.values())

    def __len__(self) -> int:
        return len(self._pages)

    def behind(self, number: int) -> CitedDocument | None:
        """Return the document behind a reference; None if its text is not at hand."""
        return self._by_reference.get(number)

    def place(self, span: SpanRef) -> str:
        """Return the fragment at which a passage stands in its document; "" if that is not shown."""
        page = self._pages.get(span.document_id)
        at = bisect_right(page.spans, (span.start, -1)) if page is not None else 0
        return page.place(span.start) if page and at < len(page.spans) and page.spans[at][0] == span.start else ""


def _spans(graph: ClaimGraph) -> dict[str, list[tuple[SpanRef, str]]]:
    """Return the passages that claims and objections rest on, by document, each with its words."""
    found: dict[str, list[tuple[SpanRef, str]]] = defaultdict(list)
    pairs: list[tuple[Sequence[SpanRef], Sequence[str]]] = [(c.spans, c.source_passages) for c in graph.claims]
    for c in graph.contestations:
        pairs += [(c.counter_spans, c.counter_passages), (c.response_spans, c.response_passages)]
    for spans, quotes in pairs:
        for span, quote in zip(spans, quotes, strict=False):
            found[span.document_id].append((span, quote))
    return found


def _standing(document: Document, spans: Iterable[tuple[SpanRef, str]]) -> tuple[tuple[int, int], ...]:
    """Return the places of the passages that stand in the text as they are quoted."""
    text = document.text
    return tuple(sorted({(s.start, s.end) for s, quote in spans if text[s.start : s.end].split() == quote.split()}))


def kind_of(text: str) -> Literal["prose", "program"]:
    """Return whether a paragraph is prose, or program text or rows, whose lines stand as they are."""
    lines = text.split("\n")
    return "program" if "\t" in text or 2 * sum(map(code_like, lines)) >= len(lines) else "prose"


def _cut(characters: int) -> Paragraph:
    return Paragraph("cut", (Piece(f"{characters:,} characters that are not shown here", False),))
