"""The stages of an audit in order: each output is stored before the next begins, or taken from the store."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol, TypeVar, cast

from pydantic import BaseModel

from veritas import __version__
from veritas.approvals.person import Person
from veritas.claims.graph import Call
from veritas.engine.budget import Spending
from veritas.errors import InputError
from veritas.frozen import Frozen, content_hash
from veritas.papers.approval import put_before_a_person
from veritas.papers.audit import PAPER_STAGES, Flaw, PaperAudit, PaperEvent, PaperStage, PaperTiming
from veritas.papers.audit_runtime import PaperRuntime
from veritas.papers.extraction.construct import Constructed, construct, construct_embedded
from veritas.papers.extraction.embedded_graph_extractor import EmbeddedExtractor, instructions_of
from veritas.papers.extraction.model_graph_extractor import ModelExtractor
from veritas.papers.extraction.node_pool import Extraction, pooled
from veritas.papers.flaws import find_flaws
from veritas.papers.limit_reached import limit_reached
from veritas.papers.propagate import Propagation, propagate
from veritas.papers.reading.paper_text import PaperText
from veritas.papers.verification.verify_nodes import Verification, verify_paper
from veritas.settings import home as default_home
from veritas.store import RunStore
from veritas.store.call_record import collecting_calls, record_call

M = TypeVar("M", bound=BaseModel)


class PaperProgress(Protocol):
    """Told how an audit goes; for people, never for logic."""

    def stage_started(self, stage: PaperStage) -> None: ...

    def units_begun(self, total: int) -> None: ...

    def unit_done(self) -> None: ...

    def stage_done(self, stage: PaperStage, seconds: float, said: str, from_store: bool) -> None: ...


class SilentProgress:
    """Progress that nobody watches."""

    def stage_started(self, stage: PaperStage) -> None:
        return None

    def units_begun(self, total: int) -> None:
        return None

    def unit_done(self) -> None:
        return None

    def stage_done(self, stage: PaperStage, seconds: float, said: str, from_store: bool) -> None:
        return None


class Scored(Frozen):
    """What the stage `score` hands on: what to look at first."""

    flaws: tuple[Flaw, ...] = ()


class Reported(Frozen):
    """What the stage `report` hands on: the whole audit, and where its report was written."""

    audit: PaperAudit
    folder: str = ""


Stage = Callable[[], Awaitable[Any]]
Around = Callable[[PaperStage, Stage], Awaitable[Any]]
"""How a stage's work is carried out: a plain call, or a task of an orchestrator around it."""
ReadPaper = Callable[[], Awaitable[PaperText]]
Report = Callable[[PaperAudit], Awaitable[Path | None]]


async def _plain(stage: PaperStage, work: Stage) -> Any:
    return await work()


class Auditing:
    """One audit on its way through its stages."""

    def __init__(
        self,
        store: RunStore,
        runtime: PaperRuntime,
        read: ReadPaper,
        *,
        taken: dict[str, Any] | None = None,
        progress: PaperProgress | None = None,
        around: Around = _plain,
        reading: float = 0.0,
        home: Path | None = None,
        person: Person | None = None,
    ) -> None:
        """`taken` are the outputs of a parent's stages, by name: they are used in place of doing them again. `reading`
        are the seconds that finding and reading the paper took before there was a store. `person` is who is waited for
        where the gate could not decide; what is asked is filed in `home`."""
        self.store, self.runtime, self._read_paper = store, runtime, read
        self.taken, self.progress, self.around = taken or {}, progress or SilentProgress(), around
        self.request = runtime.request
        self.home, self.person = home or default_home(), person
        self._reading = reading
        self.spending = Spending(self.request.budget)
        self._over_in_verify = False
        self.before = content_hash([self.request.model_dump(mode="json"), runtime.fingerprint])
        self.calls: list[Call] = []
        self.timings: list[PaperTiming] = []

    async def run(self) -> PaperAudit:
        """All stages; the audit, stored whole at the end."""
        paper = await self._stage("read", PaperText, self._read, lambda p: f"{p.identity.title[:70]}, {_size(p)}")
        extracted = await self._stage("extract", Extraction, lambda: self._extract(paper), _said_graphs)
        verified = await self._stage(
            "verify",
            Verification,
            lambda: self._verify(paper, extracted),
            lambda v: f"{len(v.evidence)} pieces of evidence",
        )
        audit = self._audit(paper, extracted, verified)
        if await asyncio.to_thread(self.store.stage_output, "report") is None:
            notes = await put_before_a_person(audit, verified.waiting, home=self.home, person=self.person)
            audit = audit.model_copy(update={"approvals": notes})
        propagated = await self._stage(
            "propagate", Propagation, lambda: self._propagate(audit), lambda p: f"{len(p.scorings)} scorings"
        )
        audit = audit.model_copy(
            update={
                "scorings": propagated.scorings,
                "uncertainty": propagated.uncertainty,
                "events": (*audit.events, *propagated.events),
            }
        )
        scored = await self._stage("score", Scored, lambda: self._score(audit), lambda s: f"{len(s.flaws)} flaws")
        audit = audit.model_copy(update={"flaws": scored.flaws})
        reported = await self._stage("report", Reported, lambda: self._report(audit), lambda r: "stored")
        return reported.audit

    # -- the stages ---------------------------------------------------------------------------------------------------

    async def _read(self) -> PaperText:
        paper = await self._read_paper()
        return paper.model_copy(update={"events": (*self.runtime.problems, *paper.events)})

    async def _extract(self, paper: PaperText) -> Extraction:
        request, mode = self.request, self.runtime.mode
        events: list[PaperEvent] = []
        samples: list[Constructed] = []
        embedded = EmbeddedExtractor(paper, mode)
        for sentence in instructions_of(embedded.statements):
            events.append(_event("instruction-ignored", "paper", f"it talks to a machine that reads it: {sentence}"))
        self.progress.units_begun(request.graphs)
        if self.runtime.models:

            async def one(index: int) -> Constructed:
                name, model = self.runtime.models[index % len(self.runtime.models)]
                over = self.spending.over()
                if over is not None and index > 0:
                    return _given_up(index, request.seed, name, over)
                with collecting_calls() as calls:
                    made = await construct(
                        ModelExtractor(name, model, paper, mode), paper, mode,
                        limit=request.nodes, seed=request.seed, index=index,
                    )  # fmt: skip
                given[index] = calls
                self.progress.unit_done()
                return made

            given: dict[int, list[Call]] = {}
            samples = list(await asyncio.gather(*(one(index) for index in range(request.graphs))))
            for index in sorted(given):
                for call in given[index]:
                    record_call(call)
        if not any(s.checked.ok for s in samples):
            if samples:
                why = "no graph of the council's models could be used, so the embedded extractor read the paper"
                events.append(_event("extractor-fallback", "paper", why))
            first = len(samples)
            for index in range(request.graphs):
                made = construct_embedded(embedded, paper, mode, limit=request.nodes, seed=request.seed, index=index)
                samples.append(
                    Constructed(first + index, made.seed, made.extractor, made.checked, made.repairs, made.unavailable)
                )
                self.progress.unit_done()
        return pooled(samples, paper, events)

    async def _verify(self, paper: PaperText, extracted: Extraction) -> Verification:
        self.progress.units_begun(len(extracted.nodes))
        begun_over = self.spending.over()
        made = await verify_paper(paper, extracted, self.runtime, self.spending, self.progress.unit_done)
        self._over_in_verify = self.spending.over() is not None
        if begun_over is None or self.runtime.registries is None or not paper.references:
            return made
        unasked = PaperEvent(
            stage="verify", kind="references-unasked", subject="references",
            reason=f"none of {len(paper.references)} references were asked about: {begun_over}",
        )  # fmt: skip
        return made.model_copy(update={"events": (*made.events, unasked)})

    async def _propagate(self, audit: PaperAudit) -> Propagation:
        return propagate(audit, self.runtime.parameters, self.request.rules, self.request.seed)

    async def _score(self, audit: PaperAudit) -> Scored:
        return Scored(flaws=find_flaws(audit, self.runtime.parameters))

    async def _report(self, audit: PaperAudit) -> Reported:
        over = self.spending.over()
        reached = () if over is None else (limit_reached(audit, over, verified_before=not self._over_in_verify),)
        made = audit.model_copy(
            update={
                "events": (*audit.events, *reached),
                "calls": tuple(self.calls),
                "timings": tuple(self.timings),
                "finished_at": datetime.now(UTC),
            }
        )
        return Reported(audit=made)

    def _audit(self, paper: PaperText, extracted: Extraction, verified: Verification) -> PaperAudit:
        run = self.store.run
        return PaperAudit(
            audit_id=self.store.run_id,
            parent_audit_id=run.parent_run_id,
            paper=paper.identity.model_copy(update={"standing": verified.standing}),
            mode=self.runtime.mode.name,
            seed=self.request.seed,
            rules=self.request.rules,
            settings={
                **self.request.settings(),
                "council": [name for name, _ in self.runtime.models] or ["embedded"],
                "fingerprint": self.runtime.fingerprint,
            },
            sections=paper.sections,
            figures=paper.figures,
            references=verified.references or paper.references,
            markers=paper.markers,
            nodes=verified.nodes,
            graphs=extracted.graphs,
            primary=extracted.primary,
            evidence=verified.evidence,
            events=(*paper.events, *extracted.events, *verified.events),
            started_at=run.started_at,
            version=__version__,
        )

    # -- the store ----------------------------------------------------------------------------------------------------

    async def _stage(
        self, name: PaperStage, model: type[M], make: Callable[[], Awaitable[M]], said: Callable[[M], str]
    ) -> M:
        """A stage's output: from the store, else from the parent, else made now; stored in one transaction (I6)."""
        self.progress.stage_started(name)
        begun = perf_counter()
        input_hash = content_hash([name, self.before])
        stored = await asyncio.to_thread(self.store.stage_output, name)
        from_store = True
        if stored is not None:
            if stored.input_hash != input_hash:
                raise InputError(
                    f"audit {self.store.run_id} cannot go on: its corpus, policies or settings changed since stage "
                    f"{name} was done. Audit anew, or use veritas paper --replay {self.store.run_id} --from {name}"
                )
            document, seconds = stored.value(), stored.seconds
        elif name in self.taken:
            document, seconds = self.taken[name], perf_counter() - begun
            await asyncio.to_thread(self._save, name, input_hash, document, seconds, True)
        else:
            with collecting_calls() as calls:
                output = cast("M", await self.around(name, make))
            document = {
                "output": output.model_dump(mode="json"),
                "calls": [c.model_dump(mode="json") for c in calls],
            }
            seconds, from_store = perf_counter() - begun + (self._reading if name == "read" else 0.0), False
            await asyncio.to_thread(self._save, name, input_hash, document, seconds, False)
        value = model.model_validate(document["output"])
        calls = [Call.model_validate(c) for c in document["calls"]]
        if stored is not None and not stored.from_store:  # an earlier process of this audit paid for it
            self.spending.add(calls)
        elif from_store:
            calls = [c.model_copy(update={"from_ledger": True}) for c in calls]
        self.calls += calls
        self.before = content_hash([input_hash, document["output"]])
        self.timings.append(PaperTiming(stage=name, seconds=round(seconds, 4), from_store=from_store))
        self.progress.stage_done(name, seconds, said(value), from_store)
        return value

    def _save(self, name: str, input_hash: str, document: dict[str, Any], seconds: float, from_store: bool) -> None:
        self.store.save_stage(name, input_hash, document, seconds=seconds, from_store=from_store)


def stored_outputs(store: RunStore, start: str) -> dict[str, Any]:
    """The outputs of a finished audit's stages before `start`. Raises `InputError` where one is missing."""
    if start not in PAPER_STAGES:
        raise InputError(f"there is no stage {start!r}; the stages are: {', '.join(PAPER_STAGES)}")
    found: dict[str, Any] = {}
    for stage in PAPER_STAGES[: PAPER_STAGES.index(start)]:
        stored = store.stage_output(stage)
        if stored is None:
            raise InputError(
                f"audit {store.run_id} has no output of stage {stage}, so it cannot be replayed from {start}: replay "
                f"it from {stage} or earlier, or finish it with veritas paper --resume {store.run_id}"
            )
        found[stage] = stored.value()
    return found


def _event(kind: str, subject: str, reason: str) -> PaperEvent:
    return PaperEvent(stage="extract", kind=kind, subject=subject, reason=reason)


def _given_up(index: int, seed: int, name: str, over: str) -> Constructed:
    from veritas.papers.extraction.proposal import Checked

    return Constructed(index, seed, name, Checked(errors=(f"not read: {over}",)), (), over)


def _said_graphs(extracted: Extraction) -> str:
    sound = sum(g.ok for g in extracted.graphs)
    return f"{sound} of {len(extracted.graphs)} graphs sound, {len(extracted.nodes)} statements in all of them"


def _size(paper: PaperText) -> str:
    count = paper.identity.pages
    parts = [(count or 0, "page"), (len(paper.sections), "section"), (len(paper.references), "reference")]
    said = [f"{many} {name}{'' if many == 1 else 's'}" for many, name in parts if many or name != "page"]
    return ", ".join(said)
