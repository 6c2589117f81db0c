"""The answer for a terminal: it fits, it cites, and nobody but us can drive the terminal."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from report_sample import sample_graph

from veritas import ClaimGraph
from veritas.report import render_html, render_markdown, render_terminal
from veritas.text.wrapping import columns, wrap

SGR = re.compile(r"\x1b\[[0-9]*m")


def test_the_answer_its_references_and_one_line_of_counts(graph: ClaimGraph) -> None:
    text = render_terminal(graph, 100, False)
    assert "was 1.8. [1](a)" in text
    assert "(a) Contested by numeric" in text
    assert "| Dissent (numeric): “Below -15 °C the" in text
    assert "[7] R. Kaldor. What the next compressors will do, 2026 (tier 3)\n    https://kaldor.example/bench\n" in text
    assert text.rstrip().endswith("9 claims cited from 7 references")
    assert "13 sources found, 8 read, 3 rejected, 2 not read, 2 planted among them ·" in " ".join(text.split())
    assert "\x1b" not in text


def test_what_was_missing_stands_below_the_answer(graph: ClaimGraph) -> None:
    answer = graph.answer.model_copy(update={"missing": ("b could not contribute",)})
    graph = graph.model_copy(update={"answer": answer})
    for text in (render_terminal(graph), render_markdown(graph), render_html(graph)):
        assert text.index("was 1.8.") < text.index("Partly unavailable: b could not contribute")


def test_colour_is_ours_alone(graph: ClaimGraph) -> None:
    run = graph.run.model_copy(update={"question": "clear \x1b[2J \x9b31m \x07 me\u202e?"})
    graph = graph.model_copy(update={"run": run})
    for colour in (False, True):
        text = render_terminal(graph, 80, colour)
        rest = SGR.sub("", text) if colour else text
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", rest)
        assert "⟦U+001B⟧[2J" in rest
    assert SGR.sub("", render_terminal(graph, 80, True)) == render_terminal(graph, 80, False)


@given(st.text(max_size=200), st.integers(4, 60))
def test_wrapping_keeps_every_word_and_the_width(text: str, width: int) -> None:
    lines = list(wrap(text, width, "- ", "  "))
    assert all(columns(line) <= width for line in lines)
    assert "".join("".join(line[2:] for line in lines).split()) == "".join(text.split())


def test_the_sample_at_80_columns_is_stable() -> None:
    assert render_terminal(sample_graph()) == render_terminal(sample_graph(), 80, False)
