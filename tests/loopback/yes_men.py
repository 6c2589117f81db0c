"""A council of language models on loopback whose judges support everything."""

from __future__ import annotations

import json
from pathlib import Path

from tests.loopback.server import Asked, Loopback

YES = json.dumps({"rationale": "The passage says so.", "label": "supports", "score": 0.99})


def judging(asked: Asked) -> bool:
    """Whether a judge is asked."""
    return "You judge whether" in asked.messages[0]["content"]


def council(folder: Path, server: Loopback) -> Path:
    """Three members of three families on one server; two of them judge as well."""
    members = [
        {"name": name, "model": f"openai/{name}", "family": family, "base_url": server.url, "structured": "schema",
         "limits": {"timeout": 30, "retries": 0, "backoff": 0.01, "patience": 1}}
        for name, family in (("writer", "crimson"), ("green", "olive"), ("blue", "navy"))
    ]  # fmt: skip
    path = folder / "council.yaml"
    path.write_text(json.dumps({"members": members, "verifiers": ["green", "blue"], "writer": "writer"}))
    return path


