"""JSON documents packed into bytes for the store, and unpacked unchanged."""

from __future__ import annotations

import json
import zlib
from typing import Any

from pydantic import BaseModel

from veritas.errors import InvariantBroken
from veritas.keys import withheld

_LEVEL = 1
"""Level of zlib, 1 to 9. A claim graph shrinks to a fifth; level 6 saves a seventh more and takes four times as long
(benchmarks/store.py)."""


def to_json(value: Any) -> Any:
    """Return a model as plain JSON values; anything else unchanged."""
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else value


def to_text(value: Any, what: str) -> str:
    """Return canonical JSON text that reads back equal, except for keys, which are removed. Raises InvariantBroken
    (I6), naming `what`, if JSON cannot represent it."""
    try:
        text = json.dumps(to_json(value), ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvariantBroken("I6", f"{what} cannot be stored so that it reads back the same: {error}") from error
    return withheld(text)


def pack(text: str) -> bytes:
    """Return compressed UTF-8. A lone surrogate, which a hostile page can contain, survives."""
    return zlib.compress(text.encode("utf-8", "surrogatepass"), _LEVEL)


def unpack(document: bytes) -> str:
    """Return the text that was packed. Raises `zlib.error` when the bytes are damaged."""
    return zlib.decompress(document).decode("utf-8", "surrogatepass")
