"""Changes to a corpus' file, each part of one transaction: keys, a paper with its claims, papers left out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

import duckdb

from veritas.errors import InputError
from veritas.reviews.citation_keys import assign
from veritas.reviews.corpus_claim import CorpusClaim
from veritas.reviews.offered_papers import Candidate, Problem
from veritas.store.packing import pack
from veritas.store.rows import insert, writable_text
from veritas.works.records import BibRecord

Connection = duckdb.DuckDBPyConnection


def reserve_keys(
    connection: Connection, wanted: Sequence[tuple[str, str | None, BibRecord]], told_anew: Mapping[str, str]
) -> dict[str, str]:
    """Return a key for each work; new and changed ones are stored. `told_anew` maps works whose records changed to
    their former identity: they keep their keys."""
    for work, before in told_anew.items():
        connection.execute(
            "UPDATE citation_keys SET work = ? WHERE work = ? AND NOT EXISTS "
            "(SELECT 1 FROM citation_keys WHERE work = ?)",
            [work, before, work],
        )
    held = dict(connection.execute("SELECT work, paper_key FROM citation_keys").fetchall())
    keys = assign(wanted, held)
    changed = {work: key for work, key in keys.items() if held.get(work) != key}
    for work in changed:
        if work in held:
            connection.execute("DELETE FROM citation_keys WHERE work = ?", [work])
            connection.execute("UPDATE papers SET paper_key = ? WHERE paper_key = ?", [changed[work], held[work]])
    insert(connection, "citation_keys", [{"work": work, "paper_key": key} for work, key in changed.items()])
    return keys


def drop_moved(connection: Connection, root: str, gone: Iterable[str], paper_key: str, document_id: str) -> int:
    """Remove a paper's rows under file names that its root no longer has; return the number of removed claims."""
    rows = connection.execute(
        "SELECT source FROM papers WHERE root = ? AND list_contains(?::VARCHAR[], source) "
        "AND (paper_key = ? OR document_id = ?)",
        [root, list(gone), paper_key, document_id],
    ).fetchall()
    return drop_papers(connection, root, [row[0] for row in rows])


def put_paper(
    connection: Connection,
    root: str,
    candidate: Candidate,
    paper_key: str,
    claims: Sequence[CorpusClaim],
    vectors: Sequence[Sequence[float]] | None,
    extractor: str,
    left_out: Mapping[str, int],
) -> bool:
    """Put a paper with its document and claims in place of what its source held before.

    Return False, and do nothing, if another addition put the same paper or text there meanwhile.
    """
    document = candidate.document
    there = connection.execute(
        "SELECT 1 FROM papers WHERE (paper_key = ? OR document_id = ?) AND NOT (root = ? AND source = ?)",
        [paper_key, document.document_id, root, candidate.source],
    ).fetchall()
    if there:
        return False
    drop_papers(connection, root, [candidate.source])
    connection.execute("DELETE FROM left_out WHERE root = ? AND source = ?", [root, candidate.source])
    insert(connection, "papers", [paper_row(root, candidate, paper_key, extractor)])
    insert(connection, "documents", [{"document_id": document.document_id, "text": pack(document.text)}])
    insert(
        connection,
        "corpus_claims",
        [
            {
                "claim_id": claim.claim_id,
                "position": position,
                "document_id": claim.document_id,
                "text": claim.text,
                "verbatim": claim.verbatim,
                "section": claim.section,
                "page": claim.page,
                "claim_type": claim.claim_type,
                "evidence_type": claim.evidence_type,
                "span_start": claim.start,
                "span_end": claim.end,
                "extractor": claim.extractor,
            }
            for position, claim in enumerate(claims)
        ],
    )
    if vectors is not None and claims:
        _lock_dimensions(connection, len(vectors[0]))
        insert(
            connection,
            "embeddings",
            [
                {"claim_id": claim.claim_id, "vector": list(vector)}
                for claim, vector in zip(claims, vectors, strict=True)
            ],
        )
    put_problems(connection, root, [Problem(source=candidate.source, reason=r, claims=n) for r, n in left_out.items()])
    return True


def paper_row(root: str, candidate: Candidate, paper_key: str, extractor: str) -> dict[str, object]:
    """Return the row of a paper."""
    document, record = candidate.document, candidate.record
    return {
        "paper_key": paper_key,
        "title": document.title,
        "authors": list(document.authors),
        "year": record.year,
        "doi": record.doi,
        "record": json.dumps(record.model_dump(mode="json"), ensure_ascii=False),
        "item_type": candidate.item_type,
        "tags": list(candidate.tags),
        "root": root,
        "source": candidate.source,
        "url": document.url,
        "document_id": document.document_id,
        "media_type": document.media_type,
        "page_starts": list(document.page_starts),
        "characters": len(document.text),
        "extractor": extractor,
        "read_on": document.fetched_at,
    }


def rename_paper(connection: Connection, root: str, candidate: Candidate, paper_key: str, extractor: str) -> None:
    """Replace the paper's row; its document and claims stay, and take authors, year and DOI from it."""
    connection.execute("DELETE FROM papers WHERE root = ? AND source = ?", [root, candidate.source])
    insert(connection, "papers", [paper_row(root, candidate, paper_key, extractor)])


def drop_papers(connection: Connection, root: str, sources: Iterable[str]) -> int:
    """Remove papers with their documents, claims and embeddings; return the number of removed claims."""
    wanted = list(sources)
    rows = connection.execute(
        "SELECT document_id FROM papers WHERE root = ? AND list_contains(?::VARCHAR[], source)", [root, wanted]
    ).fetchall()
    documents = [row[0] for row in rows]
    if not documents:
        return 0
    gone = connection.execute(
        "SELECT claim_id FROM corpus_claims WHERE list_contains(?::VARCHAR[], document_id)", [documents]
    ).fetchall()
    of_documents = "list_contains(?::VARCHAR[], document_id)"
    connection.execute(
        f"DELETE FROM embeddings WHERE claim_id IN (SELECT claim_id FROM corpus_claims WHERE {of_documents})",
        [documents],
    )
    for table in ("corpus_claims", "documents", "papers"):
        connection.execute(f"DELETE FROM {table} WHERE {of_documents}", [documents])
    connection.execute(
        "DELETE FROM left_out WHERE root = ? AND list_contains(?::VARCHAR[], source)", [root, wanted]
    )
    return len(gone)


def put_problems(connection: Connection, root: str, problems: Iterable[Problem]) -> None:
    """Insert rows for the papers that were left out."""
    insert(
        connection,
        "left_out",
        [
            {
                "root": root,
                "source": writable_text(problem.source),
                "reason": writable_text(problem.reason),
                "kept": problem.kept,
                "claims": problem.claims,
            }
            for problem in problems
        ],
    )


def _lock_dimensions(connection: Connection, size: int) -> None:
    held = connection.execute("SELECT dimensions, embedding_model FROM corpus").fetchall()[0]
    if held[0] is None:
        connection.execute("UPDATE corpus SET dimensions = ?", [size])
    elif held[0] != size:
        raise InputError(
            f"{held[1]} now gives vectors of {size} numbers and gave {held[0]} before: it is another model under the "
            "same name, and the two cannot be mixed. Make another corpus for it"
        )
