"""TEI, the XML of the Text Encoding Initiative, of journals and of GROBID: an article of it, told in JATS."""

from __future__ import annotations

import re
from typing import Any

from lxml import etree  # type: ignore[import-untyped]

_AS_JATS = {
    "div": "sec", "head": "title", "item": "list-item", "quote": "disp-quote", "cit": "disp-quote", "formula": "p",
    "figDesc": "caption", "row": "tr", "cell": "td", "lb": "break", "ab": "p", "l": "p", "lg": "disp-quote",
}  # fmt: skip
_ID = "{http://www.w3.org/XML/1998/namespace}id"
_RAISED = re.compile(r"\bsup(?:er(?:script)?)?\b")


def is_tei(root: Any) -> bool:
    """Return whether a tree, its names without namespaces, is a TEI document."""
    return bool(root.tag in ("TEI", "TEI.2") or (root.tag == "teiCorpus" and root.find("TEI") is not None))


def as_jats(root: Any) -> Any:
    """Return the article of a TEI tree, whose names have no namespaces, as JATS: front, body, and back with its
    references. The tree itself is taken apart."""
    root = root if root.tag != "teiCorpus" else root.find("TEI")
    article = etree.Element("article")
    meta = etree.SubElement(etree.SubElement(article, "front"), "article-meta")
    header = root.find("teiHeader")
    _front(meta, header if header is not None else etree.Element("teiHeader"))
    references = {each: each.get(_ID, "") for each in root.iter("biblStruct", "bibl") if _listed(each)}
    ids = set(references.values()) - {""}
    back = etree.Element("back")
    _references(etree.SubElement(back, "ref-list"), references)
    for found in root.iterfind("text/body"):
        article.append(_converted(found, ids))
    apart = etree.SubElement(back, "app-group")
    thanks: list[Any] = []
    for part in root.findall("text/back//div[@type]"):
        if part.find(".//listBibl") is None and part.get("type") != "references":
            about = part.get("type", "")
            (thanks if "acknowledg" in about or "fund" in about else apart).append(_converted(part, ids))
    for part in thanks:
        part.tag = "ack"
        back.append(part)
    article.append(back)
    return article


def _front(meta: Any, header: Any) -> None:
    title = header.find("fileDesc/titleStmt/title")
    group = etree.SubElement(meta, "title-group")
    etree.SubElement(group, "article-title").text = _words(title)
    for number in header.iterfind("fileDesc//idno"):
        if (number.get("type") or "").lower() == "doi" and meta.find("article-id") is None:
            etree.SubElement(meta, "article-id", {"pub-id-type": "doi"}).text = _words(number)
    people = header.findall("fileDesc/sourceDesc//analytic/author") or header.findall("fileDesc/titleStmt/author")
    names = etree.SubElement(meta, "contrib-group")
    for person in people:
        _person(etree.SubElement(names, "contrib"), person)
    dates = [d.get("when", "") for d in header.iterfind("fileDesc//date")]
    when = next((d for d in dates if re.fullmatch(r"\d{4}(?:-\d\d){0,2}", d)), "")
    if when:
        stated = etree.SubElement(meta, "pub-date")
        for name, said in zip(("year", "month", "day"), when.split("-"), strict=False):
            etree.SubElement(stated, name).text = said
    for abstract in header.iterfind("profileDesc/abstract"):
        made = _converted(abstract, set())
        if _words(made):
            meta.append(made)


def _person(into: Any, author: Any) -> None:
    surname = next(author.iter("surname"), None)
    if surname is None:
        etree.SubElement(into, "string-name").text = _words(next(author.iter("name", "persName", "orgName"), author))
        return
    name = etree.SubElement(into, "name")
    etree.SubElement(name, "surname").text = _words(surname)
    given = " ".join(filter(None, map(_words, author.iter("forename"))))
    etree.SubElement(name, "given-names").text = given


def _listed(element: Any) -> bool:
    return any(up.tag == "listBibl" for up in element.iterancestors()) and not any(
        up.tag in ("biblStruct", "bibl", "teiHeader") for up in element.iterancestors()
    )


def _references(into: Any, references: dict[Any, str]) -> None:
    for work, name in references.items():
        ref = etree.SubElement(into, "ref", {"id": name} if name else {})
        cited = etree.SubElement(ref, "mixed-citation")
        for author in work.iter("author"):
            _person(cited, author)
            cited[-1].tail = ". "
        parts = (
            ("article-title", work.find("analytic/title")), ("source", work.find("monogr/title")),
            ("source", next(work.iter("title"), None)), ("volume", _scope(work, "volume")),
            ("issue", _scope(work, "issue")), ("fpage", _scope(work, "page")),
            ("publisher-name", next(work.iter("publisher"), None)), ("year", next(work.iter("date"), None)),
        )  # fmt: skip
        for tag, found in parts:
            words = _words(found) or (found.get("when", "") if found is not None else "")
            if words and cited.find(tag) is None:
                etree.SubElement(cited, tag).text = words[:4] if tag == "year" and words[:4].isdigit() else words
                cited[-1].tail = ". "
        for number in work.iter("idno"):
            if (number.get("type") or "").lower() == "doi":
                etree.SubElement(cited, "pub-id", {"pub-id-type": "doi"}).text = _words(number)
        raw = next((n for n in work.iter("note") if n.get("type") == "raw_reference"), None)
        if raw is not None or not len(cited):
            etree.SubElement(ref, "string-citation").text = _words(raw if raw is not None else work)


def _scope(work: Any, unit: str) -> Any:
    return next((s for s in work.iter("biblScope") if unit in (s.get("unit"), s.get("type"))), None)


def _converted(part: Any, ids: set[str]) -> Any:
    """Rename the elements of a part in place, and return it."""
    for element in list(part.iter()):
        tag = element.tag
        if not isinstance(tag, str):
            continue
        if tag == "ref":
            names = [each.lstrip("#") for each in (element.get("target") or "").split()]
            element.tag = "xref"
            cites = element.get("type") == "bibr" or any(each in ids for each in names)
            element.set("ref-type", "bibr" if cites else element.get("type") or "other")
            element.set("rid", " ".join(names))
        elif tag == "figure":
            element.tag = "table-wrap" if element.get("type") == "table" or element.find("table") is not None else "fig"
            for head in element.findall("head"):
                head.tag = "label"
            for label in element.findall("label"):
                if element.find("label") is not label:
                    element.remove(label)  # GROBID gives the number of "Figure 1" once more
        elif tag == "note":
            element.tag = "fn"
        elif tag == "hi" and _RAISED.search(f"{element.get('rend') or ''} {element.get('rendition') or ''}"):
            element.tag = "sup"
        elif tag in _AS_JATS and not (tag == "head" and element.getparent().tag == "xref"):
            element.tag = _AS_JATS[tag]
    return part


def _words(element: Any) -> str:
    return " ".join("".join(element.itertext("*")).split()) if element is not None else ""
