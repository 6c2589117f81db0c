"""The structure of a text: what is cut out of it, what moves with it, and the headings over a place."""

from __future__ import annotations

from veritas.text.structure import Heading, TextBlock, clipped, is_sound, moved, path_at, shifted

TEXT = "Tarn\n\nReads.\n\nRuns\n\nx = 1\ny = 2"
BLOCKS = (
    TextBlock("heading", 0, 4, 1), TextBlock("prose", 6, 12), TextBlock("heading", 14, 18, 2),
    TextBlock("code", 20, 31, 0, "python"),
)  # fmt: skip


def test_a_part_of_a_text_has_the_blocks_in_it_and_one_that_is_cut_stays_what_it_is() -> None:
    assert clipped(BLOCKS, 14, 25) == (TextBlock("heading", 0, 4, 2), TextBlock("code", 6, 11, 0, "python"))
    assert clipped(BLOCKS, 12, 14) == ()
    assert shifted(clipped(BLOCKS, 6, 12), 6) == BLOCKS[1:2]


def test_blocks_of_a_changed_text_move_and_those_without_text_are_gone() -> None:
    def without_the_first_six(offsets: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(max(0, offset - 6) for offset in offsets)

    assert moved(BLOCKS, without_the_first_six) == (
        TextBlock("prose", 0, 6), TextBlock("heading", 8, 12, 2), TextBlock("code", 14, 25, 0, "python"),
    )  # fmt: skip


def test_the_path_to_a_place_has_one_heading_of_each_level_and_goes_on_from_the_one_above_the_text() -> None:
    assert path_at(TEXT, BLOCKS, 20) == (Heading(1, "Tarn"), Heading(2, "Runs"))
    assert path_at(TEXT, BLOCKS, 0) == ()
    above = (Heading(1, "Tarn"), Heading(2, "Before"), Heading(3, "Deep"))
    assert path_at(TEXT[14:], clipped(BLOCKS, 14, 31), 8, above) == (Heading(1, "Tarn"), Heading(2, "Runs"))


def test_blocks_from_elsewhere_are_those_of_the_text_in_order_and_nothing_else() -> None:
    assert is_sound(BLOCKS, len(TEXT))
    assert is_sound((), 0)
    for wrong in (
        list(BLOCKS), BLOCKS[::-1], (("prose", 0, 4),), (TextBlock("prose", 0, len(TEXT) + 1),),
        (TextBlock("prose", 4, 4),), (TextBlock("poem", 0, 4),), (TextBlock("prose", "0", 4),),  # type: ignore[arg-type]
    ):  # fmt: skip
        assert not is_sound(wrong, len(TEXT))
