"""The frame of every page, and errors as pages."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any, get_args

import jinja2
from fastapi import APIRouter, HTTPException, Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veritas.errors import VeritasError
from veritas.keys import withheld_from_message
from veritas.server.access import Caller
from veritas.server.context import Context
from veritas.server.own_words import in_words_of
from veritas.server.problems import without_paths
from veritas.server.tokens import Role
from veritas.text.capital import capital
from veritas.version import __version__

_HERE = Path(__file__).parent
_MEDIA = {
    ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png",
    ".ico": "image/x-icon", ".woff2": "font/woff2", ".webmanifest": "application/manifest+json",
}  # fmt: skip
_OF_REPORT = ("report.css", "page.js", "report.js")
"""Files of the report: its look is that of the pages."""

_COMMAND = re.compile(r"(?:; (?:override|take it out) with)?: veritas approve \S+(?: --reject)?\Z")

_HASH = re.compile(r", text [0-9a-f]{12}\b")

HEADERS = {"Referrer-Policy": "same-origin"}
"""Headers of every page."""

AREAS = (
    ("/", "Ask"), ("/library", "Library"), ("/check", "Check"), ("/papers", "Papers"), ("/reviews", "Reviews"),
    ("/living", "Living"), ("/approvals", "Approvals"),
)  # fmt: skip
"""Addresses and names of the areas, in the order of the navigation."""

static_files = APIRouter()


def static(name: str) -> str:
    """Return the address of a static file, which changes with its content; for templates."""
    _, digest = _static(name)
    return f"/static/{digest}/{name}"


@static_files.get("/static/{digest}/{name}", include_in_schema=False)
def static_file(digest: str, name: str) -> Response:
    """Return a static file, which a browser may cache for ever: a changed file has another address."""
    try:
        content, now = _static(name)
    except FileNotFoundError:
        raise HTTPException(404, "there is no such file") from None
    kept = "public, max-age=31536000, immutable" if digest == now else "no-cache"
    return Response(content, media_type=_MEDIA[Path(name).suffix], headers={"Cache-Control": kept, "ETag": f'"{now}"'})


@cache
def _static(name: str) -> tuple[bytes, str]:
    """Return content and hash of a static file. Raises `FileNotFoundError` for what is none."""
    if name in _OF_REPORT:
        from veritas.report.html_report import package_file

        content = package_file(name).encode()
    elif name in {path.name for path in (_HERE / "static").iterdir() if path.suffix in _MEDIA}:
        content = (_HERE / "static" / name).read_bytes()
    else:
        raise FileNotFoundError(name)
    return content, hashlib.sha256(content).hexdigest()[:16]


@cache
def templates() -> jinja2.Environment:
    """Return the templates' environment: the report's, with its filters and parts, preceded by those of the pages.
    Everything in a page is escaped, and hidden characters are marked."""
    from veritas.report.html_report import environment

    report = environment()
    assert report.loader is not None
    made = report.overlay(loader=jinja2.ChoiceLoader([jinja2.FileSystemLoader(_HERE / "templates"), report.loader]))
    made.globals = {**report.globals, "static": static, "version": __version__, "areas": AREAS}
    own = {"moment": _moment, "span": _span, "usd": _usd, "without_command": _without_command, "setting": _setting,
           "capital": capital, "without_hash": _without_hash,
           "dict_of": lambda model: model.model_dump(mode="json")}  # fmt: skip
    made.filters = {**report.filters, **own}
    return made


def may(request: Request, role: Role) -> bool:
    """Return whether the caller's token has a role."""
    caller: Caller | None = request.scope.get("veritas.caller")
    return caller is not None and caller.token.allows(role)


def rendered(request: Request | None, template: str, **shown: Any) -> str:
    """Return a page as text; `shown` are the values that its template shows."""
    roles = {role: request is not None and may(request, role) for role in get_args(Role)}
    area = request.url.path if request is not None else ""
    return templates().get_template(template).render(**{"may": roles, "area": area, **shown})


def page(request: Request, template: str, status: int = 200, **shown: Any) -> HTMLResponse:
    """Return a page; `shown` are the values that its template shows.

    Links to other sites send no referrer. Links to the server itself do: a browser without any referrer hides the
    origin of a form as well, and the form would be refused.
    """
    return HTMLResponse(rendered(request, template, **shown), status_code=status, headers=HEADERS)


def cleaner(here: Context) -> Callable[[str], str]:
    """Return a function that removes the paths of this machine from a text."""
    return lambda text: without_paths(text, here.settings)


def words_of(error: VeritasError, here: Context) -> str:
    """Return the sentence of an error, without keys and without paths of this machine, in the terms of the pages."""
    return in_words_of("page", without_paths(withheld_from_message(str(error)), here.settings))


def _moment(at: datetime | None) -> str:
    """Return a time for display, in UTC."""
    return "" if at is None else f"{at.astimezone(UTC):%d %b %Y, %H:%M}".lstrip("0") + " UTC"


def _span(seconds: float | None) -> str:
    """Return a duration for display."""
    if seconds is None:
        return "–"
    if seconds < 90:
        return f"{seconds:.0f} s" if seconds >= 1 or seconds == 0 else "under 1 s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _setting(value: Any) -> str:
    """Return the value of a setting for display; of a hash its beginning."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {_setting(each)}" for name, each in value.items() if each is not None) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(map(_setting, value)) or "none"
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return value[:12] if isinstance(value, str) and re.fullmatch("[0-9a-f]{32,}", value) else str(value)


def _without_hash(fate: str) -> str:
    """Return the outcome of a source without the hash of its text."""
    return _HASH.sub("", fate)


def _without_command(sentence: str) -> str:
    """Return the sentence of a case without the command that settles it: a page has buttons."""
    return _COMMAND.sub(".", sentence)


def _usd(dollars: float | None) -> str:
    """Return an amount in US dollars."""
    if dollars is None:
        return "price unknown"
    return "$0" if dollars == 0 else f"${dollars:.4f}" if dollars < 0.1 else f"${dollars:.2f}"


_HELP = {
    401: "Open the address that veritas serve printed when it was started: it holds a token for this browser. "
    "veritas serve tokens add makes one for another person.",
    403: "Whoever started the server can make a token with that role: veritas serve tokens add --role.",
    404: "It may have been removed, or the address may have been mistyped. The library lists everything that is there.",
    413: "Take a smaller file, or start the server where the document lies and name it there.",
    421: "Open the server by the address that it printed when it was started.",
    429: "The server answers again in a moment.",
    503: "Nothing was changed. Try again in a moment.",
}
"""Status -> what a person can do."""


class InWords:
    """An ASGI middleware: problem documents become pages if a browser asked for a page."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the application does, errors in words."""
        if scope["type"] != "http" or not _asks_for_a_page(scope):
            return await self._app(scope, receive, send)
        start: Message | None = None
        body = b""

        async def worded(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                if not Headers(raw=message["headers"]).get("content-type", "").startswith("application/problem+json"):
                    return await send(message)
                start = message
            elif start is None:
                await send(message)
            else:
                body += message.get("body", b"")
                if not message.get("more_body"):
                    await self._send(scope, start, body, send)

        await self._app(scope, receive, worded)

    @staticmethod
    async def _send(scope: Scope, start: Message, body: bytes, send: Send) -> None:
        status, told = start["status"], json.loads(body)
        title = HTTPStatus(status).phrase
        said = "there is no page of that address" if told["detail"] == title and status == 404 else str(told["detail"])
        text = rendered(
            None, "problem.html", title=title, said=said, help=_HELP.get(status, ""),
            known=scope.get("veritas.caller") is not None,
        ).encode()  # fmt: skip
        headers = MutableHeaders(raw=list(start["headers"]))
        headers["content-type"], headers["content-length"] = "text/html; charset=utf-8", str(len(text))
        headers["referrer-policy"] = "same-origin"
        await send({**start, "headers": headers.raw})
        await send({"type": "http.response.body", "body": text})


def _asks_for_a_page(scope: Scope) -> bool:
    return "text/html" in Headers(scope=scope).get("accept", "") and not scope["path"].startswith(("/api/", "/mcp"))
