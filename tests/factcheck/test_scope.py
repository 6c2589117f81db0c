"""The rule of scope: which sentences lean on which mark, and what is set aside."""

from itertools import pairwise

import pytest

from veritas.factcheck import read_text

LIST = "\n\nReferences:\n[1] https://a.example/one\n[2] https://b.example/two"


def scopes(text: str) -> list[tuple[str, str | None, list[str]]]:
    found = read_text(text).statements
    return [(one.statement, one.scope, [c.label for c in one.citations]) for one in found if one.kind == "statement"]


def test_sentences_lean_on_the_next_mark_of_their_paragraph() -> None:
    text = "The tower is high. It has a bell [1]. The bell is old. It rings daily. [2] Nobody hears it."
    text += "\n\nThe town is small."
    assert scopes(text + LIST) == [
        ("The tower is high.", "back_to_mark", ["1"]),
        ("It has a bell.", "sentence", ["1"]),
        ("The bell is old.", "back_to_mark", ["2"]),
        ("It rings daily.", "sentence", ["2"]),
        ("Nobody hears it.", None, []),
        ("The town is small.", None, []),
    ]


def test_a_sentence_may_begin_with_code_behind_a_mark() -> None:
    text = "Retries are off by default.[1] `try_time` is 5s.[2] **wait** is 1s.[1] Kept in `$HOME/a` on Linux.[2] "
    assert scopes(text + "On a Mac in `$HOME/b`.[1]" + LIST) == [
        ("Retries are off by default.", "sentence", ["1"]),
        ("try_time is 5s.", "sentence", ["2"]),
        ("wait is 1s.", "sentence", ["1"]),
        ("Kept in $HOME/a on Linux.", "sentence", ["2"]),
        ("On a Mac in $HOME/b.", "sentence", ["1"]),
    ]


def test_items_lean_on_their_own_mark_and_else_on_the_lead_in() -> None:
    text = (
        "The tower has three parts [1]:\n\n- a base of stone\n- a shaft of brick [2]\n  - with many windows\n- a bell"
    )
    assert scopes(text + LIST) == [
        ("The tower has three parts:", "sentence", ["1"]),
        ("a base of stone", "lead_in", ["1"]),
        ("a shaft of brick", "sentence", ["2"]),
        ("with many windows", "lead_in", ["2"]),
        ("a bell", "lead_in", ["1"]),
    ]


def test_cells_lean_on_their_mark_their_row_or_the_head_of_their_column() -> None:
    text = "| Town | Height [1] | Bells | Source |\n|---|---|---|---|\n"
    text += "| Ulm | 161 m | 13 [2] | |\n| Bonn | 81 m | 8 | [2] |\n"
    assert scopes(text + LIST) == [
        ("Ulm, Height: 161 m", "column_head", ["1"]),
        ("Ulm, Bells: 13", "sentence", ["2"]),
        ("Bonn, Height: 81 m", "sentence", ["2"]),
        ("Bonn, Bells: 8", "sentence", ["2"]),
    ]
    first = next(one for one in read_text(text + LIST).statements if one.kind == "statement")
    assert text[first.start : first.end] == "Ulm | 161 m"


def test_a_section_leans_on_its_line_of_sources() -> None:
    text = (
        "# Ulm\n\nThe tower is high. It is old [1].\n\nIt has a bell.\n\nSources: [Town](https://c.example/ulm)\n\n"
        "# Bonn\n\nThe tower is low.\n"
    )
    assert scopes(text + LIST) == [
        ("The tower is high.", "back_to_mark", ["1"]),
        ("It is old.", "sentence", ["1"]),
        ("It has a bell.", "section_sources", ["Town"]),
        ("The tower is low.", None, []),
    ]


def test_a_link_in_the_words_of_a_sentence_stands_for_that_sentence_only() -> None:
    text = "The tower is high. The [bell](https://c.example/bell) is old. It rings."
    assert [scope for _, scope, _ in scopes(text)] == [None, "sentence", None]


def test_a_beginning_that_is_marked_bounds_the_words_of_its_mark() -> None:
    text = "The tower is high. [cite_start]It has a bell. It rings daily. [cite: 2]"
    assert [(scope, labels) for _, scope, labels in scopes(text + LIST)] == [
        (None, []), ("back_to_mark", ["2"]), ("sentence", ["2"]),
    ]  # fmt: skip


def test_enclosed_words_lean_on_the_mark_around_them() -> None:
    text = 'The tower is high. <cite index="1-2,2-1">It has a bell. It rings daily.</cite> Nobody hears it.'
    assert [labels for _, _, labels in scopes(text + LIST)] == [[], ["1", "2"], ["1", "2"], []]


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Sure, here is an overview of the tower:", "chatter"),
        ("Here is what I found about the tower.", "chatter"),
        ("Let me know if you would like more details.", "offer"),
        ("Would you like me to draw a map?", "offer"),
        ("In my opinion the tower is too high.", "opinion"),
        ("Governments should protect the tower.", "opinion"),
        ("Check the opening hours before you go.", "instruction"),
        ("How high is the tower?", "question"),
        ("The tower was built in 1890 by the town.", "statement"),
        ("Der Turm wurde 1890 von der Stadt gebaut.", "statement"),
        ("La tour a été construite en 1890 par la ville.", "statement"),
        ("Use of the tower is free for children.", "statement"),
        ("The study found that children should sleep more.", "statement"),
    ],
)
def test_what_is_no_statement_is_set_aside_as_what_it_is(sentence: str, kind: str) -> None:
    read = read_text(f"The town has 900 people.\n\n{sentence}\n\nThe river is 90 km long.")
    assert [one.kind for one in read.statements] == ["statement", kind, "statement"]
    assert read.set_aside == ({} if kind == "statement" else {kind: 1})


@pytest.mark.parametrize(
    "source",
    [
        "(2016, https://doi.org/10.1000/abc)", "(2016; [@smith2020])", "(2016: https://a.example, https://b.example)",
        "(2016, [10.1000/abc](https://doi.org/10.1000/abc))",
    ],
)  # fmt: skip
def test_no_comma_is_left_before_a_bracket_where_a_source_was_cut(source: str) -> None:
    (one,) = read_text(f"The index of (1,) fell by 4 percent {source}.").statements
    assert one.statement == "The index of (1,) fell by 4 percent (2016)."


def test_spans_are_exact_and_in_order() -> None:
    text = "**Towers** are high [1]. “They lean to the west,” he said.[2]\n\n> The *bell* is old ([Site](https://c.example)).\n"
    read = read_text(text + LIST)
    spans = [(one.start, one.end) for one in read.statements]
    assert spans == sorted(spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    assert [text[start:end] for start, end in spans] == [
        "**Towers** are high [1].", "“They lean to the west,” he said.[2]", "The *bell* is old ([Site](https://c.example)).",
    ]  # fmt: skip
    assert [one.statement for one in read.statements] == [
        "Towers are high.", "“They lean to the west,” he said.", "The bell is old.",
    ]  # fmt: skip
    (quotation,) = read.statements[1].quotations
    assert quotation.quoted == "They lean to the west," == read.text[quotation.start : quotation.end]
