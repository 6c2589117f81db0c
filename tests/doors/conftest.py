"""One store for all use cases: each is asked through every door."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.doors.world import World, make_world


@pytest.fixture(scope="package")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with pytest.MonkeyPatch.context() as patch:
        yield make_world(tmp_path_factory.mktemp("doors"), patch)


@pytest.fixture(autouse=True)
def own_home(world: World, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The store of all of them, in place of one of the test's own."""
    monkeypatch.setenv("VERITAS_HOME", str(world.home))
    return world.home
