"""Arranging: which verified claims are shown, and in which order (stage 5, section VIII)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from veritas.claims.brief import ANSWERS
from veritas.council.turns import AdmittedClaim, DraftSentence
from veritas.judging.sameness import exclusion
from veritas.meaning.relation import Setting

SHOWN = 6
"""Most passages that are shown, or one for each part of a question with more parts. The others stay in the claim
graph."""
BESIDE = 0.05
"""Least chance of a claim beside one that answers, as a share of that one's: what comes less close is another subject.
Where none answers, the closest are shown whatever their chance."""
OF_ONE = 4
"""Most passages of one document on a part, where others have something on it."""
RUN = 4
"""Words in a row that are looked for in another text; one that has them all says the same."""
COMPARED = 4
"""Claims of a part that are compared with the first: what excludes it stands beside it."""
_OF_TIER = {1: 1.0, 2: 0.85, 3: 0.7}
"""How much a claim's chance to answer counts, by its best tier."""
DISPUTED, PAYWALLED = 0.5, 0.5
"""How much it counts if an objection to it stands, and if its reader cannot open any of its sources."""


def arranged(claims: Sequence[AdmittedClaim]) -> list[DraftSentence]:
    """Return the claims in a paragraph for each sub-query, the claim that answers best first.

    A paragraph begins with the claim that answers its sub-query best, followed by one of another document that excludes
    it, if there is one; the others add something new. A claim counts less from a lower tier, with an open dissent, or
    behind a paywall.
    """
    place = {claim.claim_id: at for at, claim in enumerate(claims)}
    likeliest = sorted(claims, key=lambda c: (-_worth(c), -c.members, place[c.claim_id]))
    asked = dict.fromkeys(claim.sub_query_ids[0] for claim in claims)
    parts = {section: [c for c in likeliest if c.sub_query_ids[0] == section] for section in asked}
    parts = dict(sorted(parts.items(), key=lambda each: -_worth(each[1][0])))
    fresh: dict[str, list[AdmittedClaim]] = {}
    shown: list[AdmittedClaim] = []
    for section, mine in parts.items():
        # The best answer to a part is told, even from a passage that answers another part.
        leads = next((claim for claim in mine if all(claim.claim != one.claim for one in shown)), None)
        if leads is not None:
            fresh[section] = [leads, *disagreeing(leads, mine)[:1]]
            shown += fresh[section]
    for section, told in fresh.items():
        first, documents = parts[section][0].confidence, {claim.documents for claim in parts[section]}
        least = BESIDE * first if first >= ANSWERS else 0.0
        for claim in parts[section]:
            fits = len(shown) < SHOWN and claim.confidence >= least and claim not in told
            if sum(one.documents == claim.documents for one in told) == OF_ONE and len(documents) > 1:
                continue
            if fits and not any(_same(claim, one) for one in shown):
                told.append(claim)
                shown.append(claim)
    return [
        DraftSentence(text=claim.claim, claim_ids=(claim.claim_id,), paragraph=paragraph)
        for paragraph, told in enumerate(fresh.values())
        for claim in told
    ]


def disagreeing(claim: AdmittedClaim, others: Sequence[AdmittedClaim]) -> list[AdmittedClaim]:
    """Return those of the first claims of other documents that exclude a claim."""
    apart = [one for one in others if not set(one.documents) & set(claim.documents)][:COMPARED]
    of_one = Setting(document=next(iter(claim.documents), ""))
    return [
        one for one in apart
        if exclusion(claim.claim, one.claim, of_first=of_one) is not None
    ]  # fmt: skip


def _same(one: AdmittedClaim, other: AdmittedClaim) -> bool:
    """Return whether the text shown with one claim contains that of the other: pages are often printed twice."""
    return one.claim == other.claim or _runs(" ".join(one.passages)) <= _runs(" ".join(other.passages))


@lru_cache(maxsize=256)
def _runs(text: str) -> frozenset[tuple[str, ...]]:
    """Return the sequences of `RUN` words of a text, or all words of a shorter one."""
    words = text.casefold().split()
    return frozenset(tuple(words[at : at + RUN]) for at in range(max(1, len(words) - RUN + 1)))


def _worth(claim: AdmittedClaim) -> float:
    worth = claim.confidence * _OF_TIER.get(claim.tier, 0.5)
    return worth * (DISPUTED if claim.dissent is not None else 1.0) * (PAYWALLED if claim.paywalled else 1.0)


def restored(sentence: DraftSentence, claims: Sequence[AdmittedClaim]) -> DraftSentence | None:
    """Return the sentence in the words of the first claim that it cites; None if that changes nothing or it cites none.
    """
    known = {claim.claim_id: claim for claim in claims}
    claim = next((known[key] for key in sentence.claim_ids if key in known), None)
    if sentence.kind == "gap" or claim is None:
        return None
    mended = sentence.model_copy(update={"text": claim.claim, "claim_ids": (claim.claim_id,)})
    return None if mended == sentence else mended
