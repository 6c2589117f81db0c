"""Runs in stages: each output is stored whole before the next stage begins, or taken from the store.

The run writes its steps into its journal and checks its cancel mark, so that other processes can watch and stop a run
whose file is locked. Answers that an earlier process of the run paid for in an interrupted stage count once in this run
(I9).
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from time import perf_counter
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from pydantic import BaseModel

from veritas.approvals.approval import Approval
from veritas.approvals.person import Person
from veritas.claims.graph import STAGES, Call, StageName
from veritas.council.spending import OverBudget, within_budget
from veritas.engine.budget import Spending
from veritas.engine.current_run import CurrentRun, under_way, unless_stopped
from veritas.engine.kind import Kind
from veritas.engine.progress import Progress, Shown, Silent
from veritas.engine.stored_runs import Parent, unchanged
from veritas.engine.units import Step, Work, in_process
from veritas.errors import Cancelled, InputError, StoreUnavailable, Unavailable
from veritas.frozen import content_hash, content_id
from veritas.long_waits import told_of_waits
from veritas.policy.cost_tiers import Budget
from veritas.store.call_record import Outcome, collecting_calls, record_call
from veritas.store.ledger import IN_PLACE_OF, LedgerEntry
from veritas.store.run_file import RunStore
from veritas.tracing import call_spans, stage_span


class PaidBefore:
    """The answers in a run's own ledger that belong to no recorded call yet."""

    def __init__(self, entries: Iterable[LedgerEntry]) -> None:
        self._left: dict[str, list[LedgerEntry]] = {}
        for entry in entries:
            if _of(entry, IN_PLACE_OF) is not None:
                continue  # no call: the entry says who took a turn
            self._left.setdefault(_asked(entry), []).append(entry)

    def accounted(self, calls: Iterable[Call]) -> None:
        """Leave out the answers to the calls of a stored stage."""
        for call in calls:
            if not call.from_ledger:
                self._taken(call.request_hash)

    def claimed(self, calls: Iterable[Call]) -> tuple[Call, ...]:
        """Return the calls, marked as paid if this run had paid for the answer itself."""
        return tuple(
            call.model_copy(update={"from_ledger": False}) if call.from_ledger and self._taken(call.request_hash)
            else call
            for call in calls
        )  # fmt: skip

    def calls(self, stage: StageName) -> list[Call]:
        """Return the remaining answers as calls; `stage` is used if the ledger names none."""
        return [_call(entry, stage) for entries in self._left.values() for entry in entries]

    def unclaimed(self, stage: StageName) -> list[Call]:
        """Return the remaining answers as calls, once: those that were not asked for again when the stage was repeated.
        """
        made, self._left = self.calls(stage), {}
        return sorted(made, key=lambda call: call.call_id)

    def _taken(self, request_hash: str) -> bool:
        entries = self._left.get(request_hash)
        if not entries:
            return False
        entries.pop()
        return True


def _asked(entry: LedgerEntry) -> str:
    """Return the hash under which the entry's call stands in the claim graph."""
    return str(_of(entry, "call") or entry.request_hash)


def _of(entry: LedgerEntry, key: str) -> object:
    return entry.request.get(key) if isinstance(entry.request, dict) else None


def _call(entry: LedgerEntry, stage: StageName) -> Call:
    who, turn = str(_of(entry, "asked_by") or entry.model), str(_of(entry, "turn") or entry.prompt)
    told = _of(entry, "stage")
    known: StageName = next((name for name in STAGES if name == told), stage)
    searched = _of(entry, "call") is not None
    return Call(
        call_id=content_id("k", known, who, turn, entry.request_hash),
        request_hash=_asked(entry),
        stage=known,
        who=who,
        model=None if searched else entry.model,
        turn=turn,
        input_tokens=entry.input_tokens,
        output_tokens=entry.output_tokens,
        cost_usd=entry.cost_usd,
        seconds=entry.seconds,
    )


M = TypeVar("M", bound=BaseModel)
T = TypeVar("T")

Around = Callable[[str, Callable[[], Awaitable[Any]]], Awaitable[Any]]
"""A function that carries out a stage: a plain call, or a task of an orchestrator around it."""


async def plain(stage: str, work: Callable[[], Awaitable[Any]]) -> Any:
    """Carry out the stage without an orchestrator (an `Around`)."""
    return await work()


class Waiting(InputError):
    """The run waits for a person's decision about a case. Nothing failed."""

    def __init__(self, run_id: str, approval_id: str, why: str) -> None:
        super().__init__(why)
        self.run_id, self.approval_id = run_id, approval_id


class Timing(NamedTuple):
    """The seconds a stage took, and whether its output came from the store."""

    stage: str
    seconds: float
    from_store: bool


class StagedRun(ABC, Generic[T]):
    """A run. A product names its stages (`kind`) and calls `stage` for each, in order, in `stages`."""

    kind: ClassVar[Kind]

    def __init__(
        self,
        store: RunStore,
        inputs: Any,
        *,
        work: Work = in_process,
        spending: Spending | None = None,
        parent: Parent | None = None,
        progress: Progress | None = None,
        person: Person | None = None,
        around: Around = plain,
    ) -> None:
        """Open a run.

        `inputs` are all JSON values that the first stage depends on; `spending` is without limits by default; `parent`
        is the run that a replay takes over; the run waits for `person` if the gate could not decide.
        """
        self.store, self.parent, self.progress, self.around = store, parent, progress or Silent(), around
        self.person: Person | None = _Announced(person, self) if person is not None else None
        self._inner = work
        self._hash = content_hash(inputs)
        """Hash of everything that the next stage depends on."""
        self._current = CurrentRun(store.cancel_asked, self._unit_done)
        self.spending = spending or Spending(Budget())
        self.paid_before = PaidBefore(store.ledger.own_entries())
        self.refused: dict[str, Mapping[str, int]] = {}
        """Calls that the budget did not allow, by stage and by the limit that had no room; "" if it is not known."""
        self.calls: list[Call] = []
        self.timings: list[Timing] = []

    @abstractmethod
    async def stages(self) -> T:
        """Carry out all stages, and return their result."""

    def status(self, made: T) -> str:
        """Return the journal's status of a run that came to its end."""
        return "finished"

    def adapt(self, stage: str, output: Any) -> Any:
        """Return a parent's output (JSON values in the present format) as this run takes it over."""
        return output

    # -- the whole ----------------------------------------------------------------------------------------------------

    async def run(self) -> T:
        """Execute all stages. Raises `Cancelled` if the user asks for it; the run can then be resumed."""
        self.spending.stopping = self._current.stopping
        self._loop = asyncio.get_running_loop()
        try:
            with under_way(self._current), within_budget(self.spending), told_of_waits(self._waits):
                made = await self.stages()
        except (Cancelled, asyncio.CancelledError, KeyboardInterrupt):
            self.write("cancelled")
            raise
        except Waiting as problem:
            self.write("waiting", approvals=[problem.approval_id])
            raise
        except Exception as problem:
            self.write("failed", error=type(problem).__name__, words=str(problem))
            raise
        self.write("ended", status=self.status(made))
        return made

    def write(self, event: str, **fields: Any) -> None:
        """Write an event into the run's journal."""
        self.store.note(event, **fields)

    def degraded(self, reasons: Sequence[str]) -> None:
        """Write into the journal which members, providers or judges are missing."""
        for reason in reasons:
            self.write("degraded", reason=reason)

    def _waits(self, text: str) -> None:
        """Report, from any thread, that the run waits for a model or a plug-in."""
        self.write("waits", who=text)
        with suppress(RuntimeError):  # the run's event loop has ended meanwhile
            self._loop.call_soon_threadsafe(self.progress.warned, text)

    def _unit_done(self, calls: Sequence[Call]) -> None:
        call_spans(calls)
        priced = [call.cost_usd for call in calls if not call.from_ledger]
        spent = None if None in priced else sum(cost or 0.0 for cost in priced)
        self.write("unit", calls=sum(c.count for c in calls if not c.from_ledger), cost_usd=spent)
        self.progress.unit_done(calls)

    def units_begun(self, step: str, total: int) -> None:
        """Report the number of units of a step that begin."""
        self.write("units", step=step, total=total)
        self.progress.units_begun(step, total)

    async def work(self, step: Step[Any, Any], units: Sequence[Any], runtime: Any) -> list[Outcome[Any]]:
        """Do the units with the caller's `Work`, and record their calls."""
        if not units:
            return []
        self.units_begun(step.name, len(units))
        outcomes = await self._inner(step, units, runtime)
        for outcome in outcomes:
            # The order is by id, not by arrival, so that two runs of the same are the same.
            for call in sorted(outcome.calls, key=lambda call: call.call_id):
                record_call(call)
        self._stop_if_asked(self._current.skipped)
        return outcomes

    def _stop_if_asked(self, asked: bool) -> None:
        """Raise `Cancelled` with the command that resumes the run, if somebody asked it to stop."""
        if asked:
            raise Cancelled(
                f"{self.kind.name} {self.store.run_id} was stopped on request; resume it with: {self._resume}"
            )

    @property
    def _resume(self) -> str:
        return self.kind.resume.format(run=self.store.run_id)

    # -- one stage ----------------------------------------------------------------------------------------------------

    async def stage(
        self,
        name: str,
        model: type[M],
        make: Callable[[], Awaitable[M]],
        said: Callable[[M], str],
        *,
        also: Sequence[Any] = (),
    ) -> M:
        """Return a stage's output: from the store, else from the parent, else computed now and stored in one
        transaction (I6).

        `also` are further inputs, JSON values, that appeared since the previous stage. Raises `InputError` if a stored
        output was made from other inputs: the run would mix two states.
        """

        async def work() -> M:
            self._stop_if_asked(self._current.asked_to_stop())
            self.write("stage", stage=name)
            self.progress.stage_started(name)
            input_hash = content_hash([name, self._hash, *also])
            document, timing = await self._document(name, input_hash, make)
            value = model.model_validate(self.kind.output(name, document))
            calls = [Call.model_validate(call) for call in document["calls"]]
            self._count(name, calls, timing.from_store)
            self.refused[name] = _by_limit(document.get("refused", {}))
            self._hash = content_hash([input_hash, document["output"]])
            self.timings.append(timing._replace(seconds=round(timing.seconds, 4)))
            self.write("done", **timing._asdict(), said=said(value))
            self.progress.stage_done(name, timing.seconds, said(value), timing.from_store)
            if isinstance(self.progress, Shown):
                self.progress.stage_output(name, value)
            return value

        with stage_span(self.kind.name, self.store.run_id, name):
            made: M = await self.around(name, work)
        return made

    def _count(self, name: str, calls: Sequence[Call], from_store: bool) -> None:
        """Count a stage's calls for this run. Calls that it paid for before an interruption count; its parent's cost
        nothing again (I9)."""
        if self.parent is not None and name in self.parent.documents:
            calls = [call.model_copy(update={"from_ledger": True}) for call in calls]
        elif from_store:
            self.spending.add(calls)
            self.paid_before.accounted(calls)
        self.calls.extend(calls)

    async def _document(
        self, name: str, input_hash: str, make: Callable[[], Awaitable[M]]
    ) -> tuple[dict[str, Any], Timing]:
        start = perf_counter()
        stored = await asyncio.to_thread(self.store.stage_output, name)
        if stored is not None:
            if stored.input_hash != input_hash:
                again = self.kind.replay.format(run=self.store.run_id, stage=name)
                raise InputError(
                    f"{self.kind.name} {self.store.run_id} cannot be resumed: its {self.kind.rests_on} changed after "
                    f"stage {name}. Start a new {self.kind.name}, or use {again}"
                )
            return unchanged(self.store, stored).value(), Timing(name, stored.seconds, True)
        from_store = self.parent is not None and name in self.parent.documents
        if self.parent is not None and from_store:
            taken = self.parent.documents[name]
            output = self.adapt(name, self.kind.output(name, taken))
            document = {**taken, "version": self.kind.version(name), "output": output}
        else:
            output, calls, refused = await self._made(name, make)
            document = self.kind.document(name, output.model_dump(mode="json"), calls)
            document |= {"refused": refused} if refused else {}
        seconds = perf_counter() - start
        await asyncio.to_thread(
            self.store.save_stage, name, input_hash, document, seconds=seconds, from_store=from_store
        )
        return document, Timing(name, seconds, from_store)

    async def _made(self, name: str, make: Callable[[], Awaitable[M]]) -> tuple[M, Sequence[Call], dict[str, int]]:
        """Return the stage's output, the calls made for it, and how many calls each limit refused.

        Answers that an earlier process of this run paid for in the stage count, whether they are asked for again or
        not.
        """
        stage = name if name in STAGES else "verify"
        self.spending.add(self.paid_before.calls(stage))
        before = self.spending.refused.copy()
        try:
            with collecting_calls() as calls:
                output = await make()
        except StoreUnavailable:
            raise
        except (Cancelled, Unavailable) as problem:
            self._stop_if_asked(self._current.skipped)
            if isinstance(problem, Cancelled):
                raise
            then = self._resume
            if isinstance(problem, OverBudget):  # resumed as it began, it would end in the same way
                then = f"{self.kind.replay.format(run=self.store.run_id, stage=name)} --budget USD"
            kept = f"{str(problem).rstrip('. ')}. All answers so far are kept; continue with: {then}"
            raise Unavailable(kept) from problem
        self._stop_if_asked(self._current.skipped)
        paid = [*self.paid_before.claimed(calls), *self.paid_before.unclaimed(stage)]
        refused = self.spending.refused - before
        return output, paid, {str(limit): count for limit, count in refused.items()}


def _by_limit(refused: Mapping[str, int] | int) -> Mapping[str, int]:
    """Return the refused calls of a stored stage by limit; an older stage has only their number."""
    return ({"": refused} if refused else {}) if isinstance(refused, int) else refused


class _Announced:
    """A person for whom a run waits. The waiting is recorded in the journal, and ends if the run is asked to stop."""

    def __init__(self, person: Person, run: StagedRun[Any]) -> None:
        self._person, self._run = person, run

    def until(self) -> datetime | None:
        return self._person.until()

    async def wait(self, asked: Sequence[Approval]) -> None:
        self._run.write("waiting", approvals=[approval.approval_id for approval in asked])
        try:
            await unless_stopped(self._person.wait(asked))
        except Cancelled:
            self._run._stop_if_asked(True)
