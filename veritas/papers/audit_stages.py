"""The stages of an audit, in order: each output is stored before the next begins, or taken from the store."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import Field

from veritas.approvals.person import Person
from veritas.claims.graph import Call
from veritas.engine.budget import Spending
from veritas.engine.current_run import skip_unit, stop_if_asked, unit_done, unless_stopped
from veritas.engine.kind import Kind
from veritas.engine.progress import Progress
from veritas.engine.staged_run import Around, StagedRun, plain
from veritas.engine.stored_runs import Parent
from veritas.engine.units import NOT_BEGUN
from veritas.frozen import Frozen
from veritas.papers._propagate import Propagation, propagate
from veritas.papers.approval import put_before_a_person
from veritas.papers.audit import PAPER_STAGES, PaperAudit, PaperEvent, PaperTiming
from veritas.papers.audit_runtime import PaperRuntime
from veritas.papers.extraction.embedded_graph_extractor import EmbeddedExtractor
from veritas.papers.extraction.main_statements import main_statements
from veritas.papers.extraction.model_graph_extractor import ModelExtractor
from veritas.papers.extraction.node_pool import Constructed, Extraction, construct, construct_embedded, pooled
from veritas.papers.flaw import Flaw, OpenPoint, parted
from veritas.papers.flaws import find_flaws
from veritas.papers.headline import headline_of
from veritas.papers.open_points import find_open_points
from veritas.papers.reading.paper_text import PaperText
from veritas.papers.referee.finding import Check, Finding
from veritas.papers.referee.referee import referee_of
from veritas.papers.verification.verify_nodes import Verification, verify_paper
from veritas.store import RunStore
from veritas.store.call_record import collecting_calls, record_call
from veritas.text.plural import plural
from veritas.version import __version__


class Scored(Frozen):
    """Output of the stage `score`: the numbers that do not hold together, the specific flaws, and what stays open."""

    flaws: tuple[Flaw, ...] = ()
    open_points: tuple[OpenPoint, ...] = ()
    findings: tuple[Finding, ...] = ()
    recomputed: dict[Check, int] = Field(default_factory=dict)
    unchecked: dict[str, int] | None = None


class Reported(Frozen):
    """Output of the stage `report`: the whole audit, and the folder of its report."""

    audit: PaperAudit
    folder: str = ""


def _with_doubt(output: dict[str, Any]) -> dict[str, Any]:
    """Upgrade to version 2 of `verify`: before, whether a metric is a reason to doubt was read from its words."""
    against = ("contradicted by", "says otherwise")
    cleared = ("it states figures", "bears it out", "the paper shows:", "none of the signs", "neither yes nor no")
    for node in output.get("nodes", ()):
        for metric in node.get("metrics", {}).values():
            said = metric["why"]
            metric["doubt"] = any(a in said for a in against) or not any(c in said for c in cleared)
    return output


def _with_open_points(output: dict[str, Any]) -> dict[str, Any]:
    """Upgrade to version 2 of `report`, whose audit tells flaws and open points apart."""
    return output | {"audit": parted(output["audit"])}


AUDITS = Kind(
    name="audit",
    stages=PAPER_STAGES,
    resume="veritas paper --resume {run}",
    replay="veritas paper --replay {run} --from {stage}",
    rests_on="corpus, policies or settings",
    folder="papers",
    reports="reports/papers",
    migrations={"verify": (_with_doubt,), "score": (parted,), "report": (_with_open_points,)},
)


class Auditing(StagedRun[PaperAudit]):
    """An audit that runs through its stages."""

    kind = AUDITS

    def __init__(
        self,
        store: RunStore,
        runtime: PaperRuntime,
        read: Callable[[], Awaitable[PaperText]],
        *,
        home: Path,
        parent: Parent | None = None,
        progress: Progress | None = None,
        around: Around = plain,
        person: Person | None = None,
    ) -> None:
        """`read` finds and reads the paper; questions to persons are filed in `home`."""
        request = runtime.request
        super().__init__(
            store,
            [request.model_dump(mode="json"), runtime.fingerprint],
            spending=Spending(request.budget),
            parent=parent,
            progress=progress,
            person=person,
            around=around,
        )
        self.runtime, self.request, self.home = runtime, request, home
        self._read_paper = read
        self._over_in_verify = False

    async def stages(self) -> PaperAudit:
        """Run all stages and return the audit, stored whole at the end."""
        paper = await self.stage("read", PaperText, self._read, lambda p: f"{p.identity.title[:70]}, {_size(p)}")
        extracted = await self.stage("extract", Extraction, lambda: self._extract(paper), _said_graphs)
        verified = await self.stage(
            "verify",
            Verification,
            lambda: self._verify(paper, extracted),
            lambda v: f"{len(v.evidence)} pieces of evidence",
        )
        audit = self._audit(paper, extracted, verified)
        if await asyncio.to_thread(self.store.stage_output, "report") is None:
            notes = await put_before_a_person(audit, verified.waiting, home=self.home, person=self.person)
            audit = audit.model_copy(update={"approvals": notes})
        propagated = await self.stage(
            "propagate", Propagation, lambda: self._propagate(audit), lambda p: f"{len(p.scorings)} scorings"
        )
        audit = audit.model_copy(
            update={
                "scorings": propagated.scorings,
                "uncertainty": propagated.uncertainty,
                "events": (*audit.events, *propagated.events),
            }
        )
        scored = await self.stage("score", Scored, lambda: self._score(audit, paper), _said_flaws)
        audit = audit.model_copy(
            update={
                "flaws": scored.flaws,
                "open_points": scored.open_points,
                "findings": scored.findings,
                "recomputed": scored.recomputed,
                "unchecked": scored.unchecked,
            }
        )
        reported = await self.stage("report", Reported, lambda: self._report(audit), lambda r: "stored")
        return reported.audit

    # -- the stages ---------------------------------------------------------------------------------------------------

    async def _read(self) -> PaperText:
        paper = await unless_stopped(self._read_paper())
        return paper.model_copy(update={"events": (*self.runtime.problems, *paper.events)})

    async def _extract(self, paper: PaperText) -> Extraction:
        request, mode = self.request, self.runtime.mode
        events: list[PaperEvent] = []
        samples: list[Constructed] = []
        embedded = EmbeddedExtractor(paper, mode)
        for sentence in embedded.statements.instructions:
            why = f"it may be meant for a machine that reads it, and was not followed: {sentence}"
            events.append(_event("instruction-ignored", "paper", why))
        for sentence in embedded.statements.quoted:
            why = f"it is quoted or reported, was not followed, and is not held against the paper: {sentence}"
            events.append(_event("instruction-quoted", "paper", why))
        self.units_begun("graph", request.graphs)
        if self.runtime.models:

            async def one(index: int) -> Constructed:
                name, model = self.runtime.models[index % len(self.runtime.models)]
                over = self.spending.over()
                if skip_unit():
                    return _given_up(index, request.seed, name, NOT_BEGUN)
                if over is not None and index > 0:
                    return _given_up(index, request.seed, name, over)
                with collecting_calls() as calls:
                    made = await construct(
                        ModelExtractor(name, model, paper, mode), paper, mode,
                        limit=request.nodes, seed=request.seed, index=index,
                    )  # fmt: skip
                given[index] = calls
                unit_done(calls)
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
                stop_if_asked()
                made = construct_embedded(embedded, paper, mode, limit=request.nodes, seed=request.seed, index=index)
                samples.append(
                    Constructed(first + index, made.seed, made.extractor, made.checked, made.repairs, made.unavailable)
                )
                unit_done()
        argument = main_statements(paper, embedded.statements)
        return pooled(samples, paper, events).model_copy(update={"argument": argument})

    async def _verify(self, paper: PaperText, extracted: Extraction) -> Verification:
        self.units_begun("statement", len(extracted.nodes))
        begun_over = self.spending.over()
        made = await verify_paper(paper, extracted, self.runtime, self.spending)
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

    async def _score(self, audit: PaperAudit, paper: PaperText) -> Scored:
        refereed = await asyncio.to_thread(referee_of, paper)
        flaws = find_flaws(audit)
        points = find_open_points(audit, self.runtime.parameters, flaws)
        return Scored(
            flaws=flaws, open_points=points, findings=refereed.findings, recomputed=refereed.recomputed,
            unchecked=refereed.unchecked,
        )  # fmt: skip

    async def _report(self, audit: PaperAudit) -> Reported:
        over = self.spending.over()
        reached = () if over is None else (_limit_reached(audit, over, verified_before=not self._over_in_verify),)
        made = audit.model_copy(
            update={
                "events": (*audit.events, *reached),
                "calls": tuple(self.calls),
                "timings": tuple(PaperTiming.model_validate(t._asdict()) for t in self.timings),
                "finished_at": datetime.now(UTC),
            }
        )
        return Reported(audit=made.model_copy(update={"headline": headline_of(made)}))

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
            argument=extracted.argument,
            nodes=verified.nodes,
            graphs=extracted.graphs,
            primary=extracted.primary,
            evidence=verified.evidence,
            events=(*paper.events, *extracted.events, *verified.events),
            started_at=run.started_at,
            version=__version__,
        )


def _event(kind: str, subject: str, reason: str) -> PaperEvent:
    return PaperEvent(stage="extract", kind=kind, subject=subject, reason=reason)


def _limit_reached(audit: PaperAudit, over: str, verified_before: bool) -> PaperEvent:
    """Return the event of what a limit of money, calls or time left undone. `over` names the limit, as `Spending.over`
    does. `verified_before`: it was reached after the stage `verify`, whose successors ask nobody and are always done.
    """
    limit = over.rpartition(" of ")[2]
    statements = sum(e.kind == "budget-degraded" for e in audit.events)
    readings = sum(any(error.startswith("not read:") for error in g.errors) for g in audit.graphs)
    assessed = sum(e.kind == "assessor-unavailable" and limit in e.reason for e in audit.events)
    parts = [
        f"{statements} of {len(audit.nodes)} statements were not verified" if statements else "",
        f"{assessed} of {len(audit.nodes)} statements were assessed by models less often" if assessed else "",
        f"{readings} of {len(audit.graphs)} readings were not made" if readings else "",
    ]
    said = ", ".join(part for part in parts if part)
    if not said:
        said = f"no statement was left out for it, all were {'verified' if verified_before else 'begun'} by then"
    return PaperEvent(stage="report", kind="budget-reached", subject="paper", reason=f"{over}: {said}")


def _given_up(index: int, seed: int, name: str, over: str) -> Constructed:
    from veritas.papers.extraction.proposal import Checked

    return Constructed(index, seed, name, Checked(errors=(f"not read: {over}",)), (), over)


def _said_graphs(extracted: Extraction) -> str:
    sound = sum(g.ok for g in extracted.graphs)
    return f"{sound} of {len(extracted.graphs)} graphs sound, {len(extracted.nodes)} statements in all of them"


def _said_flaws(scored: Scored) -> str:
    found, flaws = plural(len(scored.findings), "finding"), plural(len(scored.flaws), "specific flaw")
    return f"{found} of the referee, {flaws}; {plural(len(scored.open_points), 'open point')}"


def _size(paper: PaperText) -> str:
    count = paper.identity.pages
    parts = [(count or 0, "page"), (len(paper.sections), "section"), (len(paper.references), "reference")]
    said = [plural(many, name) for many, name in parts if many or name != "page"]
    return ", ".join(said)
