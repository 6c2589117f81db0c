"""The seam to a language model: messages in, text with its token counts and its price out (section X)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, Protocol, runtime_checkable

from pydantic import BaseModel, Field

from veritas.frozen import Frozen

Role = Literal["system", "user", "assistant"]


class Message(Frozen):
    """A message of a conversation. Other requests of the run share its first `prefix` characters (none if 0): a hint
    for the provider's cache, and no part of the message."""

    role: Role
    content: str
    prefix: int = Field(default=0, ge=0, exclude=True)


class Completion(Frozen):
    """A model's answer. `text` is the answer as it came; the caller checks whether it fits the schema.

    `finish` is "length" when the answer was cut off at the most tokens it may have. `cost_usd` is None where the price
    is unknown. `seconds` is how long the provider took. `first_word` has alternatives to the answer's first word with
    their probabilities, 0 to 1, as far as they were asked for and given.
    """

    text: str
    finish: Literal["stop", "length"] = "stop"
    input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)
    cost_usd: float | None = None
    seconds: float = Field(default=0.0, ge=0)
    first_word: tuple[tuple[str, Annotated[float, Field(ge=0, le=1)]], ...] = ()


@runtime_checkable
class ChatModel(Protocol):
    """A language model, or a wrapper around one: limits, a ledger, a recording.

    The same messages and schema may be asked repeatedly. Raises `Unavailable` if there is no answer.
    """

    async def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Completion:
        """Return the model's answer; with `schema`, the model is asked for JSON of that schema."""
        ...
