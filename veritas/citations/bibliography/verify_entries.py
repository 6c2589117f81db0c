"""Verification of a whole bibliography, entry by entry, at the pace that the registries allow."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from veritas.citations.bibliography._registry_evidence import gather
from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.entry_forms import names_people
from veritas.citations.bibliography.entry_verdict import Judged, Verdict, with_page
from veritas.citations.bibliography.judging import judge
from veritas.citations.bibliography.linked_page import read_linked
from veritas.citations.bibliography.ruling import rule
from veritas.policy.reference_profile import ReferenceProfile, load_profile
from veritas.policy.triangulation_policy import TriangulationPolicy, load_triangulation_policy
from veritas.reading.reader import Reader
from veritas.registries.all_registries import Registries
from veritas.registries.scholarly_source import identifiers_of

AT_ONCE = 8
"""Limit of entries under way at once. Each registry is still asked one thing at a time."""


async def verify(
    entries: Sequence[Entry],
    registries: Registries,
    *,
    policy: TriangulationPolicy | None = None,
    profile: ReferenceProfile | None = None,
    reader: Reader | None = None,
    done: Callable[[Judged], None] = lambda judged: None,
    looking_ahead: Callable[[int], None] = lambda identifiers: None,
) -> list[Judged]:
    """Return one verdict an entry, in the order of the entries.

    `done` is called with each as soon as it is known, `looking_ahead` before that with the number of identifiers asked
    for together. `profile` rules on each verdict (`lenient` by default); if it wants pages and there is a `reader`, the
    pages that unconfirmed entries link are read. Identifiers are asked for many at a time where a registry takes them
    so, then the open ones one by one. Every answer is kept as it comes, so an interrupted run is resumed when it is
    started again.
    """
    settings = registries.policy.bib
    rules = policy or load_triangulation_policy()
    ruled = profile or load_profile()
    sure = "cannot_confirm" in ruled.refuse
    gate = asyncio.Semaphore(AT_ONCE)
    identifiers = list(dict.fromkeys(each for entry in entries for each in identifiers_of(entry.record)))
    if len(identifiers) > 1:
        looking_ahead(len(identifiers))
        await registries.look_ahead(identifiers)

    async def one(entry: Entry) -> Judged:
        async with gate:
            judged = judge(await gather(entry, registries, rules, sure_of_venue=sure), settings, rules)
            if reader is not None and ruled.pages and _needs_its_page(judged, ruled):
                page = await read_linked(entry, reader)
                judged = with_page(judged, page) if page else judged
        judged = judged.model_copy(update={"ruling": rule(judged, ruled)})
        done(judged)
        return judged

    return list(await asyncio.gather(*(one(entry) for entry in entries)))


def _needs_its_page(judged: Judged, profile: ReferenceProfile) -> bool:
    """Return whether only a page can confirm an entry: the registries do not have it, and the profile wants it sure."""
    if judged.verdict is not Verdict.CANNOT_CONFIRM:
        return False
    return "cannot_confirm" in profile.refuse or names_people(judged.entry)
