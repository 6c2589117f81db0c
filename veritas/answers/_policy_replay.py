"""Replay under another source policy: the outputs of earlier stages pass through the new policy (I3).

Tiers are set anew; sources that the new policy does not admit are dropped, with a row for each. Sources that only the
new policy admits were never read: replay from `research` for those.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veritas.answers.debate import Debate
from veritas.answers.extract import Extraction
from veritas.answers.gather import Research
from veritas.answers.synthesize import Synthesis
from veritas.answers.verify import Verification
from veritas.claims.envelope import Citation, ClaimEnvelope
from veritas.claims.graph import Event, StageName
from veritas.policy.source_policy import SourcePolicy


class Regate:
    """A filter that passes the stored outputs of one run's stages through a policy, in the stages' order."""

    def __init__(self, policy: SourcePolicy) -> None:
        self.policy = policy
        self.admitted: dict[str, tuple[int, bool]] = {}
        """Document id to tier and paywall under the new policy."""

    def stage(self, name: str, output: Any) -> Any:
        """Return a stage's output (JSON values) under the new policy."""
        if name == "research":
            return self._research(Research.model_validate(output)).model_dump(mode="json")
        if name == "extract":
            return self._extraction(Extraction.model_validate(output)).model_dump(mode="json")
        if name == "verify":
            return self._verification(Verification.model_validate(output)).model_dump(mode="json")
        if name == "debate":
            return self._debate(Debate.model_validate(output)).model_dump(mode="json")
        if name == "synthesize":
            # An answer is never patched: it would cite dropped sources. A replay from render keeps its words.
            return Synthesis.model_validate(output).model_dump(mode="json")
        return output

    def _research(self, research: Research) -> Research:
        sources = []
        events: list[Event] = list(research.events)
        for source in research.sources:
            verdict = self.policy.classify(source.url)
            changed = source.model_copy(
                update={
                    "tier": verdict.tier,
                    "paywalled": verdict.paywalled,
                    "admitted": verdict.admitted,
                    "justification": verdict.justification,
                    "rule": verdict.rule,
                    "publisher": verdict.publisher,
                }
            )
            if source.status == "read" and not verdict.admitted:
                changed = changed.model_copy(update={"status": "rejected", "document_id": None})
                why = f"under the new policy: {verdict.justification}"
                events.append(self._lost("research", source.source_id, why))
            elif source.status == "read" and source.document_id and isinstance(verdict.tier, int):
                tier, paywalled = self.admitted.get(source.document_id, (9, True))
                self.admitted[source.document_id] = min((tier, paywalled), (verdict.tier, verdict.paywalled))
            elif source.status == "rejected" and verdict.admitted:
                changed = changed.model_copy(update={"status": "unread"})
                events.append(
                    Event(
                        stage="research",
                        kind="note",
                        subject_id=source.source_id,
                        reason="the new policy admits it, but it was never read: replay from research to read it",
                    )
                )
            sources.append(changed)
        passages = tuple(p for p in research.passages if p.document_id in self.admitted)
        kept = {p.passage_id for p in passages}
        return research.model_copy(
            update={
                "sources": tuple(sources),
                "documents": tuple(d for d in research.documents if d.document_id in self.admitted),
                "passages": passages,
                "readings": tuple(
                    r.model_copy(update={"passage_ids": tuple(i for i in r.passage_ids if i in kept)})
                    for r in research.readings
                ),
                "events": tuple(events),
            }
        )

    @staticmethod
    def _lost(stage: StageName, subject: str, reason: str, member: str | None = None) -> Event:
        return Event(stage=stage, kind="source-rejected", subject_id=subject, reason=reason, member=member)

    def _citations(self, citations: Sequence[Citation]) -> tuple[Citation, ...] | None:
        """Return the citations at their new tiers; None if the new policy bars one of them."""
        made = []
        for citation in citations:
            if citation.document_id not in self.admitted:
                return None
            tier, paywalled = self.admitted[citation.document_id]
            made.append(Citation.model_validate({**citation.model_dump(), "tier": tier, "paywalled": paywalled}))
        return tuple(made)

    def _claims(
        self, claims: Sequence[ClaimEnvelope], stage: StageName
    ) -> tuple[tuple[ClaimEnvelope, ...], frozenset[str], tuple[Event, ...]]:
        kept, events = [], []
        for claim in claims:
            citations = self._citations(claim.citations)
            if citations is None:
                reason = f"the new policy bars a source of “{claim.claim[:200]}”"
                events.append(self._lost(stage, claim.claim_id, reason, claim.asserted_by))
            else:
                kept.append(claim.model_copy(update={"citations": citations}))
        return tuple(kept), frozenset(c.claim_id for c in kept), tuple(events)

    def _extraction(self, extraction: Extraction) -> Extraction:
        claims, _, events = self._claims(extraction.claims, "extract")
        return Extraction(claims=claims, events=(*extraction.events, *events))

    def _verification(self, verified: Verification) -> Verification:
        claims, kept, _ = self._claims(verified.claims, "verify")
        return verified.model_copy(
            update={
                "claims": claims,
                "live": tuple(i for i in verified.live if i in kept),
                "judgments": tuple(j for j in verified.judgments if j.subject_id in kept),
                "waiting": tuple(d for d in verified.waiting if d.finding_id in kept),
            }
        )

    def _debate(self, debated: Debate) -> Debate:
        claims, kept, _ = self._claims(debated.claims, "debate")
        contestations = []
        events = list(debated.events)
        for x in debated.contestations:
            if x.claim_id not in kept:
                continue
            counter = self._citations(x.counter_citations)
            response = self._citations(x.response_citations)
            if counter is None or response is None:
                why = "the new policy bars its counter-source" if counter is None else "the new policy bars its defence"
                events.append(self._lost("debate", x.contestation_id, why, x.challenger))
                x = x.model_copy(update={"resolution": "invalid" if counter is None else "open", "ruling": why})
            else:
                x = x.model_copy(update={"counter_citations": counter, "response_citations": response})
            contestations.append(x)
        open_now = {x.claim_id for x in contestations if x.resolution == "open"}
        standing = {x.claim_id for x in contestations if x.resolution == "invalid"} - open_now
        claims = tuple(
            c.model_copy(update={"debate_status": "uncontested"})
            if c.claim_id in standing and c.debate_status == "contested"
            else c
            for c in claims
        )
        return debated.model_copy(
            update={
                "claims": claims,
                "live": tuple(i for i in debated.live if i in kept),
                "contestations": tuple(contestations),
                "events": tuple(events),
                "waiting": tuple(d for d in debated.waiting if d.finding_id in kept),
            }
        )
