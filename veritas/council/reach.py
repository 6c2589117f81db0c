"""Whether a model can be reached: its provider's list of models is asked for, which costs nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

import httpx

from veritas.council.llm_providers import provider_of
from veritas.council.seating import key_of
from veritas.frozen import Frozen
from veritas.keys import withheld_from_bytes, withheld_from_message
from veritas.policy.council_policy import ModelPolicy

TIMEOUT = 5.0


class Reached(Frozen):
    """`ok` is None where there is no list to ask for. `models` is what a server of one's own serves."""

    ok: bool | None
    detail: str
    models: tuple[str, ...] = ()


async def reach(policies: Sequence[ModelPolicy], environ: Mapping[str, str]) -> list[Reached]:
    """What came of asking, in the models' order; each server once, all at the same time."""
    places = [_place(p, environ) for p in policies]
    async with httpx.AsyncClient(timeout=TIMEOUT, follow_redirects=False) as client:
        wanted = {place: None for place in places if place is not None}
        answers = dict(zip(wanted, await asyncio.gather(*(_list(client, *place) for place in wanted)), strict=True))
    none = Reached(ok=None, detail="its provider has no list to ask for")
    return [
        none if place is None else _said(policy, answers[place])
        for policy, place in zip(policies, places, strict=True)
    ]


def _place(policy: ModelPolicy, environ: Mapping[str, str]) -> tuple[str, tuple[tuple[str, str], ...]] | None:
    provider = provider_of(policy.model)
    base = policy.base_url or (_gateway(policy.model, environ) or provider.base_url if provider is not None else "")
    if not base:
        return None
    ollama = policy.model.startswith(("ollama/", "ollama_chat/"))
    key = key_of(policy, environ)
    headers: dict[str, str] = {}
    if key is not None:
        auth = provider.auth if provider is not None else "bearer"
        headers = {"authorization": f"Bearer {key}"} if auth == "bearer" else {auth: key}
        if auth == "x-api-key":
            headers["anthropic-version"] = "2023-06-01"
    return f"{base}/api/tags" if ollama else f"{base}/models", tuple(headers.items())


def _gateway(model: str, environ: Mapping[str, str]) -> str:
    """The base URL that the environment gives a provider and LiteLLM heeds, as in `OPENAI_BASE_URL`."""
    prefix = model.split("/", 1)[0]
    named = (environ.get(f"{prefix.upper()}_{end}", "").strip().rstrip("/") for end in ("BASE_URL", "API_BASE"))
    base = next((url for url in named if url), "")
    return f"{base}/v1" if base and prefix == "anthropic" and not base.endswith("/v1") else base


async def _list(client: httpx.AsyncClient, url: str, headers: tuple[tuple[str, str], ...]) -> Reached:
    try:
        answer = await client.get(url, headers=dict(headers))
    except (httpx.HTTPError, httpx.InvalidURL) as problem:
        said = withheld_from_message(f"{url} does not answer: {problem or type(problem).__name__}")
        return Reached(ok=False, detail=said)
    if answer.status_code in (401, 403):
        return Reached(ok=False, detail=f"{url} refuses the key ({answer.status_code})")
    if answer.status_code != 200:
        return Reached(ok=False, detail=f"{url} answers with status {answer.status_code}")
    try:
        return Reached(ok=True, detail="reachable", models=_names(json.loads(withheld_from_bytes(answer.content))))
    except ValueError:
        return Reached(ok=False, detail=f"{url} answers with what is no list of models")


def _names(body: Any) -> tuple[str, ...]:
    listed = (body.get("data") or body.get("models") or ()) if isinstance(body, dict) else ()
    rows = [row for row in listed if isinstance(row, dict)]
    return tuple(str(row.get("id") or row.get("name") or "").removeprefix("models/") for row in rows)


def _said(policy: ModelPolicy, found: Reached) -> Reached:
    """A server of one's own that serves something else is as good as none."""
    wanted = policy.model.split("/", 1)[1]
    if not found.ok or policy.base_url is None or not found.models or wanted in found.models or wanted == "default":
        return found
    if policy.model.startswith("ollama"):
        return found.model_copy(update={"ok": False, "detail": f"not pulled: ollama pull {wanted}"})
    return found.model_copy(update={"ok": False, "detail": f"it serves {', '.join(found.models[:8])}, not {wanted}"})
