"""Links that cite: `[text](url)`, `[text][1]`, `<a href>` and the links of other formats, by what their words are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veritas.factcheck._mark import Mark
from veritas.factcheck.addresses import addresses, doi_address, plain_address
from veritas.factcheck.named_documents import Named
from veritas.factcheck.source_lists import Link

_INLINE = re.compile(
    r"(?<![!\\])\[(?P<words>(?:[^\[\]\n]|\\?\[[^\[\]\n]{0,80}\\?\]){0,300})\]"
    r"\(\s{0,2}<?(?P<url>(?:[^\s()<>]"
    r"|\([^\s()]{0,200}\)){1,2000})>?(?:\s{1,2}[\"'“(](?P<title>[^\"\n]{0,300})[\"'”)])?\s{0,2}\)"
)
_REFERENCE = re.compile(r"(?<![!\\\]])\[(?P<words>[^\[\]\n]{1,300})\][ ]?\[(?P<label>[^\[\]\n^]{0,60})\]")
_DEFINED = re.compile(
    r"(?m)^[ \t>]{0,6}\[(?P<label>[^\]\n^]{1,60})\]:[ \t]*<?(?P<url>[^\s>]+)>?"
    r"(?:[ \t]+[\"'(](?P<title>[^\n]{0,300})[\"')])?"
)
_ANCHOR = re.compile(
    r"<a\s[^>]{0,400}?href=[\"']?(?P<url>[^\s\"'>]{1,2000})[\"']?[^>]{0,400}>(?P<words>[^<\n]{0,400})</a>",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"(?:corpus://|(?![#/]{2}|#|[a-zA-Z][\w+.-]*:))\S+\Z")
_IN_BRACKETS = re.compile(
    r"[(\[](?:(?:see|source|from|in|cf\.):?\s+)?(?P<name>(?:corpus://)?[\w./@%+~-]{2,200}\.\w{1,8})(?:#[\w-]+)?[)\]](?![(\[])"
)
_NUMBER = re.compile(r"[\s\\]{0,2}(?P<boxes>\[{0,2})\^?(?P<number>\d{1,3})\^?\\?\]{0,2}\s{0,2}\Z")
_RAISED = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}\Z")
_PLACE = re.compile(r"#(?:\D*?)(?P<number>\d{1,3})(?:-\d+)?\Z")
_NAMES_SOURCE = re.compile(
    r"(?i)(?:sources?|links?|here|quellen?|hier|ici|via|ref(?:erence)?s?|citation|pdf|doi|read more|more"
    r"|archived?|📎|🔗|↗)"
    r"(?:\s?\d{1,3})?\Z"
)
_HOST = re.compile(r"(?i)(?:www\.)?[\w-]+(?:\.[\w-]+)*\.[a-z]{2,12}(?:/\S*)?\Z")
_OPENED = re.compile(
    r"[(（\[]\s?(?:(?:see|source|sources|via|cf\.|siehe|quelle|quellen|vgl\.|e\.g\.,?|from|per|voir"
    r"|src)[:\s]{0,2}\s?)?\Z",
    re.IGNORECASE,
)
_CLOSED = re.compile(r"\s?[)）\]]|\s?[,;·|]\s?\[|\s?(?:and|und|et|&)\s?\[")
_BEFORE_IN_LIST = re.compile(r"[)\]]\s?(?:[,;·|]|and|und|et|&)\s?\Z")
_SENTENCE_END = re.compile(
    r"(?:[.!?…][\"'”’)*_]{0,3}|\)|\])\s{1,3}\Z|[.!?…][\"'”’]?\Z|[—–-]\s{0,2}\Z|(?:Source|Quelle|Via)s?:\s?\Z"
)
_LINE_END = re.compile(r"[ \t]*(?:[.,;|·]?[ \t]*(?:$|\n)|[,;|·]?[ \t]*\[[^\]\n]{1,80}\]\(|[ \t]+[A-Z])")


def find(text: str, links: Sequence[Link], named: Named | None = None) -> Iterator[Mark]:
    """Yield the links of a text: which cite as a mark, and which are words of their sentence. `named` finds the
    document of a corpus that a relative link leads to, and one that brackets hold the file name of."""
    defined = {m["label"].strip().casefold(): m for m in _DEFINED.finditer(text)}
    for m in _INLINE.finditer(text):
        yield _mark(text, m.start(), m.end(), m.span("words"), m["url"], m["title"], named)
    for m in _REFERENCE.finditer(text):
        if m["words"].strip("^ ").isdecimal() and m["label"].strip().isdecimal():
            continue  # two marks, not a link with a number as its words
        target = defined.get((m["label"] or m["words"]).strip().casefold())
        if target is not None:
            yield _mark(text, m.start(), m.end(), m.span("words"), target["url"], target["title"], named)
    for m in _ANCHOR.finditer(text):
        yield _mark(text, m.start(), m.end(), m.span("words"), m["url"], None, named)
    for m in _IN_BRACKETS.finditer(text):
        if named is not None and (meant := named(m["name"])):
            yield Mark(m.start(), m.end(), "site_link", (m["name"],), meant, m["name"])
    for link in links:
        yield _mark(text, link.start, link.end, (link.start, link.end), link.url, None, named)


def _mark(
    text: str, start: int, end: int, words: tuple[int, int], url: str, title: str | None, named: Named | None
) -> Mark:
    said = text[words[0] : words[1]].strip()
    address = _address(url) or (named(url) if named is not None and _RELATIVE.match(url) else None)
    number = _NUMBER.match(said)
    raised = _RAISED.match(said)
    if number or raised:
        names = (number["number"],) if number else (said,)
        if address is None and (place := _PLACE.search(url)):
            names = (place["number"],)
        twice = bool(number) and (said.startswith(("[", "\\[")) and text[start] == "[")
        style = "double_bracket" if twice else "numbered_link"
        return Mark(start, end, style, names, address, title)
    if address is None:
        return Mark(start, end, "link", kept=words)  # a place in the text, a file: no source
    if not said or _is_address(said):
        return Mark(start, end, "url" if said else "site_link", (), address, title)
    if _is_aside(text, start, end) or _NAMES_SOURCE.match(said) or _HOST.match(said):
        return Mark(start, end, "site_link", (said,), address, title or said)
    return Mark(start, end, "link", (), address, title, words)


def _address(url: str) -> str | None:
    if url.lower().startswith(("http://", "https://", "www.")):
        return plain_address(url)
    return doi_address(url) if url.lower().startswith(("doi:", "10.")) else None


def _is_address(said: str) -> bool:
    found = next(iter(addresses(said)), None)
    return found is not None and found.start == 0 and found.end >= len(said) - 1


def _is_aside(text: str, start: int, end: int) -> bool:
    """Return whether a link stands by itself: in brackets, or behind the end of a sentence."""
    before = text[max(0, start - 30) : start]
    if _OPENED.search(before) and _CLOSED.match(text, end):
        return True
    if _BEFORE_IN_LIST.search(before) and _CLOSED.match(text, end):
        return True
    return bool(before.strip()) and bool(_SENTENCE_END.search(before)) and bool(_stands_alone(text, end))


def _stands_alone(text: str, end: int) -> bool:
    found = _LINE_END.match(text, end)
    return found is not None and not (found[0].strip(" ")[:1].isupper())
