"""Arranging: which verified claims are shown, and in which order (stage 5, section VIII)."""

from __future__ import annotations

from collections.abc import Sequence

from veritas.answering.ranking import adds, beside
from veritas.council.turns import AdmittedClaim, DraftSentence

SHOWN = 3
"""Most passages that are shown, or one for each part of a question with more parts. The others stay in the claim
graph."""
_OF_TIER = {1: 1.0, 2: 0.85, 3: 0.7}
"""How much a claim's chance to answer counts, by its best tier."""
DISPUTED, PAYWALLED = 0.5, 0.5
"""How much it counts if an objection to it stands, and if its reader cannot open any of its sources."""


def arranged(claims: Sequence[AdmittedClaim]) -> list[DraftSentence]:
    """Return the claims in a paragraph for each sub-query, first that of the claim that answers best. A paragraph
    begins with the claim that answers its sub-query best; those that follow add something new to it. A claim counts
    less from a lower tier, with a standing dissent, or behind a paywall."""
    likeliest = sorted(claims, key=lambda c: (-_worth(c), -c.members, c.claim_id))
    asked = dict.fromkeys(claim.sub_query_ids[0] for claim in claims)
    parts = {section: [c for c in likeliest if c.sub_query_ids[0] == section] for section in asked}
    parts = dict(sorted(parts.items(), key=lambda each: -_worth(each[1][0])))
    fresh: dict[str, list[AdmittedClaim]] = {}
    shown: list[str] = []
    for section, mine in parts.items():
        # The best answer to a part is told, even from a passage that answers another part.
        leads = next((claim for claim in mine if all(claim.claim != one[0].claim for one in fresh.values())), None)
        if leads is not None:
            fresh[section] = [leads]
            shown.append(_shown(leads))
    for section, told in fresh.items():
        best = parts[section][0]
        for claim in parts[section]:
            room = sum(map(len, fresh.values())) < SHOWN
            likely = _worth(claim) >= beside(claim.documents, best.documents) * _worth(best)
            if room and likely and claim not in told and adds(_shown(claim), shown):
                told.append(claim)
                shown.append(_shown(claim))
    return [
        DraftSentence(text=claim.claim, claim_ids=(claim.claim_id,), paragraph=paragraph)
        for paragraph, told in enumerate(fresh.values())
        for claim in told
    ]


def _shown(claim: AdmittedClaim) -> str:
    return " ".join((claim.claim, *claim.passages))


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
