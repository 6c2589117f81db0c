"""The first page: a placeholder that tells what the server answers."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from veritas.server.access import Reader
from veritas.server.pages.frame import page

router = APIRouter(include_in_schema=False)


@router.get("/")
def start(request: Request, who: Reader) -> HTMLResponse:
    """Return the first page."""
    return page(request, "start.html")
