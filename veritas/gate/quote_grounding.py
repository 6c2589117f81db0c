"""Grounding of quotes (I1, I2): a member's quotes become spans and citations, or a reason why not.

This is the only way from a member's words to a citation: the quote is looked up in the stored document, and URL, tier
and date come from the row of the source.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from veritas.claims.envelope import Citation, SpanRef
from veritas.claims.sources import Passage, Source
from veritas.council.turns import Quote
from veritas.documents.document import Document
from veritas.documents.verbatim import fold_whitespace, locate
from veritas.errors import InvariantBroken, VeritasError
from veritas.meaning.compare import subject, unnamed
from veritas.text.blocks import behind_bullet
from veritas.text.instructions import find_instructions
from veritas.text.structure import path_at
from veritas.text.tokens import index_terms

NEAR = 1_000
"""Characters before a quote in which the name may stand that a claim gives to its "it"; all of the passage counts."""
_ADDRESS = re.compile(r"(?i)\b(?:https?://|www\.)[^\s\"'<>“”]+|\b10\.\d{4,9}/[^\s\"'<>“”]+|\barxiv:\s?[a-z0-9./-]+")


def foreign_address(text: str, backing: str) -> str | None:
    """Return the first URL, DOI or arXiv id in a member's words that is not in `backing`, the text they rest on; None
    if there is none. Only code may name a source (I2)."""
    known = backing.casefold()
    found = (m.group().rstrip(".,;:!?)]}'") for m in _ADDRESS.finditer(text))
    return next((address for address in found if address.casefold() not in known), None)


@lru_cache(maxsize=256)
def _orders(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of a document's sentences that address a language model; cached, because a document is quoted
    often."""
    return tuple(find_instructions(text))


@dataclass(frozen=True)
class Grounded:
    """The places of a set of quotes. `texts[i]` is the stored document's own text at `spans[i]`."""

    spans: tuple[SpanRef, ...]
    texts: tuple[str, ...]
    citations: tuple[Citation, ...]


class Ungrounded(VeritasError):
    """The quotes are not valid; `str(error)` is the reason for the log."""


class Ground:
    """The documents, passages and sources that a run has read; a claim can rest only on these."""

    def __init__(
        self, documents: Sequence[Document], passages: Sequence[Passage], sources: Sequence[Source]
    ) -> None:
        self.documents: Mapping[str, Document] = {d.document_id: d for d in documents}
        self.passages: Mapping[str, Passage] = {p.passage_id: p for p in passages}
        by_document: dict[str, Source] = {}
        for source in sources:
            if source.document_id and source.admitted and source.status == "read":
                known = by_document.get(source.document_id)
                # The same text under two URLs counts at its better tier.
                if known is None or str(source.tier) < str(known.tier):
                    by_document[source.document_id] = source
        self.sources: Mapping[str, Source] = by_document

    def citation(self, document_id: str) -> Citation:
        """Return the citation of a document. Raises `InvariantBroken` (I3) if it has no admitted source."""
        source = self.sources.get(document_id)
        if source is None or source.fetch is None or source.tier not in (1, 2, 3):
            raise InvariantBroken("I3", f"document {document_id[:12]} has no admitted source that was read")
        return Citation(
            url=source.url,
            tier=source.tier,
            fetch=source.fetch,
            document_id=document_id,
            paywalled=source.paywalled,
        )

    def ground(self, quotes: Sequence[Quote], allowed: frozenset[str]) -> Grounded:
        """Return the quotes as spans. `allowed` are the ids of the passages that the member was shown.

        Raises `Ungrounded` if there is no quote, or if any quote is of another passage, does not occur verbatim in it
        (I1), or gives orders to language models.
        """
        spans: dict[SpanRef, str] = {}
        for quote in quotes:
            passage = self.passages.get(quote.passage_id)
            if passage is None or quote.passage_id not in allowed:
                raise Ungrounded(f"it quotes a passage the member was not shown ({quote.passage_id[:40]})")
            document = self.documents[passage.document_id]
            found = locate(quote.quote, document.text, within=(passage.start, passage.end))
            if found is None:
                shown = fold_whitespace(quote.quote)
                raise Ungrounded(f"the quote does not stand verbatim in its source: “{shown[:200]}”")
            start, end = found
            if any(start < stop and end > begin for begin, stop in _orders(document.text)):
                raise Ungrounded("it quotes a sentence that gives orders to language models, which is no evidence")
            span = SpanRef(passage_id=passage.passage_id, document_id=document.document_id, start=start, end=end)
            spans[span] = document.text[start:end]
        if not spans:
            raise Ungrounded("it quotes nothing")
        documents = dict.fromkeys(s.document_id for s in spans)
        return Grounded(tuple(spans), tuple(spans.values()), tuple(self.citation(d) for d in documents))

    def worded(self, claim: str, grounded: Grounded) -> str:
        """Return a claim on one line, without the bullet or number of the list item that it quotes."""
        text = fold_whitespace(claim)
        for span in grounded.spans:
            whole = self.documents[span.document_id]
            item = next((b for b in whole.blocks if b.kind == "item" and b.start <= span.start < b.end), None)
            mark = whole.text[item.start : behind_bullet(whole.text, item.start, item.end)].strip() if item else ""
            if mark and text.startswith(f"{mark} "):
                return text[len(mark) :].strip()
        return text

    def misplaced(self, claim: str, grounded: Grounded) -> str | None:
        """Return what is wrong with the name that a claim gives to what its quote calls "it" or "these": it must stand
        in the quotes, in the text of the passage before them, in a heading above them, or in the title."""
        said = next((word for text in grounded.texts if (word := unnamed(text))), None)
        if said is None:
            return None
        near = list(grounded.texts)
        for span in grounded.spans:
            document, passage = self.documents[span.document_id], self.passages[span.passage_id]
            path = (heading.text for heading in path_at(document.text, document.blocks, span.start))
            start = max(0, min(passage.start, span.start - NEAR))
            near += [document.title, *path, document.text[start : span.start]]
        named = subject(claim)
        missing = set(index_terms(named)) - set(index_terms("\n".join(near)))
        return f"it calls “{said}” of its quote “{named}”, which stands nowhere before it" if missing else None

    def check(self, spans: Sequence[SpanRef], texts: Sequence[str]) -> None:
        """Check I1 again, for envelopes from a store or a plug-in. Raises `InvariantBroken`."""
        for span, text in zip(spans, texts, strict=True):
            document = self.documents.get(span.document_id)
            if document is None:
                raise InvariantBroken("I1", f"document {span.document_id[:12]} is not stored")
            if fold_whitespace(document.text[span.start : span.end]) != fold_whitespace(text):
                raise InvariantBroken("I1", f"a passage does not stand at {span.start} in {span.document_id[:12]}")
