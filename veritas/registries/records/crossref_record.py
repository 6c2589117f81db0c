"""Crossref: a publisher's deposit, with `issued` dates, separate subtitles, relations and updates in both directions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from veritas.registries.records.fields import distinct_years, mapping, objects, people, printed, raw, text, year
from veritas.registries.records.semantic_scholar_record import title_updates
from veritas.works.identifiers import arxiv_of_doi, is_preprint_doi, normalise_arxiv_id, normalise_doi
from veritas.works.names import PersonName, corporate_name, structured_name
from veritas.works.records import BibRecord, Kind, Related, Update, UpdateKind
from veritas.works.title_comparison import notice_kind, strip_status

_KINDS = {
    "posted-content": Kind.PREPRINT,
    "proceedings-article": Kind.PROCEEDINGS,
    "journal-article": Kind.JOURNAL,
    "book-chapter": Kind.CHAPTER,
    "book-section": Kind.CHAPTER,
    "reference-entry": Kind.CHAPTER,
    "book": Kind.BOOK,
    "monograph": Kind.BOOK,
    "edited-book": Kind.BOOK,
    "dissertation": Kind.THESIS,
    "dataset": Kind.DATASET,
}
_UPDATES = {
    "retraction": UpdateKind.RETRACTION,
    "removal": UpdateKind.WITHDRAWAL,
    "withdrawal": UpdateKind.WITHDRAWAL,
    "partial_retraction": UpdateKind.PARTIAL_RETRACTION,
    "expression_of_concern": UpdateKind.CONCERN,
    "correction": UpdateKind.CORRECTION,
    "corrigendum": UpdateKind.CORRECTION,
    "erratum": UpdateKind.CORRECTION,
    "addendum": UpdateKind.CORRECTION,
    "clarification": UpdateKind.CORRECTION,
    "new_version": UpdateKind.NEW_VERSION,
    "new_edition": UpdateKind.NEW_VERSION,
}
_VERSIONS = ("preprint", "version", "identical", "same", "manuscript", "translation", "replaced", "replaces")
_DATES = ("issued", "published", "published-print", "published-online", "posted")


def normalise(record: Any) -> BibRecord:
    """Read a work (`message` of `/works/{doi}`, or an element of `message.items`)."""
    record = _opened(record)
    if not isinstance(record, Mapping):
        return BibRecord(source="crossref", problems=("record: no object",))
    doi = normalise_doi(raw(record.get("DOI")) or raw(record.get("doi")))
    title = text(record.get("title"))
    dates = {key: _date_year(record.get(key)) for key in _DATES}
    issue, event = mapping(record.get("journal-issue")), mapping(record.get("event"))
    stated = next((dates[key] for key in _DATES if dates[key]), None)
    return BibRecord(
        source="crossref",
        title=strip_status(title)[0] if title else None,
        subtitle=text(record.get("subtitle")),
        other_titles=tuple(other for other in (text(record.get("original-title")),) if other),
        authors=people(_author(author) for author in objects(record.get("author"))),
        year=stated,
        years=distinct_years(
            *dates.values(),
            _date_year(issue.get("published-print")),
            _date_year(issue.get("published-online")),
            _date_year(event.get("start")),
        ),
        doi=doi,
        arxiv_id=arxiv_of_doi(doi),
        venue=text(record.get("container-title")) or text(mapping(record.get("institution")).get("name")),
        venue_names=tuple(
            name for name in (text(record.get("short-container-title")), text(event.get("name"))) if name
        ),
        volume=printed(record.get("volume")),
        issue=printed(record.get("issue")) or printed(issue.get("issue")),
        pages=printed(record.get("page")) or printed(record.get("article-number")),
        kind=Kind.PREPRINT if is_preprint_doi(doi) else _KINDS.get(str(record.get("type")), Kind.UNKNOWN),
        related=tuple(_related(mapping(record.get("relation")), doi)),
        updates=_updates(record, doi, title),
    )


def _opened(record: Any) -> Any:
    """Return the work inside the API's envelope, if it is the only one there."""
    while isinstance(record, Mapping) and "title" not in record and "DOI" not in record:
        inner = record.get("message")
        found = objects(record.get("items"))
        if inner is None and len(found) == 1:
            inner = found[0]
        if inner is None or inner is record:
            break
        record = inner
    return record


def _author(author: Mapping[str, Any]) -> PersonName | None:
    if organisation := raw(author.get("name")):
        return corporate_name(organisation)
    return structured_name(raw(author.get("family")), raw(author.get("given")), raw(author.get("suffix")))


def _date_year(value: Any) -> int | None:
    """Return the year of a Crossref date: `{"date-parts": [[2020, 5]]}`, whose parts may be null."""
    parts = mapping(value).get("date-parts")
    if isinstance(parts, list) and parts and isinstance(parts[0], list) and parts[0]:
        return year(parts[0][0])
    return year(mapping(value).get("date-time"))


def _related(relation: Mapping[str, Any], own: str | None) -> list[Related]:
    """Return other manifestations (preprints, versions, translations), but not reviews, supplements, parts."""
    found = []
    for name, targets in relation.items():
        if not isinstance(name, str) or not any(word in name.lower() for word in _VERSIONS):
            continue
        for target in objects(targets):
            doi = normalise_doi(raw(target.get("id")))
            arxiv_id = arxiv_of_doi(doi) or (normalise_arxiv_id(raw(target.get("id"))) if not doi else None)
            if (doi and doi != own) or arxiv_id:
                found.append(Related(relation=name[:60], doi=doi, arxiv_id=arxiv_id))
    return found


def _updates(record: Mapping[str, Any], own: str | None, title: str | None) -> tuple[Update, ...]:
    """Return the updates.

    `updated-by` is on the paper, `update-to` on the notice; some publishers put both on the paper. An `update-to` that
    names the record itself, or a DOI that `updated-by` names too, is about this record.
    """
    of_this = [_update(entry, of_this=True) for entry in objects(record.get("updated-by"))]
    notices = {update.doi for update in of_this if update.doi}
    is_notice = bool(title and notice_kind(title))
    by_this = []
    for entry in objects(record.get("update-to")):
        target = normalise_doi(raw(entry.get("DOI")))
        if target in notices and not is_notice:
            continue  # already listed, with the right kind
        if target is not None and target == own:
            update = _update(entry, of_this=True)
            if not any(known.kind is update.kind and known.doi == update.doi for known in of_this):
                of_this.append(update)
        else:
            by_this.append(_update(entry, of_this=False))
    if not any(update.kind is said.kind for update in of_this for said in title_updates(title)):
        of_this.extend(title_updates(title))
    return tuple(of_this + by_this)


def _update(entry: Mapping[str, Any], *, of_this: bool) -> Update:
    kind = str(entry.get("type") or entry.get("label") or "").lower().replace(" ", "_").replace("-", "_")
    when = mapping(entry.get("updated")).get("date-parts")
    date = None
    if isinstance(when, list) and when and isinstance(when[0], list) and all(isinstance(part, int) for part in when[0]):
        date = "-".join(f"{part:02d}" for part in when[0][:3]) or None
    return Update(
        kind=_UPDATES.get(kind, UpdateKind.OTHER),
        of_this=of_this,
        doi=normalise_doi(raw(entry.get("DOI"))),
        date=date,
        asserted_by=(raw(entry.get("source")) or "crossref")[:60],
    )
