"""The claim graph: all that a run used, decided and left out, in one document (section VIII; schema in docs/schema)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from veritas.claims.answer import DERIVED, Answer
from veritas.claims.contestation import Contestation, Round
from veritas.claims.envelope import ClaimEnvelope
from veritas.claims.judgment import ClaimJudgment
from veritas.claims.override import ApprovalNote, Override
from veritas.claims.sources import Passage, Search, Source
from veritas.frozen import Frozen, content_hash
from veritas.text.notebook import Numbered, Showing, Shown

SchemaVersion = Literal["1.0", "1.1"]
SCHEMA_VERSION: SchemaVersion = "1.1"
"""Version of the graph's schema. 1.1: an answer may be `unavailable`, and lists who was `missing`. A graph stored as
1.0 stays one."""

StageName = Literal["decompose", "research", "extract", "verify", "debate", "synthesize", "render"]
STAGES: tuple[StageName, ...] = ("decompose", "research", "extract", "verify", "debate", "synthesize", "render")

EventKind = Literal[
    "source-rejected",       # the policy did not admit it
    "source-unavailable",    # admitted, but could not be read
    "search-unavailable",    # a provider gave no answer
    "draft-rejected",        # a member's draft broke I1 or the schema
    "member-unavailable",    # a member gave no readable answer
    "claim-refuted",
    "claim-unavailable",     # it could not be checked: left out, waits for a person
    "claim-deferred",        # it may differ from its passage: left out, waits for a person
    "claim-dropped",         # judges disagreed, it differs from its passage, or it was conceded or refined away
    "contestation-invalid",
    "defence-invalid",
    "claim-uncorroborated",  # tier 3 alone without two independent sources
    "claim-redundant",       # a person let it in, and another claim of its cluster is cited in its place
    "claim-unused",          # not supported (silent), not used by the writer, or its sentence was removed
    "sentence-repaired",
    "sentence-removed",
    "reference-dropped",     # its passage does not say the sentence as it is printed
    "instruction-ignored",   # a passage held an instruction; it was treated as text
    "text-cut",              # a passage or claim did not fit a model's window whole
    "search-moved",          # a provider gave no answer, so another one carried the search out
    "turn-moved",            # a member or a judge gave no answer, so another one spoke in its place
    "budget-degraded",
    "note",
]


class Event(Frozen):
    """A row for everything that was left out or rejected (I7): where, what, and why in one sentence."""

    stage: StageName
    kind: EventKind
    subject_id: str
    reason: str
    member: str | None = None
    planted: bool = False


class SubQuery(Frozen):
    """One of the questions that together cover the question. `facet` names its aspect."""

    sub_query_id: str
    text: str
    facet: str = ""


class MemberInfo(Frozen):
    """A member of the council. `model` is None for a member without a language model."""

    name: str
    family: str
    model: str | None = None
    description: str = ""


class Binding(Frozen):
    """A line of the rotation schedule: the provider of a member's n-th search for a sub-query."""

    member: str
    sub_query_id: str
    slot: int
    provider: str


class Call(Frozen):
    """A turn of a member, a lens or a search provider. Costs in US dollars; None if the price is unknown. `count` is
    the number of questions in it: a lens judges pairs in batches."""

    call_id: str
    request_hash: str
    stage: StageName
    who: str
    model: str | None = None
    turn: str
    count: int = 1
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = 0.0
    seconds: float = 0.0
    from_ledger: bool = False
    error: str | None = None
    cuts: tuple[str, ...] = ()
    """Texts that were shortened or left out to fit the model's window, each with its new size."""


class StageTiming(Frozen):
    """The duration of a stage, in seconds, and whether its output came from the store."""

    stage: StageName
    seconds: float
    from_store: bool = False


class Run(Frozen):
    """A run's question and settings, and what differs between two equal runs: ids, times."""

    run_id: str
    parent_run_id: str | None = None
    replayed_from: StageName | None = None
    question: str
    tier: str
    seed: int
    started_at: datetime
    finished_at: datetime | None = None
    version: str
    settings: dict[str, Any] = Field(default_factory=dict)
    policy_hash: str = ""
    degraded: tuple[str, ...] = ()
    """Things that the run had to do without, a line each: the budget's cuts, then the answer's `missing`."""
    timings: tuple[StageTiming, ...] = ()


def findings_of(graph: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a claim graph's JSON values that its content hash covers: everything but `run`, `calls`,
    `approvals` and derived values."""
    kept = {name: value for name, value in graph.items() if name not in ("run", "calls", "approvals")}
    kept["answer"] = {name: value for name, value in graph["answer"].items() if name not in DERIVED}
    return kept


class ClaimGraph(Showing, Frozen):
    """The whole record of a run. Two runs of the same question on the same input differ only in `run` and `calls`."""

    schema_version: SchemaVersion = SCHEMA_VERSION
    run: Run
    council: tuple[MemberInfo, ...] = ()
    sub_queries: tuple[SubQuery, ...] = ()
    schedule: tuple[Binding, ...] = ()
    searches: tuple[Search, ...] = ()
    sources: tuple[Source, ...] = ()
    passages: tuple[Passage, ...] = ()
    claims: tuple[ClaimEnvelope, ...] = ()
    judgments: tuple[ClaimJudgment, ...] = ()
    contestations: tuple[Contestation, ...] = ()
    rounds: tuple[Round, ...] = ()
    answer: Answer
    events: tuple[Event, ...] = ()
    overrides: tuple[Override, ...] = ()
    """Claims that a person admitted: who and why."""
    calls: tuple[Call, ...] = ()
    approvals: tuple[ApprovalNote, ...] = ()
    """Approvals that are pending or were settled since: joined when the graph is shown, and not stored with it."""

    @model_serializer(mode="wrap")
    def _as_its_version(self, inner: SerializerFunctionWrapHandler):  # type: ignore[no-untyped-def]
        """Return the fields; an answer of 1.0 is written as that version knew it. Without an annotation of what it
        returns, the schema stays that of the fields."""
        told = inner(self)
        if self.schema_version == "1.0" and isinstance(told.get("answer"), dict):
            told["answer"] = {name: value for name, value in told["answer"].items() if name not in DERIVED}
        return told

    def content_hash(self) -> str:
        """Return SHA-256 over everything but `run`, `calls`, `approvals` and derived values: equal for equal findings.
        """
        return content_hash(findings_of(self.model_dump(mode="json", exclude={"run", "calls", "approvals"})))

    def __repr__(self) -> str:
        return f"<ClaimGraph {self.run.run_id}: {self.run.question[:60]!r}, {self._counts()}>"

    def _counts(self) -> str:
        cited = sum(bool(sentence.references) for sentence in self.answer.sentences)
        return f"{self.answer.status.replace('_', ' ')}, {cited} cited sentences of {len(self.claims)} claims"

    def _shown(self) -> Shown:
        paragraphs: dict[int, list[str]] = {}
        for each in self.answer.sentences:
            marks = "".join(f"[{number}]" for number in each.references)
            paragraphs.setdefault(each.paragraph, []).append(f"{each.text} {marks}".rstrip())
        why = [self.answer.reason] if self.answer.reason else []
        entries = [Numbered(r.number, f"{r.title or r.url} (tier {r.tier})", r.url) for r in self.answer.bibliography]
        note = f"{self._counts()}, {self.run.tier} tier, run {self.run.run_id}"
        return Shown(self.run.question, note, [*why, *map(" ".join, paragraphs.values())], entries)
