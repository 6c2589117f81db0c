"""EndNote's XML, as EndNote exports a library and as it lies in the citation fields of a Word document."""

from __future__ import annotations

import re

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.formats.safe_xml import Node
from veritas.citations.bibliography.formats.tagged_lines import author_field, filled, venue_name
from veritas.works.identifiers import normalise_arxiv_id

_TYPES = {
    "journal article": "article", "electronic article": "article", "conference proceedings": "inproceedings",
    "conference paper": "inproceedings", "book section": "incollection", "electronic book section": "incollection",
    "book": "book", "edited book": "book", "electronic book": "book", "thesis": "phdthesis", "report": "techreport",
    "government document": "techreport", "web page": "online", "blog": "online", "online multimedia": "online",
    "computer program": "software", "dataset": "dataset", "standard": "standard", "patent": "patent",
    "newspaper article": "news", "magazine article": "news", "statute": "legal", "case": "legal",
    "legal rule or regulation": "legal", "bill": "legal", "unpublished work": "unpublished",
    "manuscript": "unpublished",
}  # fmt: skip
VENUES = (
    ("titles", "secondary-title"), ("periodical", "full-title"), ("periodical", "abbr-1"),
    ("alt-periodical", "full-title"),
)  # fmt: skip


def endnote_entries(root: Node, file: str) -> list[Entry]:
    """Return the records of EndNote's XML in order. The key is the label of a record, else its number."""
    return [record_entry(record, file, number) for number, record in enumerate(root.iterate("record"), 1)]


def record_entry(record: Node, file: str, number: int) -> Entry:
    """Convert a `<record>` into an entry; its `span` is in the UTF-8 bytes of the file's text."""
    name = record.find("ref-type")
    kind = _TYPES.get((name.attributes.get("name", "") if name else "").lower(), "misc")
    accession = record.said("accession-num") or ""
    held_by = " ".join(record.said(f"remote-database-{part}") or "" for part in ("name", "provider"))
    pubmed = re.search(r"nlm|pubmed|medline", held_by, re.IGNORECASE)
    arxiv_id = normalise_arxiv_id(accession) if "arxiv" in accession.lower() else None
    venue = next((said for path in VENUES if (said := record.said(*path))), None)
    fields = {
        "title": record.said("titles", "title"),
        "author": author_field(each.text for each in record.every("contributors", "authors", "author")),
        "year": (re.findall(r"\d{4}", record.said("dates", "year") or "") or [None])[0],
        venue_name(kind): venue or (record.said("publisher") if kind in ("phdthesis", "dataset") else None),
        "volume": record.said("volume"),
        "number": record.said("number"),
        "pages": record.said("pages"),
        "doi": record.said("electronic-resource-num"),
        "url": record.said("urls", "related-urls", "url") or record.said("urls", "web-urls", "url"),
        "publisher": record.said("publisher"),
        "isbn": record.said("isbn"),
        "pmid": accession if accession.isdigit() and pubmed else None,
        "eprint": arxiv_id,
        "archiveprefix": "arXiv" if arxiv_id else None,
        "note": record.said("notes"),
    }
    return Entry(
        file=file,
        key=record.said("label") or record.said("rec-number") or str(number),
        line=record.line,
        type=kind,
        fields=filled(fields),
        span=(record.start, record.end),
    )
