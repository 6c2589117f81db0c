"""A folder, a document or a `.jsonl` of records as a root."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

from veritas.errors import CorpusError
from veritas.reading.converter_pool import Workshop
from veritas.reading.formats.jats import article_of, printed_in
from veritas.reading.loading import load_corpus
from veritas.reading.walking import walk
from veritas.registries.records import normalise
from veritas.reviews.add_papers import root_of
from veritas.reviews.drafts import NESTED, Candidate, Offer, Problem, identified, record_of
from veritas.settings import home
from veritas.works.records import BibRecord

_ARTICLES = NESTED | {"application/pdf"}

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
        source = _source(document.url)
        if document.media_type in _ARTICLES:
            record = _with_place(record, path / source if path.is_dir() else path)
        candidates.append(Candidate(source=source, document=identified(document, record), record=record))
    problems = [
        Problem(source=_beneath(path, problem.path), reason=problem.reason, kept=problem.kept)
        for problem in loaded.problems
    ]
    return Offer(root=root, candidates=tuple(candidates), problems=tuple(problems))


def _with_place(record: BibRecord, file: Path) -> BibRecord:
    """Return the record of an article with the journal, volume, issue and pages that its file states."""
    try:
        data = file.read_bytes()
        if file.suffix.lower() == ".pdf":
            with Workshop(home() / "cache" / "converted") as workshop:  # it was read a moment ago
                place = workshop.convert(data, "pdf").printed_in
        else:
            place = printed_in(article_of(data)[0])
        known = normalise("bibtex", {"entrytype": "article", **place})
    except (OSError, CorpusError):
        return record
    names = ("venue", "volume", "issue", "pages", "pmid", "kind")
    return record.model_copy(update={name: getattr(known, name) for name in names}) if known.venue else record


def _source(url: str) -> str:
    """Return a document's place in its root: its path, or the URL that its owner gave it."""
    return unquote(url.split("/", 3)[3]) if url.startswith("corpus://") else url


def _beneath(root: Path, named: str) -> str:
    try:
        return Path(named).relative_to(root).as_posix() if root.is_dir() and Path(named) != root else Path(named).name
    except ValueError:
        return named
