"""A folder, a document or a `.jsonl` of records as a root."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

from veritas.documents.document import Document
from veritas.errors import CorpusError
from veritas.reading.loading import load_corpus
from veritas.reading.walking import walk
from veritas.registries.records import normalise
from veritas.reviews.add_papers import root_of
from veritas.reviews.drafts import NESTED, Candidate, Offer, Problem, identified, record_of
from veritas.works.identifiers import normalise_doi
from veritas.works.records import BibRecord

_OWN_DOI = re.compile(r"(?i)\b(?:doi:?\s*|https?://(?:dx\.)?doi\.org/)(10\.\d{4,9}/[^\s\"<>]+)")
_FIRST_PAGE = 3_000
"""Characters searched for a paper's own DOI, in formats without pages."""


def offer_folder(path: Path, *, known: bool = False) -> Offer:
    """Return the papers in `path`. Raises `CorpusError` if it cannot be used or holds nothing; a folder that the corpus
    knows (`known`) may have become empty."""
    root = root_of(path)
    try:
        loaded = load_corpus([path])
    except CorpusError:
        if known and path.is_dir() and not list(walk(path, lambda reason: None)):
            return Offer(root=root)
        raise
    candidates = []
    for document in loaded.documents:
        record = record_of(document)
        if record.doi is None and document.media_type == "application/pdf":
            record = record.model_copy(update={"doi": printed_doi(document)})
        source = _source(document.url)
        if document.media_type in NESTED:
            record = _with_place(record, path / source if path.is_dir() else path)
        candidates.append(Candidate(source=source, document=identified(document, record), record=record))
    problems = [
        Problem(source=_beneath(path, problem.path), reason=problem.reason, kept=problem.kept)
        for problem in loaded.problems
    ]
    return Offer(root=root, candidates=tuple(candidates), problems=tuple(problems))


def _with_place(record: BibRecord, file: Path) -> BibRecord:
    """Return the record of an article with the journal, volume, issue and pages that its file states."""
    from veritas.reading.formats.jats import article_of, printed_in

    try:
        known = normalise("bibtex", {"entrytype": "article", **printed_in(article_of(file.read_bytes())[0])})
    except (OSError, CorpusError):
        return record
    names = ("venue", "volume", "issue", "pages", "pmid", "kind")
    return record.model_copy(update={name: getattr(known, name) for name in names}) if known.venue else record


def printed_doi(document: Document) -> str | None:
    """Return the DOI that a paper's first page prints, if it prints exactly one."""
    end = document.page_starts[1] if len(document.page_starts) > 1 else _FIRST_PAGE
    found = {normalise_doi(match[1]) for match in _OWN_DOI.finditer(document.text[: min(end, 8_000)])} - {None}
    return found.pop() if len(found) == 1 else None


def _source(url: str) -> str:
    """Return a document's place in its root: its path, or the URL that its owner gave it."""
    return unquote(url.split("/", 3)[3]) if url.startswith("corpus://") else url


def _beneath(root: Path, named: str) -> str:
    try:
        return Path(named).relative_to(root).as_posix() if root.is_dir() and Path(named) != root else Path(named).name
    except ValueError:
        return named
