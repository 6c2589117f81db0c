"""The look-ups of the report: contexts, outcomes, numbers."""

from __future__ import annotations

import pytest
from report_sample import C

from veritas.claims import ClaimGraph, Passage, SpanRef
from veritas.report.graph_index import GraphIndex, anchor
from veritas.report.tally import Tally, expense, expenses, summary


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


def test_anchors_hold_no_markup() -> None:
    assert anchor("claim", 'c"><b> 1') == "claim-c---b--1"


def test_tally_counts_what_the_graph_holds(index: GraphIndex) -> None:
    tally = Tally.of(index)
    assert (tally.sources, tally.read, tally.rejected, tally.orientation, tally.unreadable) == (13, 8, 3, 1, 1)
    assert tally.judged == {"supports": 11, "refutes": 1, "silent": 2, "unavailable": 1}
    assert tally.cited_claims == 9
    assert summary(tally).startswith("13 sources found, 8 read, 3 rejected, 2 not read, 2 planted among them · 16")


def test_a_call_from_the_ledger_costs_nothing_and_an_unknown_price_is_no_zero(graph: ClaimGraph) -> None:
    (debate,) = [e for e in expenses(graph.calls) if e.stage == "debate"]
    assert (debate.calls, debate.from_ledger, debate.unpriced, debate.price) == (2, 1, 1, "unknown")
    priced = [graph.calls[0].model_copy(update={"cost_usd": 0.03, "from_ledger": led}) for led in (False, True)]
    assert expense(priced).price == "$0.0300"
    assert expense([*priced, *(c for c in graph.calls if c.stage == "debate")]).price == "at least $0.0300"
