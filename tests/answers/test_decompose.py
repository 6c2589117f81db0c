"""What becomes of the sub-queries that a writer proposes."""

from __future__ import annotations

from veritas.answers.decompose import MAX_SUB_QUERIES, Decomposition, SubQueryDrafts, settle
from veritas.council.turns import SubQueryDraft
from veritas.policy.cost_tiers import Plan
from veritas.store.call_record import Outcome

QUESTION = "When does copper melt, and how dense is it?"
PLAN = Plan(providers_per_member=1, members=1, rounds=1)


def settled(*texts: str) -> Decomposition:
    drafts = SubQueryDrafts(drafts=tuple(SubQueryDraft(text=t) for t in texts))
    return settle(QUESTION, Outcome(drafts, None), PLAN, "writer")


def test_a_writer_that_wanders_off_does_not_decide_alone_what_is_looked_for() -> None:
    """A model of 135 million parameters answered six times "The answer is 1.0000000000000000"."""
    made = settled(*["The answer is 1.0000000000000000"] * 6)
    assert [q.text for q in made.sub_queries] == [QUESTION, "The answer is 1.0000000000000000"]
    (event,) = made.events
    assert "shares a word with the question" in event.reason


def test_sub_queries_of_which_one_names_the_subject_stand_as_they_are() -> None:
    made = settled("Schmelzpunkt von Cu", "Density of copper")
    assert [q.text for q in made.sub_queries] == ["Schmelzpunkt von Cu", "Density of copper"]
    assert made.events == ()


def test_the_question_comes_first_where_there_are_too_many_beside_it() -> None:
    made = settled(*(f"Banana number {i}" for i in range(MAX_SUB_QUERIES + 2)))
    assert made.sub_queries[0].text == QUESTION
    assert len(made.sub_queries) == MAX_SUB_QUERIES
    assert sum("beyond" in e.reason for e in made.events) == 3
