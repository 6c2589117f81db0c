"""The checks that every request passes first: host, origin, token, rate and size; and the headers of every answer.

A page of another site in the user's browser can send requests to this machine. Five measures keep it out: the Host
header must be a name of the server (which a rebound name is not), an Origin must be its own, a change with a cookie
must state its Origin, the cookie is never sent from another site, and a request that the browser marks as coming from
elsewhere, such as an image, is refused unless a person follows a link.
"""

from __future__ import annotations

import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veritas.errors import StoreUnavailable
from veritas.server.access import NO_TOKEN, Caller
from veritas.server.context import Metrics
from veritas.server.problems import MCP, Problem, RpcProblem
from veritas.server.settings import Settings
from veritas.server.tokens import Keeper, Token

logger = logging.getLogger(__name__)

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
"""Headers of every answer that does not set them itself."""
UPLOADS = "/api/v1/uploads"
"""Where the body of a request is a document, which is written to the disk as it comes."""
FORMS = ("/ask", "/check", "/living", "/papers", "/reviews")
"""Where forms may bring files, and be as long as an upload."""
_ELSEWHERE = frozenset({"cross-site", "same-site"})
"""Values of Sec-Fetch-Site of what no page of the server asked for: another port of this machine is the same site."""
_CALLERS = 10_000


class Guard:
    """An ASGI middleware that passes only admissible requests on."""

    def __init__(self, app: ASGIApp, settings: Settings, keeper: Keeper, metrics: Metrics) -> None:
        self._app, self._settings, self._keeper, self._metrics = app, settings, keeper, metrics
        self._rate = _Buckets(settings.requests_per_second, settings.burst)
        self._wrong = _Buckets(settings.wrong_tokens / 60, settings.wrong_tokens)
        self._open: Counter[str] = Counter()
        """How many requests of each caller are being answered."""
        self._coming: Counter[str] = Counter()
        """Bytes of each caller's requests that are being answered, documents apart."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request, or pass it on with its caller in `scope["veritas.caller"]`."""
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        if scope["type"] != "http":
            return await send({"type": "websocket.close", "code": 1008})

        begun = False

        async def with_headers(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                self._metrics.answered(scope["method"], message["status"])
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        answer = self._first(scope)
        if isinstance(answer, Problem) and scope["path"].rstrip("/") == MCP:
            answer = RpcProblem(answer)
        if answer is not None:
            return await answer(scope, receive, with_headers)
        who = _name(scope, scope["veritas.caller"])
        if self._open[who] >= self._settings.open_requests:
            return await _slow_down(1.0)(scope, receive, with_headers)
        self._open[who] += 1
        try:
            with self._held(scope, receive, who) as limited:
                await self._app(scope, limited, with_headers)
        except ClientDisconnect:
            logger.info("%s %s was cut off by its caller", scope["method"], scope["path"])
        except Exception as error:  # any defect below this outermost layer costs its own answer, not the server
            logger.exception("%s %s failed", scope["method"], scope["path"])
            if begun:  # what was sent cannot be taken back: the connection is cut, so that it is not taken for whole
                raise
            said = f"the server failed ({type(error).__name__}): this is a defect of veritas; its log says more"
            await Problem(500, said)(scope, receive, with_headers)
        finally:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]

    def _first(self, scope: Scope) -> Response | None:
        """Return the answer to a refused request; None for an admitted one, with its caller in the scope."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self._settings.authorities:
            return Problem(421, "the server is not known by the name in the Host header")
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in self._settings.origins:
            return Problem(403, "requests from pages of other origins are not answered")
        if headers.get("sec-fetch-site") in _ELSEWHERE and not (
            scope["method"] == "GET" and headers.get("sec-fetch-mode") == "navigate"
            and headers.get("sec-fetch-dest") == "document"
        ):  # fmt: skip
            return Problem(403, "pages of other origins may link to the server, and load nothing from it")
        address = (scope.get("client") or ("", 0))[0]
        try:
            shown = self._shown(scope, headers, address)
        except StoreUnavailable as error:
            return Problem(503, str(error), headers={"Retry-After": "5"})
        if isinstance(shown, Response):
            return shown
        wait = self._rate.wait(_name(scope, shown))
        if wait:
            return _slow_down(wait)
        if shown is not None and shown.by_cookie and scope["method"] not in SAFE and origin is None:
            return Problem(403, "a request that changes something has to tell its Origin")
        if shown is None and scope["method"] not in SAFE:  # before its body is waited for
            return Problem(401, NO_TOKEN, headers={"WWW-Authenticate": "Bearer"})
        scope["veritas.caller"] = shown
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit():
            return Problem(400, "Content-Length is no number")
        return self._too_large(scope) if int(length) > self._limit(scope) else None

    # -- tokens -------------------------------------------------------------------------------------------------------

    def _shown(self, scope: Scope, headers: Headers, address: str) -> Caller | Response | None:
        """Return the caller of a token, None for a request without one; or the answer to a wrong token, or to one in
        the address of a page."""
        kind, _, bearer = headers.get("authorization", "").partition(" ")
        if kind:
            if kind.lower() != "bearer":
                return _unknown_token()
            return self._caller(bearer.strip(), address, by_cookie=False)
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        in_address = [value for name, value in query if name == "token"]
        if in_address and scope["method"] == "GET" and not scope["path"].startswith("/api/"):
            found = self._caller(in_address[-1], address, by_cookie=True)
            if isinstance(found, Response):
                return found
            rest = urlencode([(name, value) for name, value in query if name != "token"])
            # Slashes at the beginning would name another host.
            path = "/" + scope["path"].lstrip("/\\")
            answer = RedirectResponse(f"{path}?{rest}" if rest else path, status_code=303)
            answer.set_cookie(self.cookie(headers), in_address[-1], httponly=True, samesite="strict", path="/")
            return answer
        cookie = self._from_cookie(headers)
        return self._caller(cookie, address, by_cookie=True) if cookie is not None else None

    @staticmethod
    def cookie(headers: Headers) -> str:
        """Return the name of the cookie, which contains the port, because browsers share cookies between all ports of a
        host."""
        _, _, port = headers.get("host", "").rpartition(":")
        return f"veritas-{port}" if port.isdigit() else "veritas"

    def _from_cookie(self, headers: Headers) -> str | None:
        name = self.cookie(headers)
        for part in headers.get("cookie", "").split(";"):
            if part.strip().startswith(f"{name}="):
                try:
                    morsel = SimpleCookie(part.strip()).get(name)
                except CookieError:
                    return None
                return morsel.value if morsel is not None else None
        return None

    def _caller(self, token: str, address: str, *, by_cookie: bool) -> Caller | Response:
        found: Token | None = self._keeper.find(token)
        if found is not None:  # others at the same address, who guess, hold nobody up who has a token
            return Caller(found, by_cookie)
        wait = self._wrong.wait(address)
        return _slow_down(wait) if wait else _unknown_token()

    # -- sizes --------------------------------------------------------------------------------------------------------

    def _limit(self, scope: Scope) -> int:
        kind = Headers(scope=scope).get("content-type", "")
        files = scope["path"].startswith(FORMS) and kind.startswith("multipart/form-data")
        return self._settings.upload_limit if files or scope["path"].startswith(UPLOADS) else self._settings.body_limit

    def _too_large(self, scope: Scope) -> Response:
        return Problem(413, f"the request is longer than {self._limit(scope):,} bytes")

    @contextmanager
    def _held(self, scope: Scope, receive: Receive, who: str) -> Iterator[Receive]:
        """Limit what `receive` yields: a body without a declared length, and the total of one caller's parallel
        requests."""
        limit, got, held = self._limit(scope), 0, 0

        async def counted() -> Message:
            nonlocal got, held
            message = await receive()
            size = len(message.get("body", b""))
            got += size
            if got > limit:
                raise HTTPException(413, f"the request is longer than {limit:,} bytes")
            if not scope["path"].startswith(UPLOADS):
                held += size
                self._coming[who] += size
                if self._coming[who] > self._settings.forms_limit:
                    said = f"your requests hold more than {self._settings.forms_limit:,} bytes together: wait for one"
                    raise HTTPException(429, said, headers={"Retry-After": "1"})
            return message

        try:
            yield counted
        finally:
            self._coming[who] -= held
            if not self._coming[who]:
                del self._coming[who]


def _name(scope: Scope, shown: Caller | None) -> str:
    """Return the name under which a caller's requests are counted."""
    return shown.token.token_id if shown is not None else f"address {(scope.get('client') or ('',))[0]}"


def _unknown_token() -> Problem:
    return Problem(401, "the token is unknown, expired or revoked", headers={"WWW-Authenticate": "Bearer"})


def _slow_down(seconds: float) -> Problem:
    wait = max(1, round(seconds + 0.5))
    return Problem(429, f"too many requests: try again in {wait} s", headers={"Retry-After": str(wait)})


class _Buckets:
    """Token buckets for the requests of each caller."""

    def __init__(self, per_second: float, most: int) -> None:
        self._per_second, self._most = per_second, most
        self._of: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """Fill and time of the last look, of each caller; the one that was quiet for longest comes first."""

    def wait(self, who: str) -> float:
        """Return the seconds that `who` must wait, or 0: then this request is counted."""
        now = time.monotonic()
        fill, at = self._of.get(who, (0.0, now))
        fill = max(0.0, fill - (now - at) * self._per_second)
        if fill + 1 > self._most:
            return (fill + 1 - self._most) / self._per_second
        self._of[who] = (fill + 1, now)
        self._of.move_to_end(who)
        while len(self._of) > _CALLERS:
            self._of.popitem(last=False)
        return 0.0
