"""A review as one document: the manuscript, and everything caught, left out and decided on the way to it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from veritas.claims.graph import Call
from veritas.frozen import Frozen, content_hash
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.corpus_claim import CLAIM_KINDS, EVIDENCE_KINDS
from veritas.reviews.manuscript import Manuscript, ReviewSentence
from veritas.reviews.reviewing.review_verdicts import SentenceVerdict, Verdict
from veritas.reviews.reviewing.reviewer import Report
from veritas.reviews.writing.resolve_citations import LayerOne
from veritas.text.notebook import Showing, Shown

ReviewStage = Literal["retrieve", "write", "review", "revise"]
REVIEW_STAGES: tuple[ReviewStage, ...] = ("retrieve", "write", "review", "revise")

SCHEMA: Literal["1.0"] = "1.0"


class CorpusState(Frozen):
    """The corpus as the review found it. `kinds` counts claims by claim type and evidence type (spec, figure 3)."""

    name: str
    content_hash: str
    papers: int
    claims: int
    embedding_model: str | None = None
    kinds: dict[str, dict[str, int]] = Field(default_factory=dict)
    keys: tuple[str, ...] = ()


def state_of(corpus: Corpus) -> CorpusState:
    """Return the present state of the corpus; the hash covers every claim and every paper's key."""
    papers, claims = corpus.papers(), corpus.claims()
    kinds = {kind: dict.fromkeys(EVIDENCE_KINDS, 0) for kind in CLAIM_KINDS}
    for claim in claims:
        kinds[claim.claim_type][claim.evidence_type] += 1
    return CorpusState(
        name=corpus.name,
        content_hash=content_hash([sorted(c.claim_id for c in claims), sorted(p.paper_key for p in papers)]),
        papers=len(papers),
        claims=len(claims),
        embedding_model=corpus.embedding_model,
        kinds={kind: dict(counts) for kind, counts in kinds.items()},
        keys=tuple(p.paper_key for p in papers),
    )


class Revision(Frozen):
    """A sentence that went back to the writer: the reason, the new sentence (None: it was given up), and its fault."""

    sentence_id: str
    section: str
    before: str
    why: str
    after: ReviewSentence | None = None
    fault: str | None = None
    """The fault that code found in the new sentence."""


class LeftOut(Frozen):
    """A sentence that is not in the text. The gap of its section counts it, and it waits for a person under
    `approval_id`."""

    sentence: ReviewSentence
    verdict: Verdict
    reason: str
    approval_id: str | None = None
    state: str = "pending"
    by: str | None = None
    """Name and reason of the person who settled it."""


class Layers(Frozen):
    """Counts of sentences drafted, caught by each layer, and passed by all (spec, figure 4)."""

    drafted: int
    gaps: int
    """Layer 1: sentences without support in the corpus, marked by the writer or found by code."""
    reviewer: int
    """Layer 2: sentences that the adversarial reviewer did not verify in the first draft."""
    person: int
    """Layer 3: sentences that a person rejected."""
    restored: int
    """Sentences caught by layers 1 and 2 that stand in the text: revised, or let in by a person."""
    passed: int
    """Sentences that stand in the text and passed every layer at once."""


class StopNote(Frozen):
    """A stop for a person: the corpus, or the text."""

    approval_id: str
    state: str
    by: str | None = None


class ReviewTiming(Frozen):
    """Seconds a stage took, and whether its output came from the store."""

    stage: ReviewStage
    seconds: float
    from_store: bool = False


class Review(Showing, Frozen):
    """A review. `manuscript` is the text as it stands, with persons' decisions; `draft` as it was first written."""

    schema_version: Literal["1.0"] = SCHEMA
    review_id: str
    parent_review_id: str | None = None
    topic: str
    corpus: CorpusState
    structure: str
    settings: dict[str, Any] = Field(default_factory=dict)
    draft: Manuscript
    manuscript: Manuscript
    layer_one: tuple[LayerOne, ...] = ()
    first: Report
    second: Report
    """The verdicts on the sentences that came back from the writer."""
    revisions: tuple[Revision, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    layers: Layers
    corpus_stop: StopNote
    text_stop: StopNote
    calls: tuple[Call, ...] = ()
    timings: tuple[ReviewTiming, ...] = ()
    started_at: datetime
    finished_at: datetime
    version: str

    def __repr__(self) -> str:
        return f"<Review {self.review_id}: {self.topic[:60]!r}>"

    def _shown(self) -> Shown:
        blocks = []
        for section in self.manuscript.sections:
            for paragraph in self.manuscript.paragraphs(section.section_id):
                cited = [(s.text, ", ".join(dict.fromkeys(c.paper_key for c in s.cites))) for s in paragraph]
                blocks.append(" ".join(f"{text} [{keys}]" if keys else text for text, keys in cited))
        return Shown(self.manuscript.title, f"a review of corpus {self.corpus.name}, {self.review_id}", blocks)

    def verdict(self, sentence_id: str) -> SentenceVerdict | None:
        """Return the reviewer's last verdict on a sentence."""
        return self.second.of(sentence_id) or self.first.of(sentence_id)

    @property
    def unjudged(self) -> str | None:
        """The reason why nobody could judge any of the sentences put before a judge; None if somebody did."""
        asked = [v for v in (*self.first.verdicts, *self.second.verdicts) if v.decision is not None]
        silent = [v for v in asked if v.verdict == "UNAVAILABLE"]
        return silent[0].reason if silent and len(silent) == len(asked) else None

    @property
    def approved(self) -> bool:
        """True if persons have approved corpus and text."""
        return self.corpus_stop.state == "approved" and self.text_stop.state == "approved"

    @property
    def nothing_stands(self) -> str | None:
        """The reason why the text has no sentence; None if it has one."""
        if any(s.kind != "gap" for s in self.manuscript.sentences):
            return None
        if not self.first.verdicts and not self.second.verdicts:
            caught = f", {len(self.layer_one)} of them refused by code" if self.layer_one else ""
            return f"no sentence cites a claim of the corpus {self.corpus.name} ({self.layers.drafted} drafted{caught})"
        if self.unjudged is not None:
            return f"none of {self.layers.drafted} drafted sentences could be checked: {self.unjudged}"
        return f"none of {self.layers.drafted} drafted sentences passed its checks: see report.html for the reasons"

    def content_hash(self) -> str:
        """Return the SHA-256 of the findings: equal for two reviews of the same corpus under the same settings. The
        budget is no finding; what it left out is."""
        keep = {"topic", "corpus", "structure", "settings", "draft", "layer_one", "first", "second", "revisions"}
        # What the corpus says of a paper, and which papers it says nothing of, is in the corpus' own hash.
        cited: dict[str, Any] = {"cites": {"__all__": {"evidence"}}}
        dull: dict[str, Any] = {
            "settings": {"budget"}, "draft": {"off_topic": True, "sentences": {"__all__": cited}},
            "revisions": {"__all__": {"after": cited}},
        }  # fmt: skip
        found = self.model_dump(mode="json", include=keep, exclude=dull)
        return content_hash(found)
