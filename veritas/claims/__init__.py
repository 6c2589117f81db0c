"""The data of a run: claims, their authors, their sources, and their outcome."""

from veritas.claims.answer import Answer, Reference, Sentence
from veritas.claims.contestation import Contestation, Round
from veritas.claims.envelope import (
    Badge,
    Citation,
    ClaimEnvelope,
    ClaimType,
    DebateStatus,
    Label,
    Provenance,
    SpanRef,
    claim_id,
)
from veritas.claims.graph import (
    STAGES,
    Binding,
    Call,
    ClaimGraph,
    Event,
    MemberInfo,
    Run,
    StageName,
    StageTiming,
    SubQuery,
)
from veritas.claims.judgment import ClaimJudgment, Judgment
from veritas.claims.sources import HitRecord, Passage, Search, Source, Tier, passage_id, source_id

__all__ = [
    "STAGES", "Answer", "Badge", "Binding", "Call", "Citation", "ClaimEnvelope", "ClaimGraph",
    "ClaimJudgment", "ClaimType", "Contestation", "DebateStatus", "Event", "HitRecord", "Judgment", "Label",
    "MemberInfo", "Passage", "Provenance", "Reference", "Round", "Run", "Search", "Sentence", "Source", "SpanRef",
    "StageName", "StageTiming", "SubQuery", "Tier", "claim_id", "passage_id", "source_id",
]
