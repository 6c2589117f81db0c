"""Citations in a text in two forms: links, and authors with a year."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from veritas.factcheck.addresses import addresses, doi_address, plain_address
from veritas.factcheck.named_documents import Named
from veritas.factcheck.source_lists import Link
from veritas.text.dates import MONTH_WORDS
from veritas.text.wordlist import words


class Mark(NamedTuple):
    """A citation at `text[start:end]`.

    `names` are the labels of the sources that it cites, `url` is an address that it contains. `kept` is the span of
    those of its characters that belong to the sentence. `ahead` is true if it stands before the words that it supports.
    """

    start: int
    end: int
    style: str
    names: tuple[str, ...] = ()
    url: str | None = None
    title: str | None = None
    kept: tuple[int, int] | None = None
    ahead: bool = False
    # The end of the words that the citation encloses; None if it encloses none.
    until: int | None = None


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


def find_links(text: str, links: Sequence[Link], named: Named | None = None) -> Iterator[Mark]:
    """Yield the links of a text as citations. A link whose words belong to the sentence has them in `kept`. `named`
    returns the document of a corpus for a relative link or for a file name in brackets."""
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
    """Return whether a link is no part of a sentence: it is in brackets, or follows the end of a sentence."""
    before = text[max(0, start - 30) : start]
    if _OPENED.search(before) and _CLOSED.match(text, end):
        return True
    if _BEFORE_IN_LIST.search(before) and _CLOSED.match(text, end):
        return True
    return bool(before.strip()) and bool(_SENTENCE_END.search(before)) and bool(_stands_alone(text, end))


def _stands_alone(text: str, end: int) -> bool:
    found = _LINE_END.match(text, end)
    return found is not None and not (found[0].strip(" ")[:1].isupper())


class NamedMark(NamedTuple):
    """A citation by authors and year. `names` are texts "surname year"; `kept` is the span of its words that belong to
    the sentence."""

    start: int
    end: int
    names: tuple[str, ...]
    kept: tuple[int, int] | None


_LETTER = r"[^\W\d_]"
_NAME = (
    r"(?:(?:van|von|de|der|den|la|le|di|da|del|al|bin|ter|ten|du)\s){0,3}"
    rf"(?=[^\Wa-zà-ÿ\d_]){_LETTER}[\w'’.-]{{1,40}}(?:[\s-](?=[^\Wa-zà-ÿ\d_]){_LETTER}[\w'’-]{{1,30}}){{0,4}}"
)
_BODY = (
    r"(?=[^\Wa-z\d_])[\w'’.-]{2,40}(?:\s(?:of|for|the|and|on|in|at|de|des|du|für|der|und|et|&|(?=[^\Wa-z\d_])[\w'’-]+)){0,8}"
    r"\s(?:(?=[^\Wa-z\d_])[\w'’-]+|developers|team|group|authors|contributors|collaborators|collaboration|project|union"
    r"|consortium|foundation|editors|staff|plc|inc|ltd|llc|company|institute|university|et al\.?)"
)
_YEAR = r"(?:(?:1[5-9]|20)\d\d[a-z]?(?!\w)|n\.\s?d\.|o\.\s?J\.|s\.\s?d\.|in press|forthcoming)"
_MORE = (
    rf"(?P<more>,?\s(?:et al\.?|and colleagues|u\.\s?a\.|et coll\.)|(?:,\s{_NAME}){{0,3}},?\s(?:and|&|und"
    rf"|et)\s{_NAME})?"
)
_PARENTHESES = re.compile(r"\([^()\n]{5,400}\)|\[(?=[^\]\d]{3})[^\[\]\n@†‡:]{5,300}\]")
_PIECE = re.compile(
    rf"\s*(?:(?:see(?: also)?|e\.g\.,?|cf\.?|i\.e\.,?|vgl\.|siehe|z\.\s?B\.|voir|reviewed in"
    rf"|in)\s+)?(?P<who>{_NAME}|{_BODY}){_MORE}"
    rf"(?P<comma>,?)\s+(?P<year>{_YEAR})(?:\s?,\s?(?P<years>{_YEAR}))?"
    r"(?:\s?[,:]\s?(?:(?:pp?\.|S\.|§|ch\.|Abs\.|sec\.|Fig\.|Table)\s?)?[\w–-]{1,12})?\s*\Z"
)
_NARRATIVE = re.compile(
    rf"(?<![\w(])(?P<who>{_NAME}){_MORE}(?:['’]s)?\s(?P<box>[(\[](?P<year>{_YEAR})(?:,\s?pp?\.\s?[\d–-]+)?[)\]])"
)
_NO_NAME = MONTH_WORDS | words(
    """
    januar februar märz mai juni juli oktober dezember janvier février mars avril juin juillet août
    septembre octobre novembre décembre spring summer autumn fall winter since until circa early late mid section table
    figure fig version chapter act law vol volume season episode edition copyright updated published accessed founded
    born died in as by from before after about q1 q2 q3 q4 fy frühjahr sommer herbst seit bis ende anfang mitte stand
    """
)


def find_names(text: str, known: Callable[[str, str], bool]) -> Iterator[NamedMark]:
    """Yield the citations by authors and year. `known` returns whether the sources have an entry of a surname and a
    year. A single name before a year in brackets counts only if it is known: "Paris (2015)" has the same form."""
    for brackets in _PARENTHESES.finditer(text):
        inside = brackets[0][1:-1]
        pieces = [_PIECE.match(piece) for piece in inside.split(";")]
        names: list[str] = []
        for piece in pieces:
            if piece is None or not _is_name(piece, known):
                break
            names += (f"{surname(piece['who'])} {year}" for year in (piece["year"], piece["years"]) if year)
        else:
            yield NamedMark(*brackets.span(), tuple(names), None)
    for m in _NARRATIVE.finditer(text):
        who = _without_lead(m["who"])
        name = surname(who)
        if m["more"] or known(name, m["year"]):
            if name.casefold() in _NO_NAME:
                continue
            start = m.start("who") + len(m["who"]) - len(who)
            yield NamedMark(start, m.end(), (f"{name} {m['year']}",), (start, m.start("box")))


def surname(who: str) -> str:
    """Return the surname of the first author, or the name of the organisation."""
    first = re.split(r",| and | & ", who.strip())[0].split()
    return " ".join(first) or who


def _is_name(piece: re.Match[str], known: Callable[[str, str], bool]) -> bool:
    name = surname(piece["who"])
    if piece["who"].split()[0].casefold() in _NO_NAME or name.casefold() in _NO_NAME:
        return False
    return bool(piece["more"] or piece["comma"]) or known(name, piece["year"])


def _without_lead(who: str) -> str:
    """Return names without a first word that is no name, such as "The" or "However" at the start of a sentence."""
    first, _, rest = who.partition(" ")
    lead = first.casefold() in _NO_NAME or first.casefold() in (
        "the", "a", "and", "but", "while", "according", "when", "although", "however", "both", "later", "recently",
    )  # fmt: skip
    return rest if lead and rest[:1].isupper() else who
