"""The interface for programs, `/api/v1`: a module for each subject."""

from __future__ import annotations

from fastapi import APIRouter

from veritas.server.api import approvals, checks, living, papers, reviews, runs, uploads
from veritas.server.api import work as background_work

PREFIX = "/api/v1"


def router() -> APIRouter:
    """Return all routes of the interface."""
    made = APIRouter(prefix=PREFIX)
    areas = (runs, checks, background_work, papers, reviews, living, approvals, uploads)
    for module in areas:
        made.include_router(module.router)
    return made
