"""The evidence brief: what is shown where nobody words the answer."""

from __future__ import annotations

from pathlib import Path

import pytest

import veritas
from veritas.claims.graph import ClaimGraph
from veritas.report import render_html, render_markdown, render_terminal

TEXT = (
    "Cache\n\nThe cache keeps answers for ten minutes. A longer time may be set:\n\n"
    "    cache = Cache(minutes=20)\n    cache.open()\n\nLogs\n\nEach task writes a log to the folder of its run.\n"
)
CODE = "cache = Cache(minutes=20)\ncache.open()"


def ask(folder: Path, question: str) -> ClaimGraph:
    corpus, home = [folder / "docs"], folder / "home"
    return veritas.research(question, corpus=corpus, tier="quick", council="embedded", home=home)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> ClaimGraph:
    folder = tmp_path_factory.mktemp("brief")
    (folder / "docs").mkdir()
    (folder / "docs" / "handbook.txt").write_text(TEXT, encoding="utf-8")
    return ask(folder, "How long does the cache keep answers?")


def test_a_passage_is_an_admitted_claim_whole_and_verbatim_with_the_answering_words_marked(asked: ClaimGraph) -> None:
    assert asked.answer.brief is not None
    first = asked.answer.brief.passages[0]
    claim = next(c for c in asked.claims if c.claim_id == first.claim_id)
    assert claim.verifier_judgment == "supports"
    assert claim.claim == "The cache keeps answers for ten minutes."
    assert TEXT[first.start : first.end] == first.text
    assert [first.text[start:end] for start, end in first.marks] == [claim.claim]
    assert first.headings == ("Cache",)
    assert [block.kind for block in first.blocks] == ["prose", "code"]
    assert "writes a log" not in first.text


def test_one_line_above_says_how_sure_it_is_and_each_passage_has_a_sentence_that_cites(asked: ClaimGraph) -> None:
    brief = asked.answer.brief
    assert brief is not None
    line, *sentences = asked.answer.sentences
    assert line.kind == "frame"
    assert f"(estimated chance {brief.chance:.0%})" in line.text
    assert [s.sentence_id for s in sentences] == [p.sentence_id for p in brief.passages]
    assert all(s.references for s in sentences)


def test_every_report_shows_the_program_as_it_stands_and_the_answering_words_apart(asked: ClaimGraph) -> None:
    words = "The cache keeps answers for ten minutes."
    plain = render_terminal(asked)
    assert f"  > {words}" in plain
    assert "\n      cache = Cache(minutes=20)\n      cache.open()\n" in plain
    assert f"\x1b[1m{words.split()[0]}\x1b[0m" in render_terminal(asked, color=True)
    assert f"**{words}** A longer time may be set:\n\n```\n{CODE}\n```" in render_markdown(asked)
    page = render_html(asked)
    assert f"<mark><bdi>{words}</bdi></mark>" in page
    assert f"<pre class=\"program\"><code>{CODE}</code></pre>" in page


def test_short_leaves_out_what_the_asker_knows(asked: ClaimGraph) -> None:
    short = render_terminal(asked, short=True)
    assert asked.run.question not in short
    assert "sources found" not in short
    assert "References" in short


def test_where_nothing_answers_the_name_that_nothing_mentions_is_told(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "handbook.txt").write_text(TEXT, encoding="utf-8")
    graph = ask(tmp_path, "How long does Kafka keep answers?")
    assert graph.answer.status == "insufficient_evidence"
    assert graph.answer.reason == (
        "the one source that was read does not answer the question: nothing that was read mentions “Kafka”"
    )
    misspelt = ask(tmp_path, "How long does the Cahce of Kafka keep answers?")
    assert "mentions “Cahce” (is “cache” meant?), “Kafka”" in (misspelt.answer.reason or "")
