"""Names in the forms bibliographies use, and whether two of them may be one person."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritas.works.names import normalise_surname, parse_name, same_person


def _same(one: str, other: str) -> bool:
    a, b = parse_name(one), parse_name(other)
    assert a is not None
    assert b is not None
    assert same_person(a, b) == same_person(b, a)
    return same_person(a, b)


@pytest.mark.parametrize(
    ("written", "family", "given_name"),
    [
        ("Liang, Jacky", "Liang", "Jacky"),
        ("Jacky Liang", "Liang", "Jacky"),
        ("King, Jr., Martin Luther", "King", "Martin Luther"),
        ("Martin Luther King Jr.", "King", "Martin Luther"),
        ("Peter H. N. de With", "de With", "Peter H. N."),
        ("van der Putten, Joost", "van der Putten", "Joost"),
        ("Fei Xia 0002", "Xia", "Fei"),
        ("Wakefield AJ", "Wakefield", "AJ"),
        (r"Erd{\H{o}}s, P{\'a}l", "Erdős", "Pál"),
        ("Plato", "Plato", ""),
    ],
)
def test_a_name_is_split(written: str, family: str, given_name: str) -> None:
    name = parse_name(written)
    assert name is not None
    assert (name.family, name.given) == (family, given_name)


def test_braces_and_words_of_bodies_make_a_corporate_author() -> None:
    for written in ("{The ATLAS Collaboration}", "ATLAS Collaboration", "{Barnes and Noble}"):
        name = parse_name(written)
        assert name is not None
        assert name.corporate
    assert parse_name("{}") is None
    assert parse_name(" , ") is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ramon Matas Navarro", "Matas Navarro, Ramon"),
        ("Zhuang Xiang", "Xiang Zhuang"), ("A.W. Senior", "Andrew W. Senior"),
        ("Peter R. Florence", "Pete Florence"), ("Müller, Hans", "Hans Mueller"), ("SHIYANG LI", "Shiyang Li"),
        ("张三", "张 三"), ("Ole-Johan O'Neil", "Ole Johan O’Neil"),
    ],
)
def test_spellings_of_one_person_agree(one: str, other: str) -> None:
    assert _same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Yifei Liu", "Heyi Zhang"),
        ("Wei Zhang", "Jing Zhang"),
        ("J. Smith", "K. Smith"),
        ("John Smith", "John Smythe"),
        ("{The ATLAS Collaboration}", "CMS Collaboration"),
    ],
)
def test_other_people_do_not(one: str, other: str) -> None:
    assert not _same(one, other)


@given(st.text())
def test_a_surname_normalises_once_and_for_all(text: str) -> None:
    assert normalise_surname(normalise_surname(text)) == normalise_surname(text)


@given(st.text())
def test_any_text_is_a_name_or_none_and_a_name_is_its_own(text: str) -> None:
    name = parse_name(text)
    assert name is None or same_person(name, name)


def test_surnames_lose_accents_hyphens_and_suffixes() -> None:
    assert normalise_surname("Hernández-Lobato Jr.") == "hernandezlobato"
