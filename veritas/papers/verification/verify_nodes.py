"""The stage `verify`: check references, gather evidence for every node, compute six metrics each, ask the gate."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING, cast

from pydantic import Field

from veritas.claims.graph import Call
from veritas.council.connections import Connected
from veritas.council.context_window import Shown
from veritas.council.prompt import Block, prompt
from veritas.council.structured_answer import ask
from veritas.council.window_requests import windowed
from veritas.documents.document import Document
from veritas.documents.paper_parts import Reference
from veritas.documents.paper_sections import page_of
from veritas.engine.budget import Spending
from veritas.engine.current_run import skip_unit, stop_if_asked, unit_done, unless_stopped
from veritas.errors import Cancelled, Unavailable
from veritas.frozen import Frozen, content_id
from veritas.gate import Decision
from veritas.papers.audit import (
    NONE_STANDS,
    PARTS_MISSING,
    UNASSESSED,
    AuditNode,
    Metric,
    PaperEvent,
    PaperEvidence,
)
from veritas.papers.audit_runtime import PaperRuntime
from veritas.papers.extraction.node_pool import Extraction
from veritas.papers.reading.list_doubt import doubt_of_citations
from veritas.papers.reading.paper_text import PaperText
from veritas.papers.verification._node_grounding import ground
from veritas.papers.verification.metrics import Findings, assess
from veritas.papers.verification.node_evidence import Gatherer
from veritas.papers.verification.reference_check import (
    checked_references,
    cited_work,
    doubted,
    fetched_texts,
    own_copies,
    standing_of,
)
from veritas.papers.verification.signals import Found, Signals
from veritas.scoring.roles import METRICS
from veritas.store.call_record import collecting_calls, record_call

NEEDS_EVIDENCE = frozenset({"credibility", "evidence_strength", "citation_support"})


class Said(Frozen):
    """One respect."""

    value: float | None = Field(ge=0, le=1)
    why: str
    evidence: tuple[str, ...]


class Assessment(Frozen):
    """The six respects."""

    credibility: Said
    relevance: Said
    evidence_strength: Said
    method_rigor: Said
    reproducibility: Said
    citation_support: Said


async def assess_by_model(
    name: str, model: Connected, node: AuditNode, aim: str, evidence: Sequence[PaperEvidence], sample: int
) -> Assessment:
    """Return one assessment. Raises `Unavailable` if there is no answer, or none that keeps to the evidence."""
    filled = prompt("assess")
    known = {e.id for e in evidence}

    def fault(answer: Assessment) -> str | None:
        for metric in METRICS:
            said: Said = getattr(answer, metric)
            unknown = [i for i in said.evidence if i not in known]
            if unknown:
                return f"{metric}: there is no piece of evidence {unknown[0]!r}"
            if metric in NEEDS_EVIDENCE and said.value and not said.evidence:
                return f"{metric}: a value above 0 names the pieces of evidence it rests on; give null if there is none"
        return None

    texts = {"evidence": [(e.id, _piece(e)) for e in evidence]}

    async def once(shown: Mapping[str, Sequence[Shown]], cuts: tuple[str, ...]) -> Assessment:
        return await ask(
            model,
            filled.fill(
                {
                    "statement": Block(f"statement, a {node.role}", node.text),
                    "aim": Block("what the paper sets out to show", aim),
                    "evidence": [Block(f"evidence {part.name}", part.text) for part in shown["evidence"]],
                    "sample": sample + 1,
                }
            ),
            Assessment,
            who=name,
            turn="assess",
            stage="verify",
            prompt_id=filled.id,
            cuts=cuts,
            check=fault,
        )

    return await windowed(model.policy, filled.bare, [node.text, aim], texts, node.text, Assessment, once)


def merged(read_off: Mapping[str, Metric], assessments: Sequence[Assessment | Unavailable]) -> dict[str, Metric]:
    """Return the metrics as models assessed them, the median of their values; if no model gave one, the value computed
    from the evidence stays. Metrics that the role does not have are filled as before."""
    made: dict[str, Metric] = {}
    for name, metric in read_off.items():
        said: list[Said | None] = [None if isinstance(a, Unavailable) else getattr(a, name) for a in assessments]
        values = [s.value if s is not None else None for s in said]
        known = [v for v in values if v is not None]
        if not metric.applies or not known:
            made[name] = metric
            continue
        middle = median(known)
        valued = [s for s in said if s is not None and s.value is not None]
        nearest = min(valued, key=lambda s, m=middle: abs((s.value or 0.0) - m))  # type: ignore[misc]
        ids = dict.fromkeys(i for s in said if s is not None for i in s.evidence)
        made[name] = Metric(value=round(middle, 4), samples=tuple(values), why=nearest.why, evidence=tuple(ids))
    have = [m.value for m in made.values() if m.applies and m.value is not None]
    mean = round(sum(have) / len(have), 4) if have else None
    return {name: m if m.applies else m.model_copy(update={"value": mean}) for name, m in made.items()}


def _piece(evidence: PaperEvidence) -> str:
    tier = f", tier {evidence.tier}" if evidence.tier is not None else ""
    where = {"paper": "the paper itself", "reference": "a work it cites", "corpus": "another document"}
    origin = where.get(evidence.source, "the web")
    return f"({origin}: {evidence.title}{tier}; a first judge: {evidence.label}) {evidence.text}"


if TYPE_CHECKING:
    from veritas.registries.all_registries import Registries

AT_ONCE = 8
SIGNALS_SHOWN = 3


class Verification(Frozen):
    """Output of the stage `verify`."""

    nodes: tuple[AuditNode, ...] = ()
    references: tuple[Reference, ...] = ()
    evidence: tuple[PaperEvidence, ...] = ()
    standing: str | None = None
    events: tuple[PaperEvent, ...] = ()
    waiting: tuple[Decision, ...] = ()
    """The gate's decisions on which a person has the last word."""
    documents: tuple[Document, ...] = ()
    """The outside documents that evidence was read from, so that every quote can be looked up again (I1)."""


async def verify_paper(
    paper: PaperText,
    extraction: Extraction,
    runtime: PaperRuntime,
    spending: Spending,
) -> Verification:
    """Every node of every sampled graph, those of the primary one first, within the budget: what it does not reach
    keeps its metrics unknown, with an event that says so. Raises nothing that a source or a model does; `Cancelled`
    when the run was asked to stop."""
    return await _Verifying(paper, extraction, runtime, spending).run()


class _Verifying:
    def __init__(
        self,
        paper: PaperText,
        extraction: Extraction,
        runtime: PaperRuntime,
        spending: Spending,
    ) -> None:
        self.paper, self.extraction, self.runtime, self.spending = paper, extraction, runtime, spending
        self.events: list[PaperEvent] = []
        self.signals = Signals(paper, runtime.verification)

    async def run(self) -> Verification:
        runtime = self.runtime
        copies = own_copies(self.paper.references, runtime.corpus, self.paper.document.document_id)
        registries = cast("Registries | None", runtime.registries)
        limit = runtime.verification.reading.references if self.spending.over() is None else 0
        asked = checked_references(self.paper.references, copies, registries, limit)
        references, events = await unless_stopped(asked)
        doubt = doubt_of_citations(self.paper.references, self.paper.markers, self.paper.events)
        if doubt is not None:
            references, events = doubted(references, events, doubt)
        self.events += events
        by_key = {r.key: r for r in references}
        if registries is not None:
            nodes = self.extraction.nodes
            texts = fetched_texts(nodes, references, copies, registries, runtime, self.spending, self._event)
            copies = {**await unless_stopped(texts), **copies}
        gatherer = Gatherer(
            self.paper, runtime.verification, runtime.policy, corpus=runtime.corpus, copies=copies,
            providers=runtime.providers, reader=runtime.reader, prices=runtime.search_prices,
        )  # fmt: skip
        standing = await unless_stopped(standing_of(self.paper.identity.doi, registries, self._event))
        hypotheses = [n.text for n in self.extraction.nodes if n.base_role == "Hypothesis"][:2]
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(node: AuditNode) -> tuple[AuditNode, list[PaperEvidence]]:
            async with gate:
                if skip_unit():
                    return node, []
                try:
                    made = await self._node(node, gatherer, by_key, hypotheses, standing)
                except Cancelled:  # by this node alone: the answers that others wait for are paid for
                    return node, []
            unit_done()
            return made

        done = await asyncio.gather(*(one(node) for node in self.extraction.nodes))
        stop_if_asked()
        for url, reason in sorted(gatherer.left_out.items()):
            self._event("copy-left-out", url, reason)
        known = any(r.verdict not in ("not_checked", "unavailable") for r in references)
        if gatherer.down and not gatherer.asked and not known:
            self._event("web-unavailable", "paper", f"nobody on the web answered: {', '.join(sorted(gatherer.down))}")
        evidence = [e for _, found in done for e in found]
        documents = [self.paper.document, *gatherer.documents.values()]
        grounded, waiting = await ground([n for n, _ in done], evidence, documents, runtime.council)
        for node_id, grounding in grounded.items():
            if grounding.decision == "halted":
                self._event("node-halted", node_id, grounding.reason)
        return Verification(
            nodes=tuple(n.model_copy(update={"grounding": grounded.get(n.id)}) for n, _ in done),
            references=references,
            evidence=tuple(evidence),
            standing=standing,
            events=tuple(self.events),
            waiting=waiting,
            documents=tuple(sorted(gatherer.documents.values(), key=lambda d: d.document_id)),
        )

    async def _node(
        self,
        node: AuditNode,
        gatherer: Gatherer,
        references: Mapping[str, Reference],
        hypotheses: Sequence[str],
        standing: str | None,
    ) -> tuple[AuditNode, list[PaperEvidence]]:
        over = self.spending.over()
        if over is not None:
            self._event("budget-degraded", node.id, f"it was not verified: {over}")
            unknown = {m: Metric(why=f"not assessed: {over}") for m in METRICS}
            return node.model_copy(update={"metrics": unknown}), []
        gathered = await gatherer.gather(node, references)
        for problem in gathered.problems:
            self._event("source-unavailable", node.id, problem)
        if gathered.calls:
            searching = Call(
                call_id=content_id("k", "gather", node.id), request_hash=content_id("r", "gather", node.text),
                stage="verify", who="search and reading", turn="search", count=gathered.calls,
                cost_usd=gathered.usd,
            )  # fmt: skip
            record_call(searching)
            self.spending.add([searching.model_copy(update={"cost_usd": 0.0})])  # its money was paid at each search
        shown, signals = self._shown(node)
        evidence = [*gathered.evidence, *shown]
        cited = [
            cited_work(references[key], gathered.evidence, self.runtime.verification.citations)
            for key in node.cites
            if key in references
        ]
        found = Findings(
            evidence=gathered.evidence,
            searched=gathered.searched,
            subject=gatherer.subject(node, hypotheses),
            aligned=gathered.aligned,
            figures=any(c.isdigit() for c in node.text),
            tabled=gatherer.itself.elsewhere(node),
            signals=signals,
            cited=tuple(cited),
            reports_others=node.base_role in ("Evidence", "Counterevidence") and not _speaks_of_itself(node.text),
            partly=any(event.kind == PARTS_MISSING for event in self.paper.events),
            withdrawn=f"the paper itself was {standing}" if standing in ("retracted", "withdrawn") else None,
        )
        metrics = assess(node, found, self.runtime.verification)
        if self.runtime.models:
            metrics = await self._by_models(node, metrics, evidence, hypotheses)
        return node.model_copy(update={"metrics": metrics}), evidence

    async def _by_models(
        self, node: AuditNode, metrics: dict[str, Metric], evidence: Sequence[PaperEvidence], hypotheses: Sequence[str]
    ) -> dict[str, Metric]:
        """Return the metrics after M assessments, the council's models taking turns."""
        aim = " ".join([self.paper.identity.title, *hypotheses[:1]])

        async def one(sample: int) -> Assessment | Unavailable:
            name, model = self.runtime.models[sample % len(self.runtime.models)]
            over = self.spending.over()
            if over is not None:
                return Unavailable(over)
            with collecting_calls() as calls:
                try:
                    return await assess_by_model(name, model, node, aim, evidence, sample)
                except Unavailable as problem:
                    return problem
                finally:
                    given.extend(calls)

        given: list[Call] = []
        assessments = await asyncio.gather(*(one(i) for i in range(self.runtime.request.samples)))
        for call in sorted(given, key=lambda c: c.call_id):
            record_call(call)
        failed = [a for a in assessments if isinstance(a, Unavailable)]
        if failed:
            kept = "the others stand" if len(failed) < len(assessments) else NONE_STANDS
            reason = f"{len(failed)} of {len(assessments)} assessments: {failed[0]}; {kept}"
            self._event(UNASSESSED, node.id, reason)
        return merged(metrics, assessments)

    def _shown(self, node: AuditNode) -> tuple[list[PaperEvidence], dict[str, tuple[Found, ...]]]:
        """Return a node's strongest signs of rigor and reproducibility as evidence, and all signs by metric."""
        document = self.paper.document
        evidence: dict[str, PaperEvidence] = {}
        marked: dict[str, tuple[Found, ...]] = {}
        applies = cast("Mapping[str, Sequence[str]]", self.runtime.verification.applies)
        for metric, found in self.signals.of(node).items():
            signs = sorted(found, key=lambda f: (-f.worth, f.start))
            wanted = metric in applies.get(node.base_role, METRICS)
            for place, sign in enumerate(signs[:SIGNALS_SHOWN] if wanted else ()):
                made = PaperEvidence(
                    id=content_id("e", node.id, metric, sign.start),
                    node=node.id,
                    source="paper",
                    url=document.url,
                    title=self.paper.identity.title,
                    text=document.text[sign.start : sign.end],
                    document_id=document.document_id,
                    start=sign.start,
                    end=sign.end,
                    page=page_of(document.page_starts, sign.start),
                    label="about",
                    score=round(sign.worth, 4),
                    rationale=f"{metric.replace('_', ' ')}: {sign.name}",
                    judge="signs",
                    provider="the paper",
                )
                evidence.setdefault(made.id, made)
                signs[place] = replace(sign, evidence=made.id)
            marked[metric] = tuple(signs)
        return list(evidence.values()), marked

    def _event(self, kind: str, subject: str, reason: str) -> None:
        self.events.append(PaperEvent(stage="verify", kind=kind, subject=subject, reason=reason[:600]))


def _speaks_of_itself(text: str) -> bool:
    return any(word in {"we", "our", "us", "ours"} for word in text.lower().replace(",", " ").split())
