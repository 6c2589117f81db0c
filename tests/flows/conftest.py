"""One temporary Prefect server for all flow tests, and a small corpus."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pumps import write_corpus


@pytest.fixture(scope="session")
def prefect_server() -> Iterator[None]:
    from prefect.testing.utilities import prefect_test_harness

    with prefect_test_harness(server_startup_timeout=120):
        yield


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The path of the corpus of pumps."""
    return write_corpus(tmp_path_factory.mktemp("corpus"))
