"""The artifact of a paper that passed, with every field of identity from the sources' records."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from veritas.citations.artifacts import Artifact, Excerpt, Trail, write_artifact
from veritas.citations.citing.excerpts import claims_priority
from veritas.citations.citing.full_text import PaperText
from veritas.citations.citing.identity_gate import Identity
from veritas.citations.citing.outcomes import CandidateSeen, Outcome, TriangulationConflict, just_written
from veritas.citations.record_exports import bibtex, citation_text, landing_page
from veritas.citations.slugs import slug_for
from veritas.citations.verdict import Conflict
from veritas.frozen import first_fault
from veritas.registries.scholarly_source import Found
from veritas.works.identifiers import arxiv_of_doi
from veritas.works.records import BibRecord

NO_ABSTRACT = "No source gives an abstract of this paper."


def write(
    identity: Identity,
    conflicts: Sequence[Conflict],
    claim: str,
    text: PaperText,
    excerpts: tuple[Excerpt, ...],
    overridden: str | None,
    note: str,
    *,
    folder: Path,
    adviser: str,
    now: datetime,
    keep_text: bool,
) -> Outcome:
    """Write the artifact, every field of identity from the sources' records; return the citation read back from it.

    `overridden` is the reason of a person who let it in against a check or the gate.
    """
    record = identity.record
    agreed = identity.verified and not conflicts
    paper = text.text.encode("utf-8", "replace").decode("utf-8")
    abstract = next((each.abstract for each in identity.found if each.abstract), None)
    try:
        artifact = Artifact(
            title=record.full_title or "",
            authors=tuple(str(name) for name in record.authors),
            year=record.year or 0,
            venue=record.venue,
            arxiv_id=record.arxiv_id or arxiv_of_doi(record.doi),
            doi=record.doi,
            urls=_urls(record),
            sources_consulted=identity.consulted,
            triangulation=Trail(
                primary_source=identity.primary,
                secondary_source=identity.secondary,
                decisive_fields_agreed=agreed and not identity.alone,
                decisive_fields_checked=identity.checked,
                notes=(*identity.notes[:20], *([note] if note else [])),
            ),
            single_source_verified=identity.alone,
            text_excerpts_unavailable=text.abstract_only,
            text_url=text.url,
            text_sha256=None if text.abstract_only else hashlib.sha256(paper.encode()).hexdigest(),
            standing=identity.status.standing,
            verified_by=f"veritas ({adviser})",
            verified_at=now,
            human_overridden=overridden is not None,
            override_reason=overridden,
            claim_supported=claim,
            review=("who was first is not for an excerpt to show: judge it",) if claims_priority(claim) else (),
            abstract=abstract or NO_ABSTRACT,
            excerpts=excerpts,
            snippet=citation_text(record),
            bibtex=bibtex(record),
        )
    except ValidationError as error:
        return TriangulationConflict(
            reason=f"the sources do not give enough to cite it: {first_fault(error, 'identity')}",
            candidates=(seen_record(record),),
        )
    keep = keep_text and not text.abstract_only
    return just_written(write_artifact(artifact, folder, slug_for(record), text=paper if keep else None))


def seen_of(found: Found, why: str = "") -> CandidateSeen:
    return seen_record(found.record, why)


def seen_record(record: BibRecord, why: str = "") -> CandidateSeen:
    arxiv_id = record.arxiv_id or arxiv_of_doi(record.doi)
    return CandidateSeen(
        title=record.full_title or "(no title)",
        authors=tuple(str(name) for name in record.authors[:6]),
        year=record.year,
        identifier=f"doi:{record.doi}" if record.doi else f"arXiv:{arxiv_id}" if arxiv_id else None,
        source=record.source,
        why=why,
    )


def _urls(record: BibRecord) -> dict[str, str]:
    """Return the paper's URLs, made of its identifiers alone (section 6.2)."""
    arxiv_id = record.arxiv_id or arxiv_of_doi(record.doi)
    urls = {}
    if arxiv_id:
        urls = {
            "abs": f"https://arxiv.org/abs/{arxiv_id}",
            "pdf": f"https://arxiv.org/pdf/{arxiv_id}",
            "html": f"https://arxiv.org/html/{arxiv_id}",
        }
    if record.doi and (page := landing_page(record)) and "doi.org" in page:
        urls["doi"] = page
    return urls
