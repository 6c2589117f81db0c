"""A project with documents and a client of the SDK on the server, in process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from tests.pumps import write_corpus
from veritas.server.mcp.app import make_server
from veritas.server.mcp.tools import Roots, Served
from veritas.server.settings import Settings, named_roots


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder that clients may name files in, beside one that they may not."""
    (tmp_path / "secret.md").write_text("The Borealis pump was built in a secret place.\n", encoding="utf-8")
    folder = tmp_path / "project"
    folder.mkdir()
    write_corpus(folder)
    return folder


@pytest.fixture
def served(project: Path) -> Served:
    settings = Settings(home=project.parent / "veritas-home", roots=named_roots([project]))
    return Served(roots=Roots(settings, absolute=True), offline=True)


class Connecting:
    """A client that connects anew for every call: a fixture may not stay in the task group of a connection."""

    def __init__(self, served: Served) -> None:
        self._server = make_server(served)

    def __getattr__(self, name: str) -> Any:
        async def call(*args: Any, **kwargs: Any) -> Any:
            async with Client(self._server, raise_exceptions=True) as client:
                return await getattr(client, name)(*args, **kwargs)

        return call


@pytest.fixture
def client(served: Served) -> Connecting:
    return Connecting(served)
