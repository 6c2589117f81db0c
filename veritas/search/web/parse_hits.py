"""Parsing hits of external answers: a value of the wrong type is dropped, an answer without the list is unreadable."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from veritas.documents.metadata import is_web_url, parse_date
from veritas.errors import UnreadableAnswer
from veritas.search.provider import SearchHit
from veritas.text.stop_words import GENERIC_WORDS, STOP_WORDS
from veritas.text.tokens import tokenise

MAX_TITLE = 500
MAX_SNIPPET = 2000
MAX_URL = 4000
MAX_QUERY = 400
_TAG = re.compile(r"<[^<>]{0,400}>")


def listed(answer: Any, who: str, *path: str) -> list[dict[str, Any]]:
    """Return the objects in the list at `path` of an answer. Raises `UnreadableAnswer` when there is no list."""
    at = answer
    for key in path:
        at = at.get(key) if isinstance(at, dict) else None
    if not isinstance(at, list):
        raise UnreadableAnswer(f"{who} answers in a form that is not known: there is no list {'.'.join(path)!r} in it")
    return [item for item in at if isinstance(item, dict)]


def hit(url: Any, title: Any, snippet: Any = "", published_at: Any = None) -> SearchHit | None:
    """Return a hit, or None if it has no readable URL."""
    if not isinstance(url, str) or len(url) > MAX_URL or not is_web_url(url.strip()):
        return None
    return SearchHit(
        url=url.strip(),
        title=plain(title, MAX_TITLE),
        snippet=plain(snippet, MAX_SNIPPET),
        published_at=day(published_at),
    )


def ranked(
    hits: Iterable[SearchHit | None], *, limit: int, since: date | None, undated: bool = True
) -> Sequence[SearchHit]:
    """Return the first `limit` distinct hits published on or after `since`. Those without a date are kept only if
    `undated`, for providers that apply `since` themselves."""
    kept: dict[str, SearchHit] = {}
    for found in hits:
        if found is None or found.url in kept:
            continue
        if since is not None and (found.published_at < since if found.published_at else not undated):
            continue
        kept[found.url] = found
    return list(kept.values())[: max(0, limit)]


def plain(value: Any, most: int) -> str:
    """Return text in one line: entities resolved, tags off, only printable characters."""
    if isinstance(value, list):
        value = next((item for item in value if isinstance(item, str) and item.strip()), None)
    if not isinstance(value, str):
        return ""
    text = html.unescape(_TAG.sub(" ", value[: 4 * most]))
    return "".join(c for c in " ".join(_TAG.sub(" ", text).split()) if c.isprintable())[:most]


def day(value: Any) -> date | None:
    """Return a date from ISO 8601, from a mail header's form or from `[year, month, day]`; None for anything else."""
    if isinstance(value, date):
        return value.date() if isinstance(value, datetime) else value
    if isinstance(value, list):
        parts = [part for part in value[:3] if isinstance(part, int) and not isinstance(part, bool)]
        value = "-".join(f"{part:02}" for part in parts).rjust(4, "0")
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or len(value) > 60:
        return None
    found = parse_date(value) or parse_date(value[:10])
    if found is not None:
        return found
    try:
        return parsedate_to_datetime(value).astimezone(UTC).date()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def brief(query: str, words: int = 60) -> str:
    """Return a question in one line, cut to the length that every provider accepts: 400 characters, at the end of a
    word."""
    kept = " ".join(query.split()[:words])
    return kept if len(kept) <= MAX_QUERY else kept[:MAX_QUERY].rpartition(" ")[0] or kept[:MAX_QUERY]


def keywords(query: str) -> list[str]:
    """Return the topic words of a question, for indexes that want all words to match: one to eight."""
    words = list(dict.fromkeys(tokenise(query)))
    topical = [word for word in words if word not in STOP_WORDS and word not in GENERIC_WORDS and len(word) > 1]
    chosen = topical or [word for word in words if word not in STOP_WORDS] or words
    return [word[:60] for word in chosen[:8]]
