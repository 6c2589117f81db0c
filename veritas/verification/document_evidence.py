"""Read a document for one claim: the lens's chances, the probability that it is evidence, and its telling sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from veritas.documents.document import Document
from veritas.documents.passages import best_passages
from veritas.long_waits import still_waited_for
from veritas.meaning.compare import compare_passage
from veritas.meaning.displaced import of_another_option
from veritas.meaning.embedded import retraction
from veritas.meaning.embedded.addressed_to_judge import without_instructions
from veritas.meaning.embedded.claim_evidence import MAX_CLAIM, Alignment, Passage, Statement
from veritas.meaning.embedded.entailment import EmbeddedLens, plain
from veritas.meaning.embedded.held_back import held_back
from veritas.meaning.embedded.model import Chances
from veritas.meaning.floor import Standing
from veritas.meaning.relation import Difference, Setting
from veritas.meaning.strict import stop
from veritas.text.pointers import without_pointers
from veritas.text.sentences import statements

Label = Literal["supports", "refutes", "silent"]

WHOLE = 6_000
"""Characters up to which a document (an abstract, a note) is judged whole; of a longer one, its best passages are."""
PASSAGES = 3
"""Passages of a longer document that are judged; the most decided passage stands for the document."""
VERBATIM = 0.99
"""Probability that a document which states the claim word for word is evidence on it, at any rank."""
PLAIN = 0.8, 0.7
"""Share of the claim, 0 to 1, and least weight of the rank: if a document's best sentence meets more than the share,
its rank counts as at least the weight, for a corpus may hold many documents that say the same."""


class Weights(NamedTuple):
    """Weights of a logistic fit: the probability that an expert would take a document for evidence on the claim. The
    features are its rank (as 1 / (1 + rank)), the share of the claim met in title and text, that met in the best
    sentence, and the lens's probability of `silent`. Fitted by benchmarks/verify_open.py; docs/lens.md gives the data
    and the quality."""

    rank: float
    anywhere: float
    sentence: float
    silent: float
    bias: float


WEIGHTS = Weights(rank=3.53, anywhere=2.53, sentence=1.76, silent=-1.75, bias=-6.0)

_STANDING: dict[retraction.Standing, Chances] = {
    "stated": {"supports": 0.99, "refutes": 0.005, "silent": 0.005},
    "retracted": {"supports": 0.01, "refutes": 0.9, "silent": 0.09},
    "reported": {"supports": 0.05, "refutes": 0.05, "silent": 0.9},
    "limited": {"supports": 0.05, "refutes": 0.05, "silent": 0.9},
}


class Reading(NamedTuple):
    """The lens's reading of one window of a document for the claim.

    `anywhere`, `sentence`: shares of the claim's weight, 0 to 1, met in title and window, and in the best sentence;
    `chances`: the lens's; `said`: the claim stands there word for word, as stated or as withdrawn; `reserved`: it
    stands there only as something asked or claimed by others, or with a limit that the claim omits. `start`: offset in
    the document of `window`, which is without instructions to a judge.
    """

    start: int
    window: str
    chances: Chances
    anywhere: float
    sentence: float
    said: bool
    reserved: bool
    alignment: Alignment

    def features(self, rank: int) -> Weights:
        """Return the factor of each weight for a document that search put at `rank` (from 0)."""
        near = 1 / (1 + rank)
        plain_share, plain_near = PLAIN
        if self.sentence > plain_share:
            near = max(near, plain_near)
        return Weights(near, self.anywhere, self.sentence, self.chances["silent"], 1.0)

    def weigh(self, rank: int, weights: Weights = WEIGHTS) -> tuple[float, float]:
        """Return the probabilities that an expert would say `supports` and `refutes` of the document."""
        decided = self.chances["supports"] + self.chances["refutes"]
        if self.reserved or decided <= 0:
            return 0.0, 0.0
        logit = sum(w * f for w, f in zip(weights, self.features(rank), strict=True))
        evidence = VERBATIM if self.said else 1 / (1 + math.exp(-logit))
        return evidence * self.chances["supports"] / decided, evidence * self.chances["refutes"] / decided


def read(claim: str, document: Document, lens: EmbeddedLens) -> Iterator[Reading]:
    """Yield a reading of each window of `document` that may bear on the claim. Raises `Cancelled` where nobody waits
    for it any more."""
    claim = without_pointers(claim[:MAX_CLAIM])
    stated = Statement(claim)
    headed = f"{document.title}\n\n"
    for start, end in _windows(document, claim):
        still_waited_for()
        window = without_instructions(document.text[start:end])
        alignment = Alignment(stated, Passage(window, stated))
        if not alignment.order:
            continue
        how = retraction.standing(claim, window)
        yield Reading(
            start=start,
            window=window,
            chances=_STANDING[how] if how in _STANDING else lens.chances(alignment, plain(alignment)),
            anywhere=Alignment(stated, Passage(headed + window, stated)).passage_coverage,
            sentence=alignment.coverage[alignment.order[0]],
            said=how in ("stated", "retracted"),
            reserved=how in ("reported", "limited"),
            # Offsets count the document's characters, so text left out above is put back.
            alignment=alignment
            if len(window) == end - start
            else Alignment(stated, Passage(document.text[start:end], stated)),
        )


@dataclass(frozen=True, slots=True)
class Upheld:
    """What the comparison leaves of a label, and the difference that decided, if one did."""

    label: Label
    difference: Difference | None = None


def upheld(label: Label, claim: str, reading: Reading, setting: Setting) -> Upheld:
    """Return a label as far as the comparison of claim and window bears it out, by the rule of strict judging: a
    difference that stops a support leaves it `silent`, as does an option that is not named there, and what holds the
    lens's own `supports` back. Nothing refutes but what excludes the claim, or withdraws it where it stands word for
    word."""
    if label == "silent" or (reading.said and label == "refutes"):
        return Upheld(label)
    if label == "supports":
        best = reading.alignment.best
        around = f"{setting.subject} {reading.window}"
        stopping = (
            of_another_option(claim, best.text if best is not None else "", around)
            or stop(claim, [Standing(reading.window, setting)])
            or (None if reading.said else held_back(reading.alignment))
        )
        return Upheld("silent" if stopping is not None else "supports", stopping)
    found = compare_passage(reading.window, claim, setting=setting)
    return Upheld("refutes" if found.relation == "excludes" else "silent", found.doubt)


def telling(text: str, reading: Reading) -> list[tuple[int, int]]:
    """Return offsets in `text`, the document's, of the sentences that together meet most of the claim, best first.

    The second is joined to the first if it is next to it. A sentence that tells a judge what to answer is left out.
    """
    alignment, start = reading.alignment, reading.start
    cut = statements(alignment.passage.text)
    places = [alignment.passage.statements[i].index for i in dict.fromkeys([*alignment.chain, *alignment.order[:3]])]
    places = [p for p in places if without_instructions(text[start + cut[p][0] : start + cut[p][1]]).strip()]
    if not places:
        return []
    chain = {alignment.passage.statements[i].index for i in alignment.chain}
    first, rest = {places[0]}, [p for p in places[1:] if p in chain]
    if rest and abs(rest[0] - places[0]) == 1:
        first.add(rest.pop(0))
    return [
        (start + cut[min(group)][0], start + cut[max(group)][1]) for group in (first, *({place} for place in rest))
    ]


def _windows(document: Document, claim: str) -> Sequence[tuple[int, int]]:
    if len(document.text) <= WHOLE:
        return [(0, len(document.text))]
    return [(passage.start, passage.end) for passage in best_passages(document, claim, PASSAGES)]
