"""Routes for operators: liveness, readiness, metrics, description."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from veritas.server.access import Reader
from veritas.server.api import described
from veritas.server.context import MEDIA_TYPE, Context, Here
from veritas.server.problems import Problem
from veritas.use_cases import background
from veritas.use_cases.housekeeping import damaged, writable
from veritas.use_cases.run_states import catalogue_runs

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
def alive() -> dict[str, str]:
    """Return that the server answers."""
    return {"status": "ok"}


@router.get("/readyz")
def ready(here: Here) -> Any:
    """Return whether runs can be stored and read, as `look` saw it last: 503 with the reason if not."""
    if here.health.problem is not None:
        return Problem(503, here.health.problem, headers={"Retry-After": "5"})
    return {"status": "ready"}


def look(here: Context) -> None:
    """See whether the store can be written and read, and catalogue the runs that no list knows yet: what no request
    should wait for."""
    here.health.problem = writable(home=here.home) or damaged(home=here.home)
    if here.health.problem is None:
        catalogue_runs(home=here.home)


@router.get("/metrics")
def metrics(here: Here, who: Reader) -> Response:
    """Return the metrics that Prometheus reads."""
    states = [job.state for job in background.list_jobs(unfinished=True, home=here.home)]
    return Response(here.metrics.text(states, here.streams.followers()), media_type=MEDIA_TYPE)


@router.get("/api/v1/openapi.json")
def description(request: Request, who: Reader) -> dict[str, Any]:
    """Return the OpenAPI document of the interface."""
    app = request.app
    if app.openapi_schema is None:
        app.openapi_schema = described(app.openapi())
    return dict(app.openapi_schema)
