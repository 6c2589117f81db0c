"""Open verification: one claim against a whole corpus, from search to a verdict with its verbatim evidence."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple
from urllib.parse import unquote

from pydantic import Field

from veritas.claims.sources import Tier
from veritas.frozen import Frozen
from veritas.policy.source_policy import SourcePolicy, TierVerdict
from veritas.reading.document import Document
from veritas.reading.passages import best_passages
from veritas.search.local import LocalIndex
from veritas.verifying.embedded.entailment import EmbeddedLens, plain
from veritas.verifying.embedded.evidence import MAX_CLAIM, Alignment, Passage, Statement
from veritas.verifying.embedded.instructions import without_instructions
from veritas.verifying.embedded.judging import shown
from veritas.verifying.embedded.model import Chances
from veritas.verifying.embedded.retraction import standing
from veritas.verifying.embedded.sentences import spans

HITS = 30
"""Hits asked of each provider; their rankings are fused by reciprocal rank."""
FUSION = 10
"""The constant of reciprocal rank fusion: how little the first ranks stand out."""
READ = 10
"""Admitted documents that are read for a claim, best first."""
WHOLE = 6_000
"""Characters up to which a document is judged as a whole (an abstract, a note); of a longer one its best passages."""
PASSAGES = 3
"""Passages of a longer document that are judged; the most decided one speaks for it."""
SUPPORT_THRESHOLD = 0.35
"""Probability, 0 to 1, from which a document supports. Above `REFUTE_THRESHOLD`, for a false support costs more."""
REFUTE_THRESHOLD = 0.25
"""Probability, 0 to 1, from which a document refutes."""
NEAREST = 2
"""Silent documents shown after the others, if they are about the claim at all (`ABOUT`)."""
ABOUT = 0.1
"""Probability of being evidence below which a silent document is not shown."""

# The chance that an expert would take a document for evidence on the claim: a logistic fit (benchmarks/verify_open.py)
# over the rank, the claim's words met in title and text, those met in the best sentence, and the lens's doubt.
_RANK, _ANYWHERE, _SENTENCE, _SILENT, _BIAS = 3.5, 2.6, 2.3, -1.55, -6.3
_VERBATIM = 0.99
"""The same for a document that says the claim itself, whatever its rank."""

Verdict = Literal["supports", "refutes", "insufficient"]


class Span(Frozen):
    """Verbatim: `document.text[start:end] == passage`."""

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
    label: Literal["supports", "refutes", "silent"]
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


class OpenVerdict(Frozen):
    """`confidence` is the probability, 0 to 1, that the verdict is right. `contested`: evidence stands on both sides.

    `evidence` is best first, `silent` documents last; `rejected` are those that would have been read.
    """

    claim: str
    verdict: Verdict
    confidence: float = Field(ge=0, le=1)
    evidence: tuple[Evidence, ...]
    reason: str
    contested: bool = False
    badges: tuple[Literal["paywalled-only"], ...] = ()
    rejected: tuple[Rejected, ...] = ()


class Reading(NamedTuple):
    """What one window of a document says of the claim.

    `anywhere`, `sentence`: shares of the claim's weight, 0 to 1, met in title and window, and in the best sentence;
    `chances`: the lens's; `said`: the claim stands there word for word."""

    start: int
    chances: Chances
    anywhere: float
    sentence: float
    said: bool
    alignment: Alignment

    def weigh(self, rank: int) -> tuple[float, float]:
        """The probabilities of `supports` and `refutes` for a document that search put at `rank` (from 0)."""
        logit = (
            _RANK / (1 + rank) + _ANYWHERE * self.anywhere + _SENTENCE * self.sentence
            + _SILENT * self.chances["silent"] + _BIAS
        )  # fmt: skip
        evidence = _VERBATIM if self.said else 1 / (1 + math.exp(-logit))
        decided = self.chances["supports"] + self.chances["refutes"]
        if self.chances["silent"] >= 0.9 or decided <= 0:
            return 0.0, 0.0
        return evidence * self.chances["supports"] / decided, evidence * self.chances["refutes"] / decided


class OpenVerifier:
    """Verifies claims against `documents`, which are indexed once, at the first claim.

    Deterministic, no network, no model but the embedded lens. Not for several threads at once.
    """

    def __init__(
        self,
        documents: Iterable[Document],
        *,
        policy: SourcePolicy | None = None,
        lens: EmbeddedLens | None = None,
        support_threshold: float = SUPPORT_THRESHOLD,
        refute_threshold: float = REFUTE_THRESHOLD,
    ) -> None:
        """`policy` is by default the one of the policies folder; raises `PolicyError` if that is wrong."""
        if policy is None:
            from veritas.policy.source_tiers import load_source_policy

            policy = load_source_policy()
        self._policy = policy
        self._lens = lens or EmbeddedLens()
        self._thresholds = support_threshold, refute_threshold
        self._index = LocalIndex(documents)
        self._by_url = {document.url: document for document in reversed(self._index.documents)}

    async def verify(self, claim: str) -> OpenVerdict:
        """The verdict; `insufficient` for a claim without a word. Never raises on any text."""
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
        paid = bool(side) and any(e.paywalled for e in side) and not any(_open_and_good(e) for e in side)
        return OpenVerdict(
            claim=claim,
            verdict=verdict,
            confidence=round(confidence, 4),
            evidence=(*decided, *silent[:NEAREST]),
            reason=reason,
            contested=len({e.label for e in decided}) > 1,
            badges=("paywalled-only",) if paid else (),
            rejected=rejected,
        )

    async def candidates(self, claim: str) -> tuple[tuple[TierVerdict, ...], tuple[Rejected, ...]]:
        """The documents to read, best first, and those among them that the policy keeps from being read."""
        scores: dict[str, float] = {}
        for provider in self._index.providers:
            for rank, hit in enumerate(await provider.search(claim[:MAX_CLAIM], limit=HITS)):
                scores[hit.url] = scores.get(hit.url, 0.0) + 1 / (FUSION + 1 + rank)
        admitted: list[TierVerdict] = []
        rejected: list[Rejected] = []
        for url in sorted(scores, key=lambda url: (-scores[url], url)):
            verdict = self._policy.classify(url)
            if verdict.admitted:
                # The document is known by its own URL, whatever page the policy saw behind it.
                admitted.append(verdict if verdict.url == url else verdict.model_copy(update={"url": url}))
            else:
                rejected.append(Rejected(url=url, tier=verdict.tier, reason=verdict.justification))
            if len(admitted) == READ:
                break
        return tuple(admitted), tuple(rejected)

    def read(self, claim: str, document: Document) -> Iterator[Reading]:
        """Each window of `document` that may bear on the claim, judged; for measuring, and for `verify`."""
        stated = Statement(claim[:MAX_CLAIM])
        headed = f"{document.title}\n\n"
        for start, end in _windows(document, claim):
            window = without_instructions(document.text[start:end])
            alignment = Alignment(stated, Passage(window, stated))
            if not alignment.order:
                continue
            how = standing(claim, window)
            yield Reading(
                start=start,
                chances=_STANDING[how] if how in _STANDING else self._lens.chances(alignment, plain(alignment)),
                anywhere=Alignment(stated, Passage(headed + window, stated)).passage_coverage,
                sentence=alignment.coverage[alignment.order[0]],
                said=how in ("stated", "retracted"),
                # Offsets are those of the document, so what was left out above has to be there again.
                alignment=alignment
                if len(window) == end - start
                else Alignment(stated, Passage(document.text[start:end], stated)),
            )

    def _evidence(self, claim: str, document: Document, verdict: TierVerdict, rank: int) -> Evidence | None:
        """What `document` says of the claim; None if no sentence of it can be shown."""
        weighed = [(reading.weigh(rank), reading) for reading in self.read(claim, document)]
        if not weighed:
            return None
        (supports, refutes), reading = max(weighed, key=lambda pair: max(pair[0]))
        telling = _telling(document.text, reading)
        if not telling:
            return None
        first, *also = telling
        label: Literal["supports", "refutes", "silent"] = "silent"
        score = 1 - max(supports, refutes)
        if supports >= max(refutes, self._thresholds[0]):
            label, score = "supports", supports
        elif refutes >= self._thresholds[1] and refutes > supports:
            label, score = "refutes", refutes
        return Evidence(
            document=record_id(document.url),
            passage=first.passage,
            start=first.start,
            end=first.end,
            label=label,
            score=round(score, 4),
            url=document.url,
            title=document.title,
            tier=verdict.tier,
            paywalled=verdict.paywalled,
            rationale=f"{reading.sentence:.0%} of the claim is in {shown(first.passage)}; as evidence: "
            f"supports {supports:.0%}, refutes {refutes:.0%}",
            lens=self._lens.name,
            also=tuple(also),
        )


_STANDING: dict[str | None, Chances] = {
    "stated": {"supports": 0.99, "refutes": 0.005, "silent": 0.005},
    "retracted": {"supports": 0.01, "refutes": 0.9, "silent": 0.09},
    "reported": {"supports": 0.05, "refutes": 0.05, "silent": 0.9},
}


def record_id(url: str) -> str:
    """The id a corpus record was given, for `corpus://<name>/<id>`; any other URL itself."""
    if not url.startswith("corpus://"):
        return url
    return unquote(url.removeprefix("corpus://").partition("/")[2])


def _windows(document: Document, claim: str) -> Sequence[tuple[int, int]]:
    if len(document.text) <= WHOLE:
        return [(0, len(document.text))]
    return [(passage.start, passage.end) for passage in best_passages(document, claim, PASSAGES)]


def _telling(text: str, reading: Reading) -> list[Span]:
    """The sentences that meet most of the claim together, best first; the second joined to the first if it is next to
    it. A sentence that tells a judge what to answer is no evidence of anything."""
    alignment, start = reading.alignment, reading.start
    cut = spans(alignment.passage.text)
    places = [alignment.passage.statements[i].index for i in dict.fromkeys([*alignment.chain, *alignment.order[:3]])]
    places = [p for p in places if without_instructions(text[start + cut[p][0] : start + cut[p][1]]).strip()]
    if not places:
        return []
    chain = {alignment.passage.statements[i].index for i in alignment.chain}
    first, rest = {places[0]}, [p for p in places[1:] if p in chain]
    if rest and abs(rest[0] - places[0]) == 1:
        first.add(rest.pop(0))
    found = []
    for group in (first, *({p} for p in rest)):
        low, high = start + cut[min(group)][0], start + cut[max(group)][1]
        found.append(Span(passage=text[low:high], start=low, end=high))
    return found


def _open_and_good(evidence: Evidence) -> bool:
    return not evidence.paywalled and evidence.tier in (1, 2)


def _decide(
    decided: Sequence[Evidence], admitted: Sequence[TierVerdict], found: Sequence[Evidence]
) -> tuple[Verdict, float, str]:
    """Verdict, confidence and why: that of the best evidence, if what is on its side may carry a claim."""
    if not decided:
        if not found:
            return "insufficient", 0.99, "no admitted document speaks of the claim"
        most = 1 - min(e.score for e in found)
        return "insufficient", 1 - most, "the nearest documents neither support nor refute the claim plainly enough"
    best = decided[0]
    side = [e for e in decided if e.label == best.label]
    if all(e.tier == 3 for e in side):
        publishers = {v.publisher for v in admitted if v.url in {e.url for e in side}}
        if len(publishers) < 2:
            only = f"only {next(iter(publishers))} {best.label} the claim"
            return "insufficient", 1 - best.score, f"tier 3 alone needs two independent sources, and {only}"
    assert best.label != "silent"
    others = len(decided) - len(side)
    return best.label, best.score, (
        f"{len(side)} document{'s' if len(side) > 1 else ''} {best.label if len(side) == 1 else best.label[:-1]}"
        f" the claim{f', {others} on the other side' if others else ''}"
    )
