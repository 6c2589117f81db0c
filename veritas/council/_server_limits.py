"""Request forms that a model server accepts, learnt from its refusals and kept for the run.

Small and local servers often refuse system messages, a JSON schema or a grammar.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from veritas.council.chat import Message

Form = Literal["schema", "object", "prompt"]
"""Ways to ask for the shape of an answer: a JSON schema, any JSON object, or the prompt alone. In the last two the
schema stands in the prompt."""

_SYSTEM = re.compile(
    r"(?i)\bsystem\W{1,3}(?:role|message|prompt|instruction)|\brole\W.{0,120}\bsystem\b|developer\W+instruction"
    r"|roles? must alternate|only user\W+(?:and\W+)?assistant|unexpected role"
)
_FORM = re.compile(
    r"(?i)response_?format|json_?\s?(?:schema|object|mode)|grammar|structured.?output|guided.?(?:json|decoding)"
)
_MARKS = re.compile(r"(?i)cache_?control|prompt_?cache|content\W.{0,80}(?:must|should) be a (?:valid )?string")
_PROBABILITIES = re.compile(r"(?i)log_?prob")
_KIND = re.compile(r"(?i)json_?\s?(?:schema|object)|\btype\b|grammar|schema")


class Accepts:
    """The request forms that one model on one server accepts, as far as they are known."""

    def __init__(self) -> None:
        self._refused: frozenset[Form] = frozenset()
        self.system = True
        """True if it takes system messages."""
        self.marks = True
        """True if it takes marks for its cache."""
        self.probabilities = True
        """True if it can be asked for the probabilities of words."""

    def form(self, forms: Sequence[Form], tried: frozenset[Form] = frozenset()) -> Form:
        """Return the first of the forms that was not refused; the last one is never refused."""
        return next((form for form in forms if form not in self._refused | tried), forms[-1])

    def refuses_system(self, status: object, said: str) -> bool:
        """Learn from a refusal; return False if it is not about system messages."""
        if status not in (400, 422, 500, 501) or not _SYSTEM.search(said):
            return False
        self.system = False
        return True

    def refuses_marks(self, status: object, said: str) -> bool:
        """Learn from a refusal; return False if it is not about cache marks."""
        if status not in (400, 422, 500, 501) or not _MARKS.search(said):
            return False
        self.marks = False
        return True

    def refuses_probabilities(self, status: object, said: str) -> bool:
        """Learn from a refusal; return False if it is not about the probabilities of words."""
        if status not in (400, 404, 415, 422, 500, 501) or not _PROBABILITIES.search(said):
            return False
        self.probabilities = False
        return True

    def refuses_form(self, form: Form, status: object, said: str) -> frozenset[Form]:
        """Return the forms that a refusal is about, and remember them; none if it is about no form."""
        if form == "prompt" or status not in (400, 404, 415, 422, 500, 501) or not _FORM.search(said):
            return frozenset()
        # A server that does not know the parameter need not be asked with another value of it.
        refused: frozenset[Form] = frozenset({form}) if _KIND.search(said) else frozenset({"schema", "object"})
        self.learnt(refused)
        return refused

    def learnt(self, refused: frozenset[Form]) -> None:
        """Remember that the server does not accept these forms."""
        self._refused |= refused


def without_system(messages: Sequence[Message]) -> list[Message]:
    """Return the messages with the system's text in front of the first user message."""
    said = [m.content for m in messages if m.role == "system"]
    rest = [m for m in messages if m.role != "system"]
    if not said:
        return list(messages)
    if not rest or rest[0].role != "user":
        return [Message(role="user", content="\n\n".join(said)), *rest]
    before = "\n\n".join(said) + "\n\n"
    prefix = len(before) + rest[0].prefix if rest[0].prefix else 0
    return [Message(role="user", content=before + rest[0].content, prefix=prefix), *rest[1:]]
