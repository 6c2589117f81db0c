"""The library: all runs, found by question, claim, source and verdict; and a source, with where it was used."""

from __future__ import annotations

from typing import Annotated, get_args

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from veritas.server.access import Reader
from veritas.server.context import Here
from veritas.server.pages.frame import page
from veritas.use_cases.claims import tier
from veritas.use_cases.library import Verdict, Within, find_runs, source_uses, unfinished_runs

router = APIRouter(include_in_schema=False)

EACH = 30
"""Runs on a page."""


@router.get("/library")
def library(
    request: Request,
    who: Reader,
    here: Here,
    q: Annotated[str, Query(max_length=500)] = "",
    within: Within = "anything",
    verdict: Annotated[str, Query(pattern="^(|supports|refutes|silent|unavailable)$")] = "",
    number: Annotated[int, Query(alias="page", ge=1, le=100_000)] = 1,
) -> Response:
    """Show a page of the library, the newest runs first; above them those that are not finished."""
    judged = next((each for each in get_args(Verdict) if each == verdict), None)
    found = find_runs(
        q, within=within, verdict=judged, limit=EACH, skip=(number - 1) * EACH, home=here.home
    )
    searched = bool(q.strip() or verdict)
    under_way = [] if searched or number > 1 else unfinished_runs(home=here.home)
    return page(
        request, "library.html", found=found, under_way=under_way, q=q, within=within, verdict=verdict,
        withins=get_args(Within), verdicts=get_args(Verdict), number=number, pages=-(-found.total // EACH),
        searched=searched,
    )  # fmt: skip


@router.get("/sources")
def source(
    request: Request, who: Reader, here: Here, url: Annotated[str, Query(min_length=1, max_length=4_000)]
) -> Response:
    """Show where a source was used, which tier it had and why, and what the policy says of it now."""
    uses = source_uses(url, home=here.home)
    return page(request, "source.html", 200 if uses else 404, url=url, uses=uses, now=tier(url))
