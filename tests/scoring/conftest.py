"""Finds the shared data for the tests of this folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def golden() -> Callable[[str], list[dict[str, Any]]]:
    """The rows of a golden file, skipping the test where the shared data is absent."""
    folder = Path(__file__).resolve().parents[2] / ".." / "shared" / "golden"

    def rows(name: str) -> list[dict[str, Any]]:
        path = folder / name
        if not path.is_file():
            pytest.skip(f"no shared data at {folder}")
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    return rows
