"""A model server on loopback that speaks the OpenAI protocol over real HTTP, with a script instead of a model."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Reply:
    """What the server sends back. `text` is the model's answer; `raw` is sent in place of the whole body."""

    text: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    finish: str = "stop"
    seconds: float = 0.0
    """How long it thinks first."""
    refusal: str | None = None
    usage: bool = True


def fault(status: int, message: str = "scripted fault", **headers: str) -> Reply:
    """An error in the protocol's own form; `Retry_After="3"` becomes the header Retry-After."""
    body = json.dumps({"error": {"message": message, "type": "scripted", "code": None}}).encode()
    return Reply(status=status, raw=body, headers={k.replace("_", "-"): v for k, v in headers.items()})


@dataclass(frozen=True)
class Asked:
    """One request as it came over the wire."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]
    at: float

    @property
    def model(self) -> str:
        return str(self.body.get("model"))

    @property
    def messages(self) -> list[dict[str, str]]:
        return list(self.body["messages"])

    @property
    def text(self) -> str:
        return "\n".join(m["content"] for m in self.messages)


Script = Callable[[Asked], Reply]


class Loopback:
    """A running server: `url` is its base URL, `asked` what it was asked so far, in order of arrival."""

    def __init__(self, script: Script, models: tuple[str, ...] = ("scripted",)) -> None:
        self.script, self.models = script, models
        self.asked: list[Asked] = []
        self.at_once = self.most_at_once = 0
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                listed = {"object": "list", "data": [{"id": m, "object": "model"} for m in outer.models]}
                self._send(200, json.dumps(listed).encode(), {})

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                asked = Asked(self.path, json.loads(body), dict(self.headers), time.monotonic())
                with outer._lock:
                    outer.asked.append(asked)
                    outer.at_once += 1
                    outer.most_at_once = max(outer.most_at_once, outer.at_once)
                try:
                    reply = outer.script(asked)
                    if reply.seconds:
                        time.sleep(reply.seconds)
                finally:
                    with outer._lock:
                        outer.at_once -= 1
                body = reply.raw if reply.raw is not None else outer._body(asked, reply)
                self._send(reply.status, body, reply.headers)

            def _send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
                try:
                    self.send_response(status)
                    for name, value in {"Content-Type": "application/json", **headers}.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def log_message(self, format: str, *args: Any) -> None:
                return None

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            block_on_close = False
            request_queue_size = 64

            def handle_error(self, request: Any, client_address: Any) -> None:
                return None  # a client that went away is part of the tests

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    def _body(self, asked: Asked, reply: Reply) -> bytes:
        message: dict[str, Any] = {"role": "assistant", "content": reply.text}
        if reply.refusal is not None:
            message = {"role": "assistant", "content": None, "refusal": reply.refusal}
        answer: dict[str, Any] = {
            "id": "scripted",
            "object": "chat.completion",
            "created": 1767225600,
            "model": asked.model,
            "choices": [{"index": 0, "message": message, "finish_reason": reply.finish}],
        }
        if reply.usage:
            spent = len(asked.text) // 4
            out = max(1, len(reply.text) // 4)
            answer["usage"] = {"prompt_tokens": spent, "completion_tokens": out, "total_tokens": spent + out}
        return json.dumps(answer).encode()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


@contextmanager
def loopback(script: Script, models: tuple[str, ...] = ("scripted",)) -> Iterator[Loopback]:
    """A server for the length of a `with` block."""
    server = Loopback(script, models)
    try:
        yield server
    finally:
        server.close()
