"""The readable text of a fetched page, or the reason why there is none."""

from __future__ import annotations

import asyncio
import atexit
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from veritas.errors import CorpusError, Unavailable
from veritas.reading.charset import decode
from veritas.reading.converter_pool import Workshop
from veritas.reading.formats import QUICK_BYTES, Converted, Kind, convert, is_quick
from veritas.reading.formats.html import parse_html
from veritas.reading.web._encyclopedia_references import references_of
from veritas.reading.web._non_sources import SHORT, fault_of_address, fault_of_page
from veritas.reading.web._paywall import paywall_of_page, paywall_of_status
from veritas.reading.web.page_cache import Page
from veritas.reading.web.sniffing import in_utf8, kind_of_body
from veritas.settings import home

MAX_REFRESH = 10
"""Limit in seconds of a meta refresh that counts as a redirect."""
_REFRESH = re.compile(r"\s*(\d{1,4})(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?[\"']?\s*([^\"'\s]+)", re.IGNORECASE)

MAX_SECONDS = 90.0
"""Limit in seconds for the conversion of one page or file: whoever serves it may have made it to take for ever."""


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
    """The server's statement that there is no such page, or no longer."""


async def make_readable(page: Page, *, characters: int) -> Readable:
    """Return the page's text. Raises `Unavailable` with the page's fault as the end of a sentence that names it;
    `Closed` where a copy elsewhere would help."""
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
    """Return the pool of processes in which strangers' files are converted; it ends with this process."""
    workshop = Workshop(cache, seconds=MAX_SECONDS)
    atexit.register(workshop.close)
    return workshop
