"""Routes for those who run the server: whether it lives, whether it can work, its metrics, its description."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from veritas.server.access import Reader
from veritas.server.context import Here
from veritas.server.metrics import MEDIA_TYPE
from veritas.server.problems import Problem
from veritas.use_cases import background
from veritas.use_cases.housekeeping import damaged, writable

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
def alive() -> dict[str, str]:
    """Return that the server answers."""
    return {"status": "ok"}


@router.get("/readyz")
def ready(here: Here) -> Any:
    """Return whether runs can be stored and read: 503 with the reason where they cannot."""
    if (problem := writable(home=here.home) or damaged(home=here.home)) is not None:
        return Problem(503, problem, headers={"Retry-After": "5"})
    return {"status": "ready"}


@router.get("/metrics")
def metrics(here: Here, who: Reader) -> Response:
    """Return the metrics that Prometheus reads."""
    states = [job.state for job in background.list_jobs(unfinished=True, home=here.home)]
    return Response(here.metrics.text(states, here.streams.followers()), media_type=MEDIA_TYPE)


@router.get("/api/v1/openapi.json")
def description(request: Request, who: Reader) -> dict[str, Any]:
    """Return the OpenAPI document of the interface."""
    made: dict[str, Any] = request.app.openapi()
    return made
