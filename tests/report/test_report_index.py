"""The look-ups of the report: contexts, outcomes, numbers."""

from __future__ import annotations

import pytest
from report_sample import C

from veritas.claims import ClaimGraph, Passage, SpanRef
from veritas.report.graph_index import GraphIndex, anchor
from veritas.report.planted_sources import planted
from veritas.report.run_charts import agreement_curve, tier_bar
from veritas.report.tally import Tally, dollars, expense, expenses, summary, tier_mix
from veritas.text.plural import plural


@pytest.fixture(scope="module")
def index(graph: ClaimGraph) -> GraphIndex:
    return GraphIndex(graph)


def _quotation(index: GraphIndex, passage: Passage, start: int, end: int, quote: str) -> tuple[str, str, str]:
    at = GraphIndex(index.graph.model_copy(update={"passages": (passage,)}))
    span = SpanRef(passage_id=passage.passage_id, document_id=passage.document_id, start=start, end=end)
    (q,) = at.quotations((span,), (quote,), ())
    return q.before, q.quote, q.after


PASSAGE = Passage(
    passage_id="p", document_id="d", start=100, end=112, text="alpha beta\nc", before="zero ", after=" end")


def test_a_quote_inside_a_passage_is_found_between_its_neighbours(index: GraphIndex) -> None:
    # The passage's own start is cut at a word, because the document goes on before it.
    assert _quotation(index, PASSAGE, 106, 110, "beta") == ("alpha ", "beta", "\nc end")


def test_the_document_s_white_space_is_shown_not_the_quote_s(index: GraphIndex) -> None:
    assert _quotation(index, PASSAGE, 106, 112, "beta c")[1] == "beta\nc"


def test_a_quote_that_is_not_where_it_claims_to_be_gets_no_context(index: GraphIndex) -> None:
    assert _quotation(index, PASSAGE, 106, 110, "other words") == ("", "other words", "")
    assert _quotation(index, PASSAGE, 3, 9, "zero a") == ("", "zero a", "")


@pytest.mark.parametrize(("claim", "outcome"), [
    ("cop22", "cited"), ("cop22b", "cited"), ("critic", "redundant"), ("cop18", "cited"),
    ("half", "refined"), ("half2", "cited"),
    ("seasonal", "cited"), ("bench", "uncorroborated"), ("defrost", "refuted"), ("planted", "conceded"),
    ("unjudged", "unavailable"), ("injected", "unused"),
])
def test_what_became_of_each_claim(index: GraphIndex, claim: str, outcome: str) -> None:
    assert index.outcome(C[claim]).key == outcome


def test_the_same_words_of_several_members_are_one_claim_with_one_number(graph: ClaimGraph) -> None:
    first = graph.claims[0]
    again = first.model_copy(update={"claim_id": "again"})
    told = [
        each.model_copy(update={"claim_ids": (*each.claim_ids, "again")}) if first.claim_id in each.claim_ids else each
        for each in graph.answer.sentences
    ]
    answer = graph.answer.model_copy(update={"sentences": tuple(told)})
    twice = graph.model_copy(update={"claims": (first, again, *graph.claims[1:]), "answer": answer})
    index = GraphIndex(twice)
    assert index.claim_number["again"] == index.claim_number[first.claim_id]
    assert max(index.claim_number.values()) == Tally.of(index).claims
    for behind in index.behind_reference.values():
        names = [index.subject(identifier)[0] for identifier in behind]
        assert len(names) == len(set(names))


def test_a_claim_left_out_without_a_reason_says_so(graph: ClaimGraph) -> None:
    assert GraphIndex(graph.model_copy(update={"events": ()})).outcome(C["bench"]).reason == "No reason was recorded."


def test_footnotes_are_lettered_beyond_z(graph: ClaimGraph) -> None:
    sentence = graph.answer.sentences[2]
    many = tuple(sentence.model_copy(update={"sentence_id": f"n-{i}"}) for i in range(28))
    notes = GraphIndex(graph.model_copy(update={"answer": graph.answer.model_copy(update={"sentences": many})})).notes
    assert (notes["n-0"], notes["n-25"], notes["n-26"], notes["n-27"]) == ("a", "z", "aa", "ab")


def test_anchors_hold_no_markup() -> None:
    assert anchor("claim", 'c"><b> 1') == "claim-c---b--1"


def test_tally_counts_what_the_graph_holds(index: GraphIndex) -> None:
    tally = Tally.of(index)
    assert (tally.sources, tally.read, tally.rejected, tally.orientation, tally.unreadable) == (13, 8, 3, 1, 1)
    assert tally.judged == {"supports": 11, "refutes": 1, "silent": 2, "unavailable": 1}
    assert tally.cited_claims == 9
    assert summary(tally).startswith("13 sources found, 8 read, 3 rejected, 2 not read, 2 planted among them · 16")


def test_tier_mix_leaves_out_what_did_not_stand(index: GraphIndex, graph: ClaimGraph) -> None:
    (_, answer), (_, standing) = tier_mix(graph, index)
    assert answer == {"1": 3, "2": 3, "3": 1}
    every = sum(len(c.citations) for c in graph.claims)
    assert sum(standing.values()) == every - 3  # refuted, conceded, unjudged: one citation each


def test_a_call_from_the_ledger_costs_nothing_and_an_unknown_price_is_no_zero(graph: ClaimGraph) -> None:
    (debate,) = [e for e in expenses(graph.calls) if e.stage == "debate"]
    assert (debate.calls, debate.from_ledger, debate.unpriced, debate.price) == (2, 1, 1, "unknown")
    priced = [graph.calls[0].model_copy(update={"cost_usd": 0.03, "from_ledger": led}) for led in (False, True)]
    assert expense(priced).price == "$0.0300"
    assert expense([*priced, *(c for c in graph.calls if c.stage == "debate")]).price == "at least $0.0300"


def test_numbers_in_words() -> None:
    assert (plural(1, "claim"), plural(0, "claim"), plural(1200, "search", "searches")) == (
        "1 claim", "0 claims", "1,200 searches")
    assert (dollars(0), dollars(0.0123), dollars(1234.5)) == ("$0", "$0.0123", "$1,234.50")


def test_events_marked_as_planted_that_belong_to_no_source_are_kept(graph: ClaimGraph) -> None:
    event = graph.events[0].model_copy(update={"subject_id": "d-unknown", "planted": True})
    cases, loose = planted(GraphIndex(graph.model_copy(update={"events": (*graph.events, event)})))
    assert len(cases) == 2
    assert loose == [event]


def test_the_curve_skips_rounds_without_a_value(graph: ClaimGraph) -> None:
    rounds = [r.model_copy(update={"agreement": None}) if r.round == 2 else r for r in graph.rounds]
    svg = agreement_curve(rounds)
    assert svg.count("<circle") == 2
    assert "R1, first round, 25%, R3, third round, 60%" in svg
    assert agreement_curve([]) == ""


def test_the_bar_is_cut_by_share() -> None:
    assert 'width="100.00"' in tier_bar({"1": 1, "2": 3}, "x")
    assert tier_bar({}, "x") == ""
