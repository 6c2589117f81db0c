"""The cache of fetched pages: bodies by their SHA-256, and answers by URL with their time."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

KEPT_HEADERS = ("content-type", "etag", "last-modified", "content-language", "x-robots-tag", "cf-mitigated")


@dataclass(frozen=True, slots=True)
class Page:
    """A server's answer. `url` was asked for, `final_url` answered; `fetched_at` is the last time (seconds since 1970)
    at which the server confirmed this content."""

    url: str
    final_url: str
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    fetched_at: float = 0.0


class PageCache:
    """A folder with `pages/` and `bodies/`, which processes may share. A damaged entry counts as missing; a folder that
    cannot be written is ignored."""

    def __init__(self, folder: Path, *, fresh_seconds: float, keep_seconds: float) -> None:
        self._folder = folder
        self._fresh, self._keep = fresh_seconds, keep_seconds

    def get(self, url: str) -> Page | None:
        """Return the page cached under `url` if it is whole and not too old; else None."""
        try:
            entry = json.loads(self._entry(url).read_bytes())
            page = Page(
                url=str(entry["url"]),
                final_url=str(entry["final_url"]),
                status=int(entry["status"]),
                headers={str(k): str(v) for k, v in entry["headers"].items()},
                body=self._body(entry["sha256"]).read_bytes(),
                fetched_at=float(entry["fetched_at"]),
            )
            if page.url != url or hashlib.sha256(page.body).hexdigest() != entry["sha256"]:
                return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None
        age = time.time() - page.fetched_at
        return page if 0 <= age <= self._keep else None

    def is_fresh(self, page: Page) -> bool:
        """Return whether the page may be used without asking the server."""
        return 0 <= time.time() - page.fetched_at < self._fresh

    def put(self, page: Page) -> None:
        """Store a page in place of the one under its URL."""
        digest = hashlib.sha256(page.body).hexdigest()
        entry = {
            "url": page.url,
            "final_url": page.final_url,
            "status": page.status,
            "headers": {k: v for k, v in page.headers.items() if k in KEPT_HEADERS},
            "sha256": digest,
            "fetched_at": page.fetched_at,
        }
        with suppress(OSError):
            body = self._body(digest)
            if body.exists():
                os.utime(body)
            else:
                _write(body, page.body)
            _write(self._entry(page.url), json.dumps(entry).encode())

    def clear_old(self) -> int:
        """Delete expired files; return how many."""
        gone = 0
        for part in ("pages", "bodies"):
            for file in (self._folder / part).glob("*"):
                with suppress(OSError):
                    # A body is touched whenever an entry that needs it is kept.
                    if time.time() - file.stat().st_mtime > self._keep:
                        file.unlink()
                        gone += 1
        return gone

    def _entry(self, url: str) -> Path:
        return self._folder / "pages" / f"{hashlib.sha256(url.encode('utf-8', 'surrogatepass')).hexdigest()}.json"

    def _body(self, digest: str) -> Path:
        if len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
            raise ValueError("no SHA-256")
        return self._folder / "bodies" / digest


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except OSError:
        with suppress(OSError):
            os.unlink(name)
        raise
