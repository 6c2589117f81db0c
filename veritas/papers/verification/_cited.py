"""The outside works a paper rests on: cited works as witnesses, their texts, and the paper's own standing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from veritas.documents.document import Document, document_id
from veritas.documents.paper_parts import Reference
from veritas.engine.budget import Spending
from veritas.errors import Unavailable
from veritas.papers.audit import AuditNode, PaperEvidence
from veritas.papers.audit_runtime import PaperRuntime
from veritas.papers.verification.metric_policy import CitationWorth
from veritas.papers.verification.metrics import CitedWork

if TYPE_CHECKING:
    from veritas.registries.all_registries import Registries

Say = Callable[[str, str, str], None]
"""Callback that writes a row for something left out: kind, subject, reason (I7)."""


def cited_work(reference: Reference, evidence: Sequence[PaperEvidence], worth: CitationWorth) -> CitedWork:
    """Return the worth of a cited work for the statement that `evidence` was gathered for. Its standing outweighs its
    words: a retracted paper supports nothing."""
    pieces = [e for e in evidence if e.reference == reference.key]
    ids = tuple(e.id for e in pieces)
    key, named = reference.key, reference.verdict
    if named in ("retracted", "withdrawn", "fabricated"):
        return CitedWork(key, worth.gone, f"{named}: {reference.reason}", ids)
    if named == "misattributed":
        return CitedWork(key, worth.misattributed, reference.reason, ids)
    for label, value, why in (
        ("refutes", worth.refutes, "its text says otherwise"),
        ("supports", worth.says_it, "its text says so"),
        ("silent", worth.silent, "its text was read and does not say so plainly"),
    ):
        if any(e.label == label for e in pieces):
            return CitedWork(key, value, why, ids)
    if named == "minor":
        return CitedWork(key, worth.minor, f"it exists, with slips: {reference.reason}")
    if named == "verified":
        return CitedWork(key, worth.exists, "it exists as cited; its text was not read")
    if named == "in_corpus":
        return CitedWork(key, worth.silent, "its text is in the corpus and does not speak of this")
    if named == "not_checked":
        return CitedWork(key, None, "nobody was asked about it (the web was not asked)")
    return CitedWork(key, None, f"{named.replace('_', ' ')}: {reference.reason}")


async def fetched_texts(
    nodes: Sequence[AuditNode],
    references: Sequence[Reference],
    copies: Mapping[str, Document],
    registries: Registries,
    runtime: PaperRuntime,
    spending: Spending,
    say: Say,
) -> dict[str, Document]:
    """Return the texts of works that nodes cite, from the web, as many as the policy and the budget allow."""
    from veritas.citations.citing.full_text import fetch_paper_text
    from veritas.registries.scholarly_source import Identifier

    wanted = {key for node in nodes for key in node.cites}
    found: dict[str, Document] = {}
    for reference in references:
        if len(found) >= runtime.verification.reading.texts or spending.over() is not None:
            break
        if reference.key not in wanted or reference.key in copies or not reference.matched_doi:
            continue
        if reference.verdict not in ("verified", "minor"):
            continue
        answers = await registries.look_up(Identifier(kind="doi", value=reference.matched_doi))
        records = [each for answer in answers for each in answer.found]
        text = await fetch_paper_text(records, registries, runtime.reader) if records else None
        if text is None or not text.text.strip():
            say("citation-unread", f"reference:{reference.key}", "its text is not to be had")
            continue
        if text.abstract_only:
            say("citation-abstract", f"reference:{reference.key}", "no more than its abstract could be read")
        found[reference.key] = Document(
            document_id=document_id(text.text),
            url=text.url or f"https://doi.org/{reference.matched_doi}",
            title=reference.matched or reference.title,
            text=text.text,
            fetched_at=datetime.now(UTC).date(),
            doi=reference.matched_doi,
            page_starts=text.page_starts,
            abstract_only=text.abstract_only,
        )
    return found


async def standing_of(doi: str | None, registries: Registries | None, say: Say) -> str | None:
    """Return the standing of a paper since it appeared; None if nobody could be asked or nobody knows it."""
    if registries is None or doi is None:
        return None
    from veritas.citations.retractions import status_of
    from veritas.registries.scholarly_source import Identifier
    from veritas.works.records import Update

    answers = await registries.look_up(Identifier(kind="doi", value=doi))
    records = [each.record for answer in answers for each in answer.found]
    notices: Sequence[Update] = ()
    try:
        notices = await registries.notices(doi)
    except Unavailable as problem:
        say("source-unavailable", "paper", f"its standing is not known: {problem}")
    if not records and not notices:
        return None
    status = status_of(records, notices)
    if status.standing != "current":
        say("paper-standing", "paper", f"{status.standing}: {'; '.join(status.sentences())}")
    return status.standing
