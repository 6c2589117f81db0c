"""A model whose answers are paid for once (I9), and each of whose calls is in the claim graph."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Collection, Coroutine, Iterable, Sequence
from datetime import UTC, datetime
from time import perf_counter
from typing import Any, Literal

from pydantic import BaseModel

from veritas.claims.graph import Call
from veritas.council._asked_request import AskedRequest, request_of
from veritas.council.chat import ChatModel, Completion, Message
from veritas.council.failures import NotKnown, in_full
from veritas.council.spending import OverBudget, in_time, losses
from veritas.council.turn_calls import End, Hears, Next, is_known_only, replaced, who_asks
from veritas.errors import Unavailable, UnreadableAnswer
from veritas.event_loop import OfLoop
from veritas.frozen import content_hash, content_id
from veritas.policy.council_policy import ModelPolicy
from veritas.store.call_record import Spent, not_asked, record_all, record_call, record_entry, spending
from veritas.store.ledger import IN_PLACE_OF, Ledger, LedgerEntry, MemoryLedger, RunLedger


class LateLedger:
    """A ledger for calls before the run's store exists, and for processes that cannot see the store.

    Until `bind`, entries are kept in memory and returned with the outcome of the unit that needed them: only one
    process writes the run's file, and it stores them (I9).
    """

    def __init__(self) -> None:
        self._memory = MemoryLedger()
        self._told: set[str] = set()
        self._bound: Ledger | None = None
        self.inherited = False
        """True if it held answers before the run asked anybody: a parent's, or those from before a resumed run broke
        off."""

    def bind(self, ledger: Ledger) -> None:
        """Use `ledger` for all entries from here on."""
        self._bound = ledger
        self.inherited = isinstance(ledger, RunLedger) and bool(ledger.entries())

    def get(self, request_hash: str) -> LedgerEntry | None:
        """See `Ledger`."""
        if self._bound is not None:
            return self._bound.get(request_hash)
        entry = self._memory.get(request_hash)
        if entry is not None and request_hash not in self._told:
            record_entry(entry)  # it may have come with a try, or a unit, whose outcome never arrived
        return entry

    def put(self, entry: LedgerEntry) -> None:
        """See `Ledger`."""
        if self._bound is not None:
            self._bound.put(entry)
            return
        self._memory.put(entry)
        self._told.discard(entry.request_hash)  # what the run's ledger holds under it did not do
        record_entry(entry)

    def told(self, entries: Iterable[LedgerEntry]) -> None:
        """Add the entries of the run's ledger, in a process that cannot read it."""
        for entry in entries:
            self.inherited = True
            self._told.add(entry.request_hash)
            self._memory.put(entry)

    def known(self, models: Collection[str]) -> tuple[LedgerEntry, ...]:
        """Return the ledger's entries for some models, without the questions: for a process that cannot read the
        ledger."""
        if not isinstance(self._bound, RunLedger):
            return ()
        held = (entry for entry in self._bound.entries() if entry.model in models)
        return tuple(
            e.model_copy(update={"request": {"finish": _finish(e), "fits": e.fits, **_kept_first_word(_completion(e))}})
            for e in held
        )


def _taken_for(request: AskedRequest, first: str) -> str:
    return content_hash(["in place of", first, request.request_hash])


def _took(ledger: Ledger, request: AskedRequest) -> bool:
    """Return whether this ledger answer was given in the present turn, by the model whose turn it is or by its
    replacement.

    An answer that a model gave in its own turn does not count in another's turn.
    """
    first = replaced()
    return first is None or ledger.get(_taken_for(request, first)) is not None


def _takes(ledger: Ledger, request: AskedRequest, policy: ModelPolicy) -> None:
    """Record in the ledger that an answer was used in another model's turn; a replay uses it there again."""
    first = replaced()
    if first is None or ledger.get(marked := _taken_for(request, first)) is not None:
        return
    asks = who_asks()
    about = {IN_PLACE_OF: first, "request": request.request_hash, "turn": asks.turn, "stage": asks.stage}
    ledger.put(
        LedgerEntry(
            request_hash=marked, model=policy.model, prompt=asks.prompt, request=about, answer="", cost_usd=0.0,
            at=datetime.now(UTC),
        )
    )  # fmt: skip


class Ledgered:
    """A model that looks into the ledger before it asks, and stores each answer before it is used.

    An unusable answer stays in the ledger, because it was paid for. It is used again only if it led to a usable one;
    otherwise a later run asks again. One run asks once.
    """

    def __init__(self, inner: ChatModel, policy: ModelPolicy, ledger: Ledger) -> None:
        self._inner, self._policy, self._ledger = inner, policy, ledger
        self._asked: set[str] = set()

    async def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Completion:
        """See `ChatModel`."""
        request = request_of(self._policy, messages, schema)
        answer = await asyncio.to_thread(self._known, request, schema)
        if answer is not None and (not is_known_only() or await asyncio.to_thread(_took, self._ledger, request)):
            await asyncio.to_thread(_takes, self._ledger, request, self._policy)
            _report(request, self._policy, answer, from_ledger=True)
            return answer
        if is_known_only():
            raise NotKnown(f"{self._policy.name} was not asked this before")
        start, asks = perf_counter(), who_asks()
        with losses() as lost:
            try:
                asked = self._inner.complete(messages, schema=schema)
                answer = await in_time(asked, asks.stage)
            except Unavailable as problem:
                if lost or not isinstance(problem, OverBudget):
                    why, took = in_full(problem), perf_counter() - start
                    _report(request, self._policy, None, error=why, seconds=took, lost=lost)
                raise
        if lost and answer.cost_usd is not None:  # tries before this one that may have been billed
            answer = answer.model_copy(update={"cost_usd": answer.cost_usd + sum(lost)})
        self._asked.add(request.request_hash)
        entry = LedgerEntry(
            request_hash=request.request_hash,
            model=self._policy.model,
            prompt=asks.prompt,
            request={
                **request.model_dump(mode="json"),
                "asked_by": asks.who,
                "turn": asks.turn,
                "stage": asks.stage,
                "cuts": list(asks.cuts),
                "finish": answer.finish,
                "fits": _fits(answer),
                **_kept_first_word(answer),
            },
            answer=answer.text,
            input_tokens=answer.input_tokens,
            output_tokens=answer.output_tokens,
            cost_usd=answer.cost_usd,
            seconds=answer.seconds,
            at=datetime.now(UTC),
        )
        _report(request, self._policy, answer)  # first: whoever waits may be cut off, and it is paid for
        await _to_its_end(asyncio.to_thread(self._ledger.put, entry))
        await asyncio.to_thread(_takes, self._ledger, request, self._policy)
        return answer

    def _known(self, request: AskedRequest, schema: type[BaseModel] | None) -> Completion | None:
        """Return the ledger's answer if it is usable, or if the follow-up requests are in the ledger too and end with a
        usable one."""
        entry = self._ledger.get(request.request_hash)
        if entry is None:
            return None
        first = answer = _completion(entry)
        hears = who_asks().hears
        while hears is not None and request.request_hash not in self._asked:
            heard = _heard(hears, answer)
            if heard is not None and _does(heard):
                break
            if not isinstance(heard, Next):
                return None
            entry = self._ledger.get(request_of(self._policy, heard.asked, schema).request_hash)
            if entry is None:
                return None
            answer, hears = _completion(entry), heard.hear
        return first


async def _to_its_end(work: Coroutine[Any, Any, None]) -> None:
    """Await something that must complete even if the caller is cancelled."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.gather(task, return_exceptions=True)
        raise


class _UnderWay:
    """A question being asked. Its cost is recorded separately, because who asked first may be cancelled before the
    answer comes."""

    def __init__(self, asked: Coroutine[Any, Any, Completion]) -> None:
        self._spent: Spent | None = Spent()
        with spending(self._spent):
            self.task = asyncio.ensure_future(asked)

    def pays(self) -> bool:
        """Book the cost of the question to the first caller that received its result. Return whether this is it."""
        spent, self._spent = self._spent, None
        if spent is not None:
            record_all(spent)
        return spent is not None


class Once:
    """A model that asks equal questions once at a time: concurrent calls share the answer."""

    def __init__(self, inner: ChatModel, policy: ModelPolicy, ledger: Ledger) -> None:
        self._inner, self._policy, self._ledger = inner, policy, ledger
        self._under_way: OfLoop[dict[str, _UnderWay]] = OfLoop(dict)

    async def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Completion:
        """See `ChatModel`. Calls that waited get the same answer or error."""
        if is_known_only():
            return await self._inner.complete(messages, schema=schema)
        request = request_of(self._policy, messages, schema)
        key, under_way = request.request_hash, self._under_way.here()
        asked = under_way.get(key)
        if asked is None:
            asked = under_way[key] = _UnderWay(self._inner.complete(messages, schema=schema))
            asked.task.add_done_callback(functools.partial(_settled, under_way, key))
        try:
            answer = await asyncio.shield(asked.task)  # who waits along is not to fall with who asked first
        except Unavailable as problem:
            paid = asked.pays()
            if isinstance(problem, OverBudget):
                not_asked()
            elif not paid:
                _report(request, self._policy, None, error=in_full(problem))
            raise
        if not asked.pays():
            await asyncio.to_thread(_takes, self._ledger, request, self._policy)
            _report(request, self._policy, answer, from_ledger=True)
        return answer

    async def stop(self) -> None:
        """Cancel the open questions of this event loop."""
        left = [asked.task for asked in self._under_way.here().values()]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)


def _settled(under_way: dict[str, _UnderWay], key: str, done: asyncio.Task[Completion]) -> None:
    under_way.pop(key, None)
    if not done.cancelled():
        done.exception()  # seen, though everybody who waited may have gone


def _heard(hears: Hears, answer: Completion) -> Next | End | None:
    try:
        return hears(answer)
    except UnreadableAnswer:
        return None


def _does(heard: Next | End) -> bool:
    """Return whether an answer is usable, at least in part."""
    return heard.kept is not None if isinstance(heard, Next) else heard.fits


def _fits(answer: Completion) -> bool | None:
    """Return whether the present answer is usable; None if it is not checked."""
    hears = who_asks().hears
    if hears is None:
        return None
    heard = _heard(hears, answer)
    return heard is not None and _does(heard)


def _finish(entry: LedgerEntry) -> Literal["stop", "length"]:
    cut_off = isinstance(entry.request, dict) and entry.request.get("finish") == "length"
    return "length" if cut_off else "stop"


def _kept_first_word(answer: Completion) -> dict[str, Any]:
    return {"first_word": answer.first_word} if answer.first_word else {}


def _completion(entry: LedgerEntry) -> Completion:
    kept = entry.request if isinstance(entry.request, dict) else {}
    return Completion(
        text=entry.answer,
        finish=_finish(entry),
        first_word=kept.get("first_word", ()),
        input_tokens=entry.input_tokens,
        output_tokens=entry.output_tokens,
        cost_usd=entry.cost_usd,
        seconds=entry.seconds,
    )


def _report(
    request: AskedRequest,
    policy: ModelPolicy,
    answer: Completion | None,
    *,
    from_ledger: bool = False,
    error: str | None = None,
    seconds: float = 0.0,
    lost: Sequence[float] = (),
) -> None:
    """Record one row of the claim graph's calls. A call that failed costs what it may have been billed for (`lost`)."""
    asks = who_asks()
    record_call(
        Call(
            call_id=content_id("k", asks.stage, asks.who, asks.turn, request.request_hash),
            request_hash=request.request_hash,
            stage=asks.stage,
            who=asks.who,
            model=policy.model,
            turn=asks.turn,
            input_tokens=answer.input_tokens if answer else 0,
            output_tokens=answer.output_tokens if answer else 0,
            cost_usd=answer.cost_usd if answer else sum(lost),
            seconds=answer.seconds if answer else round(seconds, 6),
            from_ledger=from_ledger,
            error=error,
            cuts=asks.cuts,
        )
    )
