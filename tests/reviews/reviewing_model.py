"""A language model that writes reviews, worked out from the prompt alone; honest, or with a lie of each kind."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.loopback.scripted import _BLOCK, honest
from tests.loopback.server import Asked, Loopback, Reply

Claims = dict[str, str]
"""Id to quote."""
Writes = Callable[[Claims], list[dict[str, Any]]]


def claims_of(asked: Asked) -> Claims:
    """The claims a writer was shown."""
    found = {}
    for match in _BLOCK.finditer(asked.messages[1]["content"]):
        if match["label"].startswith("claim "):
            quote = match["text"].rpartition("quote: ")[2]
            found[match["label"].split(",")[0].split()[-1]] = " ".join(quote.split())
    return found


def said(text: str, *ids: str, kind: str = "claim") -> dict[str, Any]:
    """A sentence as the model answers it."""
    return {"text": text, "claim_ids": list(ids), "paragraph": 0, "kind": kind}


def faithful(claims: Claims) -> list[dict[str, Any]]:
    """Every quote in its own words, and a gap where there is none."""
    return [said(quote, name) for name, quote in claims.items()] or [said("[Citation needed: all of it]", kind="gap")]


def model(writes: Writes, revises: Callable[[str, Claims], dict[str, Any]] | None = None) -> Callable[[Asked], Reply]:
    """The script of a server: a writer and reviser; every other turn is answered honestly."""

    def script(asked: Asked) -> Reply:
        system = asked.messages[0]["content"]
        if "You write one section of a literature review" in system:
            return Reply(json.dumps({"sentences": writes(claims_of(asked))}))
        if "You correct one sentence of a literature review" in system:
            blocks = _BLOCK.finditer(asked.messages[1]["content"])
            sentence = next(m["text"] for m in blocks if m["label"] == "sentence")
            claims = claims_of(asked)
            made = revises(sentence, claims) if revises else said(next(iter(claims.values())), next(iter(claims)))
            return Reply(json.dumps({"sentence": made}))
        return honest(asked)

    return script


def council(folder: Path, server: Loopback, *, judges: tuple[str, ...] = ("olive", "navy")) -> Path:
    """A council whose writer is of the family crimson, with judges of other families on the same server."""
    lines = ["members:"]
    for name, family in (("writer", "crimson"), *((f"judge-{f}", f) for f in judges)):
        lines += [
            f"  - name: {name}",
            "    model: openai/gpt-5.4-mini",
            f"    family: {family}",
            f"    base_url: {server.url}",
            "    structured: schema",
            "    limits: {timeout: 20, retries: 0, backoff: 0.01, patience: 1}",
        ]
    verifiers = ", ".join(f"judge-{family}" for family in judges) or "writer"
    lines += [f"verifiers: [{verifiers}]", "writer: writer"]
    path = folder / "council.yaml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def number_in(text: str) -> str | None:
    """The first number of a text."""
    found = re.search(r"\d+(?:\.\d+)?", text)
    return found[0] if found else None
