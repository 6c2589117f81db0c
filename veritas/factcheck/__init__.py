"""Check what others wrote, statement by statement: which statements a text makes and which sources they lean on.

Names are loaded on first use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from veritas.factcheck.shapes import CheckedText, Citation, Quotation, SourceEntry, Statement
    from veritas.factcheck.text_reading import read_bytes, read_conversation, read_text

_HOMES = {
    "CheckedText": "veritas.factcheck.shapes",
    "Citation": "veritas.factcheck.shapes",
    "Quotation": "veritas.factcheck.shapes",
    "SourceEntry": "veritas.factcheck.shapes",
    "Statement": "veritas.factcheck.shapes",
    "read_bytes": "veritas.factcheck.text_reading",
    "read_conversation": "veritas.factcheck.text_reading",
    "read_text": "veritas.factcheck.text_reading",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


__all__ = [
    "CheckedText", "Citation", "Quotation", "SourceEntry", "Statement", "read_bytes", "read_conversation", "read_text",
]  # fmt: skip
