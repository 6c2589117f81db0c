"""The MCP server as a part of the HTTP server: streamable HTTP at one address, behind its guard and its tokens."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Any

from fastapi import APIRouter
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from veritas.server.access import Caller as Shown
from veritas.server.access import Reader
from veritas.server.context import Context
from veritas.server.mcp.app import make_server
from veritas.server.mcp.research_tool import in_background
from veritas.server.mcp.roots import Roots
from veritas.server.mcp.strict_tool import Caller
from veritas.server.mcp.tools import Served

PATH = "/mcp"


class _Handed(Response):
    """A response that another application gives."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__()
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on."""
        await self._app(scope, receive, send)


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

        self.router = APIRouter()

        @self.router.api_route(PATH, methods=["GET", "POST", "DELETE"], include_in_schema=False)
        async def mcp(who: Reader) -> Response:
            return _Handed(inner)

    def alive(self) -> AbstractAsyncContextManager[None]:
        """Return what has to be entered for as long as requests are answered."""
        return self._server.session_manager.run()


def caller_of(request: Any) -> Caller:
    """Return who sent a request, as the guard found it."""
    shown: Shown | None = request.scope.get("veritas.caller") if request is not None else None
    if shown is None:
        return Caller(frozenset())
    return Caller(frozenset(role for role in ("read", "run") if shown.token.allows(role)), shown.token)
