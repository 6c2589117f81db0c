"""Passages: exact offsets, nothing lost, sentences whole."""

from __future__ import annotations

import random
import time
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.documents.document import Document, document_id
from veritas.documents.passages import cut_passages
from veritas.reading.formats import convert
from veritas.text.sentences import split_sentences


def document(text: str, page_starts: tuple[int, ...] = ()) -> Document:
    return Document(
        document_id=document_id(text),
        url="corpus://test/one",
        title="One",
        text=text,
        fetched_at=date(2026, 1, 2),
        page_starts=page_starts,
    )


words = st.sampled_from(
    ["alpha", "b.", "Gamma,", "42", "delta!", "\n", "\n\n", "\n \n", "\t", "#", "Heading", "e.g.", "x" * 70]
)


@given(parts=st.lists(words, max_size=150), target=st.integers(1, 80), extra=st.integers(0, 80))
def test_passages_hold_every_visible_character_once_in_order_and_none_is_too_long(
    parts: list[str], target: int, extra: int
) -> None:
    text = " ".join(parts)
    at = 0
    for passage in cut_passages(document(text), target=target, maximum=target + extra):
        assert passage.text == text[passage.start : passage.end]
        assert passage.text == passage.text.strip() != ""
        assert len(passage.text) <= target + extra
        assert not text[at : passage.start].strip()
        assert text[: passage.start].endswith(passage.before)
        assert text[passage.end :].startswith(passage.after)
        at = passage.end
    assert not text[at:].strip()


SENTENCE = "The {} trial enrolled {} patients, and the reduction was 2.4 per cent vs. placebo (p = 0.03)."


def prose(paragraphs: int, sentences: int, seed: int = 1) -> str:
    draw = random.Random(seed)
    names = ["first", "second", "North"]
    return "\n\n".join(
        " ".join(SENTENCE.format(draw.choice(names), draw.randint(10, 999)) for _ in range(sentences))
        for _ in range(paragraphs)
    )


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    text = prose(1, 60)
    ends = {end for _, end in split_sentences(text)}
    passages = cut_passages(document(text))
    assert len(passages) > 3
    assert all(passage.end in ends for passage in passages)


def test_a_heading_stays_with_what_it_heads() -> None:
    text = prose(3, 3) + "\n\nMethods and materials\n\n" + prose(3, 3, seed=2)
    for passage in cut_passages(document(text)):
        assert not passage.text.endswith("Methods and materials")


def test_the_page_is_the_one_a_passage_begins_on() -> None:
    pages = [prose(2, 6, seed) for seed in range(4)]
    text = "\n\n".join(pages)
    starts = tuple(sum(len(page) + 2 for page in pages[:n]) for n in range(4))
    passages = cut_passages(document(text, starts))
    for passage in passages:
        assert passage.page is not None
        assert starts[passage.page - 1] <= passage.start
        assert passage.page == 4 or passage.start < starts[passage.page]
    assert {passage.page for passage in passages} == {1, 2, 3, 4}
    assert all(passage.page is None for passage in cut_passages(document(text)))


@pytest.mark.parametrize("unit", ["a. ", "word ", "(e.g. ", "\n \n\t", "- x\n", "x", "a\tb\tc\n"])
def test_time_does_not_run_away_on_a_strange_text(unit: str) -> None:
    spent = []
    for size in (25_000, 100_000):
        begun = time.process_time()
        cut_passages(document(unit * (size // len(unit))))
        spent.append(time.process_time() - begun + 0.1)
    assert spent[1] < 10 * spent[0]  # 16 times, if something were quadratic


def structured(text: str, kind: str = "markdown") -> Document:
    made = convert(text.encode(), kind)
    return Document(
        document_id=document_id(made.text), url="corpus://a/b", title="Tarn", text=made.text, blocks=made.blocks,
        fetched_at=date(2026, 1, 1),
    )  # fmt: skip


def test_a_passage_knows_the_path_of_headings_above_it_and_its_structure() -> None:
    words = "Tarn reads a folder of files and keeps what it has read for later. " * 8
    document = structured(
        f"# Tarn\n\n## Reading\n\n{words}\n\n### Deep\n\n{words}\n\n## Runs\n\n{words}\n\n```sh\nls\n```\n"
    )
    passages = cut_passages(document)
    assert [[heading.text for heading in passage.path] for passage in passages] == [
        [], ["Tarn", "Reading"], ["Tarn", "Reading", "Deep"],
    ]  # fmt: skip
    assert [passage.heading for passage in passages] == ["", "", ""]
    assert [block.kind for block in passages[2].blocks] == ["heading", "prose", "code"]
    for passage in passages:
        assert passage.text == document.text[passage.start : passage.end]
        assert all(passage.text[b.start : b.end].strip() for b in passage.blocks)


def test_rows_that_are_parted_from_the_head_of_their_table_know_it() -> None:
    rows = "\n".join(f"| --option-{i} | {'what it does ' * 8} |" for i in range(30))
    passages = cut_passages(structured(f"# Tarn\n\n| Option | Meaning |\n|---|---|\n{rows}\n"))
    assert len(passages) > 2
    assert [passage.columns for passage in passages] == ["", *["Option\tMeaning"] * (len(passages) - 1)]


LINES = ["# T", "- a", "  b", "```", "x = 1", "| a | b |", "|---|---|", "", "w " * 90, ":::", "1. c"]


@given(st.lists(st.sampled_from(LINES)))
@settings(deadline=None, max_examples=30)
def test_passages_of_a_structure_hold_every_character_once(lines: list[str]) -> None:
    document = structured("\n".join(lines))
    passages = cut_passages(document, target=100, maximum=160)
    assert "".join("".join(p.text.split()) for p in passages) == "".join(document.text.split())
    assert all(document.text[p.start : p.end] == p.text for p in passages)
    assert all(p.end - p.start <= 160 for p in passages)
