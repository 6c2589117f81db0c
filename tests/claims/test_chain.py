"""The chain of everything in a graph, and finding what a person means; on the sample in which every state occurs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "report"))

from report_sample import sample_graph

from veritas.claims.chain import Chain, Chains
from veritas.claims.graph import STAGES
from veritas.report.wording import render_why
from veritas.use_cases.why import Ambiguous, why

GRAPH = sample_graph()
CHAINS = Chains(GRAPH)


def everything() -> Iterator[Chain]:
    for identifier in (
        *(s.sentence_id for s in GRAPH.answer.sentences), *CHAINS.claims, *CHAINS.sources, *CHAINS.contestations,
        *(e.subject_id for e in GRAPH.events),
    ):  # fmt: skip
        chain = CHAINS.of(identifier)
        assert chain is not None
        yield chain


def test_everything_has_a_chain_in_the_order_of_the_stages_and_can_be_written() -> None:
    for chain in everything():
        assert chain.because
        assert chain.links or chain.kind == "sentence"
        places = [STAGES.index(link.stage) for link in chain.links]
        assert chain.kind != "claim" or places == sorted(places)
        assert chain.id in render_why(chain, width=80)


def test_what_is_in_the_answer_is_in_and_nothing_else() -> None:
    cited = {i for s in GRAPH.answer.sentences for i in s.claim_ids}
    for claim in GRAPH.claims:
        chain = CHAINS.claim(claim)
        assert chain.let_in == (claim.claim_id in cited), claim.claim
        # Reading one chain changes no other.
        assert CHAINS.claim(claim) == Chains(GRAPH).claim(claim)


def test_every_logged_reason_is_in_the_chain_of_what_it_is_about() -> None:
    for event in GRAPH.events:
        chain = CHAINS.of(event.subject_id)
        assert chain is not None
        said = " ".join((*(link.words for link in chain.links), *(link.said for link in chain.links)))
        assert event.reason.removeprefix("conceded: ") in said or event.reason.partition(": ")[2] in said


def test_a_claim_that_is_left_out_ends_at_the_link_that_stopped_it() -> None:
    left = [c for c in GRAPH.claims if not CHAINS.claim(c).let_in]
    assert left
    for claim in left:
        chain = CHAINS.claim(claim)
        stops = [link for link in chain.links if link.outcome == "stopped"]
        if stops:
            assert stops[-1].said in chain.because
        else:
            assert chain.because == "no reason was recorded"


def test_every_judgment_is_a_link_with_judge_family_and_words() -> None:
    for judgment in GRAPH.judgments:
        chain = CHAINS.of(judgment.subject_id)
        if chain is not None:
            (link, *_) = [x for x in chain.links if x.words == judgment.rationale and judgment.lens in x.by]
            assert judgment.family in link.by


def test_a_sentence_tells_of_its_claims_and_they_of_their_sources() -> None:
    sentence = next(s for s in GRAPH.answer.sentences if s.claim_ids)
    chain = CHAINS.sentence(sentence)
    assert {c.id for c in chain.behind} <= set(sentence.claim_ids)
    for claim in chain.behind:
        assert [link.stage for source in claim.behind for link in source.links][:1] == ["research"]
        assert any(link.rule.startswith("I1") and link.words for link in claim.links)


# -- finding


def test_it_is_found_by_id_beginning_number_address_and_words() -> None:
    claim = GRAPH.claims[0]
    entry = GRAPH.answer.bibliography[0]
    source = CHAINS.sources[entry.source_id]
    assert why(GRAPH, claim.claim_id).id == claim.claim_id
    assert why(GRAPH, claim.claim_id[:8]).id == claim.claim_id
    assert why(GRAPH, f"[{entry.number}]").id == entry.source_id
    assert why(GRAPH, str(entry.number)).id == entry.source_id
    for address in (source.url, source.url.removeprefix("https://"), source.url + "/", source.url + "#part"):
        assert why(GRAPH, address).id == source.source_id
    sentence = next(s for s in GRAPH.answer.sentences if s.kind == "claim")
    assert why(GRAPH, f"  {sentence.text.upper()} ").id == sentence.sentence_id
    assert why(GRAPH, " ".join(sentence.text.split()[:9])).id == sentence.sentence_id


def test_what_may_be_several_things_is_asked_and_each_can_be_named() -> None:
    with pytest.raises(Ambiguous) as asked:
        why(GRAPH, "cold")
    assert len(asked.value.candidates) > 1
    for candidate in asked.value.candidates:
        assert why(GRAPH, candidate.id).id == candidate.id
        assert candidate.id in str(asked.value)
