"""A web page as its reader sees it: title, authors and date from its head, and the main text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from lxml import etree, html  # type: ignore[import-untyped]

from veritas.documents.metadata import parse_date, split_front_matter
from veritas.errors import CorpusError
from veritas.reading.charset import decode
from veritas.reading.formats._main_text import page_text
from veritas.reading.formats.converted import Converted

_META_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_XML_CHARSET = re.compile(rb"""^\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.:-]+)""")
_XML_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_TITLES = ("citation_title", "dc.title", "og:title")
_AUTHORS = ("citation_author", "dc.creator", "author")
_DATES = (
    "citation_publication_date", "citation_date", "citation_online_date", "dc.date", "dc.date.issued",
    "article:published_time", "datepublished", "date",
)  # fmt: skip


def convert_html(data: bytes) -> Converted:
    """Return the page's main text, with title, authors and date of its own head.

    A canonical link, or any other URL or identifier in the page, is ignored: it does not tell whose words these are
    (I2). Raises `CorpusError` for bytes that are no text.
    """
    head = data[:4096]
    named = _XML_CHARSET.search(head) or _META_CHARSET.search(head)
    text, remark = decode(data, declared=named.group(1).decode("ascii", "replace") if named else None)
    front, text = split_front_matter(text)
    page = convert_page(text)
    return replace(page, front_matter=front, remarks=(*page.remarks, *([remark] if remark else [])))


def convert_page(text: str, *, whole: bool = False) -> Converted:
    """Convert a decoded page as `convert_html` does; with `whole`, its whole body counts as main text."""
    root, lost = parse_html(text)
    if root is None:
        return Converted("")
    meta = _meta(root)
    text, blocks = page_text(root, whole=whole)
    dates = (parse_date(value.replace("/", "-")) for name in _DATES for value in meta.get(name, ()))
    return Converted(
        text=text,
        title=_first(meta, _TITLES) or _said(root, "//title") or _said(root, "//h1") or None,
        # Some sites put a profile's address in the place of the name.
        authors=tuple(dict.fromkeys(a for name in _AUTHORS for a in meta.get(name, ()) if "://" not in a)),
        published_at=next((found for found in dates if found), None),
        remarks=(lost,) if lost else (),
        blocks=blocks,
    )


def parse_html(text: str) -> tuple[Any, str | None]:
    """Return the root element (None for an empty page), mended as a browser would, and a remark if text was lost."""
    text = _XML_DECLARATION.sub("", text, count=1)  # it contradicts a text that is decoded already
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        root = html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except etree.ParserError:
        return None, None  # nothing but white space and comments
    except etree.XMLSyntaxError as error:
        raise CorpusError(f"is no readable HTML: {error}") from error
    too_deep = any(entry.type_name == "ERR_RESOURCE_LIMIT" or "depth" in entry.message for entry in parser.error_log)
    return root, "is nested so deeply that a part of it was not read" if too_deep else None


def _meta(root: Any) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for element in root.iter("meta"):
        name = (element.get("name") or element.get("property") or element.get("itemprop") or "").strip().lower()
        value = _clean(element.get("content") or "")
        if name and value:
            found.setdefault(name, []).append(value)
    return found


def _first(meta: Mapping[str, list[str]], names: Iterable[str]) -> str | None:
    return next((meta[name][0] for name in names if name in meta), None)


def _said(root: Any, path: str) -> str:
    # A script inside a heading is not part of it; in Markdown its text even arrives escaped.
    said = root.xpath(f"({path})[1]//text()[not(ancestor::script or ancestor::style)]")
    return _clean("".join(said))[:500]


def _clean(text: str) -> str:
    return "".join(c for c in " ".join(text.split()) if c.isprintable()).removesuffix("¶").strip()
