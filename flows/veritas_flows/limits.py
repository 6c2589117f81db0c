"""Limits on the Prefect server: slots of search providers, made before their first search; runs of a pool."""

from __future__ import annotations

from collections.abc import Iterable

from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import WorkPoolUpdate
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


async def limit_runs(pool: str, at_once: int) -> dict[str, int | None]:
    """Limit the pool to `at_once` runs at a time, unless it has a limit, which somebody chose.

    Returns its limit, None if there is no such pool, because the deployment uses another. The limit is the pool's and
    not each deployment's: a deployment's slot is a lease, a run that pauses for a person loses it, and Prefect ends a
    run that cannot renew its lease.
    """
    async with get_client() as client:
        try:
            limit = (await client.read_work_pool(pool)).concurrency_limit
        except ObjectNotFound:
            return {"limit": None}
        if limit is None:
            await client.update_work_pool(pool, WorkPoolUpdate(concurrency_limit=at_once))
        return {"limit": at_once if limit is None else limit}
