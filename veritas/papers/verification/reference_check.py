"""Check the works a paper cites: find those that lie in the corpus, and ask registries about the others.

The outside works a paper rests on: cited works as witnesses, their texts, and the paper's own standing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from veritas.documents.document import Document, document_id
from veritas.documents.paper_parts import Reference
from veritas.engine.budget import Spending
from veritas.errors import Unavailable
from veritas.papers.audit import AuditNode, PaperEvent, PaperEvidence
from veritas.papers.audit_runtime import PaperRuntime
from veritas.papers.reading.reference_list import as_entry
from veritas.papers.verification.metric_policy import CitationWorth
from veritas.papers.verification.metrics import CitedWork
from veritas.reading.corpus import Corpus
from veritas.works.folding import words
from veritas.works.identifiers import normalise_arxiv_id, normalise_doi
from veritas.works.title_comparison import title_words

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
    status = status_of(records, notices)
    if status.standing not in ("current", None):
        say("paper-standing", "paper", f"{status.standing}: {'; '.join(status.sentences())}")
    return status.standing


if TYPE_CHECKING:
    from veritas.registries.all_registries import Registries

UNREAD = "what is author and what is title could not be told for sure"
TITLE_WORDS = 4
"""Words of a title below which finding it in a reference may be chance."""


def own_copies(references: Sequence[Reference], corpus: Corpus | None, paper_id: str) -> dict[str, Document]:
    """Return the corpus documents that are cited works, by the reference's key: matched by DOI, arXiv id, or a title
    that stands whole in the reference. The paper itself is left out."""
    if corpus is None or not references:
        return {}
    by_id: dict[str, Document] = {}
    titles: list[tuple[str, Document]] = []
    for document in corpus.documents:
        if document.document_id == paper_id:
            continue
        for name in (normalise_doi(document.doi), normalise_arxiv_id(document.arxiv_id)):
            if name:
                by_id.setdefault(name, document)
        title = title_words(document.title)
        if len(title) >= TITLE_WORDS:
            titles.append((f" {' '.join(title)} ", document))
    found: dict[str, Document] = {}
    for reference in references:
        names = (normalise_doi(reference.fields.get("doi")), normalise_arxiv_id(reference.fields.get("eprint")))
        same = next((by_id[name] for name in names if name and name in by_id), None)
        if same is None:
            raw = f" {' '.join(words(reference.raw))} "
            same = max((d for t, d in titles if t in raw), key=lambda d: len(d.title), default=None)
        if same is not None:
            found[reference.key] = same
    return found


async def checked_references(
    references: Sequence[Reference],
    copies: Mapping[str, Document],
    registries: Registries | None,
    most: int,
) -> tuple[tuple[Reference, ...], list[PaperEvent]]:
    """Return the references with their verdicts, and events. Registries are asked about the `most` that are cited most
    often; others stay `not_checked`, or `in_corpus` if their text is at hand. A reference that could not be taken apart
    for sure is asked about by its identifier alone, or not at all, and is never called fabricated or misattributed."""
    events: list[PaperEvent] = []
    settled: dict[str, Reference] = {}
    if registries is not None and most > 0:
        from veritas.citations.bibliography.judging import verify

        unread = {reference.key: reference for reference in references if not _askable(reference)}
        order = sorted((r for r in references if r.key not in unread), key=lambda r: (-r.cited, r.number))
        asked, rest = order[:most], order[most:]
        for key, reference in unread.items():
            settled[key] = reference.model_copy(update={"reason": UNREAD})
        if unread:
            events.append(
                PaperEvent(
                    stage="verify",
                    kind="references-unread",
                    subject="references",
                    reason=f"{len(unread)} of {len(references)} references were not asked about: {UNREAD}",
                )
            )
        judged = await verify([as_entry(reference) for reference in asked], registries)
        for reference, found in zip(asked, judged, strict=True):
            match = found.match
            verdict, reason = found.verdict.value, found.reason
            settled[reference.key] = reference.model_copy(
                update={
                    "verdict": verdict,
                    "reason": reason,
                    "matched": _shown(match) if match is not None else None,
                    "matched_doi": match.doi if match is not None else None,
                    "standing": _standing(verdict, found.notes) if match is not None else None,
                }
            )
            if verdict in ("retracted", "withdrawn", "fabricated", "misattributed"):
                events.append(
                    PaperEvent(
                        stage="verify",
                        kind=f"reference-{verdict}",
                        subject=f"reference:{reference.key}",
                        reason=reason,
                    )
                )
        if rest:
            events.append(
                PaperEvent(
                    stage="verify",
                    kind="references-unasked",
                    subject="references",
                    reason=f"{len(rest)} of {len(references)} references were not asked about: the limit is {most}",
                )
            )
    for key, document in copies.items():
        reference = settled.get(key) or next(r for r in references if r.key == key)
        update: dict[str, str] = {"url": document.url}
        if reference.verdict in ("not_checked", "cannot_confirm", "unavailable"):
            update |= {"verdict": "in_corpus", "reason": f"the corpus holds it: {document.title}"}
        settled[key] = reference.model_copy(update=update)
    return tuple(settled.get(reference.key, reference) for reference in references), events


def doubted(
    references: Sequence[Reference], events: Sequence[PaperEvent], doubt: str
) -> tuple[tuple[Reference, ...], list[PaperEvent]]:
    """Return references and events of a list that may not be read whole, for the reason `doubt`: an entry that was cut
    or joined with another looks invented or misattributed, so none is called that."""
    accusing = {"fabricated", "misattributed"}
    made = tuple(
        r.model_copy(update={"verdict": "cannot_confirm", "reason": f"{r.reason}; but {doubt}"})
        if r.verdict in accusing else r for r in references
    )  # fmt: skip
    return made, [event for event in events if event.kind.removeprefix("reference-") not in accusing]


def _askable(reference: Reference) -> bool:
    """Return whether there is anything to ask by: an identifier, or a title that was told apart for sure."""
    return any(reference.fields.get(name) for name in ("title", "doi", "eprint", "pmid"))


def _standing(verdict: str, notes: Sequence[str]) -> str:
    if verdict in ("retracted", "withdrawn"):
        return verdict
    if any("expression_of_concern" in note for note in notes):
        return "expression_of_concern"
    return "corrected" if any("correction" in note for note in notes) else "current"


def _shown(record: object) -> str:
    from veritas.works.records import BibRecord

    assert isinstance(record, BibRecord)
    people = ", ".join(str(name) for name in record.authors[:3]) + (" et al." if len(record.authors) > 3 else "")
    return f"{people + ': ' if people else ''}{record.full_title or '?'}{f' ({record.year})' if record.year else ''}"
