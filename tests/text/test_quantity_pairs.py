"""885 labelled pairs of quantities in sentences: no two amounts pass for one, and none that may be one for two."""

from __future__ import annotations

import pytest

from tests.text.quantity_pairs import Pair, pairs
from veritas.judging import judge
from veritas.meaning.compare import compare, equivalent
from veritas.text.quantities import quantities
from veritas.text.quantity_relation import conflicts, relation

ALL = tuple(pairs())


def told(pair: Pair) -> str:
    """What the reader says of the one quantity of each sentence; it cannot tell where it reads none or several."""
    ours, theirs = quantities(pair.a), quantities(pair.b)
    if len(ours) != 1 or len(theirs) != 1:
        return "cannot tell"
    assert relation(ours[0], theirs[0]) == relation(theirs[0], ours[0])
    found = relation(ours[0], theirs[0])
    return found if found in ("same", "different") else "cannot tell"


def test_the_set_is_large_enough_and_holds_no_pair_twice() -> None:
    assert len(set(ALL)) == len(ALL) >= 500
    assert {p.label for p in ALL} == {"same", "different", "cannot tell"}


def test_no_false_equality_and_no_false_refutation() -> None:
    assert [p for p in ALL if told(p) == "same" != p.label] == []
    assert [p for p in ALL if told(p) == "different" != p.label] == []


@pytest.mark.parametrize("label", ["same", "different"])
def test_most_of_what_can_be_told_is_told(label: str) -> None:
    these = [p for p in ALL if p.label == label]
    assert sum(told(p) == label for p in these) >= 0.97 * len(these)


def test_the_judge_takes_no_two_amounts_for_one_and_one_for_one() -> None:
    judged = [(p, judge(*sides).label) for p in ALL for sides in ((p.a, p.b), (p.b, p.a))]
    assert [p for p, verdict in judged if verdict == "supports" and p.label == "different"] == []
    same = [verdict for p, verdict in judged if p.label == "same"]
    assert same.count("supports") >= 0.95 * len(same)


def test_claims_are_one_or_exclude_each_other_only_where_their_quantities_do() -> None:
    assert [p for p in ALL if p.label != "same" and equivalent(p.a, p.b)] == []
    excluding = [p for p in ALL if compare(p.a, p.b).relation == "excludes" or conflicts(p.a, p.b)]
    assert {p.label for p in excluding} == {"different"}
    assert equivalent("The flask holds 2.5e6 cells.", "The flask holds 2.5 million cells.")
    assert not equivalent("The flask holds 2.5 × 10⁶ cells.", "The flask holds 2.5 × 106 cells.")
