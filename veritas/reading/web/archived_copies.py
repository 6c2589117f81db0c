"""Archived copies of missing pages, by the availability interface of the Web Archive."""

from __future__ import annotations

import json
from urllib.parse import quote

from veritas.errors import Unavailable
from veritas.reading.web.fetching import Fetcher


class ArchivedCopies:
    """Finds the archived copy of a page, to be shown to people; it is never read in place of the page."""

    def __init__(self, fetcher: Fetcher, base: str) -> None:
        """`base` is the archive's address: `archive` in `providers.yaml`."""
        self._fetcher, self._base = fetcher, base.rstrip("/")

    async def find(self, url: str) -> str | None:
        """Return the address of the newest copy; None if the archive has none or did not answer."""
        try:
            page = await self._fetcher.fetch(f"{self._base}/wayback/available?url={quote(url, safe='')}")
            found = json.loads(page.body) if page.status == 200 else {}
            closest = found["archived_snapshots"]["closest"]
            copy = closest["url"]
            there = closest["available"] is True and str(closest.get("status", "200")) == "200"
        except (Unavailable, ValueError, KeyError, TypeError, RecursionError):
            return None
        if not there or not isinstance(copy, str) or not copy.startswith(("http://", "https://")) or len(copy) > 4_000:
            return None
        return copy
