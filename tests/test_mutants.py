"""The table of mutants holds, and the script that tries them takes nothing for noticed that is not."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.mutants import ROOT, Copy, Mutant, attempt_all, drift, read

RULE = Mutant(
    rule="Two is more than one",
    file="veritas/rules.py",
    old="return two > one",
    new="return two >= one",
    tests=("tests/test_rules.py::test_equals_are_not_more",),
)


def test_every_mutant_still_applies() -> None:
    mutants = read()
    assert len(mutants) >= 97
    assert list(drift(mutants)) == []
    assert [rule for rule, times in Counter(m.rule for m in mutants).items() if times > 1] == []
    assert [place for place, times in Counter((m.file, m.old) for m in mutants).items() if times > 1] == []


def test_mutants_are_spread_over_every_package() -> None:
    rooms = {path.name for path in (ROOT / "veritas").iterdir() if (path / "__init__.py").is_file()}
    broken = {Path(m.file).parts[1] for m in read() if m.file.startswith("veritas/")}
    assert rooms - broken == set()
    assert {Path(m.file).parts[0] for m in read()} == {"veritas", "tasks", "flows"}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A package of one rule, and its tests."""
    root = tmp_path / "project"
    (root / "veritas").mkdir(parents=True)
    (root / "veritas" / "__init__.py").touch()
    (root / "veritas" / "rules.py").write_text("def more(two, one):\n    return two > one\n")
    (root / "tests").mkdir()
    (root / "tests" / "test_rules.py").write_text(
        "from veritas.rules import more\n\n"
        "def test_two_are_more():\n    assert more(2, 1)\n\n"
        "def test_equals_are_not_more():\n    assert not more(2, 2)\n"
    )
    return root


def test_what_does_not_apply_any_more_is_said(tree: Path) -> None:
    odd = {
        "stands 0 times": replace(RULE, old="return two < one"),
        "stands 2 times": replace(RULE, old="two"),
        "cannot be parsed": replace(RULE, new="return two >"),
        "means what the old one means": replace(RULE, new="return (two > one)"),
        "there is no test tests/test_rules.py::test_gone": replace(RULE, tests=("tests/test_rules.py::test_gone",)),
        "there is no test tests/test_gone.py": replace(RULE, tests=("tests/test_gone.py",)),
    }
    assert list(drift([RULE], tree)) == []
    for why, mutant in odd.items():
        (said,) = drift([mutant], tree)
        assert why in said


def test_a_mutant_is_noticed_by_a_test_that_fails_and_by_nothing_else(tree: Path, tmp_path: Path) -> None:
    copy, path = Copy(tmp_path, tree), tree / "veritas" / "rules.py"
    before = path.read_bytes()
    noticed = copy.attempt(RULE, 60)
    assert (noticed.noticed, noticed.by) == (True, "test_equals_are_not_more")
    survived = copy.attempt(replace(RULE, tests=("tests/test_rules.py::test_two_are_more",)), 60)
    assert (survived.noticed, survived.by) == (False, "")
    uncollected = copy.attempt(replace(RULE, old="def more(", new="def fewer("), 60)
    assert not uncollected.noticed
    assert "no test failed" in uncollected.by
    endless = copy.attempt(replace(RULE, new="while True: pass"), 2)
    assert (endless.noticed, endless.by) == (True, "not done within 2 s")
    assert (copy.tree / RULE.file).read_bytes() == before, "the copy is as it was"
    assert path.read_bytes() == before, "and the tree was never touched"


def test_copies_at_work_at_once_give_a_result_each(tree: Path, tmp_path: Path) -> None:
    harmless = replace(RULE, rule="another", tests=("tests/test_rules.py::test_two_are_more",))
    found = attempt_all([RULE, harmless], tmp_path, 2, 60, tree)
    assert {one.mutant.rule: one.noticed for one in found} == {"Two is more than one": True, "another": False}
