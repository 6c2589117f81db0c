"""A tier that searches again reads what the first search left open; what is searched again is on record."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from tests.answers.conftest import Carry
from veritas.answers.request import Request
from veritas.policy.cost_tiers import CostTier
from veritas.search.provider import SearchHit
from veritas.testing import document, fake_runtime

BOIL = document("https://good.example/a", "Water boils at 100 degrees Celsius at sea level.")
MELT = document("https://good.example/b", "Ice melts at 0 degrees Celsius.")
QUESTION = Request(question="At which temperature does water boil and ice melt?")


class OneWord:
    """A provider that finds a document for the word that it knows, and the other one for all else."""

    name = "one-word"

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        self.asked.append(query)
        found = BOIL if "water" in query else MELT
        return [SearchHit(url=found.url, title=found.title)]


async def test_what_the_first_search_leaves_open_is_searched_for_again_once(carry: Carry) -> None:
    provider = OneWord()
    tier = CostTier(rounds=1, providers_per_member=1, verifier="dedicated", search_rounds=2)
    graph = await carry(fake_runtime([BOIL, MELT], providers=[provider], tier=tier, request=QUESTION))
    queries = [search.query for search in graph.searches]
    assert len(queries) == 2 * len(graph.sub_queries)
    assert "ice" in queries[1].lower()
    assert "water" not in queries[1]
    assert {source.url for source in graph.sources if source.status == "read"} == {BOIL.url, MELT.url}


async def test_a_tier_of_one_search_asks_once(carry: Carry) -> None:
    provider = OneWord()
    tier = CostTier(rounds=1, providers_per_member=1, verifier="dedicated")
    graph = await carry(fake_runtime([BOIL, MELT], providers=[provider], tier=tier, request=QUESTION))
    assert len(provider.asked) == len(graph.sub_queries)
    assert {source.url for source in graph.sources} == {BOIL.url}
