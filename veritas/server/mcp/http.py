"""The MCP server as a part of the HTTP server: streamable HTTP at one address, behind its guard and its tokens."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veritas.server.access import Caller as Shown
from veritas.server.access import Reader
from veritas.server.context import Context
from veritas.server.mcp.app import make_server
from veritas.server.mcp.research_tool import for_tokens
from veritas.server.mcp.strict_tool import Caller
from veritas.server.mcp.tools import Roots, Served
from veritas.server.problems import Problem

PATH = "/mcp"
_SESSION = "mcp-session-id"
_SESSIONS = 100_000


class _Handed(Response):
    """A response that another application sends."""

    def __init__(self, app: ASGIApp, begun: Callable[[str], None]) -> None:
        super().__init__()
        self._app, self._begun = app, begun

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and report the session that its answer names."""

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start" and (name := Headers(raw=message["headers"]).get(_SESSION)):
                self._begun(name)
            await send(message)

        await self._app(scope, receive, told)


class McpOverHttp:
    """The route at `PATH`, for callers that may read, and the resources that must be open while it is served."""

    def __init__(self, here: Context) -> None:
        served = Served(roots=Roots(here.settings), caller_of=caller_of, begin=for_tokens(here))
        self._server = make_server(served)
        # Host, Origin and the length of a request were checked by the guard around it.
        guarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        most = here.settings.body_limit
        inner: ASGIApp = self._server.streamable_http_app(
            streamable_http_path=PATH, transport_security=guarded, max_request_body_size=most
        )

        self._owners: dict[str, str] = {}
        """The token that began each session."""
        self.router = APIRouter()

        @self.router.api_route(PATH, methods=["GET", "POST", "DELETE"], include_in_schema=False)
        async def mcp(who: Reader, request: Request) -> Response:
            session = request.headers.get(_SESSION)
            if session is not None and self._owners.get(session, who.token_id) != who.token_id:
                return Problem(404, "there is no such session")
            return _Handed(inner, partial(self._begun, who.token_id))

    def _begun(self, token_id: str, session: str) -> None:
        self._owners.setdefault(session, token_id)
        while len(self._owners) > _SESSIONS:
            del self._owners[next(iter(self._owners))]

    def alive(self) -> AbstractAsyncContextManager[None]:
        """Return the context that must be entered while requests are served."""
        return self._server.session_manager.run()


def caller_of(request: Any) -> Caller:
    """Return the caller of a request, as the guard identified it."""
    shown: Shown | None = request.scope.get("veritas.caller") if request is not None else None
    if shown is None:
        return Caller(frozenset())
    return Caller(frozenset(role for role in ("read", "run") if shown.token.allows(role)), shown.token)
