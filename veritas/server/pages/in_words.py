"""Errors for persons: what a program gets as a problem document, a browser gets as a page with the same sentence."""

from __future__ import annotations

import json
from http import HTTPStatus

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veritas.server.pages.frame import rendered

_HELP = {
    401: "Open the address that veritas serve printed when it was started: it holds a token for this browser. "
    "veritas serve tokens add makes one for another person.",
    403: "Whoever started the server can make a token with that role: veritas serve tokens add --role.",
    404: "It may have been removed, or the address may have been mistyped. The library lists everything that is there.",
    413: "Take a smaller file, or start the server where the document lies and name it there.",
    421: "Open the server by the address that it printed when it was started.",
    429: "The server answers again in a moment.",
    503: "Nothing was changed. Try again in a moment.",
}
"""Status -> what a person can do."""


class InWords:
    """An ASGI application around another: its problem documents become pages where a browser asked for a page."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the application does, errors in words."""
        if scope["type"] != "http" or not _asks_for_a_page(scope):
            return await self._app(scope, receive, send)
        start: Message | None = None
        body = b""

        async def worded(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                if not Headers(raw=message["headers"]).get("content-type", "").startswith("application/problem+json"):
                    return await send(message)
                start = message
            elif start is None:
                await send(message)
            else:
                body += message.get("body", b"")
                if not message.get("more_body"):
                    await self._send(scope, start, body, send)

        await self._app(scope, receive, worded)

    @staticmethod
    async def _send(scope: Scope, start: Message, body: bytes, send: Send) -> None:
        status, told = start["status"], json.loads(body)
        title = HTTPStatus(status).phrase
        said = "there is no page of that address" if told["detail"] == title and status == 404 else str(told["detail"])
        text = rendered(
            None, "problem.html", title=title, said=said, help=_HELP.get(status, ""),
            known=scope.get("veritas.caller") is not None,
        ).encode()  # fmt: skip
        headers = MutableHeaders(raw=list(start["headers"]))
        headers["content-type"], headers["content-length"] = "text/html; charset=utf-8", str(len(text))
        headers["referrer-policy"] = "same-origin"
        await send({**start, "headers": headers.raw})
        await send({"type": "http.response.body", "body": text})


def _asks_for_a_page(scope: Scope) -> bool:
    return "text/html" in Headers(scope=scope).get("accept", "") and not scope["path"].startswith(("/api/", "/mcp"))
