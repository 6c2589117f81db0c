"""How a JSON document becomes bytes in the store and comes back the same."""

from __future__ import annotations

import json
import zlib
from typing import Any

from pydantic import BaseModel

from veritas.errors import InvariantBroken

_LEVEL = 3
"""Of zlib's levels 1 to 9. Level 6 takes three times as long for a tenth less (benchmarks/store.py)."""


def to_json(value: Any) -> Any:
    """A model as plain JSON values; anything else unchanged."""
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else value


def to_text(value: Any, what: str) -> str:
    """JSON text that reads back equal. Raises InvariantBroken (I6) for what JSON cannot hold, naming `what`."""
    try:
        return json.dumps(to_json(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvariantBroken("I6", f"{what} cannot be stored so that it reads back the same: {error}") from error


def pack(text: str) -> bytes:
    """Compressed UTF-8. A lone surrogate, which a hostile page can plant, survives."""
    return zlib.compress(text.encode("utf-8", "surrogatepass"), _LEVEL)


def unpack(document: bytes) -> str:
    """The text that was packed. Raises `zlib.error` when the bytes are damaged."""
    return zlib.decompress(document).decode("utf-8", "surrogatepass")
