"""The searches of one unit: asked at the same time, moved to a spare if not answered, given up if late."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from time import monotonic
from typing import Any, TypeVar

from veritas.answers._web_recording import TapedProvider
from veritas.answers.runtime import Runtime
from veritas.claims.graph import Binding, Event, EventKind, SubQuery
from veritas.claims.sources import Search
from veritas.errors import Unavailable
from veritas.frozen import Frozen
from veritas.search.provider import SearchHit

T = TypeVar("T")

Asked = tuple[Search, Sequence[SearchHit]]
"""A search as it is recorded, and its hits."""

SOON = 3.0
"""Seconds after which the other searches' hits are read, though one is still under way."""
LATE = 6.0
"""Seconds that a search may take in any case; after that it is waited for only while other units search and read."""
GRACE = 2.0
"""Seconds more that a late search gets: a unit that had to wait for its turn has only just asked."""
NOTHING = 10.0
"""Seconds after which a spare is asked beside the running searches, if none has found anything. A spare may cost money,
so a machine that is merely busy should not come to it."""


class ResearchUnit(Frozen):
    """One member's research of one sub-query: the searches it is bound to, and the providers that take over from those
    that give no answer, in their order."""

    member: str
    sub_query: SubQuery
    bindings: tuple[Binding, ...]
    spares: tuple[str, ...] = ()


class Searches:
    """The searches of a unit. `events` record the searches without an answer."""

    def __init__(
        self, unit: ResearchUnit, runtime: Runtime, ask: Callable[[Binding], Coroutine[Any, Any, Asked]]
    ) -> None:
        self.unit, self.runtime, self._ask = unit, runtime, ask
        self._made: dict[Binding, Search] = {}
        self.events: list[Event] = []
        self._found: dict[int, Sequence[SearchHit]] = {}
        self._slow: dict[Binding, asyncio.Task[Asked]] = {}
        self._places: dict[Binding, int] = {}
        self._begun, self._enough = monotonic(), asyncio.Event()
        # A recording waits for every search: its replay could not tell which were late. A search on this machine has
        # no pace, and is late only if the machine is busy.
        bound = [runtime.providers[b.provider] for b in unit.bindings]
        local = all(getattr(provider, "at_once", 1) is None for provider in bound)
        self._soon = None if local or any(isinstance(provider, TapedProvider) for provider in bound) else SOON

    @property
    def made(self) -> tuple[Search, ...]:
        """The finished searches, in the order in which they were begun."""
        return tuple(search for _, search in sorted(self._made.items(), key=lambda one: self._places[one[0]]))

    def places(self) -> dict[str, tuple[int, int, int]]:
        """Return for each URL where it was found first: slot, place of the search, rank there."""
        found: dict[str, tuple[int, int, int]] = {}
        for binding, search in self._made.items():
            for hit in search.hits:
                place = (binding.slot, self._places[binding], hit.rank)
                found[hit.url] = min(place, found.get(hit.url, place))
        return found

    async def answered(self) -> list[Sequence[SearchHit]]:
        """Return the hits of every search, in the order of the slots.

        A search without an answer moves on to the next spare: no provider is asked twice for one member and sub-query.
        One that is left without a spare is recorded. A search unanswered after `SOON` is left to `late`, unless nothing
        was found so far.
        """
        spares = iter(self.unit.spares)
        given_up: dict[int, list[str]] = {}
        waiting, since = list(self.unit.bindings), monotonic()
        while waiting or self._slow:
            if waiting:
                begun = {binding: asyncio.create_task(self._ask(binding)) for binding in waiting}
                self._places.update((binding, len(self._places)) for binding in begun)
                self._slow.update(begun)  # until it is seen that they are not
                since = monotonic()
                await asyncio.wait(begun.values(), timeout=self._soon)
            else:
                left = max(0.05, since + NOTHING - monotonic())
                await asyncio.wait(self._slow.values(), timeout=left, return_when=asyncio.FIRST_COMPLETED)
            waiting = self._settled(spares, given_up)
            if waiting:
                continue
            if any(self._found.values()):
                break
            if self._slow and monotonic() - since >= NOTHING and (spare := next(spares, None)):
                slow = next(iter(self._slow))
                given_up.setdefault(slow.slot, []).append(f"{slow.provider}, which has not answered yet")
                waiting = [slow.model_copy(update={"provider": spare})]
        return [self._found[slot] for slot in sorted(self._found)]

    def _settled(self, spares: Iterator[str], given_up: dict[int, list[str]]) -> list[Binding]:
        """Take in the finished searches; return the spares to ask in place of those that failed. `given_up` names, by
        slot, the providers asked before."""
        moved: list[Binding] = []
        for binding in [binding for binding, task in self._slow.items() if task.done()]:
            search, hits = self._slow.pop(binding).result()
            self._made[binding] = search
            before = given_up.setdefault(binding.slot, [])
            if search.unavailable is None:
                # A late search may answer after all, beside the spare that was asked in its place.
                self._found[binding.slot] = [*self._found.get(binding.slot, ()), *hits]
                others = [name for name in before if name.partition(",")[0] != binding.provider]
                if others:
                    told = f"carried out by {binding.provider} in place of {', '.join(others)}"
                    self._say("search-moved", search.search_id, told)
                continue
            before.append(binding.provider)
            spare = next(spares, None)
            then = f"{spare} is asked in its place" if spare else "no other provider is left to ask"
            why = f"{binding.provider}: {search.unavailable}; {then}"
            self._say("search-unavailable", search.search_id, why)
            if spare is not None:
                moved.append(binding.model_copy(update={"provider": spare}))
        return moved

    async def late(self) -> list[Sequence[SearchHit]]:
        """Return the hits of the searches that answer while other units are still at work, or within `LATE`.

        The others are given up, with a row: no slow or silent provider holds a stage up.
        """
        while not all(task.done() for task in self._slow.values()):
            if monotonic() - self._begun > LATE and self.runtime.searching.over(GRACE):
                self._enough.set()
            await asyncio.wait(self._slow.values(), timeout=0.05)
        answers = [(binding, task.result()) for binding, task in self._slow.items()]
        self._slow.clear()
        for binding, (search, _) in answers:
            self._made[binding] = search
            if search.unavailable is not None:
                why = f"{binding.provider}: {search.unavailable}; by then it was too late to ask another provider"
                self._say("search-unavailable", search.search_id, why)
        return [hits for _, (search, hits) in answers if search.unavailable is None]

    def stop(self) -> None:
        """End all running searches when the unit is cut off."""
        for task in self._slow.values():
            task.cancel()

    async def in_time(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Return the answer of `ask`. Raises `Unavailable` once nobody waits for it any more."""
        task, given_up = asyncio.ensure_future(ask()), asyncio.create_task(self._enough.wait())
        try:
            await asyncio.wait({task, given_up}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            raise Unavailable(f"too slow: it had not answered after {monotonic() - self._begun:.0f} s, when all else "
                              "was found and read")  # fmt: skip
        finally:
            task.cancel()
            given_up.cancel()
            await asyncio.gather(task, given_up, return_exceptions=True)

    def _say(self, kind: EventKind, subject: str, reason: str) -> None:
        member = self.unit.member
        self.events.append(Event(stage="research", kind=kind, subject_id=subject, reason=reason, member=member))
