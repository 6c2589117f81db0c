"""Author lists are the same people in the same order, sorted by family name, cut short, or other people."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from veritas.citations.author_lists import compare_authors, is_alphabetical
from veritas.works.names import PersonName, parse_name


def _names(text: str) -> tuple[PersonName, ...]:
    return tuple(name for name in map(parse_name, text.split("; ")) if name)


TASK_ME = _names("Jieyu Zhang; Weikai Huang; Zixian Ma; Oscar Michel; Dong He; Tanmay Gupta")
SORTED = _names("Tanmay Gupta; Dong He; Weikai Huang; Zixian Ma; Oscar Michel; Jieyu Zhang")

PEOPLE = st.lists(
    st.builds(
        PersonName,
        family=st.sampled_from(["Liang", "Huang", "Xia", "Xu", "de With", "Müller", "Mueller", "张三"]),
        given=st.sampled_from(["", "J.", "Jacky", "Wei", "W. X."]),
    ),
    min_size=1,
    max_size=6,
)


def test_a_list_sorted_by_family_name_is_known_for_what_it_is() -> None:
    assert is_alphabetical(SORTED)
    assert not is_alphabetical(TASK_ME)
    assert not is_alphabetical(SORTED[:1])
    found = compare_authors(TASK_ME, SORTED)
    assert (found.first_family_agrees, found.shared_of_both, found.same_order) == (False, 1, False)
    assert (found.sorted_primary, found.sorted_secondary) == (False, True)


def test_a_list_cut_short_is_wholly_found_in_the_longer() -> None:
    found = compare_authors(TASK_ME, TASK_ME[:2])
    assert (found.shared, found.same_order, found.first_family_agrees) == (1, True, True)
    assert found.shared_of_both < 0.5


@given(PEOPLE, PEOPLE)
def test_comparing_is_symmetric(one: list[PersonName], other: list[PersonName]) -> None:
    there, back = compare_authors(one, other), compare_authors(other, one)
    assert there.matched == back.matched
    assert there.first_family_agrees == back.first_family_agrees
    assert (there.shared, there.shared_of_both) == (back.shared, back.shared_of_both)


def _crowds(size: int) -> list[tuple[list[PersonName], list[PersonName]]]:
    crowd = [PersonName(family=f"Family{i}", given="J.") for i in range(size)]
    same = [PersonName(family="Li", given=f"W{i}.") for i in range(size)]
    spelt = [PersonName(family="Li", given=f"Wei{i}") for i in range(size)]
    return [(crowd, crowd[::-1]), (same, same[::-1]), (same, spelt)]


def _effort(size: int) -> float:
    """Return the processor time of comparing each pair of lists, the best of three."""
    taken = []
    for _ in range(3):
        start = time.process_time()
        for first, second in _crowds(size):
            compare_authors(first, second)
        taken.append(time.process_time() - start)
    return min(taken)


def test_thousands_of_authors_are_all_matched_and_the_effort_grows_with_their_number() -> None:
    by_family, by_given, _ = _crowds(3000)
    assert compare_authors(*by_family).matched == compare_authors(*by_given).matched == 3000
    assert _effort(3200) < 32 * _effort(400)  # eight times as many; to compare each with each takes 64 times as long
