"""Writing: an answer arranged from verified claims, each in its own words (stage 5, section VIII)."""

from __future__ import annotations

from collections.abc import Sequence

from veritas.council.embedded.questions import sub_queries
from veritas.council.turns import AdmittedClaim, DraftSentence
from veritas.frozen import content_id
from veritas.meaning.compare import compare_passage

A_PARAGRAPH = 5
"""Most sentences of a paragraph, to keep an answer readable. The others stay in the claim graph."""


def arranged(question: str, claims: Sequence[AdmittedClaim]) -> list[DraftSentence]:
    """Return the sentences in a paragraph for each sub-query, in the order of the question. The best supported claims
    come first: better tier, no standing dissent, more members, higher confidence. A claim that stands in another
    sentence is left out: the longer one tells it."""
    asked = [content_id("q", draft.text) for draft in sub_queries(question)]
    told = list(dict.fromkeys(claim.sub_query_ids[0] for claim in claims))
    sections = [*(key for key in asked if key in told), *(key for key in told if key not in asked)]
    sentences: list[DraftSentence] = []
    told_already: list[str] = []
    paragraph = 0
    for section in sections:
        told_here = [claim for claim in claims if claim.sub_query_ids[0] == section]
        mine = sorted(
            told_here,
            key=lambda c: (c.tier, c.dissent is not None, -c.members, -c.confidence, c.claim_id),
        )
        fresh: list[AdmittedClaim] = []
        for claim in mine:
            if len(fresh) < A_PARAGRAPH and not any(_repeats(claim.claim, earlier) for earlier in told_already):
                fresh.append(claim)
                told_already.append(claim.claim)
        sentences += [
            DraftSentence(text=claim.claim, claim_ids=(claim.claim_id,), paragraph=paragraph) for claim in fresh
        ]
        if fresh:
            paragraph += 1
    return [s for s in sentences if not any(len(o.text) > len(s.text) and _repeats(s.text, o.text) for o in sentences)]


def _repeats(claim: str, told: str) -> bool:
    """Return whether what is told holds the claim: one of its sentences says the same."""
    return compare_passage(told, claim).entailed


def restored(sentence: DraftSentence, claims: Sequence[AdmittedClaim]) -> DraftSentence | None:
    """Return the sentence in the words of the first claim it cites; None if that changes nothing or it cites none."""
    known = {claim.claim_id: claim for claim in claims}
    claim = next((known[key] for key in sentence.claim_ids if key in known), None)
    if sentence.kind == "gap" or claim is None:
        return None
    mended = sentence.model_copy(update={"text": claim.claim, "claim_ids": (claim.claim_id,)})
    return None if mended == sentence else mended
