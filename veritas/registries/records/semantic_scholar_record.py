"""Semantic Scholar: a record for each work, with the preprint's year under the published DOI."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from veritas.registries.records.fields import distinct_years, mapping, objects, people, printed, raw, text, year
from veritas.works.identifiers import arxiv_of_doi, is_preprint_doi, normalise_arxiv_id, normalise_doi
from veritas.works.names import parse_name
from veritas.works.records import BibRecord, Kind, Related, Update, UpdateKind
from veritas.works.title_comparison import strip_status

_PREPRINT_VENUE = re.compile(r"\b(arxiv|biorxiv|medrxiv|ssrn|chemrxiv|research square|corr)\b", re.IGNORECASE)


def normalise(record: Any) -> BibRecord:
    """Read a paper of the Graph API (`/paper/{id}`, or an element of `data`)."""
    if isinstance(record, Mapping) and "title" not in record and len(objects(record.get("data"))) == 1:
        record = record["data"] if isinstance(record["data"], Mapping) else record["data"][0]
    if not isinstance(record, Mapping):
        return BibRecord(source="semantic_scholar", problems=("record: no object",))
    ids = mapping(record.get("externalIds"))
    doi = normalise_doi(raw(ids.get("DOI")))
    arxiv_id = normalise_arxiv_id(raw(ids.get("ArXiv"))) or arxiv_of_doi(doi)
    published = year(record.get("year"))
    venue = mapping(record.get("publicationVenue"))
    journal = mapping(record.get("journal"))
    name = text(record.get("venue")) or text(venue.get("name")) or text(journal.get("name"))
    title = text(record.get("title"))
    return BibRecord(
        source="semantic_scholar",
        title=strip_status(title)[0] if title else None,
        authors=people(parse_name(raw(author.get("name")) or "") for author in objects(record.get("authors"))),
        year=published,
        years=distinct_years(published, year(record.get("publicationDate"))),
        doi=doi,
        arxiv_id=arxiv_id,
        pmid=raw(ids.get("PubMed")),
        dblp_key=raw(ids.get("DBLP")),
        venue=name,
        venue_names=tuple(
            other
            for other in (text(item) for item in [journal.get("name"), *_names(venue.get("alternate_names"))])
            if other
        ),
        volume=printed(journal.get("volume")),
        pages=printed("".join((raw(journal.get("pages")) or "").split())),
        kind=_kind(doi, arxiv_id, name, text(venue.get("type")), record.get("publicationTypes")),
        related=(Related(relation="merged", arxiv_id=arxiv_id),) if arxiv_id else (),
        updates=title_updates(title),
    )


def _names(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _kind(doi: str | None, arxiv_id: str | None, venue: str | None, kind: str | None, types: Any) -> Kind:
    if is_preprint_doi(doi) or (doi is None and venue and _PREPRINT_VENUE.search(venue)):
        return Kind.PREPRINT
    if kind == "conference" or (isinstance(types, list) and "Conference" in types):
        return Kind.PROCEEDINGS
    if kind == "journal" or (isinstance(types, list) and "JournalArticle" in types):
        return Kind.JOURNAL
    return Kind.PREPRINT if arxiv_id and not doi and not venue else Kind.UNKNOWN


def title_updates(title: str | None) -> tuple[Update, ...]:
    """Return the update that a title states: `RETRACTED: …`, `WITHDRAWN: …`."""
    status = strip_status(title)[1] if title else None
    kinds = {
        "retracted": UpdateKind.RETRACTION,
        "withdrawn": UpdateKind.WITHDRAWAL,
        "removed": UpdateKind.WITHDRAWAL,
        "temporary removal": UpdateKind.WITHDRAWAL,
        "expression of concern": UpdateKind.CONCERN,
    }
    return (Update(kind=kinds[status], of_this=True, asserted_by="title"),) if status else ()
