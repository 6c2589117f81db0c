"""Concurrency limits on the Prefect server: one a search provider, made before its first search.

A limit that does not exist is silently ignored by Prefect, so the flow itself makes them.
"""

from __future__ import annotations

from collections.abc import Iterable

from prefect.client.orchestration import get_client
from prefect.exceptions import ObjectNotFound

from veritas.search.provider import SearchProvider
from veritas_tasks.provider_slots import limit_name, slots


async def ensure_limits(providers: Iterable[SearchProvider]) -> None:
    """Create the missing limits; keep existing ones as set in the UI. A local provider has none."""
    async with get_client() as client:
        for provider in providers:
            limit = slots(provider)
            if limit is None:
                continue
            name = limit_name(provider.name)
            try:
                await client.read_global_concurrency_limit_by_name(name)
            except ObjectNotFound:
                await client.upsert_global_concurrency_limit_by_name(name, limit=limit)
