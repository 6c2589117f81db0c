"""A home that lies beside the documents which a test reads, not above them."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """`VERITAS_HOME` in a folder of its own."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("VERITAS_HOME", str(folder))
    return folder
