"""The audit of a paper: the paper as read, its argument as sampled graphs, the evidence on each node."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from veritas.claims.graph import Call
from veritas.claims.judgment import Judgment
from veritas.claims.override import ApprovalNote
from veritas.claims.sources import Tier
from veritas.documents.paper_parts import Figure, Identity, MainStatement, Marker, Place, Reference, Section
from veritas.frozen import Frozen, content_hash
from veritas.papers.flaw import Flaw, OpenPoint
from veritas.papers.referee.finding import Check, Finding
from veritas.text.notebook import Numbered, Showing, Shown

PAPER_SCHEMA: Literal["1.0"] = "1.0"

PaperStage = Literal["read", "extract", "verify", "propagate", "score", "report"]
PAPER_STAGES: tuple[PaperStage, ...] = ("read", "extract", "verify", "propagate", "score", "report")

PARTS_MISSING = "parts-missing"
"""Kind of the event for files that the paper includes and that could not be had."""

CAVEAT = (
    "This audit is an aid to a reader's decision, not a verdict on the paper or on the people who wrote it. It says "
    "what was looked up, what was found, and what could not be assessed; a low score means that little was found in "
    "the places that were searched."
)


class Metric(Frozen):
    """A metric of a node, one of six. `value`, 0 to 1, is None if it cannot be assessed; `why` gives the grounds;
    `samples` are the values of repeated assessments (None for one without an answer)."""

    value: float | None = Field(default=None, ge=0, le=1)
    samples: tuple[float | None, ...] = ()
    why: str
    evidence: tuple[str, ...] = ()
    """Ids of the pieces of evidence that it rests on."""
    applies: bool = True
    """False for a metric that the node's role does not have: `value` is then the mean of those it has."""
    doubt: bool = True
    """False if its grounds are no reason to doubt the statement: they support it, concern the paper as a whole, or
    concern nothing relevant to it."""


Decision = Literal["grounded", "contradicted", "unverified", "halted", "not-asked"]
"""The gate's decision on a node: evidence supports it, contradicts it, is silent; no judge could answer; or the node's
role makes no statement of fact."""


class Grounding(Frozen):
    """The gate's decision on a node, with every judgment behind it. `evidence` are the passages that were judged."""

    decision: Decision
    reason: str
    judgments: tuple[Judgment, ...] = ()
    evidence: tuple[str, ...] = ()
    by: Literal["outside", "paper", "nobody"] = "nobody"
    """Origin of the passages put before the gate: outside sources, or the paper's own body alone."""


class AuditNode(Frozen):
    """A statement of the paper. `text` is the paper's own words, white space normalised, at `place` (I1, by code).

    `role` may be one of a mode's own; `base_role` is the one of the ten that the scorer uses for it.
    """

    id: str
    role: str
    base_role: str
    text: str
    place: Place
    cites: tuple[str, ...] = ()
    """Keys of the references cited in it or right beside it."""
    metrics: dict[str, Metric] = Field(default_factory=dict)
    grounding: Grounding | None = None


class AuditEdge(Frozen):
    """A link: `child` rests on `parent`. `why` gives the extractor's reason for it."""

    parent: str
    child: str
    why: str = ""
    weight: float = Field(default=1.0, ge=0, le=1)
    """The extractor's confidence in the link, 0 to 1; the scorer does not use it."""


UNASSESSED = "assessor-unavailable"
NONE_STANDS = "what was read off the evidence stands"
"""Kind of the event of a statement of which assessments by models failed, and the end of its reason if all did."""


class SampledGraph(Frozen):
    """A reading of the argument, one of K. A graph with `errors` stayed broken after its repairs: it is kept for
    inspection and never scored."""

    index: int
    seed: int
    extractor: str
    nodes: tuple[str, ...] = ()
    edges: tuple[AuditEdge, ...] = ()
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    repairs: tuple[tuple[str, ...], ...] = ()
    """The errors that went back, for each repair that was asked for."""

    @property
    def ok(self) -> bool:
        """True if it can be scored."""
        return not self.errors


EvidenceSource = Literal["paper", "reference", "corpus", "web", "registry"]


class PaperEvidence(Frozen):
    """A passage that bears on a node. `text` stands verbatim at `[start, end)` of the document, or is a registry's
    record (then without offsets). `label` is how it bears on the node; `about` marks a passage that only mentions its
    subject."""

    id: str
    node: str
    source: EvidenceSource
    url: str
    title: str
    tier: Tier | None = None
    text: str
    document_id: str | None = None
    start: int | None = None
    end: int | None = None
    page: int | None = None
    label: Literal["supports", "refutes", "silent", "about", "unavailable"]
    score: float = Field(ge=0, le=1)
    rationale: str = ""
    judge: str = ""
    provider: str = ""
    query: str = ""
    reference: str | None = None
    """Key of the paper's reference whose text this is."""


class GraphScoring(Frozen):
    """A sampled graph under one rule set. `nodes` and `edges` give the order of the arrays in `values`, which are those
    of `veritas score` (docs/scoring.md)."""

    graph: int
    rules: str
    nodes: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]
    values: dict[str, Any]

    @property
    def score(self) -> float:
        """Score of the graph, 0 to 1."""
        return float(self.values["score"])

    @property
    def interval(self) -> tuple[float, float]:
        """Lowest and highest possible score; both are the score if every metric is known or the rules assume one."""
        ends = self.values.get("score_interval") or [self.score, self.score]
        return float(ends[0]), float(ends[1])


class PaperEvent(Frozen):
    """A row for anything left out, given up or decided against (I7)."""

    stage: PaperStage
    kind: str
    subject: str
    reason: str


class PaperTiming(Frozen):
    """Seconds a stage took, and whether its output came from the store."""

    stage: PaperStage
    seconds: float
    from_store: bool = False


class Headline(Frozen):
    """What is said of the score. `score` and `interval` are None if no outside source bears on any statement of the
    shown reading; `needs` then says what a score would take. `verified` of `statements` were borne out or contradicted
    by outside sources. `trials` is the middle of the scores over readings, assessments and weights."""

    score: float | None = Field(default=None, ge=0, le=1)
    interval: tuple[float, float] | None = None
    """Lowest and highest score that the unknown metrics allow."""
    trials: tuple[float, float] | None = None
    readings: int = 0
    verified: int = 0
    statements: int = 0
    needs: tuple[str, ...] = ()
    weights: Literal["as shipped", "given"] = "as shipped"
    auroc: dict[str, float] = Field(default_factory=dict)
    """Of the uncalibrated score and of the baseline, on labelled papers; empty with weights of one's own."""
    worth: str


class PaperAudit(Showing, Frozen):
    """An audit in one document: the report, calibration and `--json` need nothing else."""

    schema_version: Literal["1.0"] = PAPER_SCHEMA
    audit_id: str
    parent_audit_id: str | None = None
    paper: Identity
    mode: str
    seed: int
    rules: str
    """Rule set of the headline score."""
    settings: dict[str, Any] = Field(default_factory=dict)
    sections: tuple[Section, ...] = ()
    figures: tuple[Figure, ...] = ()
    references: tuple[Reference, ...] = ()
    markers: tuple[Marker, ...] = ()
    argument: tuple[MainStatement, ...] = ()
    """The main aim, test, result and conclusion, each in the paper's words or said not to be found."""
    nodes: tuple[AuditNode, ...] = ()
    """All nodes of all sampled graphs, those of the primary graph first."""
    graphs: tuple[SampledGraph, ...] = ()
    primary: int | None = None
    """Index in `graphs` of the shown graph; None if no graph could be had."""
    evidence: tuple[PaperEvidence, ...] = ()
    scorings: tuple[GraphScoring, ...] = ()
    uncertainty: dict[str, Any] | None = None
    headline: Headline | None = None
    """The score that is shown, or what one would need; None in an audit of before."""
    flaws: tuple[Flaw, ...] = ()
    """What is specific and can be shown to be false, from all readings, gravest first."""
    open_points: tuple[OpenPoint, ...] = ()
    """What could not be settled; it says nothing against the paper."""
    findings: tuple[Finding, ...] = ()
    """Numbers of the paper that do not hold together, gravest first (docs/referee.md)."""
    recomputed: dict[Check, int] = Field(default_factory=dict)
    """Number of comparisons that the arithmetic referee made, by check."""
    unchecked: dict[str, int] | None = None
    """Numbers that it saw and could not recompute, by form, an estimate; None in an audit of before."""
    approvals: tuple[ApprovalNote, ...] = ()
    """Questions to persons about undecided statements of the shown graph, with their state at the last loading."""
    events: tuple[PaperEvent, ...] = ()
    calls: tuple[Call, ...] = ()
    timings: tuple[PaperTiming, ...] = ()
    started_at: datetime
    finished_at: datetime | None = None
    version: str = ""
    caveat: str = CAVEAT

    @property
    def cost_usd(self) -> float | None:
        """Cost of the models in US dollars; None if a price is unknown."""
        costs = [call.cost_usd for call in self.calls if not call.from_ledger]
        return None if any(cost is None for cost in costs) else float(sum(cost for cost in costs if cost is not None))

    @property
    def unheard(self) -> str | None:
        """The parties that should have answered and did not, models or the web, whose part the audit lacks; None if
        somebody answered."""
        said = [event.reason for event in self.events if event.kind == "web-unavailable"]
        silence = self._no_model()
        if silence is not None:
            said.insert(0, f"no model of the council answered: {silence}")
        return "; ".join(said) or None

    def _no_model(self) -> str | None:
        """Return why no answer of a model could be used; None if one was, or no model was asked."""
        models = [call for call in self.calls if call.model is not None]
        if not models:
            return None
        if all(call.error for call in models):
            return models[0].error
        asked = {call.who for call in models}
        silent = {e.subject: e.reason for e in self.events if e.kind == "extractor-unavailable"}
        silent |= {e.subject: e.reason for e in self.events if e.kind == UNASSESSED and e.reason.endswith(NONE_STANDS)}
        readings = [f"graph:{graph.index}" for graph in self.graphs if graph.extractor in asked]
        assessed = [node.id for node in self.nodes] if any(call.stage == "verify" for call in models) else []
        return next(iter(silent.values()), None) if silent.keys() >= {*readings, *assessed} else None

    @property
    def asked_outside(self) -> bool:
        """True if anything outside the paper, a corpus or the web, was asked about the statements."""
        return bool(self.settings.get("web") or self.settings.get("corpus"))

    @property
    def references_checked(self) -> int:
        """The number of references that a registry or the corpus answered about."""
        return sum(each.verdict not in ("not_checked", "unavailable") for each in self.references)

    @property
    def partly_read(self) -> str | None:
        """The parts of the paper that could not be had, so that nothing can be said to be missing from it; None if it
        is whole, as far as is known."""
        return next((event.reason for event in self.events if event.kind == PARTS_MISSING), None)

    def node(self, node_id: str) -> AuditNode:
        """Return the node of that id. Raises `KeyError`."""
        for node in self.nodes:
            if node.id == node_id:
                return node
        raise KeyError(node_id)

    def approval(self, node_id: str) -> ApprovalNote | None:
        """Return the question put to a person about a node, with the answer; None if nobody was asked."""
        return next((note for note in self.approvals if note.subject_id == node_id), None)

    def scoring(self, rules: str | None = None, graph: int | None = None) -> GraphScoring | None:
        """Return the scoring under `rules` (default: the headline's) of a graph (default: the primary one), or None."""
        wanted = self.primary if graph is None else graph
        named = self.rules if rules is None else rules
        return next((s for s in self.scorings if s.graph == wanted and s.rules == named), None)

    def __repr__(self) -> str:
        return f"<PaperAudit {self.audit_id}: {self.paper.title[:60]!r}>"

    def _shown(self) -> Shown:
        value = self.headline.score if self.headline is not None else None
        score = f"score {value:.2f} of 1" if value is not None else "no score"
        told = [f"{each.check}: “{each.quote}”, but {each.recomputed}" for each in self.findings]
        told += [f"{flaw.kind}: {flaw.why}" for flaw in self.flaws]  # open points are counted nowhere
        flaws = [Numbered(n, each) for n, each in enumerate(told[:8], 1)]
        return Shown(self.paper.title or self.audit_id, f"{score}; {self.caveat}", (), flaws)

    def graph_document(self, graph: int | None = None) -> dict[str, Any]:
        """Return a graph as `veritas.scoring.graph.read_graph` reads it: the primary graph or the one of index `graph`.
        Raises `KeyError` if there is no such graph."""
        index = self.primary if graph is None else graph
        found = next((g for g in self.graphs if g.index == index), None)
        if found is None:
            raise KeyError(f"audit {self.audit_id} has no graph {index}")
        by_id = {node.id: node for node in self.nodes}
        nodes = []
        for name in found.nodes:
            node = by_id[name]
            nodes.append(
                {
                    "id": name,
                    "role": node.base_role,
                    "text": node.text,
                    "parents": [e.parent for e in found.edges if e.child == name],
                    "children": [e.child for e in found.edges if e.parent == name],
                    "metrics": {metric: m.value for metric, m in node.metrics.items()} or None,
                }
            )
        return {"nodes": nodes}

    def content_hash(self) -> str:
        """Return the SHA-256 of the findings: equal for audits of the same paper, material and settings."""
        apart = {"audit_id", "parent_audit_id", "approvals", "calls", "timings", "started_at", "finished_at", "version"}
        return content_hash(self.model_dump(mode="json", exclude=apart))
