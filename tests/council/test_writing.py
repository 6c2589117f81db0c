"""The answer that is arranged from claims, and its repair."""

from __future__ import annotations

from veritas.council.embedded import LeadMember
from veritas.council.embedded.compose import SHOWN
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


async def test_the_part_that_is_answered_best_comes_first_and_every_part_has_one_passage() -> None:
    claims = [
        claim("c1", "Flowlet is a workflow engine.", confidence=0.4),
        claim("c2", "Apples are counted twice.", confidence=0.3),
        claim("c3", "Bridges are kept in folders.", SECOND, confidence=0.9),
        claim("c4", "Candles burn on disk.", SECOND, confidence=0.8),
        claim("c5", "Doors open inwards.", SECOND, confidence=0.7),
    ]
    found = await MEMBER.synthesize(QUESTION, claims)
    assert [(s.claim_ids[0], s.paragraph) for s in found] == [
        ("c3", 0), ("c4", 0), ("c5", 0), ("c1", 1), ("c2", 1),
    ]  # fmt: skip


async def test_the_likeliest_answer_comes_first_and_counts_less_from_a_lower_tier_or_disputed() -> None:
    claims = [
        claim("c1", "The scheduler counts apples.", tier=2, confidence=0.8),
        claim("c2", "Bridges are kept in folders.", confidence=0.75),
        claim("c3", "Candles burn on disk.", confidence=0.9, dissent="Flowlet counts no candles."),
    ]
    found = await MEMBER.synthesize(QUESTION, claims)
    assert [s.claim_ids[0] for s in found] == ["c2", "c1", "c3"]


async def test_what_nobody_can_open_comes_after_what_everybody_can() -> None:
    claims = [
        claim("c1", "Candles burn on disk.", confidence=0.9, paywalled=True),
        claim("c2", "Bridges are kept in folders.", confidence=0.75),
    ]
    assert [s.claim_ids[0] for s in await MEMBER.synthesize(QUESTION, claims)] == ["c2", "c1"]


async def test_of_one_document_no_more_is_shown_than_a_fair_share_where_others_have_something() -> None:
    mine = [claim(f"c{at}", f"Flowlet counts {noun}.", confidence=0.9 - at / 10, documents=("one",))
            for at, noun in enumerate(("apples", "bridges", "candles", "doors", "engines"))]  # fmt: skip
    other = claim("c9", "Gardens grow.", confidence=0.1, documents=("two",))
    assert [s.claim_ids[0] for s in await MEMBER.synthesize(QUESTION, [*mine, other])] == ["c0", "c1", "c2", "c3", "c9"]
    assert len(await MEMBER.synthesize(QUESTION, mine)) == 5


async def test_what_stands_in_the_words_of_another_is_left_out_and_what_differs_in_one_is_not() -> None:
    told = "Flowlet retries a failed task three times by default."
    claims = [
        claim("c1", told, confidence=0.9, passages=(f"{told} It waits a second.",)),
        claim("c2", "It retries a failed task.", confidence=0.8, passages=("Flowlet retries a failed task three",)),
        claim("c3", told.replace("three", "four"), confidence=0.7),
    ]
    assert [s.claim_ids[0] for s in await MEMBER.synthesize(QUESTION, claims)] == ["c1", "c3"]


async def test_a_claim_of_another_document_that_excludes_the_first_stands_beside_it() -> None:
    told = "The cache keeps answers for ten minutes."
    claims = [
        claim("c1", told, confidence=0.9, documents=("one",)),
        claim("c2", "The cache is small.", confidence=0.8, documents=("one",)),
        claim("c3", told.replace("ten", "twenty"), confidence=0.7, documents=("two",)),
    ]
    assert [s.claim_ids[0] for s in await MEMBER.synthesize(QUESTION, claims)][:2] == ["c1", "c3"]


async def test_what_was_asked_and_not_answered_is_left_to_code() -> None:
    found = await MEMBER.synthesize(QUESTION, [claim("c1", "Flowlet is a workflow engine.")])
    assert [s.kind for s in found] == ["claim"]


async def test_sub_queries_of_another_make_paragraphs_and_no_gaps() -> None:
    found = await MEMBER.synthesize(QUESTION, [claim("c1", "Flowlet is an engine.", "q-other"),
                                               claim("c2", "Flowlet reads text.", "q-more")])  # fmt: skip
    assert [(s.kind, s.paragraph) for s in found] == [("claim", 0), ("claim", 1)]


async def test_a_brief_stays_short() -> None:
    nouns = ["apples", "bridges", "candles", "dragons", "engines", "feathers", "gardens", "hammers"]
    claims = [claim(f"c{i}", f"{n.title()} are {n[::-1]}.") for i, n in enumerate(nouns)]
    found = await MEMBER.synthesize(QUESTION, claims)
    assert len([s for s in found if s.paragraph == 0]) == SHOWN


async def test_repair_goes_back_to_the_claims_words_or_gives_up() -> None:
    known = claim("c1", "Flowlet is a workflow engine.")
    bent = DraftSentence(text="Flowlet is the best engine.", claim_ids=("c9", "c1"))
    mended = await MEMBER.repair(bent, [known], "not supported")
    assert mended is not None
    assert (mended.text, mended.claim_ids) == (known.claim, ("c1",))
    assert await MEMBER.repair(mended, [known], "not supported") is None
    assert await MEMBER.repair(DraftSentence(text="X is y.", claim_ids=("c9",)), [known], "unknown") is None
