"""Whatever its author calls it, a sentence that states something is judged before it is printed; the rest is code's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.answers.conftest import Carry
from veritas import Document
from veritas.answers.request import Request
from veritas.answers.runtime import Runtime
from veritas.claims.graph import SubQuery
from veritas.claims.sources import Passage
from veritas.council.turns import (
    AdmittedClaim,
    Concession,
    ContestedClaim,
    Draft,
    DraftSentence,
    Objection,
    PeerClaim,
    Quote,
    Refinement,
    SubQueryDraft,
)
from veritas.judging.lenses import EmbeddedLens
from veritas.policy.cost_tiers import CostTier
from veritas.testing import FakeMember, document, fake_runtime, quote_all

PAGE = document(
    "https://good.example/a",
    "The trial gave zinc to forty adults with a cold.\n\n"
    "Zinc shortened the colds of adults by two days.\n\n"
    "Zinc tablets cost three dollars in every pharmacy.\n\n"
    "The authors expect that the use of zinc will double by 2030.",
)
TRUE = "Zinc shortened the colds of adults by two days."
PASSIVE = "The colds of adults were shortened by zinc by two days."
FALSE = "Zinc cures every cold within an hour, as all trials agree."
QUESTION = "Does zinc shorten colds?"


def drafted(claim: str, kind: str, *quotes: Quote, stands_on: tuple[int, ...] = ()) -> Draft:
    return Draft.model_validate(
        {"claim": claim, "claim_type": kind, "confidence": 1.0, "quotes": quotes, "stands_on": stands_on}
    )


def of(passages: Sequence[Passage], words: str) -> Quote:
    return Quote(passage_id=next(p.passage_id for p in passages if words in p.text), quote=words)


def asserting(make: Callable[[Sequence[Passage]], list[Draft]], **more: Any) -> FakeMember:
    return FakeMember(on_assert=lambda query, passages: make(passages), **more)


def honest(*members: FakeMember, question: str = QUESTION, pages: Sequence[Document] = (PAGE,), **more: Any) -> Runtime:
    """A council of these members before a judge without a language model."""
    return fake_runtime(
        pages, members=members, verifiers=[EmbeddedLens()], request=Request(question=question), **more
    )


@pytest.mark.parametrize("kind", ["interpretive", "predictive", "factual", "numerical"])
async def test_a_false_claim_is_judged_whatever_its_author_calls_it(carry: Carry, kind: str) -> None:
    member = asserting(lambda ps: [drafted(FALSE, kind, of(ps, TRUE)), drafted(TRUE, "factual", of(ps, TRUE))])
    graph = await carry(honest(member))
    assert [s.text for s in graph.answer.sentences] == [TRUE]
    assert {j.subject_id for j in graph.judgments} >= {c.claim_id for c in graph.claims}
    assert all(c.verifier_judgment is not None for c in graph.claims)


async def test_what_a_source_expects_is_a_fact_about_the_source(carry: Carry) -> None:
    said = "The authors expect that the use of zinc will double by 2030."
    member = asserting(
        lambda ps: [
            drafted(said, "predictive", of(ps, said)),
            drafted("The authors expect that the use of zinc will halve by 2030.", "predictive", of(ps, said)),
        ]
    )
    graph = await carry(honest(member))
    assert [s.text for s in graph.answer.sentences if s.kind == "claim"] == [said]


async def test_a_reading_is_judged_against_what_it_stands_on_and_cites_it(carry: Carry) -> None:
    gave = "The trial gave zinc to forty adults with a cold."
    price = "Zinc tablets cost three dollars in every pharmacy."
    both = f"{gave} {price}"

    def make(passages: Sequence[Passage]) -> list[Draft]:
        return [
            drafted(both, "interpretive", of(passages, price), stands_on=(2,)),
            drafted(gave, "factual", of(passages, gave)),
        ]

    graph = await carry(honest(asserting(make)))
    reading, fact = (next(c for c in graph.claims if c.claim == text) for text in (both, gave))
    assert reading.stands_on == (fact.claim_id,)
    assert set(reading.source_passages) == {price, gave}
    assert reading.verifier_judgment == "supports"


async def test_a_reading_falls_with_what_it_stands_on(carry: Carry) -> None:
    def make(passages: Sequence[Passage]) -> list[Draft]:
        return [
            drafted("Zinc shortened the colds of adults by nine days.", "factual", of(passages, TRUE)),
            drafted(TRUE, "interpretive", of(passages, TRUE), stands_on=(1,)),
            drafted("Zinc tablets cost three dollars in every pharmacy.", "factual",
                    of(passages, "Zinc tablets cost three dollars in every pharmacy.")),
        ]  # fmt: skip

    graph = await carry(honest(asserting(make)))
    assert TRUE not in [s.text for s in graph.answer.sentences]
    (row,) = [e for e in graph.events if "it stands on" in e.reason]
    assert row.subject_id == next(c.claim_id for c in graph.claims if c.claim == TRUE)


@pytest.mark.parametrize(
    "said",
    [
        DraftSentence(text=f"[Citation needed: {FALSE}]", kind="gap"),
        DraftSentence(text=FALSE, kind="gap"),
        DraftSentence(text=f"[Citation needed: {FALSE}]", kind="claim"),
        DraftSentence(text=f"Dissent (red): “{FALSE}”", kind="claim"),
    ],
    ids=["gap", "bare gap", "gap as claim", "dissent as claim"],
)
async def test_a_writer_has_no_words_but_those_that_are_judged(carry: Carry, said: DraftSentence) -> None:
    def writes(question: str, claims: Sequence[AdmittedClaim]) -> list[DraftSentence]:
        cites = () if said.kind == "gap" else (claims[0].claim_id,)
        return [
            DraftSentence(text=claims[0].claim, claim_ids=(claims[0].claim_id,)),
            said.model_copy(update={"claim_ids": cites}),
        ]

    stubborn = asserting(
        lambda ps: [drafted(TRUE, "factual", of(ps, TRUE))],
        on_synthesize=writes,
        on_repair=lambda sentence, claims, fault: DraftSentence(text=f"[Citation needed: {FALSE}]", kind="gap"),
    )
    graph = await carry(honest(stubborn))
    assert [s.text for s in graph.answer.sentences] == [TRUE]
    (row,) = [e for e in graph.events if e.kind == "sentence-removed"]
    assert FALSE in row.reason


@pytest.mark.parametrize("reply", ["none", "refinement", "concession"])
async def test_of_a_debate_only_what_was_judged_is_in_the_answer(carry: Carry, reply: str) -> None:
    """A member's reasons, objections and concessions are in the record; the answer holds positions that were judged."""
    said, against = (f"The Borealis pump moves {n} litres of water per minute." for n in (40, 4))
    pages = [document("https://good.example/a", said), document("https://good.example/b", against)]

    def contests(claims: Sequence[PeerClaim], passages: Sequence[Passage]) -> list[Objection]:
        counter = next(p for p in passages if against in p.text)
        return [
            Objection(claim_id=c.claim_id, objection=FALSE, counter_claim=against, quotes=(quote_all(counter),))
            for c in claims
        ]

    def responds(contested: ContestedClaim, passages: Sequence[Passage]) -> Any:
        if reply == "concession":
            return Concession(statement=FALSE)
        quote = of(passages, said)
        return Refinement(statement=FALSE, claim=FALSE, claim_type="interpretive", confidence=1, quotes=(quote,))

    members = [
        asserting(lambda ps: [drafted(said, "factual", of(ps, said))], name="a", family="fa", on_respond=responds),
        asserting(lambda ps: [], name="b", family="fb", on_contest=contests),
    ]
    tier = CostTier(rounds=2 if reply == "none" else 3, providers_per_member=1, verifier="dedicated")
    asked = "How much water does the Borealis pump move?"
    graph = await carry(honest(*members, question=asked, pages=pages, tier=tier))
    assert [x.resolution for x in graph.contestations] == ["conceded" if reply == "concession" else "open"]
    assert FALSE in graph.model_dump_json()
    assert FALSE not in graph.answer.model_dump_json()
    if reply != "concession":
        assert against in graph.answer.model_dump_json()


@pytest.mark.parametrize(
    "more",
    [", and zinc cures cancer.", " because it kills viruses.", f". {FALSE}", " — a proven cure.", " in all trials."],
)
async def test_what_a_writer_puts_on_to_a_claim_is_no_part_of_it_where_no_model_judges(carry: Carry, more: str) -> None:
    put_on = f"{TRUE.rstrip('.')}{more}"
    member = asserting(
        lambda ps: [drafted(TRUE, "factual", of(ps, TRUE))],
        on_synthesize=lambda q, claims: [
            DraftSentence(text=put_on, claim_ids=(claims[0].claim_id,)),
            DraftSentence(text=PASSIVE, claim_ids=(claims[0].claim_id,)),
        ],
    )
    graph = await carry(honest(member, judges=[EmbeddedLens()]))
    told = [s.text for s in graph.answer.sentences if s.kind == "claim"]
    assert told == [PASSIVE]


@pytest.mark.parametrize(
    "lie", ["How does zinc cure every cold, as all trials agree?", FALSE, f"[Citation needed: x] {FALSE}", "Zinc kills"]
)
async def test_no_word_of_who_took_the_question_apart_stands_in_a_gap(carry: Carry, lie: str) -> None:
    def asserts(query: SubQuery, passages: Sequence[Passage]) -> list[Draft]:
        return [drafted(TRUE, "factual", of(passages, TRUE))] if query.text == QUESTION else []

    member = FakeMember(
        on_decompose=lambda q: [SubQueryDraft(text=q, facet="all"), SubQueryDraft(text=lie, facet=lie)],
        on_assert=asserts,
    )
    graph = await carry(honest(member))
    (gap,) = [s.text for s in graph.answer.sentences if s.kind == "gap"]
    assert gap == "[Citation needed: no admitted claim answers sub-question 2 of 2 to “Does zinc shorten colds?”]"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Dray battery lasts 10 hours.", "The Dray battery lasts more than 9 hours."),
        ("The Torr valve must be opened before the pump.", "The pump must be opened before the Torr valve."),
        ("The Sable compiler runs on Linux.", "The Sable compiler does not only run on Linux."),
        ("The Dray battery lasts 10 hours.", "A Dray battery lasts 10 hours."),
    ],
)
async def test_an_extracted_sentence_is_cited_to_no_source_that_words_it_otherwise(
    carry: Carry, one: str, other: str
) -> None:
    pages = [document("https://good.example/a", one), document("https://good.example/b", other)]

    def make(passages: Sequence[Passage]) -> list[Draft]:
        return [drafted(p.text, "factual", of([p], p.text)) for p in passages]

    extracting = asserting(make, family="embedded:test")
    graph = await carry(honest(extracting, question=one, pages=pages))
    assert graph.answer.sentences[0].kind == "frame"
    assert "word for word" in graph.answer.sentences[0].text
    texts = {page.url: page.text for page in pages}
    cited = {r.number: texts[r.url] for r in graph.answer.bibliography}
    told = [s for s in graph.answer.sentences if s.kind == "claim"]
    assert told
    for sentence in told:
        assert {cited[n] for n in sentence.references} == {sentence.text}


async def test_no_answer_calls_the_words_of_a_model_those_of_its_sources(carry: Carry) -> None:
    reworded = "Zinc shortened the colds of the adults by two days."
    model = asserting(lambda ps: [drafted(reworded, "factual", of(ps, TRUE))])
    writer = asserting(lambda ps: [], name="writer", family="embedded:test")
    graph = await carry(honest(writer, model))
    (frame, told) = graph.answer.sentences
    assert told.text == reworded
    assert "not each sentence below stands word for word" in frame.text


async def test_a_claim_of_one_family_of_models_that_departs_from_its_passage_is_silent_and_not_cited(
    carry: Carry,
) -> None:
    page = document(
        "https://good.example/winch",
        "The winch may jam when the rope is wet.\n\nThe winch was built in Bergen in 1962.",
    )
    jam, built = "The winch may jam when the rope is wet.", "The winch was built in Bergen in 1962."

    def make(passages: Sequence[Passage]) -> list[Draft]:
        return [
            drafted("The winch was built in Bergen in 1972.", "factual", of(passages, built)),
            drafted("The winch may jam.", "factual", of(passages, "The winch may jam")),
            drafted(jam, "factual", of(passages, jam)),
            drafted(built, "factual", of(passages, built)),
        ]

    graph = await carry(honest(asserting(make, family="crimson"), question="Does the winch jam?", pages=[page]))
    assert {s.text for s in graph.answer.sentences if s.kind == "claim"} == {jam, built}
    altered = {c.claim_id: c for c in graph.claims if c.claim not in (jam, built)}
    assert len(altered) == 2
    assert "supports" not in {c.verifier_judgment for c in altered.values()}
    supported = {j.subject_id for j in graph.judgments if j.label == "supports"} & altered.keys()
    assert {j.subject_id for j in graph.judgments if j.lens == "comparison"} >= supported
