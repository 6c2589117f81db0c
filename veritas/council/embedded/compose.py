"""Arranging: which verified claims are shown, and in which order (stage 5, section VIII)."""

from __future__ import annotations

from collections.abc import Sequence

from veritas.answering.ranking import ASIDE, BESIDE, adds
from veritas.council.turns import AdmittedClaim, DraftSentence

SHOWN = 3
"""Most passages that are shown for a part of the question. The others stay in the claim graph."""
_OF_TIER = {1: 1.0, 2: 0.85, 3: 0.7}
"""How much a claim's chance to answer counts, by its best tier."""
DISPUTED, PAYWALLED = 0.5, 0.5
"""How much it counts if an objection to it stands, and if its reader cannot open any of its sources."""


def arranged(claims: Sequence[AdmittedClaim]) -> list[DraftSentence]:
    """Return the claims in a paragraph for each sub-query, in the order in which those come: first the one that
    answers best, then those that add something new to it. A claim counts less from a lower tier, with a
    standing dissent, or behind a paywall."""
    sentences: list[DraftSentence] = []
    shown: list[str] = []
    paragraph = 0
    for section in dict.fromkeys(claim.sub_query_ids[0] for claim in claims):
        mine = sorted(
            (claim for claim in claims if claim.sub_query_ids[0] == section),
            key=lambda c: (-_worth(c), -c.members, c.claim_id),
        )
        fresh: list[AdmittedClaim] = []
        for claim in mine:
            passage = " ".join((claim.claim, *claim.passages))
            # The best answer to a part is told, even from a passage that answers another part.
            first = not fresh and all(claim.claim != each.text for each in sentences)
            new = first or adds(passage, shown)
            if len(fresh) < SHOWN and (first or _worth(claim) >= _share(claim, mine[0]) * _worth(mine[0])) and new:
                fresh.append(claim)
                shown.append(passage)
        sentences += [
            DraftSentence(text=claim.claim, claim_ids=(claim.claim_id,), paragraph=paragraph) for claim in fresh
        ]
        paragraph += bool(fresh)
    return sentences


def _share(claim: AdmittedClaim, best: AdmittedClaim) -> float:
    """Return the least worth of a claim beside the best one, as a share of that one's."""
    return BESIDE if set(claim.documents) & set(best.documents) else ASIDE


def _worth(claim: AdmittedClaim) -> float:
    worth = claim.confidence * _OF_TIER.get(claim.tier, 0.5)
    return worth * (DISPUTED if claim.dissent is not None else 1.0) * (PAYWALLED if claim.paywalled else 1.0)


def restored(sentence: DraftSentence, claims: Sequence[AdmittedClaim]) -> DraftSentence | None:
    """Return the sentence in the words of the first claim it cites; None if that changes nothing or it cites none."""
    known = {claim.claim_id: claim for claim in claims}
    claim = next((known[key] for key in sentence.claim_ids if key in known), None)
    if sentence.kind == "gap" or claim is None:
        return None
    mended = sentence.model_copy(update={"text": claim.claim, "claim_ids": (claim.claim_id,)})
    return None if mended == sentence else mended
