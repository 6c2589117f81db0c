"""What all pages have: the templates, and static files under names that change with their content."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from fastapi import APIRouter, HTTPException, Request
from starlette.responses import HTMLResponse, Response

from veritas.version import __version__

_HERE = Path(__file__).parent
_MEDIA = {
    ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png",
    ".ico": "image/x-icon", ".woff2": "font/woff2", ".webmanifest": "application/manifest+json",
}  # fmt: skip

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
    if name not in {path.name for path in (_HERE / "static").iterdir() if path.suffix in _MEDIA}:
        raise FileNotFoundError(name)
    content = (_HERE / "static" / name).read_bytes()
    return content, hashlib.sha256(content).hexdigest()[:16]


@cache
def templates() -> jinja2.Environment:
    """Return the templates' environment. Whatever is put into a page is escaped."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE / "templates"), autoescape=True, undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    made.globals.update(static=static, version=__version__)
    return made


def page(request: Request, template: str, status: int = 200, **shown: Any) -> HTMLResponse:
    """Return a page; `shown` are the values that its template shows."""
    text = templates().get_template(template).render(request=request, **shown)
    return HTMLResponse(text, status_code=status)
