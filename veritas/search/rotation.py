"""Rotation of search providers over members and sub-queries (section III, Fig. 3).

Members that all search in one place have the same blind spots. So neighbouring members start at different providers,
each asks several distinct ones, and every provider gets an equal share of the searches.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from veritas.claims.graph import Binding


def schedule(
    members: Sequence[str], sub_queries: Sequence[str], providers: Sequence[str], per_member: int, seed: int
) -> tuple[Binding, ...]:
    """Assign every search of a run: names of members and providers and ids of sub-queries in, one `Binding` each out.

    For each sub-query a member gets `per_member` distinct providers (all, if there are fewer), in slots from 0. With
    two or more providers, neighbours in the council start at different ones, and so does a member in two consecutive
    sub-queries; over the whole run the busiest provider serves at most one search more than the least busy one. The
    same arguments give the same schedule; the seed shuffles the providers and the start. Raises `ValueError` for
    `per_member` under 1 or a duplicate name.
    """
    if per_member < 1:
        raise ValueError(f"each member needs at least one search a sub-query, not {per_member}")
    for kind, names in (("member", members), ("sub-query", sub_queries), ("provider", providers)):
        if len(set(names)) != len(names):
            raise ValueError(f"a {kind} occurs twice in the schedule: {', '.join(names)}")
    if not providers:
        return ()
    order = _order(providers, seed)
    count = len(order)
    share = min(per_member, count)
    # Each member begins where the one before ended, so that the load is even to one search over the whole run. Where
    # that would bring all members back to the same start (all providers a member, or a full turn a sub-query), the
    # start moves on by one; the load is even there anyway.
    step = share if share < count else 1
    turn = len(members) * share % count or 1
    bindings = []
    for number, sub_query in enumerate(sub_queries):
        for place, member in enumerate(members):
            first = seed + number * turn + place * step
            for slot in range(share):
                provider = order[(first + slot) % count]
                bindings.append(Binding(member=member, sub_query_id=sub_query, slot=slot, provider=provider))
    return tuple(bindings)


def spares(bound: Sequence[Binding], providers: Sequence[str], seed: int) -> tuple[str, ...]:
    """Return the further providers for one member's searches of one sub-query, in the order of the rotation, without
    those assigned to them."""
    if not bound:
        return ()
    order = _order(providers, seed)
    place = order.index(bound[-1].provider) + 1
    taken = {binding.provider for binding in bound}
    return tuple(name for name in (*order[place:], *order[:place]) if name not in taken)


def _order(providers: Sequence[str], seed: int) -> list[str]:
    return sorted(providers, key=lambda name: hashlib.sha256(f"{seed}:{name}".encode()).digest())
