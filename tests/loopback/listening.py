"""What every server of the tests has in common: it listens on a free port of loopback, in a thread, until closed."""

from __future__ import annotations

import socketserver
import ssl
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler
from typing import Any


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64
    allow_reuse_address = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        return None  # a client that went away is part of the tests


class Listening:
    """A running server. `port` is where; it answers from the moment it is made."""

    def __init__(self, handler: type[socketserver.BaseRequestHandler], tls: ssl.SSLContext | None = None) -> None:
        self._server = _Server(("127.0.0.1", 0), handler)
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


class Answering(BaseHTTPRequestHandler):
    """HTTP of which a server writes `do_GET` and `do_POST` alone."""

    protocol_version = "HTTP/1.1"

    def send(self, status: int, body: bytes, headers: Mapping[str, str], *, cut: int = 0) -> None:
        """One whole answer; `cut` sends so many bytes fewer than it announces, and hangs up."""
        try:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(b"" if self.command == "HEAD" else body[: len(body) - cut])
        except OSError:
            self.close_connection = True
        if cut:
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        return None
