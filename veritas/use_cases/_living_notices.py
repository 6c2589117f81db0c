"""Notices of what changed about a living question, by webhook and by mail, where no server's automation sends them."""

from __future__ import annotations

import os
import smtplib
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.message import EmailMessage
from urllib.parse import parse_qs, unquote, urlsplit

from veritas.errors import InputError, Unavailable
from veritas.report.atom_feed import entry_text, entry_title
from veritas.use_cases._living_files import Entry

WEBHOOK, MAIL = "VERITAS_WEBHOOK", "VERITAS_MAIL"
SECONDS = 20.0
"""Seconds to wait for a server."""
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def configured_notices() -> Mapping[str, Callable[[Entry], None]]:
    """Return where the environment says that notices go: `webhook`, `mail`, both or neither.

    Raises `InputError` for an address that is none; it is not repeated, since a password may stand in it.
    """
    found: dict[str, Callable[[Entry], None]] = {}
    if url := os.environ.get(WEBHOOK):
        if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
            raise InputError(f"{WEBHOOK} is no address that begins with http:// or https://")
        found["webhook"] = Webhook(url)
    if url := os.environ.get(MAIL):
        found["mail"] = mail_of(url)
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


def mail_of(url: str) -> Mail:
    """Return the sender that `smtp://USER:PASSWORD@HOST:587?from=A@B&to=C@D` names, or `smtps://…` for TLS from the
    start. Raises `InputError`."""
    wrong = InputError(f"{MAIL} is not of the form smtp://USER:PASSWORD@HOST:PORT?from=ADDRESS&to=ADDRESS")
    try:
        parts, port = urlsplit(url), urlsplit(url).port
    except ValueError:
        raise wrong from None
    query = parse_qs(parts.query)
    by, to = query.get("from", [""])[-1], tuple(query.get("to", []))
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname or "@" not in by or not to:
        raise wrong
    if any(sign in address for address in (by, *to) for sign in "\r\n"):
        raise wrong
    tls = parts.scheme == "smtps"
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return Mail(parts.hostname, port or (465 if tls else 587), tls, user, password, by, to)


@dataclass(frozen=True)
class Mail:
    """A sender of entries by mail. A password is shown to a server only over TLS, or on this machine."""

    host: str
    port: int
    tls: bool
    user: str
    password: str = field(repr=False)
    by: str
    to: tuple[str, ...]

    def __call__(self, entry: Entry) -> None:
        """Send the entry. Raises `Unavailable` where the server did not take it."""
        told = entry.model_dump(mode="json")
        message = EmailMessage()
        message["Subject"] = f"VERITAS: {entry_title(told)}"
        message["From"], message["To"] = self.by, ", ".join(self.to)
        message.set_content(entry_text(told))
        try:
            with self._server() as server:
                if self.user:
                    server.login(self.user, self.password)
                server.send_message(message)
        except (OSError, smtplib.SMTPException, ValueError) as error:
            raise Unavailable(f"the mail server {self.host} did not take it ({type(error).__name__})") from None

    def _server(self) -> smtplib.SMTP:
        context = ssl.create_default_context()
        if self.tls:
            return smtplib.SMTP_SSL(self.host, self.port, timeout=SECONDS, context=context)
        server = smtplib.SMTP(self.host, self.port, timeout=SECONDS)
        server.ehlo()
        if server.has_extn("starttls"):
            server.starttls(context=context)
            server.ehlo()
        elif self.user and self.host not in _LOOPBACK:
            server.close()
            raise Unavailable(f"the mail server {self.host} offers no TLS: the password was not sent")
        return server
