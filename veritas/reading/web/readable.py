"""The readable text of a fetched page, or the reason why there is none.

Also the references of an encyclopedia page (one URL each, in order), and paywalls: by status, by a page's structured
data about itself, and by known marks in its markup.
"""

from __future__ import annotations

import asyncio
import atexit
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from veritas.documents.metadata import is_web_url
from veritas.errors import CorpusError, Unavailable
from veritas.reading.charset import decode
from veritas.reading.converter_pool import Workshop
from veritas.reading.formats import QUICK_BYTES, Converted, Kind, convert, is_quick
from veritas.reading.formats.html import parse_html
from veritas.reading.web._non_sources import SHORT, fault_of_address, fault_of_page
from veritas.reading.web.page_cache import Page
from veritas.reading.web.sniffing import in_utf8, kind_of_body
from veritas.settings import home

MAX_JSON_LD = 500_000

_STATUS = {401: "asks for a login (401)", 402: "asks for payment (402)", 403: "refuses access (403)"}
_TIERS = frozenset({"locked", "metered", "premium", "subscriber", "paid", "register"})
_MARKS = re.compile(
    r"""(?:^|[\s_-])(?:paywall(?:ed)?|paid-?wall|subscriber-only|subscribers-only|premium-content-gate|content-gate
      |article-gate|regwall|meteredContent|tp-modal|piano-(?:offer|template)|pw-overlay|c-article-access-provider
      |access-denial|purchase-options|buybox|no-access|limited-access|locked-content)(?:$|[\s_-])""",
    re.IGNORECASE | re.VERBOSE,
)
_WORDS = re.compile(
    r"""subscribe\s+(?:now\s+)?to\s+(?:continue|read|unlock|keep\s+reading)
      |to\s+continue\s+reading,?\s+(?:please\s+)?(?:subscribe|log|sign)
      |already\s+a\s+subscriber
      |this\s+(?:article|content|story)\s+is\s+(?:only\s+)?(?:for|available\s+to)\s+(?:\w+\s+)?(?:subscribers|members)
      |(?:buy|purchase|rent)\s+(?:this\s+)?(?:article|pdf|chapter|access)
      |get\s+(?:full\s+)?access\s+to\s+this\s+(?:article|content)
      |access\s+through\s+your\s+institution
      |this\s+is\s+a\s+preview\s+of\s+subscription\s+content
      |log\s+in\s+via\s+an?\s+institution
      |you\s+have\s+(?:\w+\s+)?(?:free\s+)?articles?\s+(?:left|remaining)
      |zum\s+weiterlesen|réservé\s+aux\s+abonnés""",
    re.IGNORECASE | re.VERBOSE,
)
LONG = 12_000
"""Characters of main text beyond which marks in the markup are ignored: the article is readable."""


def paywall_of_status(status: int) -> str | None:
    """Return the meaning of a status for access, as the end of a sentence; None if it has none."""
    return _STATUS.get(status)


def paywall_of_page(root: Any, text: str) -> str | None:
    """Return why the page counts as paywalled; None if it is open. `root` is an lxml element, `text` its main text."""
    if any(_says_not_free(block) for block in _json_ld(root)):
        return "it says of itself that it is not free to read (isAccessibleForFree)"
    for element in root.xpath("//*[@itemprop='isAccessibleForFree']")[:5]:
        said = str(element.get("content") or element.get("href") or element.text_content())
        if said.strip().rpartition("/")[2].lower() == "false":
            return "it says of itself that it is not free to read (isAccessibleForFree)"
    for element in root.iter("meta"):
        name = (element.get("name") or element.get("property") or "").lower()
        if name in ("article:content_tier", "content_tier", "og:article:content_tier"):
            tier = (element.get("content") or "").strip().lower()
            if tier in _TIERS:
                return f"it says of itself that it is {tier}"
            if tier == "free":
                return None
    if len(text) >= LONG:
        return None
    for element in root.iter("div", "section", "aside", "dialog", "form"):
        named = f"{element.get('class') or ''} {element.get('id') or ''} {element.get('data-test') or ''}"
        if _MARKS.search(named) and (element.text_content().strip() or element.get("data-test")):
            return "it holds the box of a paywall"
    body = root.find("body")
    words = _WORDS.search(" ".join((root if body is None else body).text_content().split())[:200_000])
    return f"it says “{words[0][:60]}”" if words else None


def _json_ld(root: Any) -> Iterator[Any]:
    left = MAX_JSON_LD
    for script in root.iter("script"):
        if (script.get("type") or "").split(";")[0].strip().lower() == "application/ld+json":
            source = script.text or ""
            left -= len(source)
            if left < 0:
                return
            try:
                yield json.loads(source)
            except (ValueError, RecursionError):
                continue


def _says_not_free(block: Any) -> bool:
    """Return whether a part of a JSON-LD block that stands for the page itself denies free access; linked things do not
    count."""
    waiting, seen = [block], 0
    while waiting and seen < 2000:
        at = waiting.pop()
        seen += 1
        if isinstance(at, list):
            waiting += at
        elif isinstance(at, dict):
            if str(at.get("isAccessibleForFree", "")).strip().rpartition("/")[2].lower() == "false":
                return True
            waiting += [at[key] for key in ("@graph", "hasPart", "mainEntity", "mainEntityOfPage") if key in at]
    return False


MAX_REFERENCES = 300
_CLASS = "[contains(concat(' ', @class, ' '), ' {} ')]"
_LISTS = f"//ol{_CLASS.format('references')}/li | //*{_CLASS.format('refbegin')}//li"
_ARCHIVES = re.compile(
    r"(?:web\.)?archive\.(?:org|today|ph|is)|webcitation\.org|wayback\.archive-it\.org|ghostarchive\.org"
)
_CATALOGUES = re.compile(
    r"(?:www\.)?worldcat\.org|(?:search\.)?worldcat\.org|(?:api\.)?semanticscholar\.org|ui\.adsabs\.harvard\.edu"
    r"|(?:www\.)?jstor\.org/stable|hdl\.handle\.net|books\.google\.\w+|id\.loc\.gov|www\.wikidata\.org"
    r"|mathscinet\.ams\.org|zbmath\.org|catalogue\.bnf\.fr|d-nb\.info|oclc\.org|openlibrary\.org"
)


def references_of(root: Any, page_url: str) -> tuple[str, ...]:
    """Return the cited URLs of a MediaWiki page (an lxml element), the best one of each reference.

    That is the link on the work's title; an archived copy or a catalogue entry is taken only if there is nothing
    else.
    """
    own = urlsplit(page_url).hostname
    found: dict[str, None] = {}
    for item in root.xpath(_LISTS):
        links = []
        for anchor in item.iter("a"):
            try:
                url = urljoin(page_url, (anchor.get("href") or "").strip()).partition("#")[0]
                host = urlsplit(url).hostname
            except ValueError:
                continue
            if is_web_url(url) and host != own and not _is_wiki(host):
                links.append(url)
        if links:
            found.setdefault(min(links, key=lambda url: (_rank(url), links.index(url))))
        if len(found) >= MAX_REFERENCES:
            break
    return tuple(found)


def _rank(url: str) -> int:
    parts = urlsplit(url)
    place = f"{parts.hostname}{parts.path}"
    if _ARCHIVES.match(place):
        return 2
    return 1 if _CATALOGUES.match(place) else 0


def _is_wiki(host: str | None) -> bool:
    return bool(host and re.search(r"(?:^|\.)(?:wikipedia|wikimedia|wiktionary|mediawiki|wikisource)\.org$", host))


MAX_REFRESH = 10
"""Limit in seconds of a meta refresh that counts as a redirect."""
_REFRESH = re.compile(r"\s*(\d{1,4})(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?[\"']?\s*([^\"'\s]+)", re.IGNORECASE)

MAX_SECONDS = 90.0
"""Limit in seconds for the conversion of one page or file, which may be crafted to take for ever."""
MAX_MARKUP = 8_000_000
"""Limit in bytes of a page with markup, which takes about a second of parsing for each million."""


@dataclass(frozen=True)
class Readable:
    """A page's text and what the page states beside it. `paywall` is the reason why its text is incomplete; `refresh`
    is the target of a page without text of its own; `head` has the values of its meta tags by name."""

    page: Page
    kind: Kind
    converted: Converted
    paywall: str | None = None
    refresh: str | None = None
    references: tuple[str, ...] = ()
    head: dict[str, str] = field(default_factory=dict)


class Closed(Unavailable):
    """A page that exists, but whose text cannot be read: a paywall, a login, a bot check."""


class Gone(Unavailable):
    """The server states that the page does not exist, or no longer."""


async def make_readable(page: Page, *, characters: int) -> Readable:
    """Return the page's text. Raises `Unavailable` with the reason as the end of a sentence that names the page;
    `Closed` if a copy elsewhere would help."""
    _check_status(page)
    fault = fault_of_address(page.url, page.final_url)
    if fault:
        raise (Gone if "soft 404" in fault else Unavailable)(fault)
    return await asyncio.to_thread(_readable, page, characters)


def _check_status(page: Page) -> None:
    if page.headers.get("cf-mitigated", "").lower() == "challenge":
        raise Closed("is a captcha or bot check, not the page")
    closed = paywall_of_status(page.status)
    if closed:
        raise Closed(closed)
    if page.status in (404, 410):
        raise Gone(f"is not there ({page.status})")
    if page.status != 200:
        raise Unavailable(f"answers with an error ({page.status})")


def _readable(page: Page, characters: int) -> Readable:
    declared = page.headers.get("content-type", "")
    kind = kind_of_body(page.body, declared)
    if is_quick(kind) and len(page.body) > MAX_MARKUP:
        raise Unavailable(f"is a {kind} page of {len(page.body):,} bytes; at most {MAX_MARKUP:,} are read")
    data = in_utf8(page.body, declared) if is_quick(kind) else page.body
    try:
        if is_quick(kind) and len(data) <= QUICK_BYTES:
            converted = convert(data, kind)
        else:
            converted = _workshop(home() / "cache" / "converted").convert(data, kind)
        if len(converted.text) > characters:
            raise Unavailable(f"holds {len(converted.text):,} characters of text; at most {characters:,} are read")
        if kind == "html":
            return _html(page, data, converted)
    except CorpusError as error:
        raise Unavailable(str(error)) from error
    except RecursionError as error:
        raise Unavailable("is nested too deeply to be read") from error
    if not converted.text.strip():
        raise Unavailable("has no text in it")
    _check_characters(converted.text)
    return Readable(page, kind, converted)


def _html(page: Page, data: bytes, converted: Converted) -> Readable:
    root, _ = parse_html(decode(data)[0])
    if root is None:
        raise Unavailable("has no text in it")
    refresh = _refresh(root, page.final_url) if len(converted.text) < SHORT else None
    if refresh is None:
        fault = fault_of_page(root, converted.text, converted.title)
        if fault and "captcha" in fault:
            raise Closed(fault)
        if fault:
            raise (Gone if "soft 404" in fault else Unavailable)(fault)
        if not converted.text.strip():
            raise Unavailable("has no text in it")
        _check_characters(converted.text)
    return Readable(
        page,
        "html",
        converted,
        paywall=paywall_of_page(root, converted.text),
        refresh=refresh,
        references=references_of(root, page.final_url),
        head=_head(root),
    )


def _check_characters(text: str) -> None:
    if any("\ud800" <= character <= "\udfff" for character in text) or "\x00" in text:
        raise Unavailable("holds characters that are no text")


def _refresh(root: Any, base: str) -> str | None:
    for element in root.iter("meta"):
        if (element.get("http-equiv") or "").strip().lower() == "refresh":
            found = _REFRESH.match(element.get("content") or "")
            if found and int(found[1]) <= MAX_REFRESH:
                try:
                    target = urljoin(base, found[2]).partition("#")[0]
                except ValueError:
                    return None
                return target if target != base else None
    return None


def _head(root: Any) -> dict[str, str]:
    found: dict[str, str] = {}
    for element in root.iter("meta"):
        name = (element.get("name") or element.get("property") or "").strip().lower()
        if name.startswith(("citation_", "dc.")):
            found.setdefault(name, " ".join((element.get("content") or "").split()))
    return found


@lru_cache(maxsize=4)
def _workshop(cache: Path) -> Workshop:
    """Return the pool of processes that convert external files; it ends with this process."""
    workshop = Workshop(cache, seconds=MAX_SECONDS)
    atexit.register(workshop.close)
    return workshop
