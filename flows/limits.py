"""Concurrency limits on the Prefect server: one a search provider, made before they are asked for."""

from __future__ import annotations

from collections.abc import Iterable

from prefect.client.orchestration import get_client
from prefect.exceptions import ObjectNotFound

from tasks.research import limit_name

DEFAULT = 4
"""Searches a provider serves at the same time over all runs of a server; a person may change it in the UI."""


async def ensure_limits(providers: Iterable[str]) -> None:
    """Creates the limits that are missing and leaves those that are there as somebody set them."""
    async with get_client() as client:
        for provider in sorted(set(providers)):
            name = limit_name(provider)
            try:
                await client.read_global_concurrency_limit_by_name(name)
            except ObjectNotFound:
                await client.upsert_global_concurrency_limit_by_name(name, limit=DEFAULT)
