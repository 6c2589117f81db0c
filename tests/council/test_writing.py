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
    assert [s.claim_ids for s in found] == [("c3",), ("c2",), ("c1",)]
    assert [s.paragraph for s in found] == [0, 0, 1]
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
    assert [(s.claim_ids[0], s.paragraph) for s in found] == [("c3", 0), ("c4", 0), ("c1", 1)]


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


async def test_what_answers_far_worse_than_the_best_is_not_shown() -> None:
    claims = [claim("c1", "Flowlet counts apples.", confidence=0.9), claim("c2", "Engines purr.", confidence=0.2)]
    assert [s.claim_ids[0] for s in await MEMBER.synthesize(QUESTION, claims)] == ["c1"]


async def test_a_passage_that_adds_nothing_new_is_left_out() -> None:
    claims = [
        claim("c1", "Flowlet retries a failed task three times by default.", confidence=0.9),
        claim("c2", "By default, Flowlet retries a failed task three times.", confidence=0.8),
        claim("c3", "The storage layer compresses parquet columns.", confidence=0.7),
    ]
    assert [s.claim_ids[0] for s in await MEMBER.synthesize(QUESTION, claims)] == ["c1", "c3"]


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


async def test_a_less_likely_passage_follows_from_the_document_of_the_best_one_and_not_from_another() -> None:
    claims = [
        claim("c1", "Flowlet counts apples.", confidence=0.9, documents=("one",)),
        claim("c2", "Engines purr.", confidence=0.2, documents=("two",)),
        claim("c3", "Bridges are kept in folders.", confidence=0.1, documents=("one",)),
        claim("c4", "Candles burn on disk.", confidence=0.01, documents=("one",)),
    ]
    assert [s.claim_ids[0] for s in await MEMBER.synthesize(QUESTION, claims)] == ["c1", "c3"]
