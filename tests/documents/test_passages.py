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


def test_short_paragraphs_are_joined_and_not_cut() -> None:
    text = prose(30, 3)
    passages = cut_passages(document(text))
    assert all(600 <= len(passage.text) <= 1500 for passage in passages[:-1])
    assert all(text[p.end : p.end + 2] in ("\n\n", "") for p in passages)


def test_a_heading_stays_with_what_it_heads() -> None:
    text = prose(3, 3) + "\n\nMethods and materials\n\n" + prose(3, 3, seed=2)
    for passage in cut_passages(document(text)):
        assert not passage.text.endswith("Methods and materials")


def test_a_passage_of_some_length_ends_before_the_next_heading_and_a_short_one_does_not() -> None:
    long, short = prose(2, 3), "One sentence stands here, and it is short."
    text = f"First part\n\n{long}\n\nSecond part\n\n{short}\n\nThird part\n\n{short}"
    assert [p.text.split("\n")[0] for p in cut_passages(document(text))] == ["First part", "Second part"]


def test_a_table_is_cut_between_rows() -> None:
    rows = "\n".join(f"Sample {n}\t{n * 3}.5\t{n % 7} mg" for n in range(200))
    for passage in cut_passages(document(rows)):
        assert all(len(line.split("\t")) == 3 for line in passage.text.split("\n"))


def test_a_text_without_any_white_space_is_cut_to_length() -> None:
    assert [len(p.text) for p in cut_passages(document("x" * 3100))] == [1100, 1100, 900]


def test_an_empty_text_has_no_passages() -> None:
    assert cut_passages(document(" \n\n ")) == ()


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


def test_context_is_what_stands_around_a_passage() -> None:
    text = prose(20, 4)
    passage = cut_passages(document(text))[3]
    assert text[passage.start - 300 : passage.end + 300] == passage.before + passage.text + passage.after


@pytest.mark.parametrize("unit", ["a. ", "word ", "(e.g. ", "\n \n\t", "- x\n", "x", "a\tb\tc\n"])
def test_time_does_not_run_away_on_a_strange_text(unit: str) -> None:
    begun = time.perf_counter()
    cut_passages(document(unit * (200_000 // len(unit))))
    assert time.perf_counter() - begun < 5  # well under a second, unless something is quadratic


def test_a_list_stays_with_the_line_that_introduces_it() -> None:
    items = "\n\n".join(f"- the item number {n} of the list of things" for n in range(12))
    text = f"{prose(2, 4)}\n\nThings\n\nTarn has these things:\n\n{items}\n\n{prose(2, 4, seed=2)}"
    whole = [p for p in cut_passages(document(text)) if "- the item" in p.text]
    assert len(whole) == 1
    assert "Tarn has these things:" in whole[0].text


def test_a_passage_knows_the_heading_above_it() -> None:
    text = "Limits of the cache\n\n" + prose(4, 6)
    first, *others = cut_passages(document(text))
    assert first.heading == ""
    assert {p.heading for p in others} == {"Limits of the cache"}


@pytest.mark.parametrize("line", ["from cache import Limit, Size", "More of it is here: https://example.org/cache"])
def test_a_line_of_code_or_an_address_is_no_heading(line: str) -> None:
    passages = cut_passages(document(f"Limits of the cache\n\nIt is small.\n\n{line}\n\n{prose(4, 6)}"))
    assert {p.heading for p in passages[1:]} == {"Limits of the cache"}


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


def test_a_program_is_not_parted_from_the_paragraph_above_it_and_a_comment_in_it_is_no_heading() -> None:
    words = "Tarn reads a folder of files and keeps what it has read for later. " * 14
    document = structured(f"# Tarn\n\n{words}\n\nRun it so.\n\n```sh\n# A comment\n\nls {'x' * 300}\n```\n\n{words}")
    (passage,) = (p for p in cut_passages(document) if "A comment" in p.text)
    assert "Run it so." in passage.text
    assert passage.heading != "# A comment"
    assert [heading.text for heading in cut_passages(document)[-1].path] == ["Tarn"]


def test_rows_that_are_parted_from_the_head_of_their_table_know_it() -> None:
    rows = "\n".join(f"| --option-{i} | {'what it does ' * 8} |" for i in range(30))
    passages = cut_passages(structured(f"# Tarn\n\n| Option | Meaning |\n|---|---|\n{rows}\n"))
    assert len(passages) > 2
    assert [passage.columns for passage in passages] == ["", *["Option\tMeaning"] * (len(passages) - 1)]


LINES = ["# T", "- a", "  b", "```", "x = 1", "| a | b |", "|---|---|", "", "w " * 90, ":::", "1. c"]


@given(st.lists(st.sampled_from(LINES)))
@settings(deadline=None, max_examples=80)
def test_passages_of_a_structure_hold_every_character_once(lines: list[str]) -> None:
    document = structured("\n".join(lines))
    passages = cut_passages(document, target=100, maximum=160)
    assert "".join("".join(p.text.split()) for p in passages) == "".join(document.text.split())
    assert all(document.text[p.start : p.end] == p.text for p in passages)
    assert all(p.end - p.start <= 160 for p in passages)
