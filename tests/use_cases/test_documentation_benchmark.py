"""The benchmark of answers about documentation runs on a small folder, and finds what is planted."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MANUAL = """# Tarn

Tarn reads these formats:

- CSV, with a header
- Parquet

Table_reader can read a folder. The table_reader option is safe for every folder of the machine.
"""


def test_it_counts_references_lists_and_planted_conflicts(tmp_path: Path) -> None:
    (tmp_path / "manual").mkdir()
    (tmp_path / "manual" / "tarn.md").write_text(MANUAL, encoding="utf-8")
    dump = tmp_path / "dump.jsonl"
    script = str(ROOT / "benchmarks" / "documentation.py")
    options = ["--questions", "5", "--conflicts", "4", "--tier", "quick", "--dump", str(dump)]
    done = subprocess.run(
        [sys.executable, script, str(tmp_path / "manual"), *options],
        capture_output=True, text=True, check=True, cwd=tmp_path,
    )  # fmt: skip
    assert "| lists given whole | 1 | 1 |" in done.stdout
    assert "| not whole, or not entailed |" in done.stdout
    lines = [json.loads(line) for line in dump.read_text(encoding="utf-8").splitlines()]
    assert any(line.get("planted") == "polarity" and line["marked"] and line["both"] for line in lines)


@pytest.mark.parametrize(
    ("kind", "said", "made"),
    [
        ("a condition moved", "The cache is full when it has 20 files.", "When it has 20 files, the cache is full."),
        ("a condition left out", "The cache is full when it has 20 files.", "The cache is full."),
        ("an addition", "The cache is small.", "The cache is small, which makes it twice as fast."),
        ("numbers in words", "The cache has 3 parts.", "The cache has three parts."),
        ("another name", "The cache is small.", None),
    ],
)
def test_sentences_are_restated_by_rule(
    kind: str, said: str, made: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    assert importlib.import_module("documentation_restated").ALL[kind](said) == made
