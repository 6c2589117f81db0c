"""JATS: an article's reference list, from its `<ref-list>`, keyed by the marks under which the text cites it."""

from __future__ import annotations

import html
import re
from typing import Any

from lxml import etree  # type: ignore[import-untyped]

from veritas.citations.bibliography.entry import Entry

MAX_REFERENCES = 2000
_ENTITY = re.compile(r"&(?!amp;|lt;|gt;|quot;|apos;)[A-Za-z]\w*;")
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
    if re.search(rb"<!ENTITY", data[:100_000]):
        return []
    parser = etree.XMLParser(
        resolve_entities=False, load_dtd=False, no_network=True, remove_comments=True, remove_pis=True, recover=True
    )
    # The names of the document type, &mdash; and its like, are those of HTML.
    named = _ENTITY.sub(lambda match: html.unescape(match.group()), data.decode("utf-8", "replace"))
    try:
        root = etree.fromstring(re.sub(r"\A\s*<\?xml[^>]*\?>", "", named).encode("utf-8"), parser)
    except etree.XMLSyntaxError:
        return []
    if root is None:
        return []
    for element in root.iter():
        if isinstance(element.tag, str):
            element.tag = etree.QName(element).localname
    cited = _printed(root)
    found, keys = [], set[str]()
    listed = [r for r in root.iterfind(".//ref-list//ref") if not _elsewhere(r)]
    for number, reference in enumerate(listed[:MAX_REFERENCES], 1):
        label = re.sub(r"\D", "", _words(reference.find("label")))
        name = reference.get("id", "")
        # A work inside "1-3" has no mark of its own; in a text that cites by names no number is a citation.
        key = cited.get(name) or label or (str(number) if cited or not name else name)
        while key in keys:
            key += "'"
        keys.add(key)
        found.append(_entry(reference, key, number, file))
    return found


def _elsewhere(reference: Any) -> bool:
    """Return whether a reference stands in a letter or a comment that came with the article."""
    return any(a.tag in ("sub-article", "response") for a in reference.iterancestors())


def _printed(root: Any) -> dict[str, str]:
    """Return reference id -> the number by which the text cites it."""
    found: dict[str, str] = {}
    for mark in root.iterfind(".//xref[@ref-type='bibr']"):
        number = re.fullmatch(r"[\[(]?(\d{1,4})[\])]?", _words(mark).strip())
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
