"""The MCP server as a part of the HTTP server: streamable HTTP at one address, behind its guard and its tokens."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import INVALID_REQUEST
from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veritas.server.access import Caller as Shown
from veritas.server.access import Reader
from veritas.server.context import Context
from veritas.server.mcp.app import make_server
from veritas.server.mcp.research_tool import in_background
from veritas.server.mcp.roots import Roots
from veritas.server.mcp.strict_tool import Caller
from veritas.server.mcp.tools import Served
from veritas.server.problems import Problem

PATH = "/mcp"
_SESSION = "mcp-session-id"
_SESSIONS = 100_000
_Calls = set[tuple[str, str]]
"""Calls that are not answered yet: session and id."""


class _Handed(Response):
    """A response that another application gives."""

    def __init__(self, app: ASGIApp, begun: Callable[[str], None], calls: _Calls) -> None:
        super().__init__()
        self._app, self._begun, self._calls = app, begun, calls

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on, and tell of the session that its answer names. A call whose id another one of its
        session has, which is not answered yet, is refused: the SDK would answer neither."""
        session = Headers(scope=scope).get(_SESSION)
        call: tuple[str, str] | None = None
        number: str | int | None = None
        if session is not None and scope["method"] == "POST":
            body = await Request(scope, receive).body()
            receive = _again(body, receive)
            if (number := _number(body)) is not None:
                call = (session, str(number))  # the SDK keeps 7 and "7" at one place
        if call is not None and call in self._calls:
            said = f"a call with the id {call[1]} is under way in this session: give every call an id of its own"
            error = {"code": INVALID_REQUEST, "message": said}
            content = {"jsonrpc": "2.0", "id": number, "error": error}
            return await JSONResponse(content, 400)(scope, receive, send)

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start" and (name := Headers(raw=message["headers"]).get(_SESSION)):
                self._begun(name)
            await send(message)

        if call is None:
            return await self._app(scope, receive, told)
        self._calls.add(call)
        try:
            await self._app(scope, receive, told)
        finally:
            self._calls.discard(call)


def _number(body: bytes) -> str | int | None:
    """Return the id of what calls and waits for an answer; None for anything else."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):  # the SDK says what is wrong with it
        return None
    number = message.get("id") if isinstance(message, dict) and "method" in message else None
    return number if isinstance(number, str | int) else None


def _again(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives a body once more that was read, and then what comes behind it."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


class McpOverHttp:
    """The route at `PATH`, for whoever may read, and what has to be open while it is answered."""

    def __init__(self, here: Context) -> None:
        served = Served(roots=Roots(here.settings), caller_of=caller_of, carrier=in_background(here))
        self._server = make_server(served)
        # Host, Origin and the length of a request were checked by the guard around it.
        guarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        most = here.settings.body_limit
        inner: ASGIApp = self._server.streamable_http_app(
            streamable_http_path=PATH, transport_security=guarded, max_request_body_size=most
        )

        self._owners: dict[str, str] = {}
        """The token that began each session."""
        calls: _Calls = set()
        self.router = APIRouter()

        @self.router.api_route(PATH, methods=["GET", "POST", "DELETE"], include_in_schema=False)
        async def mcp(who: Reader, request: Request) -> Response:
            session = request.headers.get(_SESSION)
            if session is not None and self._owners.get(session, who.token_id) != who.token_id:
                return Problem(404, "there is no such session")
            return _Handed(inner, partial(self._begun, who.token_id), calls)

    def _begun(self, token_id: str, session: str) -> None:
        self._owners.setdefault(session, token_id)
        while len(self._owners) > _SESSIONS:
            del self._owners[next(iter(self._owners))]

    def alive(self) -> AbstractAsyncContextManager[None]:
        """Return what has to be entered for as long as requests are answered."""
        return self._server.session_manager.run()


def caller_of(request: Any) -> Caller:
    """Return who sent a request, as the guard found it."""
    shown: Shown | None = request.scope.get("veritas.caller") if request is not None else None
    if shown is None:
        return Caller(frozenset())
    return Caller(frozenset(role for role in ("read", "run") if shown.token.allows(role)), shown.token)
