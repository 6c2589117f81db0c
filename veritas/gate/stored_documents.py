"""The oracle of stored documents: every passage must occur verbatim in a document that the finding names (I1, I2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from veritas.documents.document import Document
from veritas.documents.verbatim import MIN_QUOTE, fold_whitespace, locate
from veritas.errors import InputError
from veritas.gate.finding import Attribution, Finding
from veritas.gate.named_oracles import OracleSetup
from veritas.gate.oracle import OracleAnswer
from veritas.judging import Setting
from veritas.judging.floor import Standing
from veritas.text.sentences import split_sentences
from veritas.text.structure import path_at

SHOWN = 120
AROUND = 3
"""Passages of a finding around which a lens may read."""
CLIPPED = 240
"""Characters of a heading, or of a sentence beside a passage, that a lens is shown."""


class StoredDocuments:
    """An oracle that looks passages up in documents. Without a passage, or without a named document, nothing is
    confirmed."""

    name = "stored-documents"

    def __init__(self, documents: Iterable[Document]) -> None:
        self._documents = tuple(documents)
        self._by_id = {d.document_id: d for d in self._documents}
        self._by_url: dict[str, Document] = {}
        for document in self._documents:
            self._by_url.setdefault(document.url, document)

    async def confirm(self, finding: Finding) -> OracleAnswer:
        """Return the answer about a finding: `misattributed` if a passage occurs only in another stored document,
        `fabricated` if it occurs in none."""
        named: list[Document] = []
        for source in finding.sources:
            document = self._named(source)
            if document is None:
                return self._said("cannot-confirm", f"{source} is not among the documents that were read")
            named.append(document)
        if not named:
            return self._said("cannot-confirm", "it names no document that was read")
        if not finding.passages:
            return self._said("cannot-confirm", "no passage of its source is quoted")
        evidence: list[str] = []
        standing: dict[str, Document] = {}
        moved = False
        for passage in finding.passages:
            shown = fold_whitespace(passage)[:SHOWN]
            if len(fold_whitespace(passage)) < MIN_QUOTE:
                return self._said("cannot-confirm", f"the passage “{shown}” is too short to be found anywhere")
            home = _home(passage, named)
            if home is None:
                home, moved = _home(passage, self._documents), True
            if home is None:
                where = " or ".join(_shown(d) for d in named)
                return self._said("fabricated", f"the passage “{shown}” stands in no document, {where} included")
            standing[home.document_id] = home
            evidence.append(f"“{shown}” stands in {_shown(home)}")
        if not moved:
            count = len(finding.passages)
            said = "its passage stands" if count == 1 else f"its {count} passages stand"
            return self._said("confirmed", f"{said} word for word in the document", evidence)
        return OracleAnswer(
            oracle=self.name,
            verdict="misattributed",
            rationale=f"its passage occurs in {', '.join(map(_shown, standing.values()))}, not where it is attributed",
            evidence=tuple(evidence),
            correction=tuple(attribution(d) for d in standing.values()),
        )

    def whole_sentences(self, document_id: str, start: int, end: int) -> str:
        """Return the sentences of a document that overlap `[start, end)`."""
        document = self._by_id.get(document_id)
        return whole_sentences(document.text, start, end) if document is not None else ""

    def standing(self, finding: Finding) -> tuple[Standing, ...]:
        """Return each passage of a finding in its whole sentences, preferably from a document that the finding names.
        """
        return tuple(
            Standing(passage, Setting()) if home is None else Standing(
                self.whole_sentences(home.document_id, *place), Setting(home.document_id, home.title or "")
            )
            for passage, home, place in self._places(finding)
        )  # fmt: skip

    def context(self, finding: Finding) -> str:
        """Return for each passage title and headings, and the sentences around it."""
        found = [(home, place) for _, home, place in self._places(finding) if home is not None]
        return "\n".join(dict.fromkeys(_context(home, *place) for home, place in found[:AROUND]))

    def _places(self, finding: Finding) -> Iterator[tuple[str, Document | None, tuple[int, int]]]:
        """Yield each passage with the document it stands in and its place there."""
        named = [d for source in finding.sources if (d := self._named(source)) is not None]
        for passage in finding.passages:
            home = _home(passage, (*named, *self._documents))
            place = locate(passage, home.text) if home is not None else None
            yield passage, home if place is not None else None, place or (0, 0)

    def _named(self, source: Attribution) -> Document | None:
        if source.document_id is not None:
            return self._by_id.get(source.document_id)
        if source.url is not None and source.url in self._by_url:
            return self._by_url[source.url]
        for key in ("doi", "arxiv_id"):
            wanted = getattr(source, key)
            if wanted:
                return next((d for d in self._documents if (getattr(d, key) or "").lower() == wanted.lower()), None)
        return None

    def _said(self, verdict: str, why: str, evidence: Iterable[str] = ()) -> OracleAnswer:
        return OracleAnswer.model_validate(
            {"oracle": self.name, "verdict": verdict, "rationale": why, "evidence": tuple(evidence)}
        )


def whole_sentences(text: str, start: int, end: int) -> str:
    """Return the sentences of a text that overlap `[start, end)`, because a quote may omit the end of one. Quoted text
    that is no sentence, such as a line of a program, is kept."""
    touched = [(start, end), *((a, b) for a, b in _sentences(text) if a < end and start < b)]
    return text[min(a for a, _ in touched) : max(b for _, b in touched)]


def _context(home: Document, start: int, end: int) -> str:
    """Return title, headings, and the sentences on either side of `[start, end)`, which stands there as [passage]."""
    path = [home.title, *(heading.text for heading in path_at(home.text, home.blocks, start))]
    spans = _sentences(home.text)
    before = next((home.text[a:b] for a, b in reversed(spans) if b <= start), "")
    after = next((home.text[a:b] for a, b in spans if a >= end), "")
    beside = f"{fold_whitespace(before)[-CLIPPED:]} [passage] {fold_whitespace(after)[:CLIPPED]}".strip()
    return f"{' > '.join(dict.fromkeys(step[:CLIPPED] for step in path if step))}: {beside}"


@lru_cache(maxsize=64)
def _sentences(text: str) -> list[tuple[int, int]]:
    return split_sentences(text)


class AdmittedTexts:
    """The oracle of sentences that rest on texts admitted by the gate: each passage must be one of them."""

    name = "admitted-texts"

    def __init__(self, texts: Iterable[str], documents: Iterable[Document] = ()) -> None:
        self._texts = frozenset(fold_whitespace(text) for text in texts)
        self._documents = StoredDocuments(documents)

    async def confirm(self, finding: Finding) -> OracleAnswer:
        """Return the answer about a finding: `fabricated` if a passage is not among the admitted texts."""
        foreign = [p for p in finding.passages if fold_whitespace(p) not in self._texts]
        if not finding.passages:
            return OracleAnswer(oracle=self.name, verdict="cannot-confirm", rationale="it rests on no admitted text")
        if foreign:
            shown = fold_whitespace(foreign[0])[:SHOWN]
            return OracleAnswer(
                oracle=self.name, verdict="fabricated", rationale=f"“{shown}” is no text that was admitted"
            )
        return OracleAnswer(oracle=self.name, verdict="confirmed", rationale="it rests on admitted texts alone")

    def standing(self, finding: Finding) -> Sequence[Standing]:
        """Return each text in its whole sentences, if its document is available."""
        return self._documents.standing(finding)

    def context(self, finding: Finding) -> str:
        """Return where the texts stand, if their documents are available."""
        return self._documents.context(finding)


def stored_documents(setup: OracleSetup) -> StoredDocuments:
    """Create the oracle `stored-documents`. Raises `InputError` without documents."""
    if setup.documents is None:
        raise InputError(f"the oracle stored-documents has none to look in: a {setup.kind} is looked up elsewhere")
    return StoredDocuments(setup.documents)


def admitted_texts(setup: OracleSetup) -> AdmittedTexts:
    """Create the oracle `admitted-texts`. Raises `InputError` without admitted texts."""
    if setup.texts is None:
        raise InputError(f"the oracle admitted-texts has none to look in: a {setup.kind} is looked up elsewhere")
    return AdmittedTexts(setup.texts, setup.documents or ())


def attribution(document: Document) -> Attribution:
    """Return a stored document as a source (I2)."""
    return Attribution(
        document_id=document.document_id,
        url=document.url,
        doi=document.doi,
        arxiv_id=document.arxiv_id,
        title=document.title or None,
        authors=document.authors,
        year=document.published_at.year if document.published_at else None,
    )


def _home(passage: str, documents: Iterable[Document]) -> Document | None:
    return next((d for d in documents if locate(passage, d.text) is not None), None)


def _shown(document: Document) -> str:
    return document.title or document.url
