"""Check a corpus: I1 anew for every claim, and no row in the file without the row that it refers to.

I1 and I2 for a corpus: look every draft's quote up in the stored text; code alone sets its place.

An overview of a corpus: its papers, its claims by type and evidence (spec, Fig. 3), the papers left out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from veritas.documents.document import Document, document_id
from veritas.documents.paper_sections import UNREAD, page_of
from veritas.documents.verbatim import fold_whitespace, locate
from veritas.errors import InputError
from veritas.frozen import Frozen
from veritas.reviews._corpus_changes import drop_papers
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.corpus_claim import (
    CLAIM_KINDS,
    EVIDENCE_KINDS,
    ClaimKind,
    CorpusClaim,
    CorpusPaper,
    EvidenceKind,
    corpus_claim_id,
)
from veritas.reviews.corpus_file import read_text
from veritas.reviews.drafts import ClaimDraft, Problem, sections_of
from veritas.text.instructions import is_instruction
from veritas.text.structure import CAPTION


class Overview(Frozen):
    """An overview of a corpus. `kinds[claim_type][evidence_type]` counts claims, with 0 for absent types. `left_out`
    has the papers that the last addition of each root left out or read with a doubt."""

    corpus: str
    embedding_model: str | None
    claims: int
    papers: tuple[CorpusPaper, ...]
    kinds: Mapping[ClaimKind, Mapping[EvidenceKind, int]]
    left_out: tuple[Problem, ...]


def overview(name: str) -> Overview:
    """Return the overview of the corpus of that name. Raises `InputError` if there is none."""
    corpus = Corpus.open(name)
    claims = corpus.claims()
    counts = {kind: dict.fromkeys(EVIDENCE_KINDS, 0) for kind in CLAIM_KINDS}
    for claim in claims:
        counts[claim.claim_type][claim.evidence_type] += 1
    with corpus.file.reading() as connection:
        rows = connection.execute(
            "SELECT source, reason, kept, claims FROM left_out ORDER BY root, claims > 0, source, claims DESC"
        ).fetchall()
    return Overview(
        corpus=corpus.name,
        embedding_model=corpus.embedding_model,
        claims=len(claims),
        papers=corpus.papers(),
        kinds=counts,
        left_out=tuple(Problem(source=s, reason=r, kept=k, claims=n) for s, r, k, n in rows),
    )


_NOTE = re.compile(r"(\*{1,3})(?=\w)(?!.{1,400}?\S\1)|[†‡§¶‖]", re.DOTALL)
"""The mark of a note below a table or a page. A star that is closed again is emphasis."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")

NOT_VERBATIM = "its quote is not in the document"
OTHER_NUMBERS = "it states a number that its quote does not; the quote's own words were kept instead"


def ground(
    document: Document, drafts: Iterable[ClaimDraft], paper_key: str, extractor: str
) -> tuple[tuple[CorpusClaim, ...], Counter[str]]:
    """Return the claims whose quotes are verbatim in the document, in its order, and a count of the others by reason.

    A claim whose own words state a number that its quote lacks is given the quote's words.
    """
    left_out: Counter[str] = Counter()
    found: dict[str, CorpusClaim] = {}
    names = sections_of(document)
    for draft in drafts:
        place = locate(draft.quote, document.text, within=draft.within)
        if place is None:
            left_out[NOT_VERBATIM] += 1
            continue
        start, end = place
        verbatim = fold_whitespace(document.text[start:end])
        text = fold_whitespace(draft.text)
        section = names.at(start)
        if is_instruction(verbatim) or is_instruction(text):
            left_out["it gives orders to a language model"] += 1
            continue
        if section in UNREAD:
            left_out[f"it is in the {section}"] += 1
            continue
        if (apart := _apart(document, start, end)) is not None:
            left_out[apart] += 1
            continue
        if not numbers(text) <= numbers(verbatim):
            left_out[OTHER_NUMBERS] += 1
            text = verbatim
        claim_id = corpus_claim_id(document.document_id, start, end, text)
        if claim_id in found:
            left_out["it was drawn twice"] += 1
            continue
        found[claim_id] = CorpusClaim(
            claim_id=claim_id,
            text=text,
            verbatim=verbatim,
            paper_key=paper_key,
            authors=document.authors,
            year=document.published_at.year if document.published_at else None,
            doi=document.doi,
            section=section,
            page=page_of(document.page_starts, start),
            claim_type=draft.claim_type,
            evidence_type=draft.evidence_type,
            document_id=document.document_id,
            start=start,
            end=end,
            extractor=extractor,
        )
    return tuple(sorted(found.values(), key=lambda claim: (claim.start, claim.end, claim.claim_id))), left_out


def _apart(document: Document, start: int, end: int) -> str | None:
    """Return why a place of a document is no part of what its text says, or None: by the structure of its file, and by
    the mark that opens a note ("**Adjusted for age.")."""
    blocks = document.blocks
    at = bisect_right(blocks, start, key=lambda block: block.end)
    if at < len(blocks) and blocks[at].start <= start and end <= blocks[at].end:
        if blocks[at].language == CAPTION:
            return "it is in a caption or the notes of a table"
        if blocks[at].kind in ("heading", "head"):
            return "it is a heading"
    return "it is a note" if _NOTE.match(document.text, start, end) else None


def numbers(text: str) -> frozenset[str]:
    """Return the numbers that a text states in digits, without separators of thousands."""
    return frozenset(re.sub(r",(?=\d{3}(?!\d))", "", found) for found in _NUMBER.findall(text))


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
