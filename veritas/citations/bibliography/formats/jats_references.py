"""JATS and TEI: an article's references, from its `<ref-list>`, keyed by the marks under which the text cites it."""

from __future__ import annotations

import re
from typing import Any

from veritas.citations.bibliography.entry import Entry
from veritas.errors import CorpusError

MAX_REFERENCES = 2000
_FIELDS = {
    "article-title": "title", "chapter-title": "title", "data-title": "title", "source": "journal", "year": "year",
    "volume": "volume", "issue": "number", "publisher-name": "publisher",
}  # fmt: skip
_CITATIONS = ("mixed-citation", "element-citation", "citation")
_KINDS = {"journal": "article", "book": "book", "thesis": "phdthesis", "confproc": "inproceedings"}


def read_jats(data: bytes, file: str) -> list[Entry]:
    """Return the entries of every reference list, in order; none if the XML is malformed or defines entities.

    The key is the number under which the text cites the work, if it cites by number, else the file's own id. Fields are
    those that the file marks as such; `text` is the reference as it is printed.
    """
    return list(read_by_id(data, file).values())


def read_by_id(data: bytes, file: str) -> dict[str, Entry]:
    """Return the entries of every reference list by the ids of the file, which its citations name; `#3` is the id of
    a third entry that has none. Otherwise as `read_jats`."""
    from veritas.reading.formats.jats import article_of, references_of

    try:
        article, _ = article_of(data)
    except CorpusError:
        return {}
    cited = _printed(article)
    found, keys = dict[str, Entry](), set[str]()
    for number, reference in enumerate(references_of(article)[:MAX_REFERENCES], 1):
        label = re.sub(r"\D", "", _words(reference.find("label")))
        name = reference.get("id", "")
        # A work inside "1-3" has no mark of its own; in a text that cites by names no number is a citation.
        key = cited.get(name) or label or (str(number) if cited or not name else name)
        while key in keys:
            key += "'"
        keys.add(key)
        found[name if name and name not in found else f"#{number}"] = _entry(reference, key, number, file)
    return found


def _printed(root: Any) -> dict[str, str]:
    """Return reference id -> the number by which the text cites it."""
    found: dict[str, str] = {}
    for mark in root.iterfind(".//xref[@ref-type='bibr']"):
        number = re.fullmatch(r"[\[(]?(\d{1,3})[\])]?", _words(mark).strip())
        for name in (mark.get("rid") or "").split()[:1]:
            if number:
                found.setdefault(name, number[1])
    return found


def _entry(reference: Any, key: str, number: int, file: str) -> Entry:
    cited = next((e for e in reference.iter() if e.tag in _CITATIONS), reference)
    fields: dict[str, str] = {}
    for element in cited.iter():
        name = _FIELDS.get(element.tag)
        if name is not None and name not in fields and (said := _words(element)):
            fields[name] = said
    if "year" in fields:
        fields["year"] = fields["year"][:5]
    people = [p for p in cited.iter("name", "string-name") if _of_author(p)]
    authors = [", ".join(filter(None, (_words(p.find("surname")), _words(p.find("given-names"))))) for p in people]
    authors += [_words(c) for c in cited.iter("collab")]
    if any(authors):
        fields["author"] = " and ".join(filter(None, authors))
    for identifier in cited.iter("pub-id"):
        kind = identifier.get("pub-id-type")
        if kind in ("doi", "pmid") and (said := _words(identifier)):
            fields.setdefault(kind, said)
    kind = cited.get("publication-type") or cited.get("citation-type") or ""
    return Entry(
        file=file, key=key, line=reference.sourceline or number, type=_KINDS.get(kind, "misc"), fields=fields,
        text=_words(cited),
    )  # fmt: skip


def _of_author(person: Any) -> bool:
    group = next((a for a in person.iterancestors() if a.tag == "person-group"), None)
    return group is None or group.get("person-group-type", "author") == "author"


def _words(element: Any) -> str:
    return " ".join(" ".join(element.itertext("*")).split()) if element is not None else ""
