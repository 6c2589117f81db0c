"""Opposites: the sentence is the claim but for one word, and has that word's opposite."""

from __future__ import annotations

from veritas.meaning.embedded.claim_evidence import Alignment
from veritas.meaning.embedded.conflicts import effective, polarity_conflicts
from veritas.meaning.embedded.scope import Objection
from veritas.text import lexicon
from veritas.text.stems import stem

NEARLY = 0.8
"""Least share of the claim's weight in a sentence that is about the claim. The opposed words count as met, because they
may weigh most."""


def opposed(alignment: Alignment) -> Objection | None:
    """Return `refutes` where the best sentence lacks a word of the claim, has its opposite, and has nearly all the
    rest."""
    best = alignment.best
    assert best is not None
    row = alignment.per_sentence[alignment.order[0]]
    for conflict in effective(polarity_conflicts(alignment.claim, best)):
        if stem(conflict.in_passage.lower()) not in lexicon.ANTONYMS.get(stem(conflict.in_claim.lower()), frozenset()):
            continue
        words = zip(alignment.words, row, alignment.weights, strict=True)
        turned = sum(w for t, m, w in words if not m and t.text == conflict.in_claim)
        if turned and alignment.coverage[alignment.order[0]] + turned / alignment.total >= NEARLY:
            return Objection("refutes", conflict.rationale)
    return None
