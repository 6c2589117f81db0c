"""Selection of the passages about given claims: in a debate a model gets only these."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence, Set

from veritas.claims.sources import Passage
from veritas.text.tokens import index_terms, weigh

EACH = 8
"""Limit of passages for one claim."""
BEST, FURTHER = 0.1, 0.25
"""Least share of a claim's words, by weight, in the nearest passage, and in each further one."""
ROOM = 4_000
"""Characters of passages up to which all are sent: about a thousand tokens."""


def bearing(
    claims: Sequence[str], passages: Sequence[Passage], own: Sequence[Set[str]] | None = None
) -> tuple[Passage, ...]:
    """Return the passages that contain most of the claims' words, in the given order; all, if they are short.

    `own` are the ids of each claim's own documents, which say nothing against it: their passages are not for that
    claim. Rare words weigh more. A claim's numbers do not count as its subject, since a contradiction has other
    numbers; among passages on the same subject those with the numbers come first. A contradiction that shares no word
    with the claim is not found (`benchmarks/contest_passages.py` measures how often).
    """
    words = [frozenset(index_terms(passage.text)) for passage in passages]
    having = Counter(word for of_one in words for word in of_one)
    chosen: set[int] = set()
    nearest = [0.0] * len(passages)
    for at, claim in enumerate(claims):
        weights = {
            word: weight * math.log(1 + (len(passages) - having[word] + 0.5) / (having[word] + 0.5))
            for word, weight in sorted(weigh(claim).items())
        }
        about = {word: weight for word, weight in weights.items() if not any(c.isdigit() for c in word)} or weights
        whole = sum(about.values()) or 1.0
        shares = [sum(weight for word, weight in about.items() if word in said) / whole for said in words]
        said_of = [sum(weight for word, weight in weights.items() if word in said) for said in words]
        foreign = [i for i, p in enumerate(passages) if own is None or p.document_id not in own[at]]
        first = sorted(foreign, key=said_of.__getitem__, reverse=True)[:EACH]
        chosen.update(i for n, i in enumerate(first) if shares[i] >= (FURTHER if n else BEST))
        nearest = [max(pair) for pair in zip(nearest, shares, strict=True)]
    left = ROOM - sum(len(passages[i].text) for i in chosen)
    for i in sorted(set(range(len(passages))) - chosen, key=nearest.__getitem__, reverse=True):
        left -= len(passages[i].text)
        if left < 0:
            break
        chosen.add(i)
    return tuple(passage for i, passage in enumerate(passages) if i in chosen)
