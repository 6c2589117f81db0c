"""Servers of every house that the ready councils name, on one port of loopback, each in its own wire format.

The houses differ in the form of question and answer alone: what is asked comes to the script as if it had been asked in
OpenAI's form, and what the script says goes back in the house's.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from typing import Any

from tests.loopback.listening import Answering, Listening
from tests.loopback.server import JSON, Asked, Reply, Script

_GEMINI = re.compile(r"/models/(?P<model>[^:/]+):generateContent")


class Houses(Listening):
    """A running server. `asked` holds (house, request) in order of arrival; `host` has no path. `pulled` are the models
    that its Ollama serves; the other houses list none."""

    def __init__(self, script: Script, pulled: Sequence[str] = ()) -> None:
        self.asked: list[tuple[str, Asked]] = []
        lock = threading.Lock()
        outer = self

        class Handler(Answering):
            def do_GET(self) -> None:
                listed = {"models": [{"name": m, "model": m} for m in pulled]} if self.path == "/api/tags" else {
                    "object": "list", "data": []
                }  # fmt: skip
                self.send(200, json.dumps(listed).encode(), JSON)

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
                path = self.path.partition("?")[0]
                if path == "/api/show":  # what LiteLLM asks Ollama about a model before it asks the model
                    self.send(200, json.dumps({"template": "", "capabilities": ["completion"]}).encode(), JSON)
                    return
                house, model, messages = _understood(path, body)
                asked = Asked(path, {"model": model, "messages": messages}, dict(self.headers), time.monotonic())
                with lock:
                    outer.asked.append((house, asked))
                reply = script(asked)
                sent = reply.raw if reply.raw is not None else json.dumps(_said(house, body, asked, reply)).encode()
                self.send(reply.status, sent, JSON | reply.headers)

        super().__init__(Handler)
        self.host = f"http://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        """What has every house asked here in place of its own address."""
        v1 = ("OPENAI_API_BASE", "MISTRAL_AZURE_API_BASE", "DEEPSEEK_API_BASE", "XAI_API_BASE", "MOONSHOT_API_BASE")
        return {
            **{name: f"{self.host}/{name.partition('_')[0].lower()}/v1" for name in v1},
            "ANTHROPIC_API_BASE": self.host,
            "GEMINI_API_BASE": f"{self.host}/v1beta",
            "COHERE_API_BASE": f"{self.host}/v2/chat",
        }


def _understood(path: str, body: dict[str, Any]) -> tuple[str, str, list[dict[str, str]]]:
    """House, model and messages of a request; `KeyError` for one in no house's form."""
    named = _GEMINI.search(path)
    if named is not None:
        turns = [*([{"role": "system", **body["system_instruction"]}] if "system_instruction" in body else []),
                 *body["contents"]]  # fmt: skip
        return "gemini", named["model"], [
            {"role": t.get("role", "user"), "content": "".join(p["text"] for p in t["parts"])} for t in turns
        ]
    house = {"/v1/messages": "anthropic", "/api/chat": "ollama", "/v2/chat": "cohere"}.get(path)
    messages = [{"role": str(m["role"]), "content": _plain(m["content"])} for m in body["messages"]]
    if house == "anthropic" and body.get("system"):
        messages.insert(0, {"role": "system", "content": _plain(body["system"])})
    if house is None:
        assert path.endswith("/chat/completions"), path
        house = path.split("/")[1]
    return house, str(body["model"]), messages


def _plain(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _said(house: str, body: dict[str, Any], asked: Asked, reply: Reply) -> dict[str, Any]:
    """The answer as the house gives it."""
    spent, out = len(asked.text) // 4, max(1, len(reply.text) // 4)
    if house == "anthropic":
        content: dict[str, Any] = {"type": "text", "text": reply.text}
        if body.get("tool_choice", {}).get("type") in ("tool", "any"):
            content = {"type": "tool_use", "id": "toolu_1", "name": body["tools"][0]["name"],
                       "input": json.loads(reply.text)}  # fmt: skip
        return {
            "id": "msg_1", "type": "message", "role": "assistant", "model": asked.model, "content": [content],
            "stop_reason": "tool_use" if content["type"] == "tool_use" else "end_turn", "stop_sequence": None,
            "usage": {"input_tokens": spent, "output_tokens": out},
        }  # fmt: skip
    if house == "ollama":
        return {
            "model": asked.model, "created_at": "2026-01-02T03:04:05Z", "done": True, "done_reason": "stop",
            "message": {"role": "assistant", "content": reply.text}, "prompt_eval_count": spent, "eval_count": out,
        }  # fmt: skip
    if house == "gemini":
        return {
            "candidates": [{"index": 0, "finishReason": "STOP",
                            "content": {"role": "model", "parts": [{"text": reply.text}]}}],
            "usageMetadata": {"promptTokenCount": spent, "candidatesTokenCount": out, "totalTokenCount": spent + out},
            "modelVersion": asked.model,
        }  # fmt: skip
    if house == "cohere":
        return {
            "id": "1", "finish_reason": "COMPLETE",
            "message": {"role": "assistant", "content": [{"type": "text", "text": reply.text}]},
            "usage": {"tokens": {"input_tokens": spent, "output_tokens": out}},
        }  # fmt: skip
    return {
        "id": "scripted", "object": "chat.completion", "created": 1767225600, "model": asked.model,
        "choices": [{"index": 0, "message": {"role": "assistant", "content": reply.text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": spent, "completion_tokens": out, "total_tokens": spent + out},
    }  # fmt: skip


def houses(script: Script, pulled: Sequence[str] = ()) -> closing[Houses]:
    """The servers for the length of a `with` block."""
    return closing(Houses(script, pulled))
