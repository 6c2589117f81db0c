"""A web on loopback over real HTTP: any number of host names, each path answered by a script, down to single bytes."""

from __future__ import annotations

import socketserver
import ssl
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from tests.loopback.listening import Listening
from veritas.policy.search_providers import ProviderFile, ReadingEntry
from veritas.policy.source_policy import SourcePolicy
from veritas.reading.web import WebReader
from veritas.reading.web.destination import Destinations
from veritas.reading.web.fetching import Fetcher
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


class Web(Listening):
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

        context = None
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            context.sni_callback = lambda _socket, name, _context: self.names.append(name)
        super().__init__(Handler, context)

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


def _wire(reply: Reply) -> Iterator[bytes]:
    if reply.raw is not None:
        yield from reply.raw()
        return
    body = reply.body.encode() if isinstance(reply.body, str) else reply.body
    headers = {"Content-Length": str(len(body)), **reply.headers}
    lines = [f"HTTP/1.1 {reply.status} Scripted", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    yield "\r\n".join(lines).encode("utf-8") + body


def web(pages: Mapping[str, Reply | Script], certificate: Path | None = None) -> closing[Web]:
    """A web for the length of a `with` block."""
    return closing(Web(pages, certificate))


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
