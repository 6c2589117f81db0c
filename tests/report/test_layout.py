"""A list of an answer in the lines of its source."""

from __future__ import annotations

from veritas.report.layout import item_of, lines_of

PASSAGE = "Tarn is small.\n\nTarn reads\nthese formats:\n\n- CSV, with\n  a header\n\n- Parquet\n\nIt is free."
LIST = "Tarn reads these formats: - CSV, with a header - Parquet"


def test_a_list_has_a_line_for_each_item() -> None:
    assert lines_of(LIST, [PASSAGE]) == ("Tarn reads these formats:", "- CSV, with a header", "- Parquet")


def test_any_other_sentence_is_one_line() -> None:
    assert lines_of("Tarn is small.", [PASSAGE]) == ("Tarn is small.",)
    assert lines_of(LIST, ["Another passage."]) == (LIST,)
    assert lines_of("", [PASSAGE]) == ("",)


def test_a_bullet_and_a_number_are_parted_from_their_item() -> None:
    assert item_of("- Parquet") == ("-", "Parquet")
    assert item_of("12. Parquet") == ("12.", "Parquet")
    assert item_of("Parquet") == ("", "Parquet")
