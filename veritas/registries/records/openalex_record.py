"""OpenAlex: a record for each work, its metadata mostly Crossref's, with all locations of copies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from veritas.registries.records.fields import distinct_years, mapping, objects, people, printed, raw, text, year
from veritas.registries.records.semantic_scholar_record import title_updates
from veritas.works.identifiers import arxiv_of_doi, doi_stem, is_preprint_doi, normalise_arxiv_id, normalise_doi
from veritas.works.names import PersonName, parse_name
from veritas.works.records import BibRecord, Kind, Related, Update, UpdateKind
from veritas.works.title_comparison import strip_status

_KINDS = {
    "preprint": Kind.PREPRINT,
    "posted-content": Kind.PREPRINT,
    "proceedings-article": Kind.PROCEEDINGS,
    "journal-article": Kind.JOURNAL,
    "book-chapter": Kind.CHAPTER,
    "book": Kind.BOOK,
    "dissertation": Kind.THESIS,
    "dataset": Kind.DATASET,
}
_SOURCE_KINDS = {"journal": Kind.JOURNAL, "conference": Kind.PROCEEDINGS, "repository": Kind.PREPRINT}


def normalise(record: Any) -> BibRecord:
    """Read a work (`/works/{id}`, or an element of `results`)."""
    if isinstance(record, Mapping) and "title" not in record and len(objects(record.get("results"))) == 1:
        record = objects(record["results"])[0]
    if not isinstance(record, Mapping):
        return BibRecord(source="openalex", problems=("record: no object",))
    ids = mapping(record.get("ids"))
    doi = normalise_doi(raw(record.get("doi")) or raw(ids.get("doi")))
    places = [mapping(record.get("primary_location")), *objects(record.get("locations"))]
    arxiv_id = arxiv_of_doi(doi) or next(filter(None, map(_arxiv_of, places)), None)
    place, biblio = places[0], mapping(record.get("biblio"))
    source = mapping(place.get("source"))
    title = text(record.get("title")) or text(record.get("display_name"))
    published = year(record.get("publication_year"))
    retracted = (Update(kind=UpdateKind.RETRACTION, of_this=True, asserted_by="openalex"),)
    return BibRecord(
        source="openalex",
        title=strip_status(title)[0] if title else None,
        authors=people(_author(entry) for entry in objects(record.get("authorships"))),
        year=published,
        years=distinct_years(published, year(record.get("publication_date"))),
        doi=doi,
        arxiv_id=arxiv_id,
        pmid=_pmid(ids.get("pmid")),
        venue=text(source.get("display_name")) or text(place.get("raw_source_name")),
        venue_names=tuple(name for name in (text(place.get("raw_source_name")),) if name),
        volume=printed(biblio.get("volume")),
        issue=printed(biblio.get("issue")),
        pages=_pages(biblio),
        kind=_kind(doi, record, source),
        related=_related(doi, arxiv_id, places),
        updates=retracted if record.get("is_retracted") is True else title_updates(title),
    )


def _pages(biblio: Mapping[str, Any]) -> str | None:
    first, last = printed(biblio.get("first_page")), printed(biblio.get("last_page"))
    return f"{first}-{last}" if first and last and first != last else first


def _author(entry: Mapping[str, Any]) -> PersonName | None:
    """Return the name as printed, if the record has it: OpenAlex's author clusters may carry another person's spelling.
    """
    printed = raw(entry.get("raw_author_name"))
    return parse_name(printed or raw(mapping(entry.get("author")).get("display_name")) or "")


def _arxiv_of(place: Mapping[str, Any]) -> str | None:
    for key in ("landing_page_url", "pdf_url", "id"):
        url = raw(place.get(key)) or ""
        if "arxiv" in url.lower() and (found := normalise_arxiv_id(url)):
            return found
    return None


def _related(doi: str | None, arxiv_id: str | None, places: list[Mapping[str, Any]]) -> tuple[Related, ...]:
    found = {"arxiv": Related(relation="location", arxiv_id=arxiv_id)} if arxiv_id else {}
    for place in places:
        other = normalise_doi(raw(place.get("landing_page_url")) or raw(place.get("id")))
        if other and (doi is None or doi_stem(other) != doi_stem(doi)):
            found[other] = Related(relation="location", doi=other)
    return tuple(found.values())


def _kind(doi: str | None, record: Mapping[str, Any], source: Mapping[str, Any]) -> Kind:
    """Return the kind. The DOI decides first: OpenAlex also types papers as `preprint` if a repository holds them."""
    if is_preprint_doi(doi):
        return Kind.PREPRINT
    stated = _KINDS.get(str(record.get("type_crossref") or "")) or _KINDS.get(str(record.get("type") or ""))
    place = _SOURCE_KINDS.get(str(source.get("type") or ""))
    if doi and stated is Kind.PREPRINT:
        stated = None
    if doi and place is Kind.PREPRINT:
        place = None
    return stated or place or Kind.UNKNOWN


def _pmid(value: Any) -> str | None:
    given = raw(value)
    return given.rstrip("/").rpartition("/")[2] or None if given else None
