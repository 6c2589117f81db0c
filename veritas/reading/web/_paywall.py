"""Paywalls: by status, by a page's structured data about itself, and by known marks in its markup."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

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
