"""Findings of several members in one table."""

from __future__ import annotations

from veritas.answers.gather import gather
from veritas.answers.member_search import Findings
from veritas.answers.searches import ResearchUnit
from veritas.claims.graph import SubQuery
from veritas.claims.sources import Passage
from veritas.documents.passages import cut_passages
from veritas.store.call_record import Outcome
from veritas.testing import document

ASKED = SubQuery(sub_query_id="q1", text="How long does the cache keep answers?")


def found(member: str, passages: tuple[Passage, ...]) -> Outcome[Findings]:
    findings = Findings(
        member=member, sub_query_id="q1", searches=(), sources=(), documents=(), passages=passages
    )
    return Outcome(findings, None)


def test_members_that_rank_by_one_rule_read_what_any_of_them_found_and_the_others_their_own() -> None:
    one, two, three = (cut_passages(document(f"https://a.example/{n}", f"Text {n}.")) for n in range(3))
    outcomes = [found("lead", one), found("salience", one + two), found("model", three)]
    units = [ResearchUnit(member=m, sub_query=ASKED, bindings=()) for m in ("lead", "salience", "model")]
    research = gather((), units, outcomes, (), together=("lead", "salience"))
    lead, salience, model = (r.passage_ids for r in research.readings)
    assert lead == salience
    assert set(lead) == {p.passage_id for p in one + two}
    assert model == (three[0].passage_id,)
