"""A check of the registries' contracts: one line a question, and one JSON document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veritas.registries.contract import Checked
from veritas.text.printable import printable


def as_json(checked: Sequence[Checked]) -> dict[str, Any]:
    """Return the document of `veritas audit --contract --json`."""
    return {
        "ok": all(each.status == "ok" for each in checked),
        "broken": sorted({each.source for each in checked if each.status == "broken"}),
        "unavailable": sorted({each.source for each in checked if each.status == "unavailable"}),
        "checks": [each.model_dump() for each in checked],
    }


def line(checked: Checked) -> str:
    """Return a check in one line, without control characters."""
    said = f"{checked.source}: {checked.what}: {checked.status}" + (f": {checked.message}" if checked.message else "")
    return printable(said)
