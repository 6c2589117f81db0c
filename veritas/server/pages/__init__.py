"""The pages at `/`: templates, static files, and the routers of the areas."""

from __future__ import annotations

from fastapi import APIRouter

from veritas.server.pages import (
    answers,
    approvals,
    ask,
    check,
    documents,
    library,
    living,
    papers,
    reviews,
    runs,
    work,
)
from veritas.server.pages.frame import page, static_files
from veritas.server.pages.in_words import InWords

__all__ = ["InWords", "page", "router", "static_files"]

router = APIRouter()
for _area in (ask, documents, answers, runs, library, check, work, papers, reviews, living, approvals):
    router.include_router(_area.router)
