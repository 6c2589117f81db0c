"""HTML as the text that is shown, with the addresses that stand behind its words."""

from __future__ import annotations

import re
from typing import Any

from lxml import html  # type: ignore[import-untyped]

from veritas.errors import CorpusError, InputError
from veritas.factcheck.source_lists import Link
from veritas.reading.formats.converted import Converted
from veritas.reading.formats.html import convert_page, parse_html
from veritas.text.structure import moved

_OPEN, _CLOSE, _DIGITS = "\ue310", "\ue311", "\ue320\ue321\ue322\ue323\ue324\ue325\ue326\ue327\ue328\ue329"
_SIGN = re.compile(f"{_OPEN}(?P<number>[{_DIGITS}]+)|{_CLOSE}")
_RAISED = str.maketrans("0123456789[]() ", "⁰¹²³⁴⁵⁶⁷⁸⁹     ")
_NUMBERS = re.compile(r"[\s\[(]*\d{1,3}(?:\s?[,–-]\s?\d{1,3})*[\s\])]*\Z")
_FURNITURE = ("nav", "header", "footer", "script", "style", "noscript", "template", "form", "button")
_COMMON = {ord(digit): str(number) for number, digit in enumerate(_DIGITS)}


def opened(number: int) -> str:
    """Return the sign that begins the words of a link in a text that is converted."""
    return _OPEN + str(number).translate(str.maketrans("0123456789", _DIGITS))


def closed() -> str:
    """Return the sign that ends the words of a link."""
    return _CLOSE


def raised(text: str) -> str:
    """Return numbers as raised figures."""
    return "".join(text.translate(_RAISED).split())


def is_number(text: str) -> bool:
    """Return whether a raised text is a number or several."""
    return bool(_NUMBERS.match(text))


def read_html(text: str) -> tuple[str, list[Link], set[int]]:
    """Return the text of a page as it is shown, its links, and the starts of its headings. Menus, heads and feet of the
    page are left out. Raises `InputError` if nothing can be read."""
    try:
        root, _ = parse_html(text)
    except CorpusError as error:
        raise InputError(f"the page {error}") from error
    if root is None:
        raise InputError("the page holds no text")
    urls: list[str] = []
    for element in list(root.iter(*_FURNITURE)):
        if element.tag != "header" or element.getparent() is None or element.getparent().tag == "body":
            _drop(element)
    for sup in list(root.iter("sup")):
        _lower(sup)
    for anchor in list(root.iter("a")):
        address = (anchor.get("href") or "").strip()
        if address:
            anchor.text = opened(len(urls)) + (anchor.text or "")
            last = anchor[-1] if len(anchor) else None
            if last is None:
                anchor.text += _CLOSE
            else:
                last.tail = (last.tail or "") + _CLOSE
            urls.append(address)
            for name in ("class", "id", "role"):
                anchor.attrib.pop(name, None)
    return without_signs(convert_page(html.tostring(root, encoding="unicode"), whole=True), urls)


def without_signs(converted: Converted, urls: list[str]) -> tuple[str, list[Link], set[int]]:
    """Return the text of a conversion without the signs of links, its links and the starts of its headings."""
    pieces: list[str] = []
    cuts: list[tuple[int, int]] = []
    links: list[Link] = []
    at = length = 0
    began: tuple[int, str] | None = None
    for sign in _SIGN.finditer(converted.text):
        piece = converted.text[at : sign.start()]
        pieces.append(piece)
        length += len(piece)
        cuts.append((sign.start(), sign.end()))
        at = sign.end()
        if sign["number"]:
            began = (length, urls[int(sign["number"].translate(_COMMON))])
        elif began is not None and began[0] < length:
            links.append(Link(began[0], length, began[1]))
            began = None
    pieces.append(converted.text[at:])

    def kept(offsets: tuple[int, ...]) -> tuple[int, ...]:
        found, gone, place = [], 0, 0
        for offset in offsets:
            while place < len(cuts) and cuts[place][1] <= offset:
                gone += cuts[place][1] - cuts[place][0]
                place += 1
            inside = max(0, offset - cuts[place][0]) if place < len(cuts) and cuts[place][0] < offset else 0
            found.append(offset - gone - inside)
        return tuple(found)

    blocks = moved(converted.blocks, kept)
    return "".join(pieces), links, {block.start for block in blocks if block.kind == "heading"}


def _lower(sup: Any) -> None:
    """Write a raised number with raised figures, so that it is one in the text that is shown."""
    if not is_number("".join(sup.itertext())):
        return
    sup.tag = "span"
    sup.attrib.clear()
    for part in (sup, *sup.iterdescendants()):
        part.text = raised(part.text or "")
        if part is not sup:
            part.tail = raised(part.tail or "")


def _drop(element: Any) -> None:
    parent = element.getparent()
    if parent is not None:
        element.drop_tree()
