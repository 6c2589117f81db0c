"""JSON values converted to an answer's schema: extra fields are dropped, keys and fixed words may be in another case.

Nothing is filled in. Valid items of a list are kept without the invalid ones.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from veritas.council.json_in_text import Unreadable, Value
from veritas.council.wire_schema import wire_schema
from veritas.text.lexicon import CONTRACTED, NEGATION

A = TypeVar("A", bound=BaseModel)
_WRAPPED = frozenset({"answer", "response", "result", "output", "json"})
"""Names under which a model gives its answer inside another object."""
_OPENED = re.compile(r"`(?:``(?:jsonc?|json5)?)?\s*\Z", re.IGNORECASE)
_CLOSED = re.compile(r"\A\s*`(?:``)?")
_ENDS = re.compile(r"(?:\s*(?:</s>|<\|(?:end|return|im_end|eot_id|endoftext|end_of_text)\|>|<end_of_turn>))+\s*\Z")
"""The fence around an answer, and the marks with which a server ends one."""
LONGEST_TEXT = 20_000
"""Most characters of one text in an answer: many times the longest that any turn asks for."""
LONGEST_PROSE, LONGEST_COURTESY = 4_000, 120
"""Most characters of the text before an answer that decides, and of the text behind its fence."""
_JSON_SIGNS = re.compile(r"[{}\[\]]")


@dataclass(frozen=True)
class Shaped(Generic[A]):
    """An answer; `faults` says what was wrong with list items that were left out."""

    answer: A
    faults: tuple[str, ...] = ()


def shaped(values: Sequence[Value], shape: type[A], parts: str | None = None, shown: str | None = None) -> Shaped[A]:
    """Return the one answer among the values in a model's text.

    `parts` names the list whose invalid items may be left out. `shown` is the request, for an answer that decides: see
    `own`. Raises `Unreadable` if there is no answer, if there are several different ones, or if it does not fit the
    schema.
    """
    schema = wire_schema(shape)
    answers = [v for value in values if (v := _answering(value, shape, schema)) is not None]
    if not answers:
        raise Unreadable("there is no JSON object of the schema in it")
    said = answers[0]
    if any(other.value != said.value for other in answers[1:]):
        raise Unreadable(f"it gives {len(answers)} answers, and not the same: give one JSON object")
    if shown is not None:
        _decided(said, schema, shown)
    value = _conforming(said.value, schema, strict=said.mended)
    if said.cut and parts is None:
        raise Unreadable("it breaks off before its end")
    faults = ("it was cut off after them",) if said.cut else ()
    try:
        return Shaped(_validated(value, shape), faults)
    except ValidationError as error:
        if parts is None or not isinstance(value, dict) or not isinstance(items := value.get(parts), list):
            raise Unreadable(_said(error)) from None
        whole = error
    wrong: dict[int, str] = {}
    for one in whole.errors(include_url=False):
        if one["loc"][:1] != (parts,) or len(one["loc"]) < 2:
            raise Unreadable(_said(whole)) from None
        wrong.setdefault(int(one["loc"][1]), f"{'.'.join(map(str, one['loc']))}: {one['msg']}")
    kept = [item for i, item in enumerate(items) if i not in wrong]
    if not kept:
        raise Unreadable(_said(whole)) from None
    try:
        return Shaped(_validated({**value, parts: kept}, shape), (*wrong.values(), *faults))
    except ValidationError as error:
        raise Unreadable(_said(error)) from None


def own(said: Value, schema: dict[str, Any], shown: str) -> bool:
    """Return whether an object is the model's complete and final answer.

    The text around an object may quote it, call it an example or retract it. So what stands before it may hold no
    denial and no fixed word of the schema that the object does not give; behind it is nothing, or behind its fence one
    short courtesy that denies nothing and names no word of the schema; and the object must not occur in what the model
    was `shown` (I5).
    """
    if "".join(said.source.split()) in "".join(shown.split()):
        return False
    fields, fixed = _words(schema)
    before, after = _OPENED.sub("", said.before.strip()), _ENDS.sub("", said.after)
    behind = _CLOSED.sub("", after).strip()
    if behind and not (behind != after.strip() and len(behind) <= LONGEST_COURTESY and '"' not in behind):
        return False
    given = {_folded(str(value)) for value in _given(said.value)}
    return len(before) <= LONGEST_PROSE and _neutral(before, fixed - given) and _neutral(behind, fields | fixed)


def _neutral(text: str, words: frozenset[str]) -> bool:
    """Return whether a text holds no JSON, no denial and none of the folded `words`."""
    said = re.findall(r"[\w'’]+", text.casefold())
    return not (_JSON_SIGNS.search(text) or words & {_folded(word) for word in said}) and not any(
        word in NEGATION or word.replace("’", "'").endswith(CONTRACTED) for word in said
    )


def _given(value: Any) -> Iterator[Any]:
    """Yield every plain value."""
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _given(inner)
    else:
        yield value


def _words(schema: dict[str, Any]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of a schema's fields, and the words that it allows, folded."""
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", ()), schema.get("items", {})]
    found = [_words(part) for part in inner if part]
    fields = frozenset(map(_folded, schema.get("properties", ()))).union(*(names for names, _ in found))
    return fields, frozenset(_folded(str(word)) for word in schema.get("enum", ())).union(*(w for _, w in found))


def _decided(said: Value, schema: dict[str, Any], shown: str) -> None:
    """Raise `Unreadable` if an answer that decides is not certainly the model's own (see `own`), or if one of its
    fields may retract it."""
    if not own(said, schema, shown):
        raise Unreadable("the JSON object in it is quoted, or has words around it: give your own, and nothing else")
    known = {_folded(name) for name in schema["properties"]}
    if unasked := [key for key in said.value if _folded(key) not in known]:
        raise Unreadable(f"it has unexpected fields: {', '.join(key[:40] for key in unasked[:5])}")


def _validated(value: Any, shape: type[A]) -> A:
    return shape.model_validate_json(json.dumps(value))


def _said(error: ValidationError) -> str:
    faults = [f"{'.'.join(map(str, e['loc'])) or 'it'}: {e['msg']}" for e in error.errors(include_url=False)]
    return f"it does not fit the schema: {'; '.join(faults[:5])}"


def _answering(said: Value, shape: type[BaseModel], schema: dict[str, Any]) -> Value | None:
    """Return the value if it has the schema's fields: as an object, one level deeper, or as the schema's only list."""
    fields = {_folded(name) for name in schema["properties"]}
    value = said.value
    if isinstance(value, list):
        (name, inner), *others = schema["properties"].items()
        if others or inner.get("type") != "array" or inner["items"].get("type") != "object":
            return None
        items = [item for item in value if isinstance(item, dict)]
        known = {_folded(key) for key in inner["items"]["properties"]}
        if len(items) < len(value) or not all(known & {_folded(key) for key in item} for item in items):
            return None
        return replace(said, value={name: value})
    if not isinstance(value, dict):
        return None
    if fields & {_folded(key) for key in value}:
        return said
    if len(value) == 1:
        ((name, inner),) = value.items()
        if isinstance(inner, dict) and _folded(name) in {*_WRAPPED, _folded(shape.__name__)}:
            return _answering(replace(said, value=inner), shape, schema)
    return None


def _folded(name: str) -> str:
    return "".join(sign for sign in name.casefold() if sign.isalnum())


def _conforming(value: Any, schema: dict[str, Any], *, strict: bool) -> Any:
    """Return the value without fields that the schema does not know.

    With `strict`, for a repaired value, such a field raises `Unreadable`: it may be the end of a text that was cut in
    two.
    """
    if "anyOf" in schema:
        wanted = "object" if isinstance(value, dict) else "array" if isinstance(value, list) else ""
        part = next((s for s in schema["anyOf"] if wanted and s.get("type") == wanted), None)
        part = part or next((s for s in schema["anyOf"] if "enum" in s), None)
        return value if part is None else _conforming(value, part, strict=strict)
    if isinstance(value, dict) and "properties" in schema:
        names = {_folded(name): name for name in schema["properties"]}
        found: dict[str, Any] = {}
        for key, inner in value.items():
            name = names.get(_folded(key))
            if name is None:
                if strict:
                    raise Unreadable(f"it is no JSON: it is not certain what {key[:40]!r} belongs to")
                continue
            inner = _conforming(inner, schema["properties"][name], strict=strict)
            if name in found and found[name] != inner:
                raise Unreadable(f"it says {name!r} twice, and not the same")
            found[name] = inner
        return found
    if isinstance(value, list) and "items" in schema:
        return [_conforming(item, schema["items"], strict=strict) for item in value]
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        raise Unreadable(f"a text in it has {len(value):,} characters: say less")
    if isinstance(value, str) and "enum" in schema:
        plain = value.strip().casefold()
        return next((word for word in schema["enum"] if isinstance(word, str) and word.casefold() == plain), value)
    return value
