"""Relations of words, and the script that builds the lexicon from WordNet's files."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training import build_wordnet
from veritas.text import wordnet


@pytest.mark.parametrize(
    ("word", "bases"),
    [
        ("criteria", {"criterion"}),
        ("Mice", {"mouse"}),
        ("went", {"go"}),
        ("studies", {"study"}),
        ("leaves", {"leaf", "leave"}),
        ("was", {"be"}),
        ("tokenizers", {"tokenizers"}),
        ("", {""}),
    ],
)
def test_a_form_has_its_base_forms_and_an_unknown_word_itself(word: str, bases: set[str]) -> None:
    assert wordnet.lemmas(word) == bases


def test_a_part_of_speech_narrows_the_base_forms() -> None:
    assert wordnet.lemmas("leaves", "v") == {"leave"}
    assert wordnet.lemmas("larger", "a") >= {"large"}


def test_parts_of_speech_and_uses_are_known() -> None:
    assert wordnet.parts_of_speech("removal") == {"n"}
    assert wordnet.parts_of_speech("rapidly") == {"r"}
    assert wordnet.parts_of_speech("xyzzy") == frozenset()
    assert wordnet.frequency("walk", "v") > wordnet.frequency("walk", "n") > wordnet.frequency("xyzzy") == 0


@pytest.mark.parametrize(("a", "b"), [("buy", "purchases"), ("film", "movies"), ("speaking", "talking")])
def test_words_with_a_common_meaning_are_synonyms_either_way(a: str, b: str) -> None:
    assert wordnet.synonyms(a, b)
    assert wordnet.synonyms(b, a)


@pytest.mark.parametrize(
    ("a", "b"), [("minute", "second"), ("run", "work"), ("dogs", "cats"), ("as", "arsenic"), ("x", "ten")]
)
def test_a_rare_meaning_a_word_of_grammar_and_a_letter_make_no_synonyms(a: str, b: str) -> None:
    # WordNet has a meaning with both words "minute" and "second", and one with both words "run" and "work".
    assert not wordnet.synonyms(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [("increases", "decrease"), ("permitted", "prohibited"), ("enabled", "disabled"), ("above", "below"),
     ("more", "less")],
)
def test_opposites_are_antonyms_either_way_and_nothing_else(a: str, b: str) -> None:
    assert wordnet.antonyms(a, b)
    assert wordnet.antonyms(b, a)
    assert not wordnet.synonyms(a, b)


@pytest.mark.parametrize(("a", "b"), [("removal", "removed"), ("rapidly", "rapid"), ("invasion", "invade")])
def test_a_derived_word_is_derived_either_way(a: str, b: str) -> None:
    assert wordnet.derived(a, b)
    assert wordnet.derived(b, a)
    assert not wordnet.derived(a, "house")


def test_a_name_counts_only_for_a_word_with_a_capital() -> None:
    assert wordnet.synonyms("Turkey", "Turkey")


@given(st.text(), st.text())
def test_no_text_breaks_it(a: str, b: str) -> None:
    for relation in (wordnet.synonyms, wordnet.antonyms, wordnet.derived):
        assert relation(a, b) in (True, False)
    assert wordnet.lemmas(a)


@pytest.mark.parametrize("word", ["#n0000", "increase\tn83", "\ud800"])
def test_a_row_of_the_lexicon_is_no_word(word: str) -> None:
    assert wordnet.lemmas(word) == {word}
    assert wordnet.frequency(word) == 0


FILES = {
    "data.noun": """\
  1 This software and database is being provided to you
00000010 03 n 01 being 0 000 | what is
00000020 05 n 02 cat 0 true_cat 0 002 @ 00000010 n 0000 ! 00000030 n 0101 | a pet
00000030 05 n 01 dog 0 002 @ 00000010 n 0000 + 00000010 v 0101 | another
00000040 05 n 01 Dog 0 001 @i 00000010 n 0000 | a river
00000050 05 n 01 dog 1 001 @ 00000010 n 0000 | a rare thing
""",
    "index.noun": """\
cat n 1 0 1 1 00000020
dog n 3 0 3 2 00000030 00000040 00000050
true_cat n 1 0 1 0 00000020
""",
    "data.verb": "00000010 38 v 01 dog 0 000 01 + 02 00 | follow\n",
    "index.verb": "dog v 1 0 1 1 00000010\n",
    "data.adj": "00000010 00 a 01 big(p) 0 000 | large\n00000020 00 s 01 vast 0 001 & 00000010 a 0000 | very big\n",
    "index.adj": "big a 1 0 1 0 00000010\nvast a 1 0 1 0 00000020\n",
    "data.adv": "",
    "index.adv": "",
    "noun.exc": "dogge dog\nfeet foot\n",
    "verb.exc": "",
    "adj.exc": "",
    "adv.exc": "",
    "cntlist.rev": "cat%1:05:00:: 1 4\ndog%1:05:00:: 1 20\ndog%1:05:01:: 3 1\ndog%1:15:00:: 2 6\ndog%2:38:00:: 1 2\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="latin-1")
    return tmp_path


def test_a_word_is_proper_in_its_own_form_whatever_it_may_be_a_form_of() -> None:
    assert wordnet.proper("james")
    assert not wordnet.proper("turkey")


def test_the_script_keeps_common_senses_and_the_relations_of_those(folder: Path) -> None:
    assert build_wordnet.rows(folder) == [
        "#a0000\t\t",
        "#a0001\ta0000\t",
        "#n0002\t\t",
        "#n0003\tn0002\tn0004",
        "#n0004\tn0002\t",
        "#n0005\tn0002\t",
        "#v0006\t\t",
        "big\ta0 a0000",
        "cat\tn4 n0003",
        "dog\tn27 n0004 n0005^\tv2 v0006",
        "dogge\t=ndog",
        "true cat\tn0 n0003",
        "vast\ta0 a0001",
    ]


def test_the_script_writes_the_same_bytes_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = []
    for out in (folder / "one.gz", folder / "two.gz"):
        monkeypatch.setattr("sys.argv", ["build_wordnet", str(folder), "--out", str(out)])
        build_wordnet.main()
        written.append(out.read_bytes())
    assert written[0] == written[1]
    assert gzip.decompress(written[0]).decode().splitlines() == build_wordnet.rows(folder)
