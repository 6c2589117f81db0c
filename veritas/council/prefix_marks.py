"""Marks for the provider's cache, at the end of the part that further requests of the run begin with.

Most providers find such a prefix by themselves (OpenAI before GPT-5.6, Gemini 2.5 and newer, DeepSeek, xAI, llama.cpp,
vLLM), and are sent nothing. Claude caches what is marked and nothing else, GPT-5.6 and newer hit what is marked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

from veritas.council.chat import Message
from veritas.council.model_table import table_row
from veritas.policy.council_policy import ModelPolicy

LEAST = 4_096
"""Least characters of a prefix that is marked, some 1,024 tokens; below that most providers cache nothing. Writing to
the cache costs a quarter more than reading a prompt, so only prefixes of requests that follow each other are marked."""

Marks = Literal["cache_control", "prompt_cache_breakpoint"]

_CLAUDE = re.compile(r"anthropic/|(?:bedrock|vertex_ai|azure_ai|openrouter|databricks)/.*claude")


def marks_of(policy: ModelPolicy) -> Marks | None:
    """Return the marks that the model's provider accepts; None if it accepts none, or that is unknown."""
    if _CLAUDE.match(policy.model):
        return "cache_control"
    if policy.base_url is None and policy.model.startswith("openai/"):
        row = table_row(policy.model) or {}
        return "prompt_cache_breakpoint" if row.get("supports_prompt_cache_breakpoint") is True else None
    return None


def with_marks(messages: Sequence[Message], marks: Marks | None) -> list[dict[str, Any]]:
    """Return the messages to send, with a mark at the end of each prefix that is long enough."""
    sent: list[dict[str, Any]] = []
    before = 0
    for message in messages:
        one: dict[str, Any] = message.model_dump()
        if marks is not None and message.prefix and before + message.prefix >= LEAST:
            how = {"type": "ephemeral"} if marks == "cache_control" else {"mode": "explicit"}
            first: dict[str, Any] = {"type": "text", "text": message.content[: message.prefix], marks: how}
            one["content"] = [first, {"type": "text", "text": message.content[message.prefix :]}]
        before += len(message.content)
        sent.append(one)
    return sent
