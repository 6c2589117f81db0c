"""The labelled questions can be asked, and what the benchmark counts is what an answer shows."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from benchmarks.answers import Asked, Read, measure, table
from veritas.use_cases.runs import read_documents

PAGE = """# Valves

## Opening

The blue valve opens at a pressure of 40 bar. The red valve opens at a pressure of 60 bar.

## Colour

Every valve is painted twice before it leaves the works.
"""


def test_a_label_that_does_not_hold_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "valves"
    folder.mkdir()
    (folder / "page.md").write_text(PAGE, encoding="utf-8")
    read = Read(read_documents([folder]).documents, folder)
    asked = Asked("v-1", "valves", "1", "value", "When does it open?", True, "page.md", "Opening", r"40\s+bar")
    assert read.fault(asked) is None
    assert read.fault(Asked(**{**vars(asked), "core": "50 bar"})) == "nothing in page.md matches its core"
    assert read.fault(Asked(**{**vars(asked), "document": "other.md"})) == "other.md is not there"


def test_what_is_counted_is_what_is_shown(tmp_path: Path) -> None:
    folder = tmp_path / "valves"
    folder.mkdir()
    (folder / "page.md").write_text(PAGE, encoding="utf-8")
    corpus = read_documents([folder])
    questions = [
        Asked("v-1", "valves", "1", "value", "At what pressure does the blue valve open?", True, "page.md", "Opening",
              r"40\s+bar"),
        Asked("v-2", "valves", "1", "who", "Who invented the steam turbine?", False, None, None, None, "absent"),
        Asked("v-3", "valves", "1", "why", "Why is no valve painted?", False, "page.md", "Colour", r"painted\s+twice",
              "false"),
    ]  # fmt: skip
    options = argparse.Namespace(tiers=["quick"], docs=tmp_path, show=False)
    counts = asyncio.run(measure(questions, options, {"valves": (corpus, Read(corpus.documents, folder))}))["quick"]
    every = counts["all"]
    assert (every.anywhere, every.false_refusals, every.corrected) == ([True], [False], [True])
    assert len(every.refused) == 2
    assert not any(every.off)
    assert every.passages[0] == len(every.off) == len(every.aside)
    assert every.characters[0] >= len("The blue valve opens at a pressure of 40 bar.")
    assert counts["value"].first == every.first
    assert counts["who"].refused == [True]
    assert len(list(table({"quick": counts}))) == 6
