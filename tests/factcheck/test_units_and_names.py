"""Ways of writing a number, a unit and a page's name that say the same."""

from __future__ import annotations

from datetime import date

import pytest

from veritas.documents.document import Document
from veritas.factcheck.judging import judge
from veritas.factcheck.pages import ReadPage, read_page
from veritas.factcheck.rounding import as_much
from veritas.text.quantities import quantities

PAGE = (
    "It can take any input file as a dictionary, though only the final 64KB are used. The sample set has roughly 10K "
    "records. The package has over 700 citations."
)


def _page(text: str) -> ReadPage:
    return read_page(
        Document(document_id=text, url="https://example.org/", title="", text=text, fetched_at=date(2024, 1, 1))
    )


@pytest.mark.parametrize(
    ("mine", "theirs", "same"),
    [
        ("about 10,000 records", "roughly 10K records", True),
        ("about 1,000 records", "roughly 10K records", False),
        ("It has been cited more than 700 times.", "with over 700 citations", True),
        ("It has been cited more than 300 times.", "with over 700 citations", False),
        ("It is 700 times as fast.", "with 700 citations", False),
    ],
)
def test_thousands_and_how_often(mine: str, theirs: str, same: bool) -> None:
    assert as_much(quantities(mine)[0], quantities(theirs)[0], mine) is same


def test_a_unit_behind_a_blank_is_no_name_that_is_missing() -> None:
    assert judge("Only the final 64 KB of a dictionary are used.", _page(PAGE)).verdict != "not_in_source"


def test_a_readme_need_not_name_itself() -> None:
    page = _page("Hyperfine is a command-line benchmarking tool.")
    assert "README" not in judge("As its README says, Hyperfine is a command-line benchmarking tool.", page).difference
    assert "Rust" in judge("Hyperfine is a command-line benchmarking tool of Rust.", page).difference


def test_a_short_sentence_is_in_the_language_of_its_text() -> None:
    page = _page("The data set contains 344 penguins of three species, which were seen on three islands.")
    assert judge("Der Datensatz enthält 344 Pinguine.", page, "German").verdict == "cannot_tell"
    assert judge("The data set contains 355 penguins.", page, "German").verdict != "cannot_tell"
