"""The pages at `/`: templates, static files, and the routers of the areas."""

from __future__ import annotations

from fastapi import APIRouter

from veritas.server.pages import (
    answers,
    approvals,
    ask,
    check,
    documents,
    living,
    papers,
    reviews,
    runs,
    work,
)
from veritas.server.pages.frame import InWords, page, static_files

__all__ = ["InWords", "page", "router", "static_files"]

router = APIRouter()
for _area in (ask, documents, answers, runs, check, work, papers, reviews, living, approvals):
    router.include_router(_area.router)
