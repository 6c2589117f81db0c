"""Check a corpus: I1 anew for every claim, and no row in the file without the row that it refers to."""

from __future__ import annotations

from collections.abc import Sequence

from veritas.documents.document import document_id
from veritas.documents.paper_sections import page_of
from veritas.documents.verbatim import fold_whitespace
from veritas.errors import InputError
from veritas.frozen import Frozen
from veritas.reviews._corpus_changes import drop_papers
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.corpus_claim import corpus_claim_id
from veritas.reviews.corpus_file import read_text
from veritas.reviews.ground_drafts import numbers

_ORPHANS = {
    "claim without a paper": "corpus_claims WHERE document_id NOT IN (SELECT document_id FROM papers)",
    "document without a paper": "documents WHERE document_id NOT IN (SELECT document_id FROM papers)",
    "paper without its document": "papers WHERE document_id NOT IN (SELECT document_id FROM documents)",
    "embedding without a claim": "embeddings WHERE claim_id NOT IN (SELECT claim_id FROM corpus_claims)",
    "claim without an embedding": "corpus_claims WHERE claim_id NOT IN (SELECT claim_id FROM embeddings) "
    "AND (SELECT embedding_model FROM corpus) IS NOT NULL",
    "key of two papers": "papers GROUP BY ALL HAVING count(*) > 1",
    "claim that is there twice": "corpus_claims GROUP BY ALL HAVING count(*) > 1",
}
_SUBJECT = {"documents": "document_id", "papers": "paper_key"}


class Breach(Frozen):
    """A fault in a corpus. `subject` is a claim's id, a paper's key or a document's id."""

    subject: str
    paper_key: str | None = None
    what: str


class Check(Frozen):
    """The result of a check: how much was checked, and the faults."""

    corpus: str
    papers: int
    claims: int
    breaches: tuple[Breach, ...] = ()


def check(corpus: Corpus) -> Check:
    """Look every quote up in its document's stored text, at its offsets and on its page."""
    found: list[Breach] = []
    claims = corpus.claims()
    papers = {paper.document_id: paper for paper in corpus.papers()}
    texts: dict[str, str] = {}
    with corpus.file.reading() as connection:
        for what, where in _ORPHANS.items():
            subject = _SUBJECT.get(where.split(maxsplit=1)[0], "claim_id")
            rows = connection.execute(f"SELECT {subject} FROM {where}").fetchall()
            found += [Breach(subject=row[0], what=what) for row in rows]
        starts = dict(connection.execute("SELECT document_id, page_starts FROM papers").fetchall())
        for identity, paper in papers.items():
            text = read_text(connection, identity)
            if text is None:
                continue
            texts[identity] = text
            if document_id(text) != identity:
                found.append(Breach(subject=identity, paper_key=paper.paper_key, what="text is not what was read"))
    for claim in claims:
        text = texts.get(claim.document_id)
        if text is None:
            continue

        def breach(what: str, subject: str = claim.claim_id, key: str = claim.paper_key) -> None:
            found.append(Breach(subject=subject, paper_key=key, what=what))

        if fold_whitespace(text[claim.start : claim.end]) != claim.verbatim:
            breach("the quote is not in the document at its place (I1)")
        if page_of(starts[claim.document_id], claim.start) != claim.page:
            breach("the quote is not on its page")
        if not numbers(claim.text) <= numbers(claim.verbatim):
            breach("states a number that its quote does not")
        if corpus_claim_id(claim.document_id, claim.start, claim.end, claim.text) != claim.claim_id:
            breach("id is not that of its content")
    return Check(corpus=corpus.name, papers=len(papers), claims=len(claims), breaches=tuple(found))


def remove_corpus(corpus: Corpus) -> None:
    """Remove a corpus with all its contents. Raises `InputError` if the file cannot be removed."""
    try:
        corpus.path.unlink()
        corpus.path.with_name(corpus.path.name + ".wal").unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"{corpus.path} cannot be removed: {error.strerror or error}") from error


def remove_papers(corpus: Corpus, keys: Sequence[str]) -> int:
    """Remove papers from a corpus and return the number of removed claims. Papers that their root still holds come back
    with its next addition. Raises `InputError` for a key that no paper has; nothing is then removed."""
    papers = [corpus.paper(key) for key in keys]
    with corpus.file.writing() as connection:
        return sum(drop_papers(connection, paper.root, [paper.source]) for paper in papers)
