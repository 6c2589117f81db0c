"""Read a document for one claim: the judge's chances, the probability that it is evidence, its telling sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from veritas.documents.document import Document
from veritas.documents.passages import cut_passages
from veritas.judging import Question, Setting, Verdict, judge_all
from veritas.judging.evidence import MAX_CLAIM, Evidence, find, share, stems, weight
from veritas.judging.learned import Chances
from veritas.long_waits import still_waited_for
from veritas.search.ranking import best
from veritas.text.instructions import without_orders

Label = Literal["supports", "refutes", "silent"]

WHOLE = 6_000
"""Characters up to which a document (an abstract, a note) is judged whole; of a longer one, its best passages are."""
PASSAGES = 4
"""Passages of a longer document that are judged; the most decided passage stands for the document."""
VERBATIM = 0.99
"""Probability that a document which has the claim in its own words is evidence on it, at any rank."""
PLAIN = 0.8, 0.7
"""Share of the claim, 0 to 1, and least weight of the rank: if a document's best sentence meets more than the share,
its rank counts as at least the weight, for a corpus may hold many documents that say the same."""


class Weights(NamedTuple):
    """Weights of a logistic fit: the probability that an expert would take a document for evidence on the claim. The
    features are its rank (as 1 / (1 + rank)), the share of the claim met in title and text, that met in the best
    sentence, and the lens's probability of `silent`. Fitted by benchmarks/verify_open.py; docs/judge.md gives the data
    and the quality."""

    rank: float
    anywhere: float
    sentence: float
    silent: float
    bias: float


WEIGHTS = Weights(rank=3.53, anywhere=2.53, sentence=1.76, silent=-1.75, bias=-6.0)

class Reading(NamedTuple):
    """The judge's reading of one window of a document for the claim.

    `anywhere`, `sentence`: shares of the claim's weight, 0 to 1, met in title and window, and in the best sentence.
    `start`: offset in the document of `window`.
    """

    start: int
    window: str
    anywhere: float
    sentence: float
    verdict: Verdict
    evidence: Evidence

    @property
    def chances(self) -> Chances:
        """The judge's probabilities."""
        return self.verdict.chances

    def features(self, rank: int) -> Weights:
        """Return the factor of each weight for a document that search put at `rank` (from 0)."""
        near = 1 / (1 + rank)
        plain_share, plain_near = PLAIN
        if self.sentence > plain_share:
            near = max(near, plain_near)
        return Weights(near, self.anywhere, self.sentence, self.chances.silent, 1.0)

    def weigh(self, rank: int, weights: Weights = WEIGHTS) -> tuple[float, float]:
        """Return the probabilities that an expert would say `supports` and `refutes` of the document."""
        decided = self.chances.supports + self.chances.refutes
        if decided <= 0:
            return 0.0, 0.0
        logit = sum(w * f for w, f in zip(weights, self.features(rank), strict=True))
        evidence = VERBATIM if self.verdict.same else 1 / (1 + math.exp(-logit))
        return evidence * self.chances.supports / decided, evidence * self.chances.refutes / decided


def read(claim: str, document: Document) -> Iterator[Reading]:
    """Yield a reading of each window of `document` that may bear on the claim. Raises `Cancelled` where nobody waits
    for it any more."""
    claim = claim[:MAX_CLAIM]
    spans = [(start, end) for start, end in _windows(document, claim) if find(claim, document.text[start:end]).order]
    setting = Setting(document.url, document.title)
    texts = [document.text[start:end] for start, end in spans]
    still_waited_for()
    for (start, _), text, verdict in zip(
        spans, texts, judge_all([Question(claim, text, setting) for text in texts]), strict=True
    ):
        evidence = find(claim, text)
        yield Reading(
            start=start,
            window=text,
            anywhere=share(claim, f"{document.title}\n\n{text}"),
            sentence=evidence.shares[evidence.order[0]],
            verdict=verdict,
            evidence=evidence,
        )


def upheld(label: Label, reading: Reading) -> Label:
    """Return a label as far as the judge bears it out: a probability alone makes no evidence where the judge names a
    difference, and nothing refutes but what the judge finds refuted."""
    return label if label == reading.verdict.label else "silent"


def telling(text: str, reading: Reading) -> list[tuple[int, int]]:
    """Return offsets in `text`, the document's, of the sentence that decides and of up to two that meet words of the
    claim which it has not, best first.

    The second is joined to the first if it is next to it. A sentence that tells a judge what to answer is left out.
    """
    evidence, start, claim = reading.evidence, reading.start, stems(reading.evidence.claim)
    decided = [at for at in evidence.order if evidence.sentence(at) == reading.verdict.sentence]
    places = list(dict.fromkeys([*decided[:1], *evidence.order[:3]]))[:3]
    places = [at for at in places if evidence.shares[at] > 0 and without_orders(evidence.sentence(at)).strip()]
    if not places:
        return []
    met = stems(evidence.sentence(places[0]))
    more = [at for at in places[1:] if any(weight(each) > 1 for each in stems(evidence.sentence(at)) & claim - met)]
    first, rest = {places[0]}, more
    if rest and abs(rest[0] - places[0]) == 1:
        first.add(rest.pop(0))
    return [
        (start + evidence.spans[min(group)][0], start + evidence.spans[max(group)][1])
        for group in (first, *({place} for place in rest))
    ]


def _windows(document: Document, claim: str) -> Sequence[tuple[int, int]]:
    if len(document.text) <= WHOLE:
        return [(0, len(document.text))]
    return [(passage.start, passage.end) for passage in best(claim, cut_passages(document), PASSAGES)]
