"""A request to a model as ledger and recordings store it: everything that could change the answer, and its hash."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from veritas.council.chat import Message
from veritas.council.model_table import facts
from veritas.council.wire_schema import wire_schema
from veritas.frozen import Frozen, content_hash
from veritas.policy.council_policy import ModelPolicy


class AskedRequest(Frozen):
    """A request to one model, without its key. `schema_name` is the answer's shape by name, `answer_schema` the shape
    itself."""

    model: str
    base_url: str | None
    messages: tuple[Message, ...]
    schema_name: str | None
    answer_schema: dict[str, Any] | None
    structured: str
    temperature: float | None
    most_output_tokens: int

    @property
    def request_hash(self) -> str:
        """SHA-256 of the whole request."""
        return content_hash(self)


def request_of(policy: ModelPolicy, messages: Sequence[Message], schema: type[BaseModel] | None) -> AskedRequest:
    """Return the request that will be sent to `policy`'s model."""
    return AskedRequest(
        model=policy.model,
        base_url=policy.base_url,
        messages=tuple(messages),
        schema_name=schema.__name__ if schema is not None else None,
        answer_schema=wire_schema(schema) if schema is not None else None,
        structured=policy.structured,
        temperature=policy.temperature,
        most_output_tokens=facts(policy).output,
    )
