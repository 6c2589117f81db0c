"""A whole bibliography: every entry gets its verdict, at the pace that the registries allow."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.entry_verdict import Judged, judge
from veritas.citations.bibliography.registry_evidence import gather
from veritas.policy.triangulation_policy import TriangulationPolicy, load_triangulation_policy
from veritas.registries.all_registries import Registries
from veritas.registries.scholarly_source import identifiers_of

AT_ONCE = 8
"""Entries under way at once. Each registry is still asked one thing at a time."""


async def verify(
    entries: Sequence[Entry],
    registries: Registries,
    *,
    policy: TriangulationPolicy | None = None,
    done: Callable[[Judged], None] = lambda judged: None,
    looking_ahead: Callable[[int], None] = lambda identifiers: None,
) -> list[Judged]:
    """One verdict an entry, in the order of the entries; `done` hears of each as soon as it is known, and
    `looking_ahead` before that how many identifiers are asked for together.

    Identifiers are asked for many at a time where a registry takes them so, then what is still open one by one. Every
    answer is kept as it comes, so a run that is cut off goes on where it was when it is started again.
    """
    settings = registries.policy.bib
    rules = policy or load_triangulation_policy()
    gate = asyncio.Semaphore(AT_ONCE)
    identifiers = list(dict.fromkeys(each for entry in entries for each in identifiers_of(entry.record)))
    if len(identifiers) > 1:
        looking_ahead(len(identifiers))
        await registries.look_ahead(identifiers)

    async def one(entry: Entry) -> Judged:
        async with gate:
            judged = judge(await gather(entry, registries, rules), settings, rules)
        done(judged)
        return judged

    return list(await asyncio.gather(*(one(entry) for entry in entries)))
