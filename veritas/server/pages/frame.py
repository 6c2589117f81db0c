"""What all pages have: the templates, and static files under names that change with their content."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, get_args

import jinja2
from fastapi import APIRouter, HTTPException, Request
from starlette.responses import HTMLResponse, Response

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
    """Return a static file, which a browser may keep for good: changed, it has another address."""
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
        from veritas.report.page_parts import package_file

        content = package_file(name).encode()
    elif name in {path.name for path in (_HERE / "static").iterdir() if path.suffix in _MEDIA}:
        content = (_HERE / "static" / name).read_bytes()
    else:
        raise FileNotFoundError(name)
    return content, hashlib.sha256(content).hexdigest()[:16]


@cache
def templates() -> jinja2.Environment:
    """Return the templates' environment: the report's, with its filters and parts, before them those of the pages.
    Whatever is put into a page is escaped, and its hidden characters are marked."""
    from veritas.report.page_parts import environment

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

    Links to other sites tell nothing of where they stood. To the server itself they do: a browser that is to tell
    nothing at all hides the origin of a form as well, and the form would be refused.
    """
    return HTMLResponse(rendered(request, template, **shown), status_code=status, headers=HEADERS)


def cleaner(here: Context) -> Callable[[str], str]:
    """Return a function that takes the paths of this machine out of a text."""
    return lambda text: without_paths(text, here.settings)


def words_of(error: VeritasError, here: Context) -> str:
    """Return the sentence of an error, without keys and without paths of this machine, in the words of the pages."""
    return in_words_of("page", without_paths(withheld_from_message(str(error)), here.settings))


def _moment(at: datetime | None) -> str:
    """Return a moment in words a person reads, in UTC."""
    return "" if at is None else f"{at.astimezone(UTC):%d %b %Y, %H:%M}".lstrip("0") + " UTC"


def _span(seconds: float | None) -> str:
    """Return a length of time in words a person reads."""
    if seconds is None:
        return "–"
    if seconds < 90:
        return f"{seconds:.0f} s" if seconds >= 1 or seconds == 0 else "under 1 s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _setting(value: Any) -> str:
    """Return the value of a setting in words a person reads; of a hash its beginning."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {_setting(each)}" for name, each in value.items() if each is not None) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(map(_setting, value)) or "none"
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return value[:12] if isinstance(value, str) and re.fullmatch("[0-9a-f]{32,}", value) else str(value)


def _without_hash(fate: str) -> str:
    """Return what became of a source without the hash of its text, which tells a person nothing."""
    return _HASH.sub("", fate)


def _without_command(sentence: str) -> str:
    """Return the sentence of a case without the command that settles it: on a page, buttons do."""
    return _COMMAND.sub(".", sentence)


def _usd(dollars: float | None) -> str:
    """Return an amount in US dollars."""
    if dollars is None:
        return "price unknown"
    return "$0" if dollars == 0 else f"${dollars:.4f}" if dollars < 0.1 else f"${dollars:.2f}"
