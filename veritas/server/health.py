"""Routes for operators: liveness, readiness, metrics, description."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from veritas.server.access import Reader
from veritas.server.context import MEDIA_TYPE, Here
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
    """Return whether runs can be stored and read: 503 with the reason if not."""
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
