"""A web on loopback over real HTTP: any number of host names, each path answered by a script, down to single bytes."""

from __future__ import annotations

import socketserver
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from veritas.policy.source_policy import SourcePolicy
from veritas.reading.web import WebReader
from veritas.reading.web.destination import Destinations
from veritas.reading.web.fetching import Fetcher
from veritas.search.web.provider_file import ProviderFile, ReadingEntry
from veritas.testing import FakePolicy


@dataclass(frozen=True)
class Asked:
    """One request as it came over the wire. `target` is the path with its query."""

    host: str
    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, str]:
        return {key: values[0] for key, values in parse_qs(urlsplit(self.target).query).items()}


@dataclass(frozen=True)
class Reply:
    """What the server sends. `raw` is sent in place of everything, piece by piece, from the status line on."""

    body: bytes | str = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: Callable[[], Iterable[bytes]] | None = None


Script = Callable[[Asked], Reply]


def html(text: str, **head: str) -> Reply:
    """A web page."""
    return Reply(text, headers={"Content-Type": "text/html; charset=utf-8", **head})


def redirect(location: str, status: int = 302) -> Reply:
    """A redirect."""
    return Reply(status=status, headers={"Location": location})


class Web:
    """A running server. `pages` maps `host/path` or `/path` to a reply or a script; everything else is a 404."""

    def __init__(self, pages: Mapping[str, Reply | Script], certificate: Path | None = None) -> None:
        self.pages = dict(pages)
        self.asked: list[Asked] = []
        self.names: list[str | None] = []
        """Names asked for in TLS handshakes."""
        outer = self

        class Handler(socketserver.StreamRequestHandler):
            timeout = 10

            def handle(self) -> None:
                while outer._answer(self.rfile, self.wfile):
                    pass

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            block_on_close = False
            request_queue_size = 64
            allow_reuse_address = True

            def handle_error(self, request: object, client_address: object) -> None:
                return None  # a client that hangs up is what the tests are about

        self._server = Server(("127.0.0.1", 0), Handler)
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            context.sni_callback = lambda _socket, name, _context: self.names.append(name)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    def url(self, path: str, host: str = "127.0.0.1", scheme: str = "http") -> str:
        return f"{scheme}://{host}:{self.port}{path}"

    def paths(self) -> list[str]:
        """What was asked for, without robots.txt."""
        return [a.target for a in self.asked if a.path != "/robots.txt"]

    def _answer(self, rfile: object, wfile: object) -> bool:
        with suppress(OSError):
            line = rfile.readline(100_000).decode("latin-1")  # type: ignore[attr-defined]
            if not line.strip():
                return False
            method, target, _ = line.split(" ", 2)
            headers: dict[str, str] = {}
            while (field_line := rfile.readline(100_000).decode("latin-1").strip()):  # type: ignore[attr-defined]
                name, _, value = field_line.partition(":")
                headers[name.lower()] = value.strip()
            body = rfile.read(int(headers.get("content-length") or 0))  # type: ignore[attr-defined]
            if "://" in target:  # asked as a proxy
                headers["proxied"] = target
                target = urlsplit(target)._replace(scheme="", netloc="").geturl() or "/"
            host = headers.get("host", "").partition(":")[0]
            asked = Asked(host, method, target, headers, body)
            self.asked.append(asked)
            found = self.pages.get(f"{host}{asked.path}", self.pages.get(asked.path))
            reply = found(asked) if callable(found) else found
            if reply is None:
                reply = Reply("not here", 404, {"Content-Type": "text/plain"})
            for piece in _wire(reply):
                wfile.write(piece)  # type: ignore[attr-defined]
                wfile.flush()  # type: ignore[attr-defined]
            return reply.raw is None
        return False

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


def _wire(reply: Reply) -> Iterator[bytes]:
    if reply.raw is not None:
        yield from reply.raw()
        return
    body = reply.body.encode() if isinstance(reply.body, str) else reply.body
    headers = {"Content-Length": str(len(body)), **reply.headers}
    lines = [f"HTTP/1.1 {reply.status} Scripted", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    yield "\r\n".join(lines).encode("utf-8") + body


@contextmanager
def web(pages: Mapping[str, Reply | Script], certificate: Path | None = None) -> Iterator[Web]:
    """A web for the length of a `with` block."""
    served = Web(pages, certificate)
    try:
        yield served
    finally:
        served.close()


def fetcher(
    served: Web, folder: Path, *, names: Mapping[str, Sequence[str]] | None = None, **limits: object
) -> Fetcher:
    """A fetcher for which every host name leads to the loopback web (or where `names` says), without pauses."""
    entry = ReadingEntry.model_validate({"interval": 0, "longest_delay": 0, "intervals": {}, "seconds": 5, **limits})

    async def resolver(host: str, port: int) -> Sequence[str]:
        return (names or {}).get(host, ("127.0.0.1",))

    allowed = frozenset({f"127.0.0.1:{served.port}"})
    ports = frozenset({80, 443, served.port})
    return Fetcher(entry, destinations=Destinations(ports, allowed, resolver), folder=folder)


def reader(
    served: Web,
    folder: Path,
    policy: SourcePolicy | None = None,
    *,
    names: Mapping[str, Sequence[str]] | None = None,
    **limits: object,
) -> WebReader:
    """A web reader over the loopback web, on which the registries and arXiv are under paths of 127.0.0.1 as well. By
    default its policy admits everything at tier 1."""
    file = ProviderFile(
        reading=ReadingEntry(
            arxiv=served.url("/arxiv"),
            europepmc=served.url("/europepmc"),
            openalex=served.url("/openalex"),
            unpaywall=served.url("/unpaywall"),
        )
    )
    return WebReader(policy or FakePolicy({"http": 1}), file, fetcher=fetcher(served, folder, names=names, **limits))
