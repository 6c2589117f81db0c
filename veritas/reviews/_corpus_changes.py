"""Changes to a corpus' file, each part of one transaction: keys, a paper with its claims, papers left out.

Citation keys: identify works, and give each a key that it keeps as long as the corpus lives.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence

import duckdb

from veritas.citations.slugs import title_keyword
from veritas.errors import InputError
from veritas.reviews.corpus_claim import CorpusClaim
from veritas.reviews.drafts import Candidate, Problem
from veritas.store.packing import pack
from veritas.store.rows import insert, writable_text
from veritas.works.folding import fold
from veritas.works.records import BibRecord
from veritas.works.title_comparison import normalise_title

_USABLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_:.+/-]{0,119}")


def work_of(record: BibRecord, source: str) -> str:
    """Return what identifies a work: its DOI, arXiv id, or title, first author and year; without an author, only the
    place it was found in (`source`)."""
    if record.doi:
        return f"doi:{record.doi}"
    if record.arxiv_id:
        return f"arxiv:{record.arxiv_id}"
    title = normalise_title(record.title or "")
    if title and record.authors:
        return f"title:{title}|{_surname(record)}|{record.year or ''}"
    return f"source:{source}"


def usable_key(key: str | None) -> str | None:
    """Return a key as its owner gave it if LaTeX and Pandoc can cite it, else None."""
    return key if key and _USABLE.fullmatch(key) else None


def base_key(record: BibRecord) -> str:
    """Return first author and year, `tang2005`; `tangnd` without a year; a title word without an author."""
    return f"{_surname(record) or title_keyword(record.title or '')[:20] or 'paper'}{record.year or 'nd'}"


def assign(wanted: Sequence[tuple[str, str | None, BibRecord]], held: Mapping[str, str]) -> dict[str, str]:
    """Return a key for each work, given as (work, key its owner gave, record), beside those already `held` (work to
    key).

    A work keeps its key, unless its owner gave another that is free. A new work gets its owner's key, else author and
    year, with `a`, `b` … behind it if that is taken. BibTeX rejects keys that differ only in case.
    """
    keys = dict(held)
    taken = {key.casefold(): work for work, key in keys.items()}
    for work, given, record in wanted:
        own = usable_key(given)
        if own is not None and taken.get(own.casefold(), work) == work:
            taken.pop(keys.get(work, "").casefold(), None)
            keys[work] = own
            taken[own.casefold()] = work
        elif work not in keys:
            base = own or base_key(record)
            key = next(key for key in _suffixed(base) if key.casefold() not in taken)
            keys[work] = key
            taken[key.casefold()] = work
    return {work: keys[work] for work, _, _ in wanted}


def _suffixed(base: str) -> Iterable[str]:
    yield base
    letters = "abcdefghijklmnopqrstuvwxyz"
    suffixes = list(letters)
    while True:
        for suffix in suffixes:
            yield base + suffix
        suffixes = [first + last for first in suffixes for last in letters]


def _surname(record: BibRecord) -> str:
    if not record.authors:
        return ""
    return "".join(sign for sign in fold(record.authors[0].family) if sign.isascii() and sign.isalnum())[:40]


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
    same = "claim_id document_id text verbatim section page claim_type evidence_type extractor".split()
    rows = [
        {name: getattr(claim, name) for name in same}
        | {"position": position, "span_start": claim.start, "span_end": claim.end}
        for position, claim in enumerate(claims)
    ]
    insert(connection, "corpus_claims", rows)
    if vectors is not None and claims:
        _lock_dimensions(connection, len(vectors[0]))
        pairs = zip(claims, vectors, strict=True)
        insert(connection, "embeddings", [{"claim_id": c.claim_id, "vector": list(vector)} for c, vector in pairs])
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
    rows = [
        {"root": root, "source": writable_text(p.source), "reason": writable_text(p.reason), "kept": p.kept,
         "claims": p.claims}
        for p in problems
    ]  # fmt: skip
    insert(connection, "left_out", rows)


def _lock_dimensions(connection: Connection, size: int) -> None:
    held = connection.execute("SELECT dimensions, embedding_model FROM corpus").fetchall()[0]
    if held[0] is None:
        connection.execute("UPDATE corpus SET dimensions = ?", [size])
    elif held[0] != size:
        raise InputError(
            f"{held[1]} now gives vectors of {size} numbers and gave {held[0]} before: it is another model under the "
            "same name, and the two cannot be mixed. Make another corpus for it"
        )
