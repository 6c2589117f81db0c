"""Model servers that hand the key back that they were sent: ten kinds, each in another place and another writing."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from tests.loopback.scripted import answer, heard, honest
from tests.loopback.server import Asked, Reply, Script, fault


def sent(asked: Asked) -> str:
    """The key as it came."""
    headers = {name.lower(): value for name, value in asked.headers.items()}
    return (headers.get("authorization") or headers.get("x-api-key") or "").removeprefix("Bearer ")


def _told(asked: Asked, said: str) -> Reply:
    """An honest answer with something more in every text of it that is free."""

    def more(value: Any) -> Any:
        if isinstance(value, dict):
            free = ("claim", "quote", "rationale", "text", "facet", "statement")
            return {k: f"{v} {said}" if k in free and isinstance(v, str) else more(v) for k, v in value.items()}
        return [more(each) for each in value] if isinstance(value, list) else value

    try:
        return Reply(json.dumps(more(answer(heard(asked)))))
    except StopIteration:  # a turn outside of the council: a paper's, a review's
        return Reply(json.dumps({"claims": [{"text": said, "quote": said}], "sentences": [{"text": said}]}))


def _every(write: Callable[[int], str], text: str) -> str:
    return "".join(write(ord(sign)) for sign in text)


def _wrapped(text: str, width: int) -> str:
    return "\n".join(text[at : at + width] for at in range(0, len(text), width))


def _in_claims(asked: Asked) -> Reply:
    return _told(asked, f"(Authorization: Bearer {sent(asked)}, {_wrapped(sent(asked), 10)})")


def _in_json_escapes(asked: Asked) -> Reply:
    return _told(asked, _every(lambda code: f"\\u{code:04x}", sent(asked)))


def _in_the_model(asked: Asked) -> Reply:
    message = {"role": "assistant", "content": f"You are {sent(asked)}, and I would rather talk about it."}
    body = {
        "id": sent(asked), "object": "chat.completion", "created": 1, "model": sent(asked),
        "system_fingerprint": sent(asked), "choices": [{"index": 0, "message": message, "finish_reason": sent(asked)}],
    }  # fmt: skip
    return Reply(raw=json.dumps(body).encode())


def _in_a_stream(asked: Asked) -> Reply:
    return Reply(raw=f'data: {{"authorization": "Bearer {sent(asked)}"}}\n\ndata: [DONE]\n\n'.encode())


def _in_html(asked: Asked) -> Reply:
    said = html.escape(_every(lambda code: f"&#x{code:x};", sent(asked)))
    return Reply(status=500, raw=f"<html><body><h1>Error</h1><pre>Bearer {said}</pre></body></html>".encode())


def _in_base64(asked: Asked) -> Reply:
    return fault(400, f"Basic {base64.b64encode(f'user:{sent(asked)}'.encode()).decode()} is not Bearer")


def _in_a_url(asked: Asked) -> Reply:
    return fault(403, f"see https://status.example.org/?api_key={quote(quote(sent(asked), safe=''), safe='')}")


def _in_headers(asked: Asked) -> Reply:
    key = sent(asked)
    said = {"Retry-After": key, "WWW-Authenticate": f"Bearer {key}", "X-Echo": key}
    return Reply(status=429, raw=b"{}", headers=said)


def _in_a_redirect(asked: Asked) -> Reply:
    return Reply(status=307, raw=b"", headers={"Location": f"/v1/{quote(sent(asked), safe='')}?{sent(asked)}"})


def _in_a_refusal(asked: Asked) -> Reply:
    return fault(401, f"Incorrect API key provided: {sent(asked)}. It is not {_wrapped(sent(asked), 15)} either.")


ECHOES: dict[str, Script] = {
    "claims": _in_claims, "escapes": _in_json_escapes, "model": _in_the_model, "stream": _in_a_stream, "html": _in_html,
    "base64": _in_base64, "url": _in_a_url, "headers": _in_headers, "redirect": _in_a_redirect,
    "refusal": _in_a_refusal,
}  # fmt: skip


HONEST = ("second", "first")


def echo(asked: Asked) -> Reply:
    """As the model's name says: `echo-<kind>`; any other is honest."""
    found = ECHOES.get(asked.model.removeprefix("echo-"))
    if found is not None and asked.model.startswith("echo-"):
        return found(asked)
    try:
        return honest(asked)
    except StopIteration:
        return Reply("{}")


def council(kinds: list[str], url: str, key: str) -> str:
    """A council file: a member for each kind of echo, and honest ones, who write and verify first; all with the key
    that the variable `key` holds."""
    limits = "limits: {timeout: 20, retries: 1, backoff: 0.01, patience: 1}"
    seats = [*kinds, *HONEST]
    lines = ["members:"]
    for number, name in enumerate(seats):
        model = "honest" if name in HONEST else f"echo-{name}"
        lines += [
            f"  - name: {name}", f"    model: openai/{model}", f"    family: house-{number}", f"    base_url: {url}",
            f"    key: {key}", "    structured: prompt", f"    {limits}",
        ]  # fmt: skip
    first = ", ".join(reversed(seats))
    return "\n".join((*lines, f"verifiers: [{first}]", f"writer: [{first}]")) + "\n"
