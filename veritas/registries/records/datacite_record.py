"""DataCite: repositories, data sets and arXiv's own DOIs, with typed relations between versions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from veritas.registries.records.fields import distinct_years, mapping, objects, people, printed, raw, text, year
from veritas.registries.records.semantic_scholar_record import title_updates
from veritas.works.identifiers import arxiv_of_doi, is_preprint_doi, normalise_arxiv_id, normalise_doi
from veritas.works.names import PersonName, corporate_name, parse_name, structured_name
from veritas.works.records import BibRecord, Kind, Related
from veritas.works.title_comparison import strip_status

_KINDS = {
    "preprint": Kind.PREPRINT,
    "conferencepaper": Kind.PROCEEDINGS,
    "journalarticle": Kind.JOURNAL,
    "bookchapter": Kind.CHAPTER,
    "book": Kind.BOOK,
    "dissertation": Kind.THESIS,
    "dataset": Kind.DATASET,
    "software": Kind.DATASET,
}
_SAME_WORK = re.compile(
    r"^(Is|Has)?(IdenticalTo|VersionOf|NewVersionOf|PreviousVersionOf|Version|PreprintOf|Preprint|VariantFormOf"
    r"|OriginalFormOf|TranslationOf|Translation)$",
    re.IGNORECASE,
)
_DATES = ("issued", "available", "submitted", "created", "copyrighted")


def normalise(record: Any) -> BibRecord:
    """Read a DOI (`data` of `/dois/{doi}`, its `attributes`, or the old flat shape)."""
    for key in ("data", "attributes"):
        inner = mapping(record).get(key)
        if isinstance(inner, list) and len(inner) == 1:
            inner = inner[0]
        if isinstance(inner, Mapping):
            record = inner
    if not isinstance(record, Mapping):
        return BibRecord(source="datacite", problems=("record: no object",))
    doi = normalise_doi(raw(record.get("doi")) or raw(record.get("id")))
    main, subtitle, others = _titles(record.get("titles") or record.get("title"))
    stated = year(record.get("publicationYear") or record.get("publication_year"))
    dates = [year(date.get("date")) for date in objects(record.get("dates")) if _is_date(date)]
    kind = str(mapping(record.get("types")).get("resourceTypeGeneral") or "").lower()
    container = mapping(record.get("container"))
    is_data = kind in ("dataset", "software")
    return BibRecord(
        source="datacite",
        title=strip_status(main)[0] if main else None,
        subtitle=subtitle,
        other_titles=others,
        authors=people(_creator(creator) for creator in objects(record.get("creators") or record.get("author"))),
        year=stated,
        years=distinct_years(stated, *dates),
        doi=doi,
        arxiv_id=arxiv_of_doi(doi) or _arxiv_id(record),
        venue=text(container.get("title"))
        or text(record.get("publisher"))
        or text(mapping(record.get("publisher")).get("name")),
        volume=printed(container.get("volume")),
        issue=printed(container.get("issue")),
        pages=printed(container.get("firstPage")),
        kind=Kind.PREPRINT if is_preprint_doi(doi) and not is_data else _KINDS.get(kind, Kind.UNKNOWN),
        related=tuple(_related(record, doi)),
        updates=title_updates(main),
    )


def _arxiv_id(record: Mapping[str, Any]) -> str | None:
    """Return an arXiv id among the record's other identifiers."""
    for entry in (*objects(record.get("alternateIdentifiers")), *objects(record.get("identifiers"))):
        kind = str(entry.get("alternateIdentifierType") or entry.get("identifierType")).lower()
        value = raw(entry.get("alternateIdentifier")) or raw(entry.get("identifier"))
        if kind == "arxiv" and (found := normalise_arxiv_id(value)):
            return found
    return None


def _titles(value: Any) -> tuple[str | None, str | None, tuple[str, ...]]:
    """Return main title, subtitle, and the others (translations, alternatives)."""
    if isinstance(value, str):
        return text(value), None, ()
    main: str | None = None
    subtitle: str | None = None
    others: list[str] = []
    for entry in objects(value):
        found = text(entry.get("title"))
        if not found:
            continue
        if entry.get("titleType") == "Subtitle":
            subtitle = subtitle or found
        elif main is None and not entry.get("titleType"):
            main = found
        else:
            others.append(found)
    return (main or (others.pop(0) if others else None)), subtitle, tuple(others[:20])


def _creator(creator: Mapping[str, Any]) -> PersonName | None:
    name = raw(creator.get("name"))
    if creator.get("nameType") == "Organizational" and name:
        return corporate_name(name)
    family = raw(creator.get("familyName"))
    return structured_name(family, raw(creator.get("givenName"))) if family else parse_name(name or "")


def _is_date(date: Mapping[str, Any]) -> bool:
    return str(date.get("dateType") or "").lower() in _DATES


def _related(record: Mapping[str, Any], own: str | None) -> list[Related]:
    found = []
    for entry in objects(record.get("relatedIdentifiers")):
        relation = raw(entry.get("relationType")) or ""
        if not _SAME_WORK.match(relation):
            continue
        target = raw(entry.get("relatedIdentifier"))
        doi = normalise_doi(target)
        is_arxiv = str(entry.get("relatedIdentifierType")).lower() == "arxiv"
        arxiv_id = arxiv_of_doi(doi) or (normalise_arxiv_id(target) if is_arxiv else None)
        if (doi and doi != own) or arxiv_id:
            found.append(Related(relation=relation[:60], doi=doi, arxiv_id=arxiv_id))
    return found
