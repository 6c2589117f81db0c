"""The claim graph as JSON: all of it, the same bytes for the same graph (section VIII: the output contract)."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from veritas.claims.graph import ClaimGraph

_SURROGATES = re.compile("[\ud800-\udfff]")


def render_json(graph: ClaimGraph) -> str:
    """Return the whole graph, indented; keys in the schema's order, `run.settings` sorted. Ends in a newline."""
    return json_text(_plain(graph), indent=2) + "\n"


def embedded_json(graph: ClaimGraph) -> str:
    """Return the graph on one line for a `<script type="application/json">`: no character in it can end the element."""
    return in_a_page(_plain(graph))


def in_a_page(plain: Any) -> str:
    """Return JSON data on one line for a `<script type="application/json">`: no character in it can end the element."""
    text = json_text(plain, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _plain(graph: ClaimGraph) -> dict[str, Any]:
    plain = graph.model_dump(mode="json")
    plain["run"]["settings"] = json.loads(json.dumps(_sayable(plain["run"]["settings"]), sort_keys=True))
    return plain


def json_text(plain: Any, **layout: Any) -> str:
    """Return JSON data as text: NaN and infinity become null, half a surrogate pair its escape."""
    text = json.dumps(_sayable(plain), ensure_ascii=False, allow_nan=False, **layout)
    # Half a surrogate pair is a character of nothing: no file can hold it, but JSON can name it.
    return _SURROGATES.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def _sayable(value: Any) -> Any:
    """Replace NaN and infinity by null."""
    if isinstance(value, dict):
        return {key: _sayable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_sayable(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
