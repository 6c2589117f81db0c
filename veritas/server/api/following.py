"""The route of a run's events, as they come."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Query, Response
from fastapi.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from veritas.server.access import Reader
from veritas.server.api.common import RunName
from veritas.server.context import Here
from veritas.use_cases.run_states import run_state

router = APIRouter(tags=["runs"])


@router.get(
    "/runs/{run}/events",
    responses={
        200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}},
        204: {"description": "The run has ended, and there is nothing behind that number."},
    },
    response_class=StreamingResponse,
)
async def events(
    run: RunName,
    who: Reader,
    here: Here,
    after: Annotated[int, Query(ge=0, le=2**53, description="The number of the last event that is known.")] = 0,
    last: Annotated[str | None, Header(alias="Last-Event-ID", max_length=20, pattern="^[0-9]*$")] = None,
) -> Response:
    """Stream the events of a run in the background, from any of them on, until its end (server-sent events)."""
    behind = int(last) if last else after
    named = await run_in_threadpool(run_state, run, home=here.home)
    stream = await here.streams.begin(named.run_id, behind, lambda: here.keeper.is_valid(who))
    if stream is None:
        return Response(status_code=204)
    return StreamingResponse(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
