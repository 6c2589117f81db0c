"""Each reference of a sentence is judged again, against the sentence as it is printed (I8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.answers.conftest import Carry
from veritas import ClaimGraph, Document
from veritas.answers.request import Request
from veritas.claims.envelope import Label
from veritas.claims.graph import SubQuery
from veritas.claims.sources import Passage
from veritas.council.turns import AdmittedClaim, Draft, DraftSentence, Quote
from veritas.testing import FakeLens, FakeMember, document, fake_runtime

TORR = document("https://good.example/torr", "The Torr pump was tested. The Torr pump weighs 40 kg.", title="Torr")
DRAY = document("https://good.example/dray", "The Dray pump was tested. The Dray pump is made of steel.", title="Dray")
WEIGHS, STEEL = "The Torr pump weighs 40 kg.", "The Dray pump is made of steel."
OF_NO_USE = "The Torr is the pump that nobody likes to carry."
"""What no comparison can tell of a passage that gives a weight."""

Writes = Callable[[dict[str, str]], list[DraftSentence]]


def stating(*claims: str, quotes: dict[str, str] | None = None) -> FakeMember:
    """A member that states claims, each on its quote, by default its own words, in whatever passage holds it."""

    def asserts(query: SubQuery, passages: Sequence[Passage]) -> list[Draft]:
        made = []
        for claim in claims:
            quote = (quotes or {}).get(claim, claim)
            found = [Quote(passage_id=p.passage_id, quote=quote) for p in passages if quote in p.text]
            if found:
                made.append(Draft(claim=claim, claim_type="factual", confidence=0.9, quotes=tuple(found)))
        return made

    return FakeMember(on_assert=asserts)


def written(member: FakeMember, writes: Writes) -> FakeMember:
    def synthesize(question: str, claims: Sequence[AdmittedClaim]) -> list[DraftSentence]:
        return writes({c.claim: c.claim_id for c in claims})

    member.on_synthesize = synthesize
    return member


def yes(claim: str, passage: str) -> Label:
    return "supports"


async def told(
    carry: Carry, member: FakeMember, lens: FakeLens | None = None, pages: Sequence[Document] = (TORR, DRAY)
) -> ClaimGraph:
    asked = Request(question="What does the pump weigh, of what is the pump made, how long does the pump last?")
    return await carry(
        fake_runtime(pages, members=[member], verifiers=[lens or FakeLens(verdict=yes)], request=asked)
    )


def references(graph: ClaimGraph) -> dict[str, set[str]]:
    """The addresses printed on each sentence."""
    url = {r.number: r.url for r in graph.answer.bibliography}
    return {s.text: {url[n] for n in s.references} for s in graph.answer.sentences if s.kind == "claim"}


async def test_a_reference_that_does_not_say_the_sentence_is_not_printed_on_it_and_a_row_says_why(carry: Carry) -> None:
    def both(ids: dict[str, str]) -> list[DraftSentence]:
        return [DraftSentence(text=WEIGHS, claim_ids=(ids[WEIGHS], ids[STEEL]))]

    lens = FakeLens(verdict=lambda claim, passage: "supports" if claim in passage else "silent")
    graph = await told(carry, written(stating(WEIGHS, STEEL), both), lens)
    assert references(graph) == {WEIGHS: {TORR.url}}
    (row,) = [e for e in graph.events if e.kind == "reference-dropped"]
    (sentence,) = [s for s in graph.answer.sentences if s.kind == "claim"]
    assert row.subject_id == sentence.sentence_id
    assert row.reason.startswith("“Dray” does not say it (")


async def test_a_sentence_of_two_claims_that_no_source_says_whole_is_taken_out(carry: Carry) -> None:
    def joined(ids: dict[str, str]) -> list[DraftSentence]:
        text = f"{WEIGHS[:-1]}, and the Dray pump is made of steel."
        return [DraftSentence(text=text, claim_ids=(ids[WEIGHS], ids[STEEL])), DraftSentence(
            text=STEEL, claim_ids=(ids[STEEL],))]

    graph = await told(carry, written(stating(WEIGHS, STEEL), joined))
    assert references(graph) == {STEEL: {DRAY.url}}
    (row,) = [e for e in graph.events if e.kind == "sentence-removed"]
    assert "no source of them says it" in row.reason


async def test_a_judge_that_supports_everything_cannot_print_what_differs_from_the_passage(carry: Carry) -> None:
    def lied(ids: dict[str, str]) -> list[DraftSentence]:
        lie = WEIGHS.replace("weighs", "does not weigh")
        return [DraftSentence(text=t, claim_ids=(ids[WEIGHS],)) for t in (WEIGHS, lie)]

    graph = await told(carry, written(stating(WEIGHS), lied))
    assert set(references(graph)) == {WEIGHS}


async def test_words_of_a_passage_without_the_frame_they_stand_in_are_not_printed(carry: Carry) -> None:
    hoped = document("https://good.example/hope", "It was hoped that the Sable pump lasts 900 hours. It was built.")
    claim = "The Sable pump lasts 900 hours."
    member = stating(claim, quotes={claim: "the Sable pump lasts 900 hours"})
    graph = await told(carry, member, pages=[hoped])
    assert len(graph.claims) == 1
    assert references(graph) == {}
    assert {j.lens for j in graph.judgments if j.label == "silent"} == {"comparison"}


async def test_what_code_can_tell_is_asked_of_no_judge(carry: Carry) -> None:
    def restated(ids: dict[str, str]) -> list[DraftSentence]:
        return [DraftSentence(text=t, claim_ids=(ids[WEIGHS],)) for t in (WEIGHS, "The torr pump weighs 40 kilograms.")]

    lens = FakeLens(verdict=yes)
    graph = await told(carry, written(stating(WEIGHS), restated), lens)
    assert set(references(graph)) == {WEIGHS, "The torr pump weighs 40 kilograms."}
    assert [claim for claim, _ in lens.asked] == [WEIGHS]


async def test_each_pair_of_sentence_and_reference_is_asked_once(carry: Carry) -> None:
    def loose(ids: dict[str, str]) -> list[DraftSentence]:
        return [DraftSentence(text=OF_NO_USE, claim_ids=(ids[WEIGHS], ids[STEEL]))]

    lens = FakeLens(verdict=lambda claim, passage: "supports" if claim in passage else "silent")
    graph = await told(carry, written(stating(WEIGHS, STEEL), loose), lens)
    assert references(graph) == {}
    pairs = [pair for pair in lens.asked if pair[0] == OF_NO_USE]
    assert len(pairs) == len(set(pairs)) == 2
