"""Reading order of pages whose columns a list or a table cuts in two, from segments at their places."""

from __future__ import annotations

from veritas.reading.formats.pdf._columns import columns
from veritas.reading.formats.pdf._segments import Segment

LEFT, RIGHT, WIDTH = 50.0, 310.0, 230.0


def line(x: float, y: float, text: str, *, height: float = 10.0, width: float = WIDTH) -> Segment:
    return Segment(left=x, bottom=y, right=x + width, top=y + height, text=text)


def column(x: float, top: float, lines: int, name: str, *, height: float = 10.0) -> list[Segment]:
    step = 1.2 * height
    return [line(x, top - n * step, f"{name} {n} with the words of a line", height=height) for n in range(1, lines + 1)]



def order(segments: list[Segment], usual: float | None = None) -> list[str]:
    seen: list[str] = []
    for each in columns(segments, usual=usual):
        for part in each:
            word = part.text.split()[0]
            if not seen or seen[-1] != word:
                seen.append(word)
    return seen


def test_a_reference_list_over_both_columns_comes_after_the_end_of_the_text_in_both() -> None:
    page = column(LEFT, 700, 20, "body-left") + column(RIGHT, 700, 20, "body-right")
    page += [line(LEFT, 430, "REFERENCES", width=60)]
    page += column(LEFT, 425, 20, "list-left", height=8) + column(RIGHT, 441, 21, "list-right", height=8)
    assert order(page) == ["body-left", "body-right", "REFERENCES", "list-left", "list-right"]


def test_a_list_that_only_begins_in_the_first_column_goes_on_in_the_second() -> None:
    page = [*column(LEFT, 700, 20, "body-left"), line(LEFT, 430, "References", width=60)]
    page += column(LEFT, 425, 20, "list-left", height=8) + column(RIGHT, 700, 55, "list-right", height=8)
    assert order(page) == ["body-left", "References", "list-left", "list-right"]
