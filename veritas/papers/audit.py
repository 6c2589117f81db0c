"""The audit of one paper: what was read, its argument as sampled graphs, what was found for and against each node."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from veritas.claims.graph import Call
from veritas.claims.judgment import Judgment
from veritas.claims.override import ApprovalNote
from veritas.claims.sources import Tier
from veritas.documents.paper_parts import Figure, Identity, Marker, Place, Reference, Section
from veritas.frozen import Frozen, content_hash
from veritas.text.notebook import Numbered, Shown

PAPER_SCHEMA: Literal["1.0"] = "1.0"

PaperStage = Literal["read", "extract", "verify", "propagate", "score", "report"]
PAPER_STAGES: tuple[PaperStage, ...] = ("read", "extract", "verify", "propagate", "score", "report")

PARTS_MISSING = "parts-missing"
"""The kind of event that says that files which the paper draws in could not be had."""

CAVEAT = (
    "This audit is an aid to a reader's decision, not a verdict on the paper or on the people who wrote it. It says "
    "what was looked up, what was found, and what could not be assessed; a low score means that little was found in "
    "the places that were searched."
)


class Metric(Frozen):
    """One of the six metrics of a node. `value`, 0 to 1, is None where it cannot be assessed, and `why` says on what
    grounds; `samples` are the values of repeated assessments (None for one that gave no answer)."""

    value: float | None = Field(default=None, ge=0, le=1)
    samples: tuple[float | None, ...] = ()
    why: str
    evidence: tuple[str, ...] = ()
    """Ids of the pieces of evidence it rests on."""
    applies: bool = True
    """False for a metric that the node's role does not have: `value` is then the mean of those it has."""


Decision = Literal["grounded", "contradicted", "unverified", "halted", "not-asked"]
"""What the gate says of a node: evidence supports it, contradicts it, is silent; no judge could answer; or the node's
role makes no statement of fact."""


class Grounding(Frozen):
    """The gate's decision on a node, with every judgment behind it. `evidence` are the passages that were judged."""

    decision: Decision
    reason: str
    judgments: tuple[Judgment, ...] = ()
    evidence: tuple[str, ...] = ()
    by: Literal["outside", "paper", "nobody"] = "nobody"
    """Where the passages are from that were put before the gate: outside sources, or the paper's own body alone."""


class AuditNode(Frozen):
    """A statement of the paper. `text` is the paper's own words, white space normalised, at `place` (I1, by code).

    `role` may be one of a mode's own; `base_role` is the one of the ten it counts as for the scorer.
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
    """`child` rests on `parent`. `why` says what the extractor took the link from."""

    parent: str
    child: str
    why: str = ""
    weight: float = Field(default=1.0, ge=0, le=1)
    """How sure the extractor was of the link; the scorer does not read it."""


class SampledGraph(Frozen):
    """One of the K readings of the argument. A graph with `errors` stayed broken after its repairs: it is kept to be
    looked at and never scored."""

    index: int
    seed: int
    extractor: str
    nodes: tuple[str, ...] = ()
    edges: tuple[AuditEdge, ...] = ()
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    repairs: tuple[tuple[str, ...], ...] = ()
    """For each repair that was asked for, the errors that went back."""

    @property
    def ok(self) -> bool:
        """Whether it can be scored."""
        return not self.errors


EvidenceSource = Literal["paper", "reference", "corpus", "web", "registry"]


class PaperEvidence(Frozen):
    """A passage that bears on nodes. `text` stands verbatim at `[start, end)` of the document, or is what a registry
    recorded (then without offsets). `label` says how it bears on the node; `about` is for what merely speaks of it."""

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
    """Key of the paper's reference this is the text of."""


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
        """0 to 1."""
        return float(self.values["score"])

    @property
    def interval(self) -> tuple[float, float]:
        """What is known of the score: both ends are the score where every metric is known or the rules assume one."""
        ends = self.values.get("score_interval") or [self.score, self.score]
        return float(ends[0]), float(ends[1])


class Flaw(Frozen):
    """Something a reviewer should look at. `subject` is a node's id, `parent->child`, `reference:key`, `paper` or
    `paper:part`."""

    subject: str
    kind: Literal["contradicted", "citation", "unsupported", "weak-link", "missing-part", "not-assessable", "dangling"]
    severity: float = Field(ge=0, le=1)
    why: str


class PaperEvent(Frozen):
    """A row for everything that was left out, given up or decided against (I7)."""

    stage: PaperStage
    kind: str
    subject: str
    reason: str


class PaperTiming(Frozen):
    """Seconds a stage took, and whether its output came from the store."""

    stage: PaperStage
    seconds: float
    from_store: bool = False


class PaperAudit(Frozen):
    """Everything about one audit, in one document: the report, calibration and `--json` need nothing else."""

    schema_version: Literal["1.0"] = PAPER_SCHEMA
    audit_id: str
    parent_audit_id: str | None = None
    paper: Identity
    mode: str
    seed: int
    rules: str
    """The rule set of the headline score."""
    settings: dict[str, Any] = Field(default_factory=dict)
    sections: tuple[Section, ...] = ()
    figures: tuple[Figure, ...] = ()
    references: tuple[Reference, ...] = ()
    markers: tuple[Marker, ...] = ()
    nodes: tuple[AuditNode, ...] = ()
    """Every node of every sampled graph, those of the primary graph first."""
    graphs: tuple[SampledGraph, ...] = ()
    primary: int | None = None
    """Index in `graphs` of the one that is shown; None where no graph could be had."""
    evidence: tuple[PaperEvidence, ...] = ()
    scorings: tuple[GraphScoring, ...] = ()
    uncertainty: dict[str, Any] | None = None
    flaws: tuple[Flaw, ...] = ()
    approvals: tuple[ApprovalNote, ...] = ()
    """How the statements of the shown graph that the gate could not decide stand with persons, when this is shown."""
    events: tuple[PaperEvent, ...] = ()
    calls: tuple[Call, ...] = ()
    timings: tuple[PaperTiming, ...] = ()
    started_at: datetime
    finished_at: datetime | None = None
    version: str = ""
    caveat: str = CAVEAT

    @property
    def cost_usd(self) -> float | None:
        """What the models cost; None where a price is unknown."""
        costs = [call.cost_usd for call in self.calls if not call.from_ledger]
        return None if any(cost is None for cost in costs) else float(sum(cost for cost in costs if cost is not None))

    @property
    def unheard(self) -> str | None:
        """Of whom nobody answered, though the audit was to ask them: its models, or the web. What it says was found
        without them. None where somebody answered."""
        models = [call for call in self.calls if call.model is not None]
        said = [event.reason for event in self.events if event.kind == "web-unavailable"]
        if models and all(call.error for call in models):
            said.insert(0, f"no model of the council answered: {models[0].error}")
        return "; ".join(said) or None

    @property
    def asked_outside(self) -> bool:
        """Whether anything outside the paper was asked what it says of the statements: a corpus, or the web."""
        return bool(self.settings.get("web") or self.settings.get("corpus"))

    @property
    def partly_read(self) -> str | None:
        """Which parts of the paper could not be had; nothing can then be said to be lacking in it. None: it is whole,
        as far as can be told."""
        return next((event.reason for event in self.events if event.kind == PARTS_MISSING), None)

    def node(self, node_id: str) -> AuditNode:
        """The node of that id. Raises `KeyError`."""
        for node in self.nodes:
            if node.id == node_id:
                return node
        raise KeyError(node_id)

    def approval(self, node_id: str) -> ApprovalNote | None:
        """What a person was asked about a node and said to it; None where nobody was asked."""
        return next((note for note in self.approvals if note.subject_id == node_id), None)

    def scoring(self, rules: str | None = None, graph: int | None = None) -> GraphScoring | None:
        """The scoring under `rules` (default: the headline's) of a graph (default: the primary one)."""
        wanted = self.primary if graph is None else graph
        named = self.rules if rules is None else rules
        return next((s for s in self.scorings if s.graph == wanted and s.rules == named), None)

    def __repr__(self) -> str:
        return f"<PaperAudit {self.audit_id}: {self.paper.title[:60]!r}>"

    def __str__(self) -> str:
        return self._shown().text()

    def _repr_html_(self) -> str:
        """The audit in a notebook: its score, and what to look at first."""
        return self._shown().html()

    def _shown(self) -> Shown:
        found = self.scoring()
        score = f"score {found.score:.2f} of 1" if found is not None else "no score"
        flaws = [Numbered(n, f"{flaw.kind}: {flaw.why}") for n, flaw in enumerate(self.flaws[:8], 1)]
        return Shown(self.paper.title or self.audit_id, f"{score}; {self.caveat}", (), flaws)

    def graph_document(self, graph: int | None = None, sample: int | None = None) -> dict[str, Any]:
        """What `veritas.scoring.graph.read_graph` reads: the primary graph or the one of index `graph`, with the
        metrics' values, or with the `sample`-th of their repeated assessments. Raises `KeyError` where there is no such
        graph.
        """
        index = self.primary if graph is None else graph
        found = next((g for g in self.graphs if g.index == index), None)
        if found is None:
            raise KeyError(f"audit {self.audit_id} has no graph {index}")
        by_id = {node.id: node for node in self.nodes}
        nodes = []
        for name in found.nodes:
            node = by_id[name]
            values = {
                metric: (m.samples[sample % len(m.samples)] if sample is not None and m.samples else m.value)
                for metric, m in node.metrics.items()
            }
            nodes.append(
                {
                    "id": name,
                    "role": node.base_role,
                    "text": node.text,
                    "parents": [e.parent for e in found.edges if e.child == name],
                    "children": [e.child for e in found.edges if e.parent == name],
                    "metrics": values or None,
                }
            )
        return {"nodes": nodes}

    def content_hash(self) -> str:
        """SHA-256 of the findings: equal for two audits of the same paper on the same material and settings."""
        apart = {"audit_id", "parent_audit_id", "approvals", "calls", "timings", "started_at", "finished_at", "version"}
        return content_hash(self.model_dump(mode="json", exclude=apart))
