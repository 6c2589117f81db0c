"""Notices of what changed about a living question, by webhook, where no server's automation sends them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from veritas.errors import InputError, Unavailable
from veritas.report.living_notice import entry_text, entry_title
from veritas.use_cases._living_files import Entry

WEBHOOK = "VERITAS_WEBHOOK"
SECONDS = 20.0
"""Seconds to wait for a server."""


def configured_notices() -> Mapping[str, Callable[[Entry], None]]:
    """Return where the environment says that notices go: `webhook`, or nowhere.

    Raises `InputError` for an address that is none; it is not repeated, since a password may stand in it.
    """
    found: dict[str, Callable[[Entry], None]] = {}
    if url := os.environ.get(WEBHOOK):
        if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
            raise InputError(f"{WEBHOOK} is no address that begins with http:// or https://")
        found["webhook"] = Webhook(url)
    return found


@dataclass(frozen=True)
class Webhook:
    """A sender of entries as JSON with a `text`, which chat programs show."""

    url: str = field(repr=False)

    def __call__(self, entry: Entry) -> None:
        """Post the entry. Raises `Unavailable` where it was not taken."""
        import httpx

        told = entry.model_dump(mode="json")
        text = f"VERITAS: {entry_title(told)}\n{entry_text(told)}"
        body = {"text": text, "event": "veritas.question.changed", **told}
        try:
            httpx.post(self.url, json=body, timeout=SECONDS).raise_for_status()
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            status = error.response.status_code if isinstance(error, httpx.HTTPStatusError) else type(error).__name__
            raise Unavailable(f"the webhook did not take it ({status})") from None
