"""A row of a table is one statement; a sentence that ends in a number is not its beginning."""

from __future__ import annotations

from datetime import date

import pytest

from veritas.documents.document import Document
from veritas.factcheck.judging import judge
from veritas.factcheck.pages import _read, in_words, is_row, read_page


def _sentences(text: str) -> list[str]:
    page = read_page(
        Document(document_id="d", url="https://example.org/", title="", text=text, fetched_at=date(2024, 1, 1))
    )
    return [page.text[each.start : each.end] for each in page.sentences]


def test_a_row_of_console_output_is_not_cut_behind_a_figure() -> None:
    rows = ["#> 2 Chinstrap 48.8 18.4 196. 3733. 2008.", "#> 3 Gentoo 47.5 15.0 217. 5076. 2008."]
    assert _sentences("\n".join(rows)) == rows


def test_prose_ends_at_a_year() -> None:
    assert len(_sentences("The shop was sold in 2008. 2009 was a worse year for all of them.")) == 2


def test_what_is_a_row() -> None:
    assert is_row("ugrep\tugrep -r -w x\t536\t0.639s (7.82x)")
    assert not is_row("In 2008 it sold 12 houses and 9 flats in the north.")


LIST = (
    "Eruptions were those of Tarn, where 2 cu mi of rock were blown up (1815); Kell, which sent ash 17 mi into the air "
    "(1883); Orsa in the south, which killed some 2,000 people (1982); and Pind in the north, which killed over 500 "
    "(1991)."
)


@pytest.mark.parametrize(
    ("claim", "wanted"),
    [
        ("Orsa in the south killed some 2,000 people.", True),
        ("Pind killed some 2,000 people in 1982.", False),
        ("Kell sent ash 17 mi into the air.", True),
        ("Orsa, in the south, sent ash 17 mi into the air.", False),
    ],
)
def test_what_a_clause_of_a_list_says_is_not_said_of_the_next(claim: str, wanted: bool) -> None:
    assert (judge(claim, _read(LIST, "Eruptions")).verdict == "supported") == wanted
    assert len(_read(LIST, "Eruptions").sentences) == 4


TABLE = "| Line | Mean delay (min) | Late |\n| --- | --- | --- |\n| Coast | 6.5 | 12 % |\n\nCoast\t6.5\n"


def test_a_row_is_told_with_the_names_of_its_cells() -> None:
    assert in_words(TABLE, TABLE.index("| Coast")) == "Coast: Mean delay 6.5 min.\nCoast: Late 12 %."
    assert in_words(TABLE, 0) == ""
    assert in_words(TABLE, TABLE.index("Coast\t")) is None
