"""What becomes of the sub-queries that a writer proposes."""

from __future__ import annotations

from veritas.answers.decompose import Decomposition, decompose
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
