"""Open verification: one claim against a whole corpus, from search to a verdict with its verbatim evidence."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Literal
from urllib.parse import unquote

from pydantic import Field, computed_field

from veritas.claims.corroboration import lone_voice, paywalled_only
from veritas.claims.judgment import EVEN, caveat
from veritas.claims.sources import Tier
from veritas.documents.document import Document
from veritas.frozen import Frozen
from veritas.judging import shown
from veritas.judging.evidence import MAX_CLAIM
from veritas.judging.lenses import EmbeddedLens
from veritas.policy.source_policy import SourcePolicy, TierVerdict
from veritas.reading.corpus import Corpus
from veritas.search.provider import SearchHit
from veritas.text.notebook import Numbered, Showing, Shown
from veritas.text.plural import plural
from veritas.verification.document_evidence import WEIGHTS, Label, Weights, read, telling, upheld

HITS = 30
"""Documents that are asked for, and more if too few are admitted."""
READ = 10
"""Admitted documents that are read for a claim, best first."""
SUPPORT_THRESHOLD = 0.33
"""Probability, 0 to 1, from which a document supports. Above `REFUTE_THRESHOLD`, because a false support costs more."""
REFUTE_THRESHOLD = 0.3
"""Probability, 0 to 1, from which a document refutes."""
NEAREST = 2
"""Silent documents shown after the others, if they are about the claim at all (`ABOUT`)."""
HELD = 0.5
"""Score of a `silent` by which a document that seemed to be evidence is held back."""
ABOUT = 0.1
"""Probability of being evidence below which a silent document is not shown."""

_HALVES = re.compile("[\ud800-\udfff]")  # halves of a surrogate pair: not text, though JSON can hold them

Verdict = Literal["supports", "refutes", "insufficient"]


class Span(Frozen):
    """A verbatim passage: `document.text[start:end] == passage`."""

    passage: str
    start: int
    end: int


class Evidence(Frozen):
    """A document on the claim. `passage` is its most telling sentence (or two in a row), `also` others that tell more.

    `document` is a corpus record's own id, else the URL. `score` is the probability, 0 to 1, that an expert would give
    the document this label for the claim; for `silent`, that it is no evidence.
    """

    document: str
    passage: str
    start: int
    end: int
    label: Label
    score: float = Field(ge=0, le=1)
    url: str
    title: str
    tier: Tier
    paywalled: bool
    rationale: str
    lens: str
    also: tuple[Span, ...] = ()


class Rejected(Frozen):
    """A document that search found and the source policy did not admit: it was not read (I3)."""

    url: str
    tier: Tier
    reason: str


class OpenVerdict(Showing, Frozen):
    """The verdict on a claim. `confidence` is the probability, 0 to 1, that it is right. `contested`: evidence stands
    on both sides.

    `evidence` is best first, `silent` documents last; `rejected` are those that would have been read, `unread` those
    that could not be, each with the reason: what they say is not in the verdict.
    """

    claim: str
    verdict: Verdict
    confidence: float = Field(ge=0, le=1)
    evidence: tuple[Evidence, ...]
    reason: str
    contested: bool = False
    badges: tuple[Literal["paywalled-only"], ...] = ()
    rejected: tuple[Rejected, ...] = ()
    unread: tuple[str, ...] = ()

    @computed_field  # type: ignore[prop-decorator]
    @property
    def caveat(self) -> str:
        """What to tell beside a weak `supports` or `refutes`; "" otherwise."""
        return "" if self.verdict == "insufficient" else caveat(self.confidence)

    def _shown(self) -> Shown:
        entries = [
            Numbered(n, f"{each.label} {each.score:.0%}: “{each.passage}” ({each.title or each.document})", each.url)
            for n, each in enumerate(self.evidence, 1)
        ]
        return Shown(self.claim, f"{self.verdict} ({self.confidence:.0%}): {self.reason}", (), entries)


class OpenVerifier:
    """Verifier of claims against `documents`, which are indexed once, at the first claim.

    Deterministic, no network, no model but the embedded lens. Not for use by several threads at once.
    """

    def __init__(
        self,
        documents: Corpus | Iterable[Document],
        *,
        policy: SourcePolicy | None = None,
    ) -> None:
        """`policy` is by default the one of the policies folder; raises `PolicyError` if that is wrong."""
        if policy is None:
            from veritas.policy.source_tiers import load_source_policy

            policy = load_source_policy()
        self._policy = policy
        corpus = documents if isinstance(documents, Corpus) else Corpus(documents)
        self.documents = corpus.documents
        self.weights: Weights = WEIGHTS
        self._index, self._by_url = corpus.index, corpus.by_url

    async def verify(self, claim: str) -> OpenVerdict:
        """Return the verdict; `insufficient` for a claim without a word. Never raises on any text."""
        claim = _HALVES.sub("\ufffd", claim)
        admitted, rejected = await self.candidates(claim)
        found = [
            evidence
            for rank, verdict in enumerate(admitted)
            if (evidence := self._evidence(claim, self._by_url[verdict.url], verdict, rank)) is not None
        ]
        decided = sorted((e for e in found if e.label != "silent"), key=lambda e: -e.score)
        silent = sorted((e for e in found if e.label == "silent" and e.score <= 1 - ABOUT), key=lambda e: e.score)
        verdict, confidence, reason = _decide(decided, admitted, found)
        side = [e for e in decided if e.label == verdict]
        return OpenVerdict(
            claim=claim,
            verdict=verdict,
            confidence=round(confidence, 4),
            evidence=(*decided, *silent[:NEAREST]),
            reason=reason,
            contested=len({e.label for e in decided}) > 1,
            badges=("paywalled-only",) if paywalled_only(side) else (),
            rejected=rejected,
        )

    async def candidates(self, claim: str) -> tuple[tuple[TierVerdict, ...], tuple[Rejected, ...]]:
        """Return the documents to read, best first, and those among them that the policy rejects."""
        limit = HITS
        while True:
            hits = await self._index.search(claim[:MAX_CLAIM], limit=limit)
            admitted, rejected = self._gate(hits)
            if len(admitted) == READ or len(hits) < limit:
                return admitted, rejected
            limit *= 4  # so that rejected documents, however many, do not crowd out the admitted ones

    def _gate(self, hits: Sequence[SearchHit]) -> tuple[tuple[TierVerdict, ...], tuple[Rejected, ...]]:
        """Part the hits by the policy, up to the last document to read."""
        admitted: list[TierVerdict] = []
        rejected: list[Rejected] = []
        for url in (hit.url for hit in hits):
            verdict = self._policy.classify(url)
            if verdict.admitted:
                # The document keeps its own URL, whatever page the policy saw behind it.
                admitted.append(verdict if verdict.url == url else verdict.model_copy(update={"url": url}))
            else:
                rejected.append(Rejected(url=url, tier=verdict.tier, reason=verdict.justification))
            if len(admitted) == READ:
                break
        return tuple(admitted), tuple(rejected)

    def _evidence(self, claim: str, document: Document, verdict: TierVerdict, rank: int) -> Evidence | None:
        """Return what `document` says of the claim; None if no sentence of it can be shown."""
        weighed = [(reading.weigh(rank, self.weights), reading) for reading in read(claim, document)]
        if not weighed:
            return None
        ranked = sorted(weighed, key=lambda pair: -max(pair[0]))
        heard = [(chances, reading, upheld(_label(*chances), reading)) for chances, reading in ranked]
        (supports, refutes), reading, label = next((one for one in heard if one[2] != "silent"), heard[0])
        told = [Span(passage=document.text[a:b], start=a, end=b) for a, b in telling(document.text, reading)]
        if not told:
            return None
        first, *also = told
        score = {"supports": supports, "refutes": refutes, "silent": 1 - supports - refutes}[label]
        why = f"{reading.sentence:.0%} of the claim is in {shown(first.passage)}; "
        if label == "silent" and _label(supports, refutes) != "silent":
            score, why = HELD, why + reading.verdict.reason
        else:
            why += f"as evidence: supports {supports:.0%}, refutes {refutes:.0%}"
        return Evidence(
            document=record_id(document.url),
            passage=first.passage,
            start=first.start,
            end=first.end,
            label=label,
            score=round(max(0.0, score), 4),
            url=document.url,
            title=document.title,
            tier=verdict.tier,
            paywalled=verdict.paywalled,
            rationale=why,
            lens=EmbeddedLens.name,
            also=tuple(also),
        )


def _label(supports: float, refutes: float) -> Label:
    """Return the label that two probabilities give a document."""
    if supports >= max(refutes, SUPPORT_THRESHOLD):
        return "supports"
    return "refutes" if refutes >= REFUTE_THRESHOLD and refutes > supports else "silent"


def record_id(url: str) -> str:
    """Return the id of a corpus record for `corpus://<name>/<id>`; any other URL unchanged."""
    if not url.startswith("corpus://"):
        return url
    return unquote(url.removeprefix("corpus://").partition("/")[2])


def _decide(
    decided: Sequence[Evidence], admitted: Sequence[TierVerdict], found: Sequence[Evidence]
) -> tuple[Verdict, float, str]:
    """Return the verdict of the best evidence, if its side may carry a claim, with confidence and reason."""
    if not decided:
        if not found:
            return "insufficient", 0.99, "no admitted document speaks of the claim"
        none = math.prod(e.score for e in found)
        return "insufficient", none, "no document that was read supports or refutes the claim plainly enough"
    best = decided[0]
    side = [e for e in decided if e.label == best.label]
    urls = {e.url for e in side}
    if only := lone_voice(side, [v.publisher for v in admitted if v.url in urls]):
        why = f"tier 3 alone needs two independent sources, and only {only} {best.label} the claim"
        return "insufficient", 1 - best.score, why
    assert best.label != "silent"
    if best.score < EVEN:
        leaning = f"{plural(len(side), 'document')} {'leans' if len(side) == 1 else 'lean'}"
        return "insufficient", 1 - best.score, f"{leaning} to {best.label[:-1]} the claim, less likely rightly than not"
    others = len(decided) - len(side)
    return best.label, best.score, (
        f"{plural(len(side), 'document')} {best.label if len(side) == 1 else best.label[:-1]}"
        f" the claim{f', {others} on the other side' if others else ''}"
    )
