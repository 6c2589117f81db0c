"""The artifact of a paper that passed, with every field of identity from the sources' records.

Excerpts checked against a paper's text: verbatim, and naming the equation, table or section the claim points to.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from veritas.citations.artifacts import Artifact, Excerpt, Trail, write_artifact
from veritas.citations.citing.full_text import PaperText
from veritas.citations.citing.identity_gate import Identity
from veritas.citations.citing.outcomes import CandidateSeen, Outcome, TriangulationConflict, just_written
from veritas.citations.record_exports import bibtex, citation_text, landing_page
from veritas.citations.slugs import slug_for
from veritas.citations.verdict import Conflict
from veritas.documents.verbatim import fold_whitespace, locate
from veritas.frozen import first_fault
from veritas.registries.scholarly_source import Found
from veritas.works.identifiers import arxiv_of_doi
from veritas.works.records import BibRecord

if TYPE_CHECKING:
    from veritas.documents.paper_parts import Section

_POINTER = re.compile(
    r"\b(eq(?:uation|n)?|sec(?:tion)?|fig(?:ure)?|tab(?:le)?|theorem|thm|lemma|corollary|proposition|algorithm|alg"
    r"|appendix|definition)s?\b\.?\s*\(?((?:\d+(?:\.\d+)*[a-z]?)|[A-Z](?:\.\d+)*)\)?(?![\w.]*\w)",
    re.IGNORECASE,
)
_WORDS = {
    "eq": "equation", "eqn": "equation", "sec": "section", "fig": "figure", "tab": "table", "thm": "theorem",
    "alg": "algorithm",
}  # fmt: skip
_ORIGIN = re.compile(
    r"\b(?:first|originally|initially|novel|pioneer(?:ed|ing)?|introduc(?:e|es|ed)|propos(?:e|es|ed)|invent(?:ed|s)?"
    r"|coined)\b",
    re.IGNORECASE,
)


def pointers(text: str) -> frozenset[tuple[str, str]]:
    """Return the places that a text points to, as kind and number: `eq. 3` is `("equation", "3")`."""
    found = set()
    for match in _POINTER.finditer(text):
        kind = match[1].lower()
        found.add((_WORDS.get(kind, kind), match[2].lower()))
    return frozenset(found)


def without_pointers(claim: str) -> str:
    """Return the claim without the places it points to: a passage says the claim, its number is looked for apart."""
    return " ".join(re.sub(r"\(\s*\)", "", _POINTER.sub("", claim)).split()).strip(" ,;(") or claim


def claims_priority(claim: str) -> bool:
    """Return whether a claim calls a paper the first: no excerpt can show that, so a person has to judge it."""
    return _ORIGIN.search(claim) is not None


def checked(
    proposals: Sequence[str], text: str, *, page_starts: Sequence[int] = (), abstract: bool = False, limit: int
) -> tuple[tuple[Excerpt, ...], tuple[str, ...]]:
    """Return the proposals that stand verbatim in `text` (section 6.4), each with its place, and those that do not."""
    from veritas.documents.paper_sections import find_sections  # here, for `veritas.papers` cites as well

    found: dict[str, Excerpt] = {}
    rejected = []
    sections = () if abstract else find_sections(text, page_starts)
    for proposal in proposals:
        place = locate(proposal, text)
        if place is None:
            rejected.append(fold_whitespace(proposal)[:300])
            continue
        quote = fold_whitespace(text[place[0] : place[1]])
        where = "Abstract" if abstract else _place(place[0], text, page_starts, sections)
        found.setdefault(quote, Excerpt(text=quote, location=where))
    return tuple(found.values())[:limit], tuple(rejected)


def without_pointer(claim: str, excerpts: Sequence[Excerpt]) -> tuple[str, ...]:
    """Return the places that the claim points to and no excerpt mentions."""
    there = frozenset().union(*(pointers(excerpt.text) for excerpt in excerpts))
    return tuple(sorted(f"{kind} {number}" for kind, number in pointers(claim) - there))


def _place(offset: int, text: str, page_starts: Sequence[int], sections: Sequence[Section]) -> str:
    """Return the place of an offset for a reader: page and section with its number, as far as the text has them."""
    parts = []
    if page_starts:
        parts.append(f"p. {max(1, bisect_right(page_starts, offset))}")
    above = [section for section in sections if section.heading and section.place.start <= offset]
    if above:
        heading = text[above[-1].place.start :].partition("\n")[0]
        parts.append(" ".join(heading.replace("*", "").lstrip("# ").split())[:120])
    return ", ".join(parts) or f"character {offset}"


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
            standing=identity.status.standing or "current",
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
        title=record.full_title or "(no title)", authors=tuple(str(name) for name in record.authors[:6]),
        year=record.year,
        identifier=f"doi:{record.doi}" if record.doi else f"arXiv:{arxiv_id}" if arxiv_id else None,
        source=record.source, why=why,
    )  # fmt: skip


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
