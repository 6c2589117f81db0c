"""Word's own sources: the list that its bibliography is made of, in a document or in a file `Sources.xml`."""

from __future__ import annotations

import re

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.formats._values import author_field, filled, venue_name
from veritas.citations.bibliography.formats.safe_xml import Node
from veritas.works.identifiers import normalise_doi

_TYPES = {
    "JournalArticle": "article", "ConferenceProceedings": "inproceedings", "BookSection": "incollection",
    "Book": "book", "Report": "techreport", "InternetSite": "online", "DocumentFromInternetSite": "online",
    "ElectronicSource": "online", "ArticleInAPeriodical": "news", "Patent": "patent", "Case": "legal",
}  # fmt: skip


def source_entries(root: Node, file: str) -> list[Entry]:
    """Return the sources of a `b:Sources` element in order; the key is the tag under which the text cites one."""
    return [_entry(source, file, number) for number, source in enumerate(root.iterate("Source"), 1)]


def _entry(source: Node, file: str, number: int) -> Entry:
    kind = _TYPES.get(source.said("SourceType") or "", "misc")
    thesis = source.said("ThesisType")
    if thesis and re.search(r"thesis|dissertation", thesis, re.I):
        kind = "phdthesis"
    names = []
    for person in source.every("Author", "Author", "NameList", "Person"):
        given = " ".join(part for part in (person.said("First"), person.said("Middle")) if part)
        names.append(", ".join(part for part in (person.said("Last"), given) if part))
    body = source.said("Author", "Author", "Corporate")
    number_given = source.said("StandardNumber") or ""
    places = ("JournalName", "ConferenceName", "BookTitle", "PeriodicalTitle")
    venue = next((said for tag in places if (said := source.said(tag))), None)
    fields = {
        "title": source.said("Title"),
        "author": author_field([*names, *([f"{body},"] if body else [])]),
        "year": (re.findall(r"\d{4}", source.said("Year") or "") or [None])[0],
        venue_name(kind): venue or (source.said("Institution") if kind == "phdthesis" else None),
        "volume": source.said("Volume"),
        "number": source.said("Issue"),
        "pages": source.said("Pages"),
        "publisher": source.said("Publisher"),
        "doi": source.said("DOI") or (normalise_doi(number_given) if "10." in number_given else None),
        "isbn": number_given if "10." not in number_given else None,
        "url": source.said("URL"),
        "note": source.said("Comments"),
    }
    return Entry(
        file=file,
        key=source.said("Tag") or str(number),
        line=source.line,
        type=kind,
        fields=filled(fields),
        span=(source.start, source.end),
    )
