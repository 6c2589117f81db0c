"""The base of every model that crosses a seam: immutable, and closed to fields nobody declared."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError


class Frozen(BaseModel):
    """Immutable; an unknown field is an error, so a model's answer cannot smuggle one in (I2)."""

    # defer_build: a command pays for the models it uses, not for all that it imports.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


def first_fault(error: ValidationError, whole: str = "") -> str:
    """Return the first complaint of a validation in a line, as "field.part: message"; before one about all of the value
    stands `whole`. What was given is not quoted."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(map(str, first["loc"])) or whole
    said = str(first["msg"]).removeprefix("Value error, ")
    said = said.replace("a valid tuple", "a list")  # what gives it is JSON or YAML, which know no tuple
    return f"{where}: {said}" if where else said


def text_hash(text: str) -> str:
    """Return the SHA-256 of a text, 64 hex digits; half a surrogate pair counts as a character."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def content_id(prefix: str, *parts: Any) -> str:
    """Return an id made of content alone, `<prefix>-<12 hex digits>`; the same content has the same id in every run.

    `parts` may be anything JSON can hold. 48 bits keep collisions improbable (under 1 in 10,000) up to 200,000 items.
    """
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=str)
    return f"{prefix}-{text_hash(text)[:12]}"


def content_hash(value: Any) -> str:
    """Return the SHA-256 (64 hex digits) of a JSON-able value or a model, independent of key order."""
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json")
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=str)
    return text_hash(text)
