"""What becomes of the sub-queries that a writer proposes."""

from __future__ import annotations

from veritas.answers.decompose import MAX_SUB_QUERIES, Decomposition, decompose
from veritas.answers.request import Request
from veritas.council.turns import SubQueryDraft
from veritas.engine.units import in_process
from veritas.policy.cost_tiers import Plan
from veritas.testing import FakeMember, fake_runtime

QUESTION = "When does copper melt, and how dense is it?"
PLAN = Plan(providers_per_member=1, members=1, rounds=1)


async def settled(*texts: str, facet: str = "") -> Decomposition:
    member = FakeMember(on_decompose=lambda _: [SubQueryDraft(text=text, facet=facet) for text in texts])
    return await decompose(fake_runtime([], members=[member], request=Request(question=QUESTION)), in_process, PLAN)


async def test_a_writer_that_wanders_off_does_not_decide_alone_what_is_looked_for() -> None:
    """A model of 135 million parameters answered six times "The answer is 1.0000000000000000"."""
    made = await settled(*["The answer is 1.0000000000000000"] * 6)
    assert [q.text for q in made.sub_queries] == [QUESTION, "The answer is 1.0000000000000000"]
    (event,) = made.events
    assert "shares a word with the question" in event.reason


async def test_sub_queries_of_which_one_names_the_subject_stand_as_they_are() -> None:
    made = await settled("Schmelzpunkt von Cu", "Density of copper")
    assert [q.text for q in made.sub_queries] == ["Schmelzpunkt von Cu", "Density of copper"]
    assert made.events == ()


async def test_the_question_comes_first_where_there_are_too_many_beside_it() -> None:
    made = await settled(*(f"Banana number {i}" for i in range(MAX_SUB_QUERIES + 2)))
    assert made.sub_queries[0].text == QUESTION
    assert len(made.sub_queries) == MAX_SUB_QUERIES
    assert sum("beyond" in e.reason for e in made.events) == 3


async def test_only_rules_may_say_that_a_sub_query_is_in_the_persons_own_words() -> None:
    (query,) = (await settled("Since copper is toxic, how dense is it?", facet="as asked")).sub_queries
    assert query.facet == ""
