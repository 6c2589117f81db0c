"""A model server on loopback that speaks the OpenAI protocol over real HTTP, with a script instead of a model."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from tests.loopback.listening import Answering, Listening

JSON = {"Content-Type": "application/json"}


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
    logprobs: Any = None
    """What it tells of the probabilities of the answer's words, as the protocol has it: `{"content": […]}`."""


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


class Loopback(Listening):
    """A running server: `url` is its base URL, `asked` what it was asked so far, in order of arrival; `listed` where
    its list of models was asked for, with which headers. `listing` is sent in place of the list."""

    def __init__(
        self, script: Script, models: tuple[str, ...] = ("scripted",), listing: Reply | None = None
    ) -> None:
        self.script, self.models, self.listing = script, models, listing
        self.asked: list[Asked] = []
        self.listed: list[tuple[str, dict[str, str]]] = []
        self.at_once = self.most_at_once = 0
        self._lock = threading.Lock()
        outer = self

        class Handler(Answering):
            def do_GET(self) -> None:
                outer.listed.append((self.path, dict(self.headers)))
                if (reply := outer.listing) is not None:
                    time.sleep(reply.seconds)
                    body = reply.raw if reply.raw is not None else reply.text.encode()
                    return self.send(reply.status, body, JSON | reply.headers)
                listed = {"object": "list", "data": [{"id": m, "object": "model"} for m in outer.models]}
                self.send(200, json.dumps(listed).encode(), JSON)

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
                self.send(reply.status, body, JSON | reply.headers)

        super().__init__(Handler)
        self.url = f"http://127.0.0.1:{self.port}/v1"

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
        if reply.logprobs is not None:
            answer["choices"][0]["logprobs"] = reply.logprobs
        if reply.usage:
            spent = len(asked.text) // 4
            out = max(1, len(reply.text) // 4)
            answer["usage"] = {"prompt_tokens": spent, "completion_tokens": out, "total_tokens": spent + out}
        return json.dumps(answer).encode()


def loopback(
    script: Script, models: tuple[str, ...] = ("scripted",), listing: Reply | None = None
) -> closing[Loopback]:
    """A server for the length of a `with` block."""
    return closing(Loopback(script, models, listing))
