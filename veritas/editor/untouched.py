"""`veritas guard` for a shell command that names no page: answered before anything else is imported, since agents call
the hook for every `ls`."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Sequence

PAGES = r"\.(?:md|markdown|mdx|qmd|rmd|tex|ltx|rnw|rst|bib|ipynb|ris)"
"""Pattern of the endings of files whose citations are read."""
_PAGE = re.compile(PAGES.encode(), re.IGNORECASE)
_PATCH = re.compile(rb"@@|\*\*\* |diff -|\*{15}|\\u00")
"""Signs of a patch; and of a letter written as a number, behind which any of these may be."""
_MOST = 1_000_000


def answer_untouched(arguments: Sequence[str]) -> bool:
    """Answer a hook whose tool runs a shell command that can write no page, and return True; else leave standard input
    to be read again, and return False."""
    agent = arguments[1] if len(arguments) == 2 and arguments[0] == "--hook" else arguments[0] if arguments else ""
    agent = agent.removeprefix("--hook=")
    if agent not in ("claude-code", "codex", "cursor", "gemini-cli", "copilot"):
        return False
    data = sys.stdin.buffer.read()
    if len(data) <= _MOST and not _PAGE.search(data) and not _PATCH.search(data) and _is_command(data):
        print(json.dumps({"permission": "allow"} if agent == "cursor" else {}))
        return True
    sys.stdin = io.TextIOWrapper(io.BytesIO(data), "utf-8", "replace")
    return False


def _is_command(data: bytes) -> bool:
    """Return whether a hook's JSON gives its tool a command and no other text."""
    try:
        given = json.loads(data)
    except (ValueError, RecursionError):
        return False
    inner = given.get("tool_input") if isinstance(given, dict) else None
    if not isinstance(inner, dict) or "toolArgs" in given or "toolInput" in given:
        return False
    said = {name for name, value in inner.items() if not isinstance(value, bool | int | float)}
    return isinstance(inner.get("command"), str) and said <= {"command", "description"}
