"""Sentences and blocks of prose, papers and documentation."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.text.blocks import blocks
from veritas.text.sentences import sentences, split_sentences


def split(text: str) -> list[str]:
    return [text[a:b] for a, b in split_sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dr. Smith et al. found 3.5 mg (Fig. 2). Version 3.8.8 is out.", 2),
        ("See e.g. The Times. It is old.", 2),
        ("We used S. aureus, i.e. a coccus. It grew.", 2),
        ("The U.S. Government agreed. No. 4 did not.", 2),
        ("It needs vitamin C. The rest of J. Smith's work is here.", 2),
        ("Levels fell. mTOR rose. p53 did not.", 3),
        ("It improved.[12] The rest did not.12 Nothing else did.", 3),
        ("What is it? A cache! It is fast.", 3),
        ("“It works.” She said so.", 2),
        ("Rates fell (p = 0.02. See Table 2) in all arms. They rose later.", 2),
        ("日本語です。次の文。", 2),
        ("Yahoo! is a company.", 1),
        ("Use `foo`. `bar` is not one.", 2),
        ("", 0),
        (" \n\t ", 0),
    ],
)
def test_a_full_stop_ends_a_sentence_only_where_a_reader_would_end_it(text: str, expected: int) -> None:
    assert len(split(text)) == expected, split(text)


def test_wrapped_prose_is_joined_and_separate_lines_are_not() -> None:
    text = "This sentence was wrapped by its author at seventy-two columns, so it\ngoes on here. And ends.\n\nNext."
    assert split(text) == [
        "This sentence was wrapped by its author at seventy-two columns, so it\ngoes on here.", "And ends.", "Next.",
    ]  # fmt: skip
    assert split("Short line\nAnother short line") == ["Short line", "Another short line"]


DOCUMENT = """# Title here

First paragraph. It has two sentences.

- a bullet. With two sentences
- another

    x = compute(1)
    y = x + 1

Heading
-------
Call it like this::

    some literal text. Not prose

| a | b |
|---|---|
| 1 | 2 |

```python
value = 1. Not prose
```
.. note::
>>> prompt
"""


def test_documentation_is_cut_into_its_blocks() -> None:
    kinds = [(block.kind, DOCUMENT[block.start : block.end]) for block in blocks(DOCUMENT)]
    assert kinds == [
        ("heading", "Title here"),
        ("prose", "First paragraph. It has two sentences."),
        ("item", "a bullet. With two sentences"),
        ("item", "another"),
        ("code", "x = compute(1)\n    y = x + 1"),
        ("heading", "Heading"),
        ("prose", "Call it like this::"),
        ("code", "some literal text. Not prose"),
        ("table", "| a | b |"),
        ("table", "| 1 | 2 |"),
        ("code", "value = 1. Not prose"),
        ("markup", ".. note::"),
        ("code", ">>> prompt"),
    ]


def test_what_an_interpreter_prints_is_code() -> None:
    session = ">>> get(1)\nTraceback (most recent call last):\n  File 'it', line 1, in <module>\nTimeout: Too late."
    text = f"It waits:\n\n{session}\n\nThen it stops."
    assert [(b.kind, text[b.start : b.end]) for b in blocks(text)] == [
        ("prose", "It waits:"), ("code", session), ("prose", "Then it stops."),
    ]  # fmt: skip


def test_code_and_tables_are_never_split_inside() -> None:
    assert "value = 1. Not prose" in split(DOCUMENT)


@given(st.text(alphabet=st.sampled_from("aB .?!\n\t-#`|>=*:(1[]\"'“” "), max_size=300) | st.text(max_size=200))
@settings(deadline=None)
def test_sentences_lie_in_order_without_overlap_and_lose_no_word(text: str) -> None:
    at = 0
    for sentence in sentences(text):
        assert at <= sentence.start < sentence.end <= len(text)
        assert text[sentence.start : sentence.end].strip() == text[sentence.start : sentence.end]
        at = sentence.end


@given(st.lists(st.sampled_from(["alpha", "Beta", "gamma.", "Delta!", "3.5", "e.g."]), max_size=40))
@settings(deadline=None)
def test_every_word_of_plain_prose_is_in_some_sentence(listed: list[str]) -> None:
    text = " ".join(listed)
    assert " ".join(split(text)).split() == text.split()


def test_a_huge_line_takes_linear_time() -> None:
    text = "The cell (see it. " * 20_000
    assert split_sentences(text)


def test_rows_of_two_cells_are_no_wrapped_sentence() -> None:
    text = (
        "VAGUE\tit says nothing that could be checked\n"
        "UNAVAILABLE\tnobody could judge it\nlost\tnot found\n"
        "A line of prose stands below the rows.\n"
    )
    assert [text[s.start : s.end] for s in sentences(text)] == text.splitlines()
