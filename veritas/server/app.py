"""The application: everything that the server answers, behind its guard."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from starlette.routing import BaseRoute

from veritas.errors import VeritasError
from veritas.server import api, pages, problems
from veritas.server.access import Reader
from veritas.server.context import MEDIA_TYPE, Context, Here, Metrics
from veritas.server.guard import Guard
from veritas.server.mcp.http import McpOverHttp
from veritas.server.settings import Settings
from veritas.server.streams import Streams
from veritas.server.tokens import Keeper, Token
from veritas.server.uploads import Uploads
from veritas.use_cases import background
from veritas.use_cases.housekeeping import damaged, writable
from veritas.use_cases.run_states import catalogue_runs
from veritas.version import __version__

logger = logging.getLogger(__name__)

CARE = 1.0
"""Seconds between two looks whether a run can begin, or was cut off."""
LOOK = 3.0
"""Seconds between two looks at the files of the store."""


operators = APIRouter(include_in_schema=False)
"""Routes for operators: liveness, readiness, metrics, description."""


@operators.get("/healthz")
def alive() -> dict[str, str]:
    """Return that the server answers."""
    return {"status": "ok"}


@operators.get("/readyz")
def ready(here: Here) -> Any:
    """Return whether runs can be stored and read, as `look` saw it last: 503 with the reason if not."""
    if here.health.problem is not None:
        return problems.Problem(503, here.health.problem, headers={"Retry-After": "5"})
    return {"status": "ready"}


def look(here: Context) -> None:
    """See whether the store can be written and read, and catalogue the runs that no list knows yet: what no request
    should wait for."""
    here.health.problem = writable(home=here.home) or damaged(home=here.home)
    if here.health.problem is None:
        catalogue_runs(home=here.home)


@operators.get("/metrics")
def metrics(here: Here, who: Reader) -> Response:
    """Return the metrics that Prometheus reads."""
    states = [job.state for job in background.list_jobs(unfinished=True, home=here.home)]
    return Response(here.metrics.text(states, here.streams.followers()), media_type=MEDIA_TYPE)


@operators.get("/api/v1/openapi.json")
def description(request: Request, who: Reader) -> dict[str, Any]:
    """Return the OpenAPI document of the interface."""
    app = request.app
    if app.openapi_schema is None:
        app.openapi_schema = api.described(app.openapi())
    return dict(app.openapi_schema)


def create_app(settings: Settings, tokens: Iterable[Token] = ()) -> FastAPI:
    """Return the application of a server. `tokens` are those of this process, beside the stored ones."""
    own = tuple(tokens)
    keeper = Keeper(settings.home, own)
    metrics = Metrics()
    streams = Streams(settings.home, lambda text: problems.without_paths(text, settings))
    here = Context(settings, keeper, streams, metrics, Uploads(settings), frozenset(each.token_id for each in own))
    mcp = McpOverHttp(here)

    @contextlib.asynccontextmanager
    async def alive(app: FastAPI) -> AsyncIterator[None]:
        close_to_others(settings.home)
        here.uploads.sweep()
        cares = (
            asyncio.create_task(_every(CARE, background.advance, home=settings.home, at_once=settings.at_once)),
            asyncio.create_task(_every(LOOK, look, here)),
        )
        try:
            async with mcp.alive():
                yield
        finally:
            for care in cares:
                care.cancel()
            await asyncio.gather(*cares, return_exceptions=True)

    app = FastAPI(
        title="VERITAS", version=__version__, openapi_url=None, docs_url=None, redoc_url=None, lifespan=alive,
        description="Research answers in which every claim traces to a verbatim passage that an independent verifier "
        "judged.",
    )  # fmt: skip
    app.state.context = here
    problems.install(app, settings)
    app.router.routes.extend(_routes())
    app.include_router(mcp.router)
    app.add_middleware(Guard, settings=settings, keeper=keeper, metrics=metrics)
    app.add_middleware(pages.InWords)
    return app


@cache
def _routes() -> tuple[BaseRoute, ...]:
    """Return the routes that depend on no settings. FastAPI reads the types of all functions to make them, which takes
    a tenth of a second, so they are made once."""
    every = APIRouter()
    for router in (api.router(), operators, pages.static_files, pages.router):
        every.include_router(router)
    return tuple(every.routes)


def close_to_others(home: Path) -> None:
    """Make the folders of runs and uploads unreadable for other users of this machine."""
    for folder in (home, home / "jobs", home / "runs", home / "uploads"):
        with contextlib.suppress(OSError):  # what cannot be made is told by `/readyz`, and by what needs it
            if folder == home and home.exists():  # it may hold what is shared
                continue
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            folder.chmod(0o700)


async def _every(seconds: float, what: Callable[..., object], *given: Any, **named: Any) -> None:
    """Call a function again and again, while the server runs."""
    while True:
        try:
            await asyncio.to_thread(what, *given, **named)
        except VeritasError as error:  # a full disk may have room later
            logger.warning("the server cannot take care of its runs now: %s", error)
        await asyncio.sleep(seconds)
