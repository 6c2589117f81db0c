"""Reachability of models, by a request for the provider's list of models, which costs nothing.

Certain failures (a refused key, a closed port, a name that does not resolve, a model that is not installed) are
separated from unknown ones: a server that is slow or has no such list may still answer the real question.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import httpx

from veritas.council._llm_providers import ModelProvider, provider_of
from veritas.council.seating import key_names, key_of
from veritas.frozen import Frozen
from veritas.keys import withheld_from_bytes, withheld_from_message
from veritas.policy.council_policy import ModelPolicy
from veritas.search.web.api import error_message, tls
from veritas.search.web.provider_reach import again_if_unsure, at_the_same_time, by_proxy, refused
from veritas.text.visible import one_line, quoted

TIMEOUT = 2.0
"""Seconds that all requests together may take."""
MAX_LIST = 5_000_000
"""Most bytes of a list that are read."""
LONGEST_NAME = 120
"""Most characters of a model's name that are taken from a list."""
_LISTS_ALL = ("ollama", "ollama_chat", "hosted_vllm")
"""Self-hosted servers that serve only the models they list. Others take any name for the one model they have."""
_KEY = re.compile(r"(?i)\bkey\b")
"""In a refusal with status 400 or 401: a key is invalid, missing or expired."""
_OF_THE_LIST = re.compile(r"(?i)\b(?:scopes?|permissions?|list\w*|models?|endpoints?|routes?|methods?|(?-i:GET))\b")
"""Words of a message that refuses the list, not the key: a key that may not list models may well ask them."""


class Reached(Frozen):
    """The outcome of asking for a model's list.

    `ok` is False only if the model certainly cannot answer, and None if that is unknown; `mend` then names the remedy.
    `asked` is False for a provider without a list. `models` are those that a self-hosted server serves.
    """

    ok: bool | None
    detail: str
    mend: str = ""
    asked: bool = True
    models: tuple[str, ...] = ()


async def reach(policies: Sequence[ModelPolicy], environ: Mapping[str, str]) -> list[Reached]:
    """Return the outcomes in the models' order. Each server is asked once with each key, all at the same time, within
    `TIMEOUT` seconds."""
    places = [_place(p, environ) for p in policies]
    wanted = dict.fromkeys(place for place in places if place is not None)
    with httpx.Client(timeout=TIMEOUT, follow_redirects=False, verify=tls()) as client:
        answers = await at_the_same_time({place: partial(_list, client, *place) for place in wanted}, TIMEOUT)
    found: list[Reached] = []
    for policy, place in zip(policies, places, strict=True):
        if place is None:
            found.append(Reached(ok=None, detail="its provider has no list to ask for", asked=False))
        elif place not in answers:
            found.append(Reached(ok=None, detail=f"{_shown(place[0])} gave no answer within {TIMEOUT:g} s"))
        else:
            found.append(_said(policy, answers[place]))
    return found


def _place(policy: ModelPolicy, environ: Mapping[str, str]) -> tuple[str, tuple[tuple[str, str], ...]] | None:
    provider = provider_of(policy.model)
    gateway = _gateway(policy.model, environ)
    base = policy.base_url or (gateway or provider.base_url if provider is not None else "")
    if not base:
        return None
    path = "/models"
    if policy.model.startswith(("ollama/", "ollama_chat/")):
        path = "/api/tags"
    elif provider is not None and not policy.base_url and not gateway:
        path = provider.asked
    key = key_of(policy, environ)
    return f"{base}{path}", tuple(_signed(key, provider).items()) if key is not None else ()


def _signed(key: str, provider: ModelProvider | None) -> dict[str, str]:
    auth = provider.auth if provider is not None else "bearer"
    headers: dict[str, str] = {"authorization": f"Bearer {key}"} if auth == "bearer" else {str(auth): key}
    return {**headers, "anthropic-version": "2023-06-01"} if auth == "x-api-key" else headers


def _gateway(model: str, environ: Mapping[str, str]) -> str:
    """Return the base URL that LiteLLM takes from the environment for a provider, as in `OPENAI_BASE_URL`; "" for none.
    """
    prefix = model.split("/", 1)[0]
    named = (environ.get(f"{prefix.upper()}_{end}", "").strip().rstrip("/") for end in ("BASE_URL", "API_BASE"))
    base = next((url for url in named if url), "")
    return f"{base}/v1" if base and prefix == "anthropic" and not base.endswith("/v1") else base


def _list(client: httpx.Client, url: str, headers: tuple[tuple[str, str], ...]) -> Reached:
    shown = _shown(url)
    try:
        status, data = again_if_unsure(lambda: _got(client, url, headers))
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as problem:
        why = refused(problem)
        if why is None or by_proxy(url):  # a proxy that refuses this request may let others through
            return Reached(ok=None, detail=f"{shown} does not answer: {type(problem).__name__}")
        return Reached(ok=False, detail=f"{shown} does not answer: {why}")
    words = withheld_from_message(error_message(data)) if status >= 400 else ""
    if status in (400, 401) and _KEY.search(words) and not _OF_THE_LIST.search(words):
        return Reached(ok=False, detail=f"{shown} refuses the key ({status}{words})")
    if status != 200:
        return Reached(ok=None, detail=f"{shown} answers with status {status}{words}")
    try:
        return Reached(ok=True, detail="reachable", models=_names(json.loads(withheld_from_bytes(data))))
    except (ValueError, RecursionError):
        return Reached(ok=None, detail=f"{shown} answers with what is no list of models")


def _got(client: httpx.Client, url: str, headers: tuple[tuple[str, str], ...]) -> tuple[int, bytes]:
    """Return the answer's status and its body, up to slightly more than `MAX_LIST` bytes.

    Compression is not accepted, and nothing is unpacked: some thousand bytes could become gigabytes.
    """
    with client.stream("GET", url, headers={"Accept-Encoding": "identity", **dict(headers)}) as answer:
        data = bytearray()
        for part in answer.iter_raw():
            data += part
            if len(data) > MAX_LIST:
                break
        return answer.status_code, bytes(data)


def _shown(url: str) -> str:
    """Return the address without the parts that may hold a password."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()


def _names(body: Any) -> tuple[str, ...]:
    listed = (body.get("data") or body.get("models") or ()) if isinstance(body, dict) else ()
    rows = [row for row in listed if isinstance(row, dict)] if isinstance(listed, list) else []
    if any(row.get("owned_by") == "llamacpp" for row in rows):
        return ()  # llama.cpp takes any name for the one model that it has
    named = (row.get("id") or row.get("name") for row in rows)
    return tuple(one_line(name[:LONGEST_NAME]).removeprefix("models/") for name in named if isinstance(name, str))


def _said(policy: ModelPolicy, found: Reached) -> Reached:
    """Return the outcome for one model from that of its server, with the remedy."""
    prefix, wanted = policy.model.split("/", 1)
    if found.ok is False:
        return found.model_copy(update={"mend": _mend(policy, found)})
    if not found.ok or policy.base_url is None or wanted == "default":
        return found
    if wanted in found.models or (prefix.startswith("ollama") and f"{wanted}:latest" in found.models):
        return found
    if prefix.startswith("ollama"):
        return found.model_copy(update={"ok": False, "detail": "it is not pulled", "mend": f"ollama pull {wanted}"})
    if not found.models or any("*" in name for name in found.models):
        return found
    served = (quoted(name) if " " in name else name for name in found.models[:8])
    detail = f"it serves {', '.join(served)}, not {wanted}"
    return found.model_copy(
        update={
            "ok": False if prefix in _LISTS_ALL else None,
            "detail": detail,
            "mend": f"name what is served in the council file, in place of {wanted}",
        }
    )


def _mend(policy: ModelPolicy, found: Reached) -> str:
    if "refuses the key" in found.detail:
        provider, names = provider_of(policy.model), key_names(policy)
        if not names:
            return "it wants a key: name its variable with key: in the council file"
        return f"set {' or '.join(names)}" + (f": {provider.get}" if provider and not policy.base_url else "")
    if policy.model.startswith("ollama"):
        return "start it: ollama serve"
    return "start the server, or correct its base_url in the council file" if policy.base_url else "check the network"
