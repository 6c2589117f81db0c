"""Pages of a server in this process, as a browser asks for them; and a store with a run full of hostile text."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import veritas
from tests.server.conftest import Called
from tests.server.pages.pages import Page

HOSTILE = '</title><script>alert(1)</script><img src=x onerror=alert(2)> "\'><svg onload=alert(3)>'
Opened = Callable[..., Page]


@pytest.fixture
def browse(called: Called) -> Callable[..., Any]:
    """Makes a client that asks for pages, with the token of a kind of caller."""
    return lambda name="all": called(name, Accept="text/html")


@pytest.fixture
def opened(browse: Callable[..., Any]) -> Opened:
    """Opens a page as somebody who may do everything, or as another."""
    return lambda path, name="all": Page(browse(name).get(path))


@pytest.fixture(scope="session")
def hostile_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    row = {
        "id": "a<b>", "title": f"Pumps {HOSTILE}", "authors": [f"Ada {HOSTILE}"],
        "text": f"The Borealis pump {HOSTILE} moves 40 litres of water per minute.",
    }  # fmt: skip
    (folder / "bad.jsonl").write_text(json.dumps(row), encoding="utf-8")
    question = f"How much water does the Borealis pump move {HOSTILE}?"
    veritas.research(question, corpus=folder / "bad.jsonl", tier="quick", home=folder / "store")
    return folder / "store"


@pytest.fixture
def hostile(hostile_store: Path, own_home: Path) -> str:
    """The id of a run whose question and only source are hostile, in the test's own store."""
    shutil.copytree(hostile_store, own_home, dirs_exist_ok=True)
    (run,) = veritas.list_runs()
    return run.run_id
