"""Facts about models from LiteLLM's offline table: window, price, structured output. LiteLLM is not imported."""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from veritas.frozen import Frozen
from veritas.policy.council_policy import ModelPolicy, Price

WINDOW = 8192
"""Tokens assumed for the window of an unknown model."""
OUTPUT = 8192
"""Most tokens of an answer, where the window has room for it."""


_OPENAI_PROTOCOL = ("openai", "hosted_vllm", "lm_studio", "llamafile")


class ModelFacts(Frozen):
    """Facts about a model. `window` and `output` are tokens; `schema_aware` is true if it takes a JSON schema with a
    request."""

    window: int
    output: int
    schema_aware: bool
    price: Price | None
    known: bool
    """True if the table has the model."""

    @property
    def input_room(self) -> int:
        """Most tokens of a request."""
        return self.window - self.output


@cache
def _table() -> dict[str, Any]:
    spec = find_spec("litellm")
    for folder in (spec.submodule_search_locations or []) if spec is not None else []:
        file = Path(folder) / "model_prices_and_context_window_backup.json"
        if file.is_file():
            table: dict[str, Any] = json.loads(file.read_bytes())
            return table
    return {}


def table_row(model: str) -> dict[str, Any] | None:
    """Return the table's row of a model, by its full name or without the provider; None when it has none."""
    table = _table()
    row = table.get(model)
    if row is None and "/" in model:
        provider, bare = model.split("/", 1)
        candidate = table.get(bare)
        if candidate is not None and str(candidate.get("litellm_provider", "")).split("_")[0] == provider.split("_")[0]:
            row = candidate
    return row if isinstance(row, dict) else None


def is_plain(policy: ModelPolicy) -> bool:
    """Return whether a model is asked without LiteLLM: one that its table does not know, at a server with OpenAI's
    protocol. Known ones may want other parameters."""
    provider = policy.model.split("/", 1)[0]
    return policy.base_url is not None and provider in _OPENAI_PROTOCOL and table_row(policy.model) is None


def facts(policy: ModelPolicy) -> ModelFacts:
    """Return the facts of a model; its policy goes before the table."""
    row = table_row(policy.model) or {}
    told = row.get("max_input_tokens") or row.get("max_tokens")
    window = policy.window or (int(told) if isinstance(told, int | float) and told > 0 else WINDOW)
    most = row.get("max_output_tokens")
    allowed = int(most) if isinstance(most, int | float) and most > 0 else OUTPUT
    output = policy.output or min(OUTPUT, window // 4, allowed)
    return ModelFacts(
        window=window,
        output=min(output, window // 2),
        schema_aware=policy.structured == "schema"
        or (policy.structured == "auto" and bool(row.get("supports_response_schema"))),
        price=policy.price or _price(row),
        known=bool(row),
    )


def _price(row: dict[str, Any]) -> Price | None:
    come, go = row.get("input_cost_per_token"), row.get("output_cost_per_token")
    if not isinstance(come, int | float) or not isinstance(go, int | float):
        return None
    return Price(input=round(come * 1e6, 6), output=round(go * 1e6, 6))
