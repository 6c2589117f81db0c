"""Checklists and the signs that carry their items: well-formed, complete, and each sign tried on its own sentences."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from veritas.errors import InputError, PolicyError
from veritas.papers.desk.checklist import checklist_names, checklists_for, load_checklist
from veritas.papers.desk.signs import load_signs

ITEMS = {
    "consort-2010": (37, "1a", "25"), "consort-2025": (42, "1a", "30"), "strobe": (34, "1a", "22"),
    "prisma-2020": (42, "1", "27"), "arrive-2.0": (38, "1a", "21b"), "neurips": (16, "1", "16"),
    "joss": (23, "1", "23"),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(load_signs()))
def test_a_sign_accepts_its_sentences_and_refuses_those_that_look_alike(name: str) -> None:
    sign = load_signs()[name]
    ways = [way for way in sign.ways if way.under is None]
    assert sign.carries
    assert sign.does_not
    assert [said for said in sign.carries if not any(way.matches(said) for way in ways)] == []
    assert [said for said in sign.does_not if any(way.matches(said) for way in ways)] == []


def test_every_published_item_stands_in_its_checklist() -> None:
    assert set(checklist_names()) == set(ITEMS)
    for name, (count, first, last) in ITEMS.items():
        items = load_checklist(name).items
        assert (len(items), items[0].id, items[-1].id) == (count, first, last)


def test_every_sign_is_used_by_a_checklist() -> None:
    used = {sign for name in checklist_names() for item in load_checklist(name).items for sign in item.found_by}
    assert set(load_signs()) == used


def test_the_version_in_force_in_the_year_of_the_paper_is_chosen() -> None:
    assert checklists_for("randomised-trial", 2018) == ("consort-2010",)
    assert checklists_for("randomised-trial", 2026) == ("consort-2025",)
    assert checklists_for("randomised-trial", None) == ("consort-2025",)
    assert checklists_for("animal-study", 2018) == ("arrive-2.0",)


def test_a_checklist_that_names_no_sign_is_refused_with_its_line(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(
        "title: Ours\nabout: trials\nversion: '1'\nsource: here\nlicence: ours\n"
        "items:\n- {id: '1', part: All, heading: Wish, asks: A wish., found_by: [wishes]}\n"
    )
    with pytest.raises(PolicyError, match=r"own\.yaml:7: .*no sign 'wishes'"):
        load_checklist(own)
    with pytest.raises(InputError, match="there is no checklist 'consort-1996'"):
        load_checklist("consort-1996")


def test_every_sign_has_a_vocabulary_that_its_own_sentences_speak_unless_its_place_settles_it() -> None:
    signs = load_signs()
    bare = {name for name, sign in signs.items() if not sign.words}
    assert bare == {"randomised_title", "structured_abstract", "review_in_title"}
    silent = [
        said
        for name, sign in signs.items()
        for said in sign.carries
        if sign.words and not re.search(sign.words, said, re.IGNORECASE)
    ]
    assert silent == []
