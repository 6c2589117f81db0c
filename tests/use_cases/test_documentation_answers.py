"""Answers from documents without a language model: both are told, lists are whole, and marks are right."""

from __future__ import annotations

from pathlib import Path

import pytest

from veritas import ClaimGraph, research
from veritas.report import render_markdown, render_terminal


def answered(folder: Path, question: str, **texts: str) -> ClaimGraph:
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return research(question, corpus=folder, tier="standard")


def told(graph: ClaimGraph) -> str:
    return "\n".join(s.text for s in graph.answer.sentences)


@pytest.fixture(autouse=True)
def _home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path_factory.mktemp("home")))


def test_two_files_that_name_two_drugs_are_both_told(tmp_path: Path) -> None:
    said = "{} lowers the risk of stroke in adults with atrial fibrillation."
    graph = answered(
        tmp_path, "Which drug lowers the risk of stroke in atrial fibrillation?",
        one=f"# Rivaltin\n\n{said.format('Rivaltin')}\n", two=f"# Dorvaxal\n\n{said.format('Dorvaxal')}\n",
    )  # fmt: skip
    assert said.format("Rivaltin") in told(graph)
    assert said.format("Dorvaxal") in told(graph)
    assert not any("contradicted" in s.badges for s in graph.answer.sentences)


def test_a_question_for_several_things_gets_the_whole_list(tmp_path: Path) -> None:
    manual = (
        "# Tarn\n\nTarn is a small reader of tables.\n\n## Formats\n\nTarn reads these formats:\n\n"
        "- CSV, with a header\n- Parquet, with any compression\n- JSON lines\n\nTarn writes tables to a folder.\n"
    )
    graph = answered(tmp_path, "Which formats does Tarn read?", manual=manual)
    assert graph.answer.brief is not None
    shown = graph.answer.brief.passages[0].text
    assert "- CSV, with a header\n\n- Parquet, with any compression\n\n- JSON lines" in shown
    assert "stands word for word" in told(graph)
    assert "- Parquet, with any compression\n" in render_markdown(graph)
    assert "- Parquet, with any compression\n" in render_terminal(graph)
