"""Modes: roles of a kind of document, what they count as, how they inherit, and what is said of a mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from veritas import InputError, PolicyError
from veritas.papers.extraction.modes import load_mode, mode_names
from veritas.scoring.roles import ROLES


def written(folder: Path, text: str, name: str = "mine.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", mode_names())
def test_every_role_of_a_shipped_mode_counts_as_one_of_the_ten(name: str) -> None:
    mode = load_mode(name)
    assert mode.instructions
    assert {mode.base(role) for role in mode.names} <= set(ROLES)
    assert set(mode.definitions()) == set(mode.names)


def test_the_three_modes_are_there() -> None:
    assert set(mode_names()) == {"academic", "finance", "journal"}
    assert load_mode("finance").base("risk factor") == "Limitation"
    assert load_mode("academic").base("Risk Factor") is None


def test_a_mode_of_ones_own_extends_a_shipped_one(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "extends: journal\n"
        "instructions: [Take every organism model.]\n"
        "roles:\n  Organism Model: {base: Method, definition: The animal that stands for another.}\n"
        "wanted: {Result: 9}\n",
    )
    mode = load_mode(path)
    assert mode.base("ORGANISM model") == "Method"
    assert mode.named("organism_model") == "Organism Model"
    assert mode.base("Population") == "Method"  # from journal
    assert mode.base("Theorem") == "Claim"  # from academic
    assert mode.instructions[-1] == "Take every organism model."
    assert (mode.wanted["Result"], mode.wanted["Hypothesis"]) == (9, 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("roles:\n  Proof:\n    base: Lemma\n    definition: x\n", "mine.yaml:3: roles.Proof.base"),
        ("roles:\n  Method: {base: Method, definition: x}\n", "mine.yaml:2: roles.Method: Method is one of the ten"),
        ("roles:\n  a b c d e f: {base: Method, definition: x}\n", "one to four words"),
        ("roles:\n  Odd: {base: Method, definition: x, cues: ['(']}\n", "no regular expression"),
        ("extends: nothing\n", "mine.yaml:1: extends: there is no mode"),
        ("wanted: {Proof: 3}\n", "mine.yaml:1: wanted"),
        ("colour: blue\n", "mine.yaml:1: colour: there is no such key"),
    ],
)
def test_a_mistake_is_named_with_file_line_and_key(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(PolicyError) as wrong:
        load_mode(written(tmp_path, text))
    assert said in str(wrong.value)


def test_modes_that_extend_each_other_are_refused(tmp_path: Path) -> None:
    written(tmp_path, "extends: b\n", "a.yaml")
    written(tmp_path, "extends: a\n", "b.yaml")
    with pytest.raises(PolicyError, match="extends"):
        load_mode(tmp_path / "a.yaml")


def test_an_unknown_mode_names_those_there_are() -> None:
    with pytest.raises(InputError, match="academic, finance, journal"):
        load_mode("biology")
