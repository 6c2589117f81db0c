"""A model server on loopback that answers every turn as it is asked to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.loopback.scripted import honest
from tests.loopback.server import Loopback, loopback


@pytest.fixture(scope="module")
def server() -> Iterator[Loopback]:
    """The server; a test may set its `script`."""
    with loopback(honest) as running:
        yield running
