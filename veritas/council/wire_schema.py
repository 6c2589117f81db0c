"""The JSON schema that goes to a model, simple enough for every provider's structured output."""

from __future__ import annotations

from copy import deepcopy
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

_KEPT = ("type", "enum", "description", "items", "anyOf", "properties")


def wire_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of `model` with references written out, every field required and no others.

    Bounds and lengths are left out, because some providers refuse them; an answer is checked against the model itself.
    """
    return deepcopy(_written_out(model))


@lru_cache(maxsize=64)
def _written_out(model: type[BaseModel]) -> dict[str, Any]:
    whole = model.model_json_schema()
    plain: dict[str, Any] = _plain(whole, whole.get("$defs", {}))
    plain.pop("description", None)
    return plain


def _plain(part: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in part:
        part = {**definitions[part["$ref"].rsplit("/", 1)[1]], **{k: v for k, v in part.items() if k != "$ref"}}
        part.pop("description", None)
    found: dict[str, Any] = {key: part[key] for key in _KEPT if key in part}
    if "const" in part:
        found["enum"] = [part["const"]]
    if "properties" in found:
        found["properties"] = {name: _plain(p, definitions) for name, p in found["properties"].items()}
        found["required"] = list(found["properties"])
        found["additionalProperties"] = False
    if "items" in found:
        found["items"] = _plain(found["items"], definitions)
    if "anyOf" in found:
        found["anyOf"] = [_plain(p, definitions) for p in found["anyOf"]]
    return found
