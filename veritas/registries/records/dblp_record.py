"""DBLP: manually curated records of computer science; homonyms carry a number, titles end in a full stop."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from veritas.registries.records.fields import distinct_years, items, mapping, objects, people, printed, raw, text, year
from veritas.registries.records.semantic_scholar_record import title_updates
from veritas.works.identifiers import arxiv_of_doi, is_preprint_doi, normalise_arxiv_id, normalise_doi
from veritas.works.names import parse_name
from veritas.works.records import BibRecord, Kind, Update, UpdateKind
from veritas.works.title_comparison import strip_status

_KINDS = {
    "Conference and Workshop Papers": Kind.PROCEEDINGS,
    "Journal Articles": Kind.JOURNAL,
    "Parts in Books or Collections": Kind.CHAPTER,
    "Books and Theses": Kind.BOOK,
    "Informal and Other Publications": Kind.PREPRINT,
    "Informal Publications": Kind.PREPRINT,
    "Data and Artifacts": Kind.DATASET,
}
_CORR_KEY = re.compile(r"journals/corr/abs-(\d{4})-(\d{4,5})$")


def normalise(record: Any) -> BibRecord:
    """Read a hit of the publication search, or the `info` in it."""
    record = _opened(record)
    if not isinstance(record, Mapping):
        return BibRecord(source="dblp", problems=("record: no object",))
    doi = normalise_doi(raw(record.get("doi")))
    key = raw(record.get("key"))
    links = [link for link in (raw(item) for item in items(record.get("ee"))) if link]
    doi = doi or next(filter(None, (normalise_doi(link) for link in links if "doi.org" in link)), None)
    arxiv_id = arxiv_of_doi(doi) or next(filter(None, (normalise_arxiv_id(x) for x in links if "arxiv" in x)), None)
    if not arxiv_id and key and (found := _CORR_KEY.search(key)):
        arxiv_id = f"{found[1]}.{found[2]}"
    title = (text(record.get("title")) or "").removesuffix(".") or None
    published = year(record.get("year"))
    venue = text(record.get("venue"))
    kind = _KINDS.get(str(record.get("type")), Kind.UNKNOWN)
    withdrawn = "withdrawn" in str(record.get("type")).lower()
    return BibRecord(
        source="dblp",
        title=strip_status(title)[0] if title else None,
        authors=people(parse_name(_name(author)) for author in items(mapping(record.get("authors")).get("author"))),
        year=published,
        years=distinct_years(published),
        doi=doi,
        arxiv_id=arxiv_id,
        dblp_key=key,
        venue=venue,
        volume=printed(record.get("volume")),
        issue=printed(record.get("number")),
        pages=printed(record.get("pages")),
        kind=Kind.PREPRINT if is_preprint_doi(doi) or venue == "CoRR" else kind,
        updates=(Update(kind=UpdateKind.WITHDRAWAL, of_this=True, asserted_by="dblp"),)
        if withdrawn
        else title_updates(title),
    )


def _opened(record: Any) -> Any:
    for _ in range(6):
        if not isinstance(record, Mapping) or "title" in record:
            break
        inner = next((record[key] for key in ("info", "result", "hits", "hit") if key in record), None)
        if isinstance(inner, list):
            inner = inner[0] if len(objects(inner)) == 1 else None
        if inner is None:
            break
        record = inner
    return record


def _name(author: Any) -> str:
    return author if isinstance(author, str) else raw(mapping(author).get("text")) or ""
