"""gate.yaml: what is shipped follows the specification's table, and no file can let an unconfirmed finding through."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from veritas import PolicyError
from veritas.policy.gate_policy import Condition, Measure, load_gate_policy

RULES = "rules:\n  one:\n    lenses: 1\n"


def written(folder: Path, text: str) -> Path:
    path = folder / "gate.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_shipped_table_is_the_specifications() -> None:
    table = load_gate_policy().table
    said = {c: table.measure(c) for c in get_args(Condition)}
    assert said == {
        "fabricated": "drop",
        "misattributed": "correct-and-verify-once",
        "second-look": "drop",
        "cannot-confirm": "leave-out-and-ask",
        "supports": "admit",
        "refutes": "drop",
        "silent": "leave-out-and-ask",
        "disagreement": "drop",
        "unavailable": "halt",
        "no-different-family": "halt",
        "differs": "drop",
        "doubtful": "leave-out-and-ask",
    }


def test_ensemble_is_the_oracle_and_two_lenses_of_different_families() -> None:
    rule = load_gate_policy().rule("ensemble")
    assert (rule.oracle, rule.lenses, rule.families, rule.voices, rule.needed) == (True, 2, 2, 3, 3)


@pytest.mark.parametrize("condition", get_args(Condition))
@pytest.mark.parametrize("measure", get_args(Measure))
def test_no_table_admits_what_is_unconfirmed_or_reads_an_outage_as_an_answer(
    tmp_path: Path, condition: Condition, measure: Measure
) -> None:
    path = written(tmp_path, f"{RULES}table:\n  {condition}: {measure}\n")
    halts = condition in ("unavailable", "no-different-family")
    safe = {
        "admit": condition in ("supports", "doubtful"),
        "halt": halts,
        "correct-and-verify-once": condition == "misattributed",
        "drop": not halts and condition != "supports",
        "leave-out": not halts and condition != "supports",
        "leave-out-and-ask": not halts,
    }[measure]
    if safe:
        assert load_gate_policy(path).table.measure(condition) == measure
        return
    with pytest.raises(PolicyError, match="possible: ") as caught:
        load_gate_policy(path)
    assert f"{path}:5: table.{condition}: {measure} is not possible here" in str(caught.value)


@pytest.mark.parametrize(
    ("rule", "place", "words"),
    [
        ("{combine: quorum, lenses: 3, oracle: false}", "", "takes needed"),
        ("{combine: quorum, lenses: 2, oracle: true, needed: 2}", ".needed", "1 of 2 lens(es) is no majority"),
        ("{combine: quorum, lenses: 2, oracle: true, needed: 4}", ".needed", "3 voices in all"),
        ("{combine: weights, lenses: 2}", "", "takes threshold"),
        ("{combine: weights, lenses: 2, threshold: 1.1}", ".threshold", "no majority"),
        ("{combine: weights, lenses: 2, threshold: 0.9, weights: {a: 0}}", ".weights", "above 0"),
        ("{combine: quorum, lenses: 3, needed: 3, weights: {a: 1}}", ".weights", "combine: weights alone"),
        ("{lenses: 2, families: 3}", ".families", "2 lens(es) cannot be of 3 families"),
        ("{judges: friends}", ".judges", ""),
    ],
)
def test_rule_that_is_none_is_refused_with_file_line_and_key(
    tmp_path: Path, rule: str, place: str, words: str
) -> None:
    path = written(tmp_path, f"rules:\n  one: {{lenses: 1}}\n  mine:\n    {rule}\n")
    with pytest.raises(PolicyError) as caught:
        load_gate_policy(path)
    assert f"rules.mine{place}: " in str(caught.value)
    assert str(path) in str(caught.value)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "table: {}", "rules: {}", "rules: 3", f"{RULES}uses: {{citation: two}}", f"{RULES}uses: {{poem: one}}",
     f"{RULES}seconds: 0", f"{RULES}table: {{unavailable: null}}", f"{RULES}table: {{unknown: drop}}"],
)  # fmt: skip
def test_file_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(PolicyError, match=r"gate\.yaml"):
        load_gate_policy(written(tmp_path, text))
