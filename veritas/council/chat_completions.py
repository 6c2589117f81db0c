"""A request in OpenAI's protocol to a server of one's own or a gateway, sent without LiteLLM, whose import takes
seconds of processor time."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import httpx

from veritas.council.guarded_transport import guarded
from veritas.event_loop import OfLoop
from veritas.policy.council_policy import ModelPolicy

_clients: OfLoop[list[httpx.AsyncClient]] = OfLoop(list)


async def asked(policy: ModelPolicy, key: str | None, body: dict[str, Any]) -> Any:
    """Return the server's answer, its objects with attributes. Raises what `httpx` raises; the text of an
    error status is the server's own."""
    held = _clients.here()
    if not held:
        held.append(httpx.AsyncClient(transport=guarded(httpx.AsyncHTTPTransport)(), follow_redirects=True))
    response = await held[0].post(
        f"{policy.base_url}/chat/completions",
        json={"model": policy.model.partition("/")[2], **body},
        headers={"Authorization": f"Bearer {key or 'none'}"},
        timeout=policy.limits.timeout,
    )
    if response.status_code >= 300:
        raise httpx.HTTPStatusError(_words(response.text), request=response.request, response=response)
    try:
        return json.loads(response.text, object_hook=lambda found: SimpleNamespace(**found))
    except (ValueError, RecursionError, TypeError):
        raise ValueError("its answer is no JSON") from None


async def close() -> None:
    """Close the connections of this event loop."""
    held = _clients.here()
    while held:
        await held.pop().aclose()


def _words(text: str) -> str:
    """Return the message of an error in OpenAI's form; else its whole text."""
    try:
        said = json.loads(text)
        error = said.get("error", said)
        return str(error.get("message") or text) if isinstance(error, dict) else str(error)
    except (ValueError, RecursionError, AttributeError):
        return text
