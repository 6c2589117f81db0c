"""Removal of keys from everything that this process sends to the Prefect server: states, logs, artifacts, parameters,
events.

The server keeps all of it in its database. Prefect sends it in two ways, requests and events, and has no hook for
either, so each is wrapped where it leaves.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Coroutine
from typing import Any

import httpx
from prefect.client.base import PrefectHttpxAsyncClient, PrefectHttpxSyncClient
from prefect.events import Event
from prefect.events.clients import PrefectEventsClient
from prefect.settings import get_current_settings

from veritas.keys import remember, withheld, withheld_from_bytes
from veritas.sinks import withhold_in_logs, withhold_on_streams


def withhold_keys() -> None:
    """Remove keys from this process's log records and from all that it sends to a Prefect server from now on; in a
    process that a worker started for a flow run, from its output as well. A second call does nothing."""
    withhold_in_logs()
    if "PREFECT__FLOW_RUN_ID" in os.environ:
        withhold_on_streams()
    _remember_prefects_own()
    if getattr(PrefectEventsClient._emit, "withholds_keys", False):
        return
    for client in (PrefectHttpxAsyncClient, PrefectHttpxSyncClient):
        client.send = _sending(client.send)  # type: ignore[method-assign]
    PrefectEventsClient._emit = _emitting(PrefectEventsClient._emit)  # type: ignore[method-assign]


def _remember_prefects_own() -> None:
    """Remember the secrets of Prefect's own settings, from the environment, a profile or a file."""
    settings = get_current_settings()
    key, auth = settings.api.key, settings.api.auth_string
    if key is not None:
        remember("PREFECT_API_KEY", key.get_secret_value())
    if auth is not None:
        remember("PREFECT_API_AUTH_STRING", str(getattr(auth, "get_secret_value", lambda: auth)()))
    database = settings.server.database
    if database.connection_url is not None:
        remember("PREFECT_SERVER_DATABASE_CONNECTION_URL", database.connection_url.get_secret_value())
    if database.password is not None:
        remember("PREFECT_SERVER_DATABASE_PASSWORD", database.password.get_secret_value())


def _sending(send: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(send)
    def sent(client: Any, request: httpx.Request, *args: Any, **kwargs: Any) -> Any:
        return send(client, _without_keys(request), *args, **kwargs)

    return sent


def _without_keys(request: httpx.Request) -> httpx.Request:
    """Return the request with a body without keys; its headers identify us to the server, and stay."""
    try:
        body = request.content
    except httpx.RequestNotRead:  # a stream: an upload, which is none of a run's
        return request
    kept = withheld_from_bytes(body)
    if kept is body:
        return request
    headers = [(name, value) for name, value in request.headers.raw if name.lower() != b"content-length"]
    return httpx.Request(request.method, request.url, headers=headers, content=kept, extensions=request.extensions)


def _emitting(emit: Callable[..., Any]) -> Callable[..., Coroutine[Any, Any, None]]:
    @functools.wraps(emit)
    async def emitted(client: Any, event: Event) -> None:
        text = event.model_dump_json()
        kept = withheld(text)
        await emit(client, event if kept is text else type(event).model_validate_json(kept))

    emitted.withholds_keys = True  # type: ignore[attr-defined]
    return emitted
