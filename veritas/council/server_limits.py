"""What a server of models takes: learnt from what it refuses, and kept for the run.

Small and local servers refuse what others take as a matter of course: messages of the system, a JSON schema, a grammar.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from veritas.council.chat import Message

Form = Literal["schema", "object", "prompt"]
"""How the shape of an answer is asked for: by a JSON schema, as some JSON object, or in the prompt alone. In the last
two the schema stands in the prompt."""

_SYSTEM = re.compile(
    r"(?i)\bsystem\W{1,3}(?:role|message|prompt|instruction)|\brole\W.{0,120}\bsystem\b|developer\W+instruction"
    r"|roles? must alternate|only user\W+(?:and\W+)?assistant|unexpected role"
)
_FORM = re.compile(
    r"(?i)response_?format|json_?\s?(?:schema|object|mode)|grammar|structured.?output|guided.?(?:json|decoding)"
)
_MARKS = re.compile(r"(?i)cache_?control|prompt_?cache|content\W.{0,80}(?:must|should) be a (?:valid )?string")
_KIND = re.compile(r"(?i)json_?\s?(?:schema|object)|\btype\b|grammar|schema")


class Accepts:
    """What one model of one server takes, as far as it is known."""

    def __init__(self) -> None:
        self._refused: frozenset[Form] = frozenset()
        self.system = True
        """Whether it takes messages of the system."""
        self.marks = True
        """Whether it takes marks for its cache."""

    def form(self, forms: Sequence[Form], tried: frozenset[Form] = frozenset()) -> Form:
        """The first of the forms that was not refused; the last is never."""
        return next((form for form in forms if form not in self._refused | tried), forms[-1])

    def refuses_system(self, status: object, said: str) -> bool:
        """Learns from a refusal; False if it is none of messages of the system."""
        if status not in (400, 422, 500, 501) or not _SYSTEM.search(said):
            return False
        self.system = False
        return True

    def refuses_marks(self, status: object, said: str) -> bool:
        """Learns from a refusal; False if it is none of marks for a cache."""
        if status not in (400, 422, 500, 501) or not _MARKS.search(said):
            return False
        self.marks = False
        return True

    def refuses_form(self, form: Form, status: object, said: str) -> frozenset[Form]:
        """The forms that a refusal speaks of, and learns them; none if it does not speak of any."""
        if form == "prompt" or status not in (400, 404, 415, 422, 500, 501) or not _FORM.search(said):
            return frozenset()
        # One that knows no such parameter at all need not be asked with another value of it.
        refused: frozenset[Form] = frozenset({form}) if _KIND.search(said) else frozenset({"schema", "object"})
        self.learnt(refused)
        return refused

    def learnt(self, refused: frozenset[Form]) -> None:
        """It does not take these forms."""
        self._refused |= refused


def without_system(messages: Sequence[Message]) -> list[Message]:
    """The messages with what the system says in front of what the first user says."""
    said = [m.content for m in messages if m.role == "system"]
    rest = [m for m in messages if m.role != "system"]
    if not said:
        return list(messages)
    if not rest or rest[0].role != "user":
        return [Message(role="user", content="\n\n".join(said)), *rest]
    before = "\n\n".join(said) + "\n\n"
    prefix = len(before) + rest[0].prefix if rest[0].prefix else 0
    return [Message(role="user", content=before + rest[0].content, prefix=prefix), *rest[1:]]
