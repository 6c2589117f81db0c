"""Check the works a paper cites: find those that lie in the corpus, and ask registries about the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from veritas.documents.document import Document
from veritas.documents.paper_parts import Reference
from veritas.papers.audit import PaperEvent
from veritas.papers.reading.reference_list import as_entry
from veritas.reading.corpus import Corpus
from veritas.works.folding import words
from veritas.works.identifiers import normalise_arxiv_id, normalise_doi
from veritas.works.title_comparison import title_words

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
        from veritas.citations.bibliography.verify_entries import verify

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
