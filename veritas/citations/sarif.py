"""Findings as SARIF 2.1.0, which code hosts show beside the line they are about."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from veritas.version import __version__

Place = tuple[str, int, int]
"""Path with forward slashes relative to the root, line and column from 1."""


def sarif(command: str, rules: Mapping[str, str], results: Iterable[tuple[str, str, str, Place]]) -> str:
    """Return a run of `veritas <command>`. A result is rule, level (`error`, `warning`, `note`), message and place."""
    listed = list(rules)
    return json.dumps(
        {
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [
                {
                    "tool": {
                        "driver": {
                            "name": f"veritas {command}",
                            "version": __version__,
                            "rules": [
                                {"id": f"veritas/{rule}", "shortDescription": {"text": rules[rule]}} for rule in listed
                            ],
                        }
                    },
                    "columnKind": "unicodeCodePoints",
                    "results": [_result(listed, *result) for result in results],
                }
            ],
        },
        indent=1,
    )


def _uri(path: str) -> str:
    """Return a relative path as code hosts want it; for a file outside the current folder, its whole URI."""
    if not os.path.isabs(path):
        return quote(path, safe="/")
    whole, here = Path(path), Path.cwd()
    return quote(whole.relative_to(here).as_posix(), safe="/") if whole.is_relative_to(here) else whole.as_uri()


def _result(rules: list[str], rule: str, level: str, message: str, place: Place) -> dict[str, Any]:
    path, line, column = place
    return {
        "ruleId": f"veritas/{rule}",
        "ruleIndex": rules.index(rule),
        "level": level,
        "message": {"text": message},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": _uri(path)},
                    "region": {"startLine": max(1, line), "startColumn": max(1, column)},
                }
            }
        ],
    }
