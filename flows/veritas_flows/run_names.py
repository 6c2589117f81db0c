"""Names of flow runs, and keys of artifacts, made of what is asked."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable

from prefect.runtime import flow_run

from veritas.frozen import content_hash


def named(template: str) -> Callable[[], str]:
    """Return a `flow_run_name`: the template with the run's parameters filled in, such as `cite · {claim}`, on one line
    and short enough for a list."""

    def name() -> str:
        shown = {key: _shown(value) for key, value in flow_run.parameters.items()}
        return template.format_map(defaultdict(str, shown)).rstrip(" ·")

    return name


def key_part(text: str) -> str:
    """Return the end of an artifact's key for `text`, so that what belongs to one thing is one history: lower-case
    letters, digits and hyphens."""
    return "-".join([*re.findall(r"[a-z0-9]+", text.lower())[:8], content_hash([text])[:8]])[-80:].lstrip("-")


def _shown(value: object) -> str:
    text = "" if value is None else " ".join(str(value).split())
    return text if len(text) <= 80 else text[:79].rstrip() + "…"
