"""Europe PMC: PubMed's records and preprints; titles end in a full stop, publication types show retractions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from veritas.registries.records.fields import distinct_years, items, mapping, objects, people, printed, raw, text, year
from veritas.registries.records.semantic_scholar_record import title_updates
from veritas.works.identifiers import arxiv_of_doi, is_preprint_doi, normalise_doi
from veritas.works.names import PersonName, corporate_name, parse_name, structured_name
from veritas.works.records import BibRecord, Kind, Update, UpdateKind
from veritas.works.title_comparison import strip_status

_TYPES = {
    "retracted publication": (UpdateKind.RETRACTION, True),
    "retraction of publication": (UpdateKind.RETRACTION, False),
    "expression of concern": (UpdateKind.CONCERN, False),
    "published erratum": (UpdateKind.CORRECTION, False),
}
_COMMENTS = {
    "retraction in": (UpdateKind.RETRACTION, True),
    "partial retraction in": (UpdateKind.PARTIAL_RETRACTION, True),
    "expression of concern in": (UpdateKind.CONCERN, True),
    "erratum in": (UpdateKind.CORRECTION, True),
    "update in": (UpdateKind.NEW_VERSION, True),
}


def normalise(record: Any) -> BibRecord:
    """Read a result of the search in its `core` form."""
    if isinstance(record, Mapping) and "title" not in record:
        found = objects(mapping(record.get("resultList")).get("result"))
        record = found[0] if len(found) == 1 else record
    if not isinstance(record, Mapping):
        return BibRecord(source="europepmc", problems=("record: no object",))
    doi = normalise_doi(raw(record.get("doi")))
    journal = mapping(record.get("journalInfo"))
    title = text(record.get("title"))
    published = year(record.get("pubYear")) or year(journal.get("yearOfPublication"))
    preprint = raw(record.get("source")) == "PPR" or is_preprint_doi(doi)
    names = mapping(journal.get("journal"))
    return BibRecord(
        source="europepmc",
        title=strip_status(title)[0].removesuffix(".") if title else None,
        authors=_authors(record),
        year=published,
        years=distinct_years(
            published,
            year(journal.get("printPublicationDate")),
            year(record.get("electronicPublicationDate")),
            year(record.get("firstPublicationDate")),
        ),
        doi=doi,
        arxiv_id=arxiv_of_doi(doi),
        pmid=raw(record.get("pmid")),
        venue=text(names.get("title")),
        venue_names=tuple(
            name for name in (text(names.get("isoabbreviation")), text(names.get("medlineAbbreviation"))) if name
        ),
        volume=printed(journal.get("volume")),
        issue=printed(journal.get("issue")),
        pages=printed(record.get("pageInfo")),
        kind=Kind.PREPRINT if preprint else Kind.JOURNAL if names else Kind.UNKNOWN,
        updates=_updates(record, title),
    )


def _authors(record: Mapping[str, Any]) -> tuple[PersonName, ...]:
    listed = objects(mapping(record.get("authorList")).get("author"))
    if listed:
        return people(_author(author) for author in listed)
    return people(parse_name(name) for name in (raw(record.get("authorString")) or "").rstrip(".").split(","))


def _author(author: Mapping[str, Any]) -> PersonName | None:
    if organisation := raw(author.get("collectiveName")):
        return corporate_name(organisation)
    family = raw(author.get("lastName"))
    given = raw(author.get("firstName")) or raw(author.get("initials"))
    return structured_name(family, given) if family else parse_name(raw(author.get("fullName")) or "")


def _updates(record: Mapping[str, Any], title: str | None) -> tuple[Update, ...]:
    found = {(update.kind, update.of_this): update for update in title_updates(title)}
    for name in items(mapping(record.get("pubTypeList")).get("pubType")):
        if known := _TYPES.get(str(name).lower()):
            found.setdefault(known, Update(kind=known[0], of_this=known[1], asserted_by="pubmed"))
    for comment in objects(mapping(record.get("commentCorrectionList")).get("commentCorrection")):
        if known := _COMMENTS.get(str(comment.get("type")).lower()):
            found.setdefault(known, Update(kind=known[0], of_this=known[1], asserted_by="pubmed"))
    return tuple(found.values())
