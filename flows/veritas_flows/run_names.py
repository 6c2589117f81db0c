"""Names of flow runs: a name typed into the form stays; one that Prefect made up is replaced by a readable one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from typing import Any

from prefect.runtime import flow_run

_OF_THE_FORM = re.compile(
    "(?:Awesome|Rustic|Small|Gorgeous|Fantastic|Sleek|Intelligent|Unbranded|Refined|Licensed|Generic|Practical"
    "|Ergonomic|Handcrafted|Tasty|Handmade|Incredible)-[A-Z][A-Za-z ]{0,5}"
)
"""Names that the form of the Prefect UI fills in: a pattern of its bundle, Prefect 3.8."""


@cache
def _words() -> frozenset[str]:
    """Return the words of Prefect's own made-up names, such as `brave-otter`."""
    from coolname.data import config

    parts: dict[str, Any] = config
    return frozenset(word for part in parts.values() if part["type"] == "words" for word in part["words"])


def made_up(name: str) -> bool:
    """Return whether Prefect or its form made the name up, so that nobody chose it."""
    parts = name.split("-")
    return len(parts) == 2 and (_words().issuperset(parts) or _OF_THE_FORM.fullmatch(name) is not None)


def named(template: str) -> Callable[[], str]:
    """Return a `flow_run_name`: the typed name, else the template with the run's parameters filled in, such as `cite ·
    {claim}`, on one line and short enough for a list."""

    def name() -> str:
        given = flow_run.name
        if given and not made_up(given):
            return str(given)
        shown = {key: _shown(value) for key, value in flow_run.parameters.items()}
        return template.format_map(defaultdict(str, shown)).rstrip(" ·")

    return name


def _shown(value: object) -> str:
    text = "" if value is None else " ".join(str(value).split())
    return text if len(text) <= 80 else text[:79].rstrip() + "…"
