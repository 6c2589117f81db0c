"""The seven stages in order: each output is stored before the next begins, and taken from the store if it is there.

The stages are composed here only. In-process and orchestrated runs differ in `Work` alone, so they give the same claim
graph.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from veritas.answers import extract, gather, verify
from veritas.answers._approval_stage import Docket
from veritas.answers._outage import Heard, unjudged
from veritas.answers._policy_replay import Regate
from veritas.answers.debate import Debate
from veritas.answers.debate import debate as hold_debate
from veritas.answers.decompose import Decomposition, decompose
from veritas.answers.extract import EXTRACT, Extraction
from veritas.answers.forecast import Forecaster, full_plan
from veritas.answers.gather import Research
from veritas.answers.member_search import RESEARCH
from veritas.answers.runtime import Runtime
from veritas.answers.searches import ResearchUnit
from veritas.answers.synthesize import Synthesis
from veritas.answers.synthesize import synthesize as write_answer
from veritas.answers.verify import Verification
from veritas.approvals.person import Person
from veritas.claims.answer import Answer
from veritas.claims.graph import STAGES, Call, ClaimGraph, Event, Run, StageName, StageTiming
from veritas.claims.judgment import verdicts
from veritas.claims.override import Override
from veritas.council.families import is_embedded
from veritas.engine.budget import Spending, fit, fit_rounds
from veritas.engine.kind import Kind
from veritas.engine.progress import Progress
from veritas.engine.staged_run import Around, StagedRun, plain
from veritas.engine.stored_runs import Parent
from veritas.engine.units import Work
from veritas.frozen import Frozen
from veritas.gate.quote_grounding import Ground
from veritas.policy.cost_tiers import Plan
from veritas.search.rotation import schedule, spares
from veritas.store import RunStore
from veritas.text.plural import plural

SECONDS: Mapping[StageName, float] = {"decompose": 0.6, "research": 0.6, "extract": 0.6, "verify": 0.85, "debate": 0.85}
"""Share of a budget's seconds after which a stage starts no more calls: judges and the writer need time too."""


_LIMITS = {"usd": "'s money", "calls": "'s calls", "seconds": "'s seconds", "": ""}
"""Limit of a budget -> its name after "the budget"; of an older stage it is not known."""


class Rendered(Frozen):
    """Output of stage 6: the answer as Markdown, and the hash of the findings it was made from."""

    markdown: str
    findings: str


RESEARCH_RUNS = Kind(
    name="run",
    stages=STAGES,
    resume="veritas research --resume {run}",
    replay="veritas replay {run} --from {stage}",
    rests_on="documents, policies or settings",
)


class Pipeline(StagedRun[ClaimGraph]):
    """The execution of a run's stages."""

    kind = RESEARCH_RUNS

    def __init__(
        self,
        store: RunStore,
        runtime: Runtime,
        work: Work,
        *,
        render: Callable[[ClaimGraph], str],
        parent: Parent | None = None,
        progress: Progress,
        person: Person | None = None,
        around: Around = plain,
        forecaster: Forecaster | None = None,
    ) -> None:
        """Set up a run. `render` is stage 6, the graph as Markdown; `forecaster` knows the costs of similar runs."""
        free = runtime.switchboard.free_models() if runtime.switchboard is not None else ()
        super().__init__(
            store,
            [runtime.request.model_dump(mode="json"), runtime.fingerprint],
            work=work,
            spending=Spending(runtime.request.budget, shares=SECONDS, free=free),
            parent=parent,
            progress=progress,
            person=person,
            around=around,
        )
        self.runtime, self.render = runtime, render
        self.forecaster = forecaster or Forecaster.of(runtime)
        self.spending.longest = self.forecaster.longest()
        regate = parent is not None and parent.run.policy_hash != runtime.policy_hash
        self.regate = Regate(runtime.policy) if regate else None

    def adapt(self, stage: str, output: Any) -> Any:
        """Return a parent's output under this run's source policy."""
        return self.regate.stage(stage, output) if self.regate is not None else output

    def status(self, made: ClaimGraph) -> str:
        """Return the answer's status."""
        return made.answer.status

    # -- the stages ---------------------------------------------------------------------------------------------------

    async def _decompose(self) -> Decomposition:
        runtime, plan = self.runtime, full_plan(self.runtime)
        taken = await decompose(runtime, self.work, plan)
        queries = len(taken.sub_queries)
        fitted = fit(
            plan, queries, runtime.tier, runtime.judges, self.spending, runtime.degrade,
            cost=lambda smaller: self.forecaster.usd(smaller, queries, after=("decompose",)),
        )  # fmt: skip
        return taken.model_copy(update={"plan": fitted})

    async def _research(self, taken: Decomposition) -> Research:
        runtime = self.runtime
        seated = runtime.council.seats[: taken.plan.members]
        seats = [s.name for s in seated]
        bindings = schedule(
            seats,
            [q.sub_query_id for q in taken.sub_queries],
            list(runtime.providers),
            taken.plan.providers_per_member,
            runtime.request.seed,
        )
        units = []
        for query in taken.sub_queries:
            for seat in seats:
                bound = tuple(b for b in bindings if b.member == seat and b.sub_query_id == query.sub_query_id)
                others = spares(bound, list(runtime.providers), runtime.request.seed)
                units.append(ResearchUnit(member=seat, sub_query=query, bindings=bound, spares=others))
        outcomes = await self.work(RESEARCH, units, runtime)
        together = [s.name for s in seated if is_embedded(s.member.family)]
        return gather.gather(bindings, units, outcomes, runtime.problems, together)

    async def _extract(self, taken: Decomposition, found: Research) -> Extraction:
        runtime = self.runtime
        models = [s.name for s in runtime.council.seats if s.model is not None]
        units = extract.units(found, taken.sub_queries, models)
        outcomes = await self.work(EXTRACT, units, runtime)
        ground = Ground(found.documents, found.passages, found.sources)
        seats = {s.name: s for s in runtime.council.seats}
        return extract.settle(seats, ground, units, outcomes, runtime.tier.claims_per_turn)

    async def _verify(self, extracted: Extraction, found: Research) -> Verification:
        rule = self.runtime.tier.verifier
        return await verify.verify(extracted.claims, found.documents, rule, self.runtime, self.work)

    async def _debate(self, plan: Plan, verified: Verification, found: Research) -> Debate:
        # A replay at another tier debates as that tier says, unless the budget had cut the rounds.
        cut = any(c.step == "rounds" for c in plan.cuts)
        tier = self.runtime.tier
        rounds, why = fit_rounds(
            min(plan.rounds, tier.rounds) if cut else tier.rounds, self.spending, self.forecaster.debate(plan)
        )
        self.degraded(why)
        debated = await hold_debate(verified, found, rounds, tier.verifier, self.runtime, self.work)
        notes = [Event(stage="debate", kind="budget-degraded", subject_id="plan", reason=w) for w in why]
        return debated.model_copy(update={"events": (*notes, *debated.events)})

    async def _synthesize(
        self,
        taken: Decomposition,
        found: Research,
        extracted: Extraction,
        verified: Verification,
        debated: Debate,
        overrides: Sequence[Override],
        notes: Sequence[Event],
    ) -> Synthesis:
        """Write the answer, with the members that gave no answer."""
        written = await write_answer(debated, found, self.runtime, self.work, overrides, notes, taken.sub_queries)
        models = frozenset(m.name for m in self.runtime.council.describe() if m.model is not None)
        return Heard(taken, found, extracted, verified, debated, written, models).settled()

    async def stages(self) -> ClaimGraph:
        """Run all stages, store the claim graph and return it."""
        done = await asyncio.to_thread(self.store.graph)
        if done is not None:
            return done
        taken = await self.stage(
            "decompose",
            Decomposition,
            self._decompose,
            lambda o: plural(len(o.sub_queries), "sub-query", "sub-queries"),
        )
        self.degraded([cut.reason for cut in taken.plan.cuts])
        self.forecaster.keep_back(self.spending, taken.plan, len(taken.sub_queries))
        found = await self.stage("research", Research, lambda: self._research(taken), _said_research)
        extracted = await self.stage(
            "extract", Extraction, lambda: self._extract(taken, found), _said_extract
        )
        verified = await self.stage("verify", Verification, lambda: self._verify(extracted, found), _said_verify)
        debated = await self.stage(
            "debate", Debate, lambda: self._debate(taken.plan, verified, found), _said_debate
        )
        overrides, notes = await self._let_in(verified, debated, found)
        written = await self.stage(
            "synthesize",
            Synthesis,
            lambda: self._synthesize(taken, found, extracted, verified, debated, overrides, notes),
            lambda o: _said_synthesis(o.answer),
            also=[[o.model_dump(mode="json") for o in overrides]] if overrides else (),
        )
        self.degraded(written.answer.missing)
        graph = self._graph(taken, found, extracted, verified, debated, written)

        async def rendered() -> Rendered:
            return Rendered(markdown=self.render(graph), findings=graph.content_hash())

        await self.stage("render", Rendered, rendered, lambda o: plural(len(o.markdown), "character"))
        finished = graph.run.model_copy(
            update={"finished_at": datetime.now(UTC), "timings": self._timings()}
        )
        graph = graph.model_copy(update={"run": finished})
        self.store.finish(graph)
        return graph

    async def _let_in(
        self, verified: Verification, debated: Debate, found: Research
    ) -> tuple[tuple[Override, ...], tuple[Event, ...]]:
        """Return the claims that persons let in. An answer that is already written keeps those it was written with."""
        stored = self.store.stage_output("synthesize")
        document = stored.value() if stored else self.parent.documents.get("synthesize") if self.parent else None
        if document is not None:
            return Synthesis.model_validate(self.kind.output("synthesize", document)).overrides, ()
        docket = Docket(self.store, self.person)
        waiting = (*verified.waiting, *debated.waiting)
        # A run that ends for want of judges repeats that stage: until then a person is asked nothing.
        ask = unjudged(verified, debated) is None
        return await docket.settled(waiting, debated.claims, found.sources, ask=ask)

    def _timings(self) -> tuple[StageTiming, ...]:
        return tuple(StageTiming.model_validate(timing._asdict()) for timing in self.timings)

    def _graph(
        self,
        taken: Decomposition,
        found: Research,
        extracted: Extraction,
        verified: Verification,
        debated: Debate,
        written: Synthesis,
    ) -> ClaimGraph:
        let_in = {o.claim_id for o in written.overrides}
        cited = {s.passage_id for c in debated.claims for s in c.spans}
        for x in debated.contestations:
            cited.update(s.passage_id for s in (*x.counter_spans, *x.response_spans))
        degraded = Event(stage="decompose", kind="budget-degraded", subject_id="plan", reason="")
        events = [degraded.model_copy(update={"reason": cut.reason}) for cut in taken.plan.cuts]
        for part in (taken, found, extracted, verified, debated, written):
            events.extend(part.events)
        events.extend(_cuts(self.calls))
        for stage, refused in self.refused.items():
            for limit, count in refused.items():
                why = f"the budget{_LIMITS[limit]} did not allow {plural(count, 'call')} of stage {stage}"
                events.append(Event(stage=stage, kind="budget-degraded", subject_id=limit or "calls", reason=why))
        run: Run = self.store.run.model_copy(
            update={
                "policy_hash": self.runtime.policy_hash,
                "degraded": (
                    *(e.reason for e in events if e.kind == "budget-degraded"),
                    *written.answer.missing,
                ),
                "timings": self._timings(),
            }
        )
        return ClaimGraph(
            run=run,
            council=self.runtime.council.describe(),
            sub_queries=taken.sub_queries,
            schedule=found.schedule,
            searches=found.searches,
            sources=found.sources,
            passages=tuple(p for p in found.passages if p.passage_id in cited),
            claims=tuple(
                c.model_copy(update={"badges": (*c.badges, "override")}) if c.claim_id in let_in else c
                for c in debated.claims
            ),
            judgments=(*verified.judgments, *debated.judgments, *written.judgments),
            contestations=debated.contestations,
            rounds=debated.rounds,
            answer=written.answer,
            events=tuple(events),
            overrides=written.overrides,
            calls=tuple(self.calls),
        )


def _cuts(calls: Sequence[Call]) -> list[Event]:
    """Return a row for each text that was cut to fit a model's window, in a call that was answered (I7)."""
    rows: dict[Event, None] = {}
    for call in calls:
        for cut in call.cuts if call.error is None else ():
            name = cut.partition(":")[0]
            known = name.split()[-1] if " " in name else call.call_id
            reason = f"{call.turn}, to fit the window of {call.model}: {cut}"
            rows[Event(stage=call.stage, kind="text-cut", subject_id=known, member=call.who, reason=reason)] = None
    return list(rows)


def _said_research(o: Research) -> str:
    read = sum(s.status == "read" for s in o.sources)
    rejected = sum(s.status == "rejected" for s in o.sources)
    searches, sources = plural(len(o.searches), "search", "searches"), plural(len(o.sources), "source")
    return f"{searches}, {sources}: {read} read, {rejected} rejected"


def _said_synthesis(answer: Answer) -> str:
    worded = sum(s.kind == "claim" for s in answer.sentences)
    came_to = answer.status.replace("_", " ")
    return f"{plural(worded, 'sentence')}, {came_to}"


def _said_extract(o: Extraction) -> str:
    return plural(len({c.claim for c in o.claims}), "claim")


def _said_verify(o: Verification) -> str:
    judged = list(verdicts(o.claims).values())
    known = {"supports": "supported", "refutes": "refuted", "silent": "silent", "unavailable": "unjudged"}
    counted = ", ".join(f"{judged.count(x)} {words}" for x, words in known.items() if x in judged)
    claims, live = {c.claim for c in o.claims}, set(o.live)
    asked = f" ({plural(len(o.judgments), 'judgment')})" if len(o.judgments) != len(claims) else ""
    kept = {c.claim for c in o.claims if c.claim_id in live}
    return f"{plural(len(claims), 'claim')}: {counted}{asked}; {len(kept)} kept" if o.claims else "nothing to judge"


def _said_debate(o: Debate) -> str:
    valid = [x for x in o.contestations if x.resolution != "invalid"]
    ended = {"defended": "defended", "conceded": "withdrawn", "refined": "refined"}
    worded = {c.claim_id: c.claim for c in o.claims}
    counted = [(len({worded[x.claim_id] for x in valid if x.resolution == how}), said) for how, said in ended.items()]
    bought = f"{plural(len({worded[x.claim_id] for x in valid}), 'claim')} contested"
    bought += "".join(f", {count} {said}" for count, said in counted if count)
    curve = " → ".join("–" if r.agreement is None else f"{r.agreement:.0%}" for r in o.rounds)
    return f"{bought}; agreement {curve}"
