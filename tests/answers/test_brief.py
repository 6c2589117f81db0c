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


def test_where_nothing_answers_the_name_that_nothing_mentions_is_told(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "handbook.txt").write_text(TEXT, encoding="utf-8")
    graph = ask(tmp_path, "How long does Kafka keep answers?")
    assert graph.answer.brief is not None
    assert graph.answer.brief.unmentioned == ("Kafka",)
    assert "Nothing that was read mentions “Kafka”." in graph.answer.sentences[0].text


PAGE = """\
# Tarn

## Retries

A failed task is tried again. To retry five times, run:

1. the command:

   ```sh
   tarn retry --times 5
   ```
2. nothing else:
   - not even a log

| Option | Default |
|---|---|
| `--times` | 3 <b> |

!!! warning "It costs"
    Each retry is paid for.
"""


@pytest.fixture(scope="module")
def of_a_page(tmp_path_factory: pytest.TempPathFactory) -> ClaimGraph:
    folder = tmp_path_factory.mktemp("page")
    (folder / "docs").mkdir()
    (folder / "docs" / "page.md").write_text(PAGE, encoding="utf-8")
    return ask(folder, "How do I retry a failed task five times?")


def test_what_is_shown_has_the_structure_of_its_document(of_a_page: ClaimGraph) -> None:
    assert of_a_page.answer.brief is not None
    first = of_a_page.answer.brief.passages[0]
    assert first.headings == ("Tarn", "Retries")
    assert [(b.kind, b.level, b.language, first.text[b.start : b.end]) for b in first.blocks[:4]] == [
        ("prose", 0, "", "A failed task is tried again. To retry five times, run:"), ("item", 0, "", "1. the command:"),
        ("code", 1, "sh", "tarn retry --times 5"), ("item", 0, "", "2. nothing else:"),
    ]  # fmt: skip
    assert type(of_a_page).model_validate_json(of_a_page.model_dump_json()) == of_a_page


PARTS = {
    "cache.md": "# Cache\n\nThe cache keeps answers for ten minutes. A longer time may be set.\n",
    "logs.md": "# Logs\n\nEach task writes a log to the folder of its run. The folder has the colour team.\n",
}


@pytest.fixture(scope="module")
def half_answered(tmp_path_factory: pytest.TempPathFactory) -> ClaimGraph:
    folder = tmp_path_factory.mktemp("parts")
    (folder / "docs").mkdir()
    for name, text in PARTS.items():
        (folder / "docs" / name).write_text(text, encoding="utf-8")
    return ask(folder, "How long does the cache keep answers, and which colour is the pump painted?")


def test_each_part_of_a_question_has_its_own_chance_and_one_that_nothing_answers_is_marked(
    half_answered: ClaimGraph,
) -> None:
    answer = half_answered.answer
    assert answer.brief is not None
    told, lost = answer.brief.parts
    assert (told.question, lost.question) == (
        "How long does the cache keep answers?", "Which colour is the pump painted?",
    )  # fmt: skip
    assert told.chance >= 0.5 > lost.chance
    assert answer.status == "answered"
    assert answer.chance == lost.chance
    line = answer.sentences[0].text
    assert "answers “How long does the cache keep answers?”" in line
    assert "Closest passages; none surely answers “Which colour is the pump painted?”" in line
    assert "answers the question" not in line
    (gap,) = (s.text for s in answer.sentences if s.kind == "gap")
    assert "“Which colour is the pump painted?”" in gap
    for said in (render_terminal(half_answered, width=400), render_html(half_answered)):
        assert gap in said
    assert gap.removeprefix("[").removesuffix("]") in render_markdown(half_answered)


def test_the_closest_passages_are_shown_and_dimmed_where_none_surely_answers(half_answered: ClaimGraph) -> None:
    brief = half_answered.answer.brief
    assert brief is not None
    (far,) = (p for p in brief.passages if p.far)
    assert far.headings == ("Logs",)
    assert far.chance < 0.5
    for said in (render_terminal(half_answered), render_markdown(half_answered)):
        assert "writes a log" in said
    assert "\x1b[2m      " in render_terminal(half_answered, color=True) or "\x1b[2m    " in render_terminal(
        half_answered, color=True
    )
    assert 'class="shown-passage sentence claim closest"' in render_html(half_answered)


def test_documents_that_exclude_each_other_stand_side_by_side_first(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for name, minutes in (("old", "ten"), ("new", "twenty")):
        text = f"# Cache\n\nThe cache keeps answers for {minutes} minutes.\n\n# Logs\n\nEach task writes a log.\n"
        (tmp_path / "docs" / f"{name}.md").write_text(text, encoding="utf-8")
    brief = ask(tmp_path, "How long does the cache keep answers?").answer.brief
    assert brief is not None
    assert brief.disagree
    assert {p.document_id for p in brief.passages[:2]} == {p.document_id for p in brief.passages}
    assert all("The cache keeps" in p.text for p in brief.passages[:2])
