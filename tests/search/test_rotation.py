"""The rotation schedule."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.search.rotation import schedule

names = st.integers(1, 7).map(lambda n: [f"x{i}" for i in range(n)])


@given(names, names, names, st.integers(1, 5), st.integers(0, 1000))
@settings(deadline=None)
def test_every_member_gets_its_searches_and_the_load_is_even(
    members: list[str], queries: list[str], providers: list[str], per_member: int, seed: int
) -> None:
    bindings = schedule(members, queries, providers, per_member, seed)
    share = min(per_member, len(providers))
    assert len(bindings) == len(members) * len(queries) * share
    first = {(b.member, b.sub_query_id): b.provider for b in bindings if b.slot == 0}
    for query in queries:
        for member in members:
            mine = [b for b in bindings if (b.member, b.sub_query_id) == (member, query)]
            assert [b.slot for b in mine] == list(range(share))
            assert len({b.provider for b in mine}) == share
        if len(providers) > 1:
            for one, other in pairwise(members):
                assert first[one, query] != first[other, query]
    if len(providers) > 1:
        for member in members:
            for earlier, later in pairwise(queries):
                assert first[member, earlier] != first[member, later]
    load = Counter(dict.fromkeys(providers, 0))
    load.update(b.provider for b in bindings)
    assert max(load.values()) - min(load.values()) <= 1


@given(names, names, names, st.integers(1, 3), st.integers(0, 50))
@settings(deadline=None)
def test_the_same_seed_gives_the_same_schedule_whatever_the_order_providers_are_named_in(
    members: list[str], queries: list[str], providers: list[str], per_member: int, seed: int
) -> None:
    bindings = schedule(members, queries, providers, per_member, seed)
    assert bindings == schedule(members, queries, providers[::-1], per_member, seed)


def test_no_providers_no_schedule_and_wrong_arguments_are_refused() -> None:
    assert schedule(["a"], ["q"], [], 1, 0) == ()
    with pytest.raises(ValueError, match="at least one"):
        schedule(["a"], ["q"], ["x"], 0, 0)
    with pytest.raises(ValueError, match="twice"):
        schedule(["a", "a"], ["q"], ["x"], 1, 0)
