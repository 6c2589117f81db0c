"""JATS and TEI, the XML of journals, of PubMed Central and of GROBID: title, abstract, sections, tables, captions.

Citations that an article's XML links to its references, carried through the conversion by invisible marks.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from lxml import etree  # type: ignore[import-untyped]

from veritas.documents.metadata import parse_date
from veritas.errors import CorpusError
from veritas.reading.charset import decode
from veritas.reading.formats._main_text import page_text
from veritas.reading.formats._tei import as_jats, is_tei
from veritas.reading.formats.converted import Cited, Converted, without

OPEN, CLOSE, _ONE, _TWO = "\ufdd0", "\ufdd1", "\ufdd2", "\ufdd3"
"""Characters that no text may have: around a citation, and the two binary digits of its number behind `OPEN`."""
MARKS = re.compile("[\ufdd0-\ufdd3]")
MOST = 60
"""Works of a range such as `[3-7]`, at most."""
_CITATION = re.compile(f"{OPEN}([{_ONE}{_TWO}]*)([^{OPEN}{CLOSE}]*){CLOSE}")
_BETWEEN = re.compile(r"[\s,;]*(?:[-–—‐−]|[\])]\s*[,;–—-]?\s*[\[(]|(?:and|&)\s)?[\s,;]*")
_DASH = re.compile(r"\W*[-–—‐−]\W*")
_BARE = re.compile(r"[\s\d,;()\[\]*–—‐−-]*")
_LEFT, _RIGHT = "[(", "])"


def mark(body: Any, ids: Sequence[str]) -> list[tuple[str, ...]]:
    """Put marks around every citation below `body`, and return the references of each; `ids` are all references of the
    article in order, from which ranges are filled in."""
    order = {name: number for number, name in enumerate(ids)}
    groups: list[tuple[list[Any], list[str]]] = []
    for unit, named in _units(body):
        known = _filled(named, ids, order)
        if groups and (between := _between(groups[-1][0][-1], unit)) is not None:
            units, names = groups[-1]
            units.append(unit)
            names[:] = _filled([*names, *(["-"] if _DASH.fullmatch(between) else []), *known], ids, order)
        else:
            groups.append(([unit], known))
    for number, (units, _) in enumerate(groups):
        _surround(units[0], units[-1], number)
    return [tuple(dict.fromkeys(names)) for _, names in groups]


def _filled(named: Sequence[str], ids: Sequence[str], order: dict[str, int]) -> list[str]:
    """Return the known names, with those between two that a dash joins."""
    found: list[str] = []
    joined = False
    for name in named:
        if name in order:
            first, last = (order[found[-1]] + 1, order[name]) if joined and found else (0, 0)
            found += [*(ids[first:last] if 0 < last - first < MOST else ()), name]
        joined = name == "-"
    return found


def take_marks(text: str, named: Sequence[tuple[str, ...]]) -> tuple[Cited, ...]:
    """Return the citations of a text with marks, at their places in the text without them."""
    places = [found.start() for found in MARKS.finditer(text)]

    def bare(offset: int) -> int:
        return offset - bisect_left(places, offset)

    found = []
    for citation in _CITATION.finditer(text):
        number = int(citation[1].replace(_ONE, "0").replace(_TWO, "1") or "0", 2)
        start, end = bare(citation.start(2)), bare(citation.end(2))
        if number < len(named) and named[number] and start < end:
            found.append(Cited(start, end, named[number]))
    return tuple(found)


def _units(body: Any) -> list[tuple[Any, list[str]]]:
    """Return each citing element, or the raised part that holds nothing but citations, with the ids it names."""
    found: list[tuple[Any, list[str]]] = []
    for xref in body.iter("xref"):
        if xref.get("ref-type") != "bibr":
            continue
        unit, names = xref, (xref.get("rid") or "").split()
        above = xref.getparent()
        if above.tag == "sup" and _BARE.fullmatch("".join(above.itertext())):
            unit = above
        if found and found[-1][0] is unit:
            last = xref.getprevious()
            if last is not None and _DASH.fullmatch(last.tail or ""):
                names = ["-", *names]
            found[-1][1].extend(names)
        else:
            found.append((unit, names))
    return found


def _between(before: Any, behind: Any) -> str | None:
    """Return the text between two elements if it only joins two citations, else None."""
    if before.getnext() is not behind or before.getparent() is not behind.getparent():
        return None
    said = before.tail or ""
    return said if _BETWEEN.fullmatch(said) else None


def _surround(first: Any, last: Any, number: int) -> None:
    opened = OPEN + bin(number)[2:].replace("0", _ONE).replace("1", _TWO)
    previous, above = first.getprevious(), first.getparent()
    before = (previous.tail if previous is not None else above.text) or ""
    behind = last.tail or ""
    tight = before.rstrip()
    if tight[-1:] in _LEFT and tight and behind.lstrip()[:1] == _RIGHT[_LEFT.index(tight[-1])]:
        before, behind = f"{tight[:-1]}{opened}{tight[-1]}", behind.lstrip()
        behind = behind[0] + CLOSE + behind[1:]
    else:
        before, behind = before + opened, CLOSE + behind
    if previous is not None:
        previous.tail = before
    else:
        above.text = before
    last.tail = behind


# The HTML counterpart of each element; the page walk then reads it. Other elements are inline.
_AS_HTML = {
    "sec": "section", "list": "ul", "list-item": "li", "disp-quote": "blockquote", "disp-formula": "p",
    "boxed-text": "div", "caption": "figcaption", "fig": "figure", "table-wrap": "figure",
    "table-wrap-foot": "figcaption", "fn": "p", "statement": "div",
    "def-list": "dl", "def-item": "div", "def": "dd", "term": "dt", "verse-group": "div",
    "verse-line": "p", "preformat": "pre", "speech": "div", "abstract": "section", "trans-abstract": "section",
    "app": "section", "ack": "section", "break": "br", "code": "pre",
}  # fmt: skip
_UNTITLED = {"abstract": "Abstract", "ack": "Acknowledgments"}
"""Headings of parts that are known by their tags and need none."""
_SECTIONS = frozenset({"section", "sec", "abstract", "trans-abstract", "app", "ack"})
_NO_TEXT = (
    "ref-list", "graphic", "inline-graphic", "media", "supplementary-material", "object-id", "permissions",
    "sub-article", "response", "processing-meta", "custom-meta-group",
)  # fmt: skip
_NO_ABSTRACT = (
    "graphical", "teaser", "toc", "key-points", "highlights", "editor-summary", "executive-summary", "web-summary",
    "short", "plain-language-summary", "author-highlights",
)  # fmt: skip
"""Kinds of abstracts that repeat the paper for other ends; they are no part of its argument."""
_ENTITY = re.compile(r"&(?!amp;|lt;|gt;|quot;|apos;)[A-Za-z]\w*;")
_TEX = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)


def convert_jats(data: bytes) -> Converted:
    """Return the article's text without its list of references, and title, authors, date and DOI from its front. Its
    citations keep the references that the file links them to.

    Raises `CorpusError` for a file that is no XML, neither JATS nor TEI, or that defines entities: none are expanded,
    and nothing outside the file is ever read.
    """
    article, remark = article_of(data)
    return _converted(article, remark)


def article_of(data: bytes) -> tuple[Any, str | None]:
    """Return the `<article>` of a JATS file, or of a TEI file told in JATS, and a remark on its encoding. Raises as
    `convert_jats` does."""
    declared = re.search(rb"""^\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.:-]+)""", data[:200])
    text, remark = decode(data, declared=declared.group(1).decode("ascii") if declared else None)
    if re.search(r"<!ENTITY", text[:100_000]):
        raise CorpusError("is XML that defines entities of its own, which are not expanded")
    text = MARKS.sub("", re.sub(r"\A\s*<\?xml[^>]*\?>", "", text))
    # Named entities of the document type (&mdash; and the like) are read as HTML's.
    text = _ENTITY.sub(lambda match: html.unescape(match.group()), text)
    parser = etree.XMLParser(
        resolve_entities=False, load_dtd=False, no_network=True, remove_comments=True, remove_pis=True, encoding="utf-8"
    )
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError as error:
        raise CorpusError(f"is no well-formed XML: {error}") from error
    for element in root.iter():
        if isinstance(element.tag, str):
            element.tag = etree.QName(element).localname
    article = as_jats(root) if is_tei(root) else root if root.tag == "article" else root.find(".//article")
    if article is None or (article.find("front") is None and article.find("body") is None):
        raise CorpusError("is XML, but no JATS article and no TEI document")
    return article, remark


def _converted(article: Any, remark: str | None) -> Converted:
    meta = article.find("front/article-meta")
    meta = etree.Element("article-meta") if meta is None else meta
    _place_floats(article)
    title = _words(meta.find("title-group/article-title"))
    doi = _words(meta.find("article-id[@pub-id-type='doi']"))
    page = etree.Element("html")
    body = etree.SubElement(page, "body")
    etree.SubElement(body, "h1").text = title
    authors = _authors(meta)
    published_at = _date(meta)
    parts = [*meta.findall("abstract"), *meta.findall("trans-abstract"), *article.findall("body")]
    parts += [part for part in article.findall("back/*") if part.tag in ("app-group", "ack", "fn-group", "notes")]
    for part in parts:
        if part.get("abstract-type") not in _NO_ABSTRACT:
            if (title_of := _UNTITLED.get(part.tag)) and part.find("title") is None:
                part.insert(0, etree.Element("title"))
                part[0].text = title_of
            body.append(part)
    for part in body.findall("body"):
        # What stands before the first section that has a title, below an abstract, is the introduction.
        first = part[0] if len(part) else part
        untitled = first.tag == "sec" and first.find("title") is None
        if (untitled or first.tag == "p") and len(part.findall("sec")) > untitled and body.find("abstract") is not None:
            first = first if untitled else part
            first.insert(0, etree.Element("title"))
            first[0].text = "Introduction"
    cited = _make_page(body, [ref.get("id") or "" for ref in references_of(article)])
    text, blocks = page_text(page, whole=True)
    made = Converted(
        text=text,
        title=title or None,
        authors=authors,
        published_at=published_at,
        doi=doi.lower() or None,
        remarks=(remark,) if remark else (),
        blocks=blocks,
    )
    return replace(without(made, MARKS), cited=take_marks(text, cited))


def printed_in(article: Any) -> dict[str, str]:
    """Return where an article appeared, under BibTeX's names: journal, volume, number, pages."""
    meta, front = article.find("front/article-meta"), article.find("front")
    if meta is None or front is None:
        return {}
    found = {name: _words(meta.find(tag)) for name, tag in (("volume", "volume"), ("number", "issue"))}
    abbreviated = front.find("journal-meta/journal-id[@journal-id-type='nlm-ta']")
    found["journal"] = _words(front.find("journal-meta//journal-title")) or _words(abbreviated)
    span = [said for tag in ("fpage", "lpage") if (said := _words(meta.find(tag)))]
    found["pages"] = "--".join(dict.fromkeys(span)) or _words(meta.find("elocation-id"))
    found["pmid"] = _words(meta.find("article-id[@pub-id-type='pmid']"))
    return {name: value for name, value in found.items() if value}


def references_of(article: Any) -> list[Any]:
    """Return each `<ref>` of an article, without those of letters and comments that came with it."""
    return [
        ref for ref in article.iterfind(".//ref-list//ref")
        if not any(up.tag in ("sub-article", "response") for up in ref.iterancestors())
    ]  # fmt: skip


def _place_floats(article: Any) -> None:
    """Move the figures and tables of `<floats-group>`, which JATS keeps behind the article, into its body: each behind
    the paragraph that cites it first, those that none cites to the end."""
    bodies = article.findall("body")
    floats = [each for group in article.findall("floats-group") for each in group if isinstance(each.tag, str)]
    if not bodies or not floats:
        return
    citing: dict[str, Any] = {}
    for xref in bodies[0].iter("xref"):
        paragraph = next((up for up in reversed([*xref.iterancestors("p")])), None)
        for cited in (xref.get("rid") or "").split() if paragraph is not None else ():
            citing.setdefault(cited, paragraph)
    behind: dict[Any, Any] = {}
    for each in floats:
        paragraph = citing.get(each.get("id") or "")
        each.tail = None
        if paragraph is None:
            bodies[0].append(each)
        else:
            after = behind.get(paragraph, paragraph)
            each.tail, after.tail = after.tail, None
            after.addnext(each)
            behind[paragraph] = each


def _make_page(body: Any, references: list[str]) -> list[tuple[str, ...]]:
    """Turn the elements into HTML's, and return the references of each citation, which is marked."""
    etree.strip_elements(body, *_NO_TEXT, with_tail=False)
    for element in list(body.iter("alternatives")):
        # Keep one of several forms of a formula or table.
        forms = {form.tag: form for form in reversed(element)}
        kept = next((forms[tag] for tag in ("tex-math", "table", "math", "textual-form") if tag in forms), None)
        for form in list(element):
            if form is not kept:
                element.remove(form)
    _print_math(body)
    for raised in body.iter("sup"):
        if raised.find("xref") is not None:
            _close_up(raised)
    cited = mark(body, references)
    for element in body.iter():
        tag = element.tag
        if not isinstance(tag, str):
            continue
        if tag == "tex-math" and element.text:
            source = _TEX.search(element.text)
            element.text = (source.group(1) if source else element.text).strip()
        elif tag == "label":
            element.tail = " " + (element.tail or "").lstrip()
        elif tag == "body" and element is not body:
            element.tag = "div"
        elif tag in ("title", "subtitle"):
            above = sum(up.tag in _SECTIONS for up in element.iterancestors())
            # The title of a figure or table heads no section.
            captioned = element.getparent().tag in ("caption", "figcaption")
            element.tag = "p" if captioned else f"h{min(6, 1 + max(1, above))}"
        elif tag in _AS_HTML:
            element.tag = _AS_HTML[tag]
    return cited


def _print_math(body: Any) -> None:
    """Write what MathML draws and does not spell out: the fences of `<mfenced>` with the commas between its parts, the
    bar of a fraction, and the level of exponents."""
    for fenced in body.iter("mfenced"):
        between = [*(fenced.get("separators", ",").strip() or " ")]
        parts = list(fenced)
        fenced.text = fenced.get("open", "(")
        for i, part in enumerate(parts[:-1]):
            part.tail = between[min(i, len(between) - 1)].strip() + " "
        if parts:
            parts[-1].tail = fenced.get("close", ")")
        else:
            fenced.text += fenced.get("close", ")")
    for fraction in body.iter("mfrac"):
        if len(fraction) == 2:
            fraction[0].tail = "/"
    for raised in body.iter("msup"):
        if len(raised) == 2:
            raised[1].tag = "sup"


def _close_up(mark: Any) -> None:
    """Remove the line breaks that indent a raised citation in the file, so that it stands at its word."""
    mark.text = (mark.text or "").strip()
    for part in mark.iterdescendants():
        part.text, part.tail = (part.text or "").strip(), " ".join((part.tail or "").split())
    before, parent = mark.getprevious(), mark.getparent()
    if before is not None:
        before.tail = (before.tail or "").rstrip()
    else:
        parent.text = (parent.text or "").rstrip()
    mark.tail = re.sub(r"^\s+(?=[.,;:)])", "", mark.tail or "")


def _words(element: Any) -> str:
    return " ".join("".join(element.itertext("*")).split()) if element is not None else ""


def _authors(meta: Any) -> tuple[str, ...]:
    """Return the authors, persons and groups; of a group with its members, the group."""
    found = []
    for contrib in meta.findall("contrib-group/*"):
        if contrib.tag not in ("contrib", "on-behalf-of") or contrib.get("contrib-type", "author") != "author":
            continue
        group = contrib if contrib.tag == "on-behalf-of" else contrib.find("collab")
        if group is not None:
            found.append(" ".join("".join(group.xpath(".//text()[not(ancestor::collab/contrib-group)]")).split()))
        elif (name := contrib.find(".//name")) is not None:
            found.append(f"{_words(name.find('given-names'))} {_words(name.find('surname'))}".strip())
        else:
            found.append(_words(contrib.find(".//string-name")) or _words(contrib.find(".//collab")))
    return tuple(dict.fromkeys(author for author in found if author))


def _date(meta: Any) -> date | None:
    """Return the earliest stated day of publication; a missing month or day counts as the first."""
    found = []
    for element in meta.findall("pub-date"):
        parts = [_words(element.find(name)) for name in ("year", "month", "day")]
        while parts and not parts[-1]:
            parts.pop()
        stated = parse_date("-".join(part.zfill(2) for part in parts)) if all(parts) else None
        if stated:
            found.append((-len(parts), stated))
    # A full date beats a year alone, which would count as the first of January.
    return min(found)[1] if found else None
