"""The answer that is arranged from claims, and its repair."""

from __future__ import annotations

from veritas.council.embedded import LeadMember
from veritas.council.embedded.questions import sub_queries
from veritas.council.turns import AdmittedClaim, DraftSentence
from veritas.frozen import content_id

MEMBER = LeadMember()
QUESTION = "What is Flowlet and which files does it read?"
FIRST, SECOND = (content_id("q", draft.text) for draft in sub_queries(QUESTION)[:2])


def claim(key: str, text: str, query: str = FIRST, members: int = 1, tier: int = 1, **more: object) -> AdmittedClaim:
    return AdmittedClaim.model_validate({
        "claim_id": key, "claim": text, "claim_type": "factual", "tier": tier, "members": members, "confidence": 0.5,
        "sub_query_ids": (query,), "passages": (text,), **more})  # fmt: skip


async def test_sentences_are_the_claims_own_words_by_sub_query_best_tier_first() -> None:
    claims = [
        claim("c2", "Flowlet has a small core.", members=1, tier=2),
        claim("c3", "Flowlet runs tasks in order.", members=1, tier=1),
        claim("c4", "Flowlet is a workflow engine.", members=3, tier=3),
        claim("c1", "Flowlet reads parquet files.", SECOND),
    ]
    found = await MEMBER.synthesize(QUESTION, claims)
    assert [s.claim_ids for s in found] == [("c3",), ("c2",), ("c4",), ("c1",)]
    assert [s.paragraph for s in found] == [0, 0, 0, 1]
    assert all(s.kind == "claim" and s.text in {c.claim for c in claims} for s in found)


async def test_a_claim_of_another_document_that_excludes_the_first_stands_beside_it() -> None:
    told = "The cache keeps answers for ten minutes."
    claims = [
        claim("c1", told, confidence=0.9, documents=("one",)),
        claim("c2", "The cache is small.", confidence=0.8, documents=("one",)),
        claim("c3", told.replace("ten", "twenty"), confidence=0.7, documents=("two",)),
    ]
    assert [s.claim_ids[0] for s in await MEMBER.synthesize(QUESTION, claims)][:2] == ["c1", "c3"]


async def test_repair_goes_back_to_the_claims_words_or_gives_up() -> None:
    known = claim("c1", "Flowlet is a workflow engine.")
    bent = DraftSentence(text="Flowlet is the best engine.", claim_ids=("c9", "c1"))
    mended = await MEMBER.repair(bent, [known], "not supported")
    assert mended is not None
    assert (mended.text, mended.claim_ids) == (known.claim, ("c1",))
    assert await MEMBER.repair(mended, [known], "not supported") is None
    assert await MEMBER.repair(DraftSentence(text="X is y.", claim_ids=("c9",)), [known], "unknown") is None
