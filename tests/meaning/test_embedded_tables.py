"""Tables: cells, the rows and columns a claim names, its numbers, comparisons and superlatives."""

from __future__ import annotations

import pytest

from veritas.meaning.embedded.claim_evidence import Statement
from veritas.meaning.embedded.tables import Table, is_table
from veritas.meaning.embedded.tabular import Reading, read

TAGGING = (
    "Table 2: Tagging accuracy. MFT: most frequent tag.\n"
    "\tMFT\tUnsupEmb\tWord2Tag\n"
    "POS\t91.95\t87.06\t95.55\n"
    "SEM\t82.00\t81.11\t91.41"
)
ROBUST = (
    "Table 4: Word error rate of three systems.\n"
    "System\tclean WER\tnoisy WER\tAccuracy\n"
    "Baseline\t9.1\t20.4\t71.0\n"
    "Dropout\t8.2\t18.8\t74.5\n"
    "Our model\t7.9\t15.2\t78.3"
)


def reading(claim: str, passage: str = ROBUST) -> Reading:
    return read(Statement(claim), Table(passage))


def test_a_table_is_told_from_prose() -> None:
    assert is_table(TAGGING)
    assert not is_table("One line\twith a tab.")
    assert not is_table("Plain prose.\nMore of it.")


def test_cells_know_their_row_and_column() -> None:
    table = Table(TAGGING)
    assert len(table.cells) == 6
    cell = next(c for c in table.cells if c.text == "95.55")
    assert table.named(cell) == "95.55 for POS (Word2Tag)"
    assert table.caption.startswith("Table 2")


@pytest.mark.parametrize(
    ("claim", "true"),
    [
        ("Dropout outperforms Baseline.", True),
        ("Baseline outperforms Dropout.", False),
        ("Baseline does not outperform Dropout.", True),
        ("Dropout has a higher accuracy than Baseline.", True),
        ("Dropout has a higher noisy WER than Baseline.", False),
        ("Our model performs better than Dropout.", True),
    ],
)
def test_a_comparison_of_rows_is_checked_also_where_lower_is_better(claim: str, true: bool) -> None:
    assert (reading(claim).truth > 0) is true
    assert reading(claim).truth != 0


def test_a_comparison_of_columns_is_checked() -> None:
    assert reading("Word2Tag outperforms UnsupEmb.", TAGGING).truth == 1
    assert reading("UnsupEmb outperforms the most frequent tag.", TAGGING).truth == -1


@pytest.mark.parametrize(
    ("claim", "true"), [("Our model achieves the best accuracy.", True), ("Dropout achieves the best accuracy.", False)]
)
def test_a_superlative_is_checked(claim: str, true: bool) -> None:
    assert (reading(claim).rank > 0) is true
    assert reading(claim).rank != 0


def test_a_false_ranking_is_explained_by_the_cells() -> None:
    assert "78.3 for Our model (Accuracy)" in reading("Dropout achieves the best accuracy.").why


def test_numbers_are_found_placed_derived_or_lost() -> None:
    assert reading("Dropout reaches an accuracy of 74.5.").numbers.located == 1
    assert reading("Baseline reaches an accuracy of 74.5.").numbers.misplaced == 1
    assert reading("Dropout gains 3.5 points of accuracy over Baseline.").numbers.derived == 1
    lost = reading("Dropout reaches an accuracy of 99.9.")
    assert lost.numbers.lost == 1
    assert "99.9" in lost.why


def test_a_fraction_meets_its_percentage() -> None:
    table = "Table 1: Shares.\nGroup\tshare\nA\t0.744\nB\t0.256"
    assert reading("Group A holds 74.4% of the whole.", table).numbers.found == 1


@pytest.mark.parametrize(
    "passage", ["\t\n\t\n", "a\tb\n", "\t1\n\t2\n", "x\t-\n-\t–\n", "a\t1\n" * 500, "1\t" * 500 + "\n1\t2"]
)
def test_a_broken_table_is_read_without_complaint(passage: str) -> None:
    assert reading("A is better than B by 3%.", passage).numbers.total >= 0


def test_cells_with_powers_of_ten_are_read_as_what_they_are() -> None:
    table = Table("Table 1: counts.\nstrain\tcells\nA\t2.5e6\nB\t2.5 × 10⁹\nC\t1,250")
    assert [cell.value for cell in table.cells] == [2.5e6, 2.5e9, 1250.0]
