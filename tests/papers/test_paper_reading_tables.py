"""Tables of papers: whole, and beside their captions, in whatever file they come."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reading.test_formats_docx import docx, p, r
from veritas.documents.paper_sections import find_sections
from veritas.papers.reading import PaperText, read_file
from veritas.papers.reading.captions import find_figures

PROSE = "Shaded piles lost less ammonia than open piles did, at every farm and in both summers of the trial. " * 5


def bodies(paper: PaperText) -> list[str | None]:
    return [paper.text[f.body.start : f.body.end] if f.body else None for f in paper.figures]


def read(folder: Path, name: str, content: bytes) -> PaperText:
    (folder / name).write_bytes(content)
    return read_file(folder / name)


@pytest.mark.parametrize(
    "rows",
    [
        [["group", "piles", "lost"], ["shaded", "24", "11.2"], ["open", "24", "18.6"]],
        [["group", "lost"], ["shaded", "11.2"], ["open", "18.6"]],  # two columns
        [["", "2022", "2023"], ["shaded", "11.2", "11.4"]],  # a corner without a word
        [["group", "2022", "2023"], ["Farm A", "", ""], ["shaded", "11.2", "11.4"]],  # a row that is a heading
        [["group", "2022", "2023"], ["shaded", "11.2", ""], ["open", "", "18.6"]],  # cells without a value
    ],
)  # fmt: skip
def test_the_body_of_a_table_is_all_its_rows(rows: list[list[str]], tmp_path: Path) -> None:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, "| --- " * len(rows[0]) + "|")
    text = f"# Piles\n\n## Results\n\n{PROSE}\n\nTable 1: Lost.\n\n" + "\n".join(lines) + f"\n\n{PROSE}\n"
    paper = read(tmp_path, "paper.md", text.encode())
    (found,) = bodies(paper)
    assert found is not None
    assert [line.split("\t") for line in found.split("\n")] == [
        "\t".join(row).rstrip("\t").split("\t") for row in rows
    ]


@pytest.mark.parametrize("above", [True, False])
def test_tables_that_follow_each_other_keep_their_captions_apart(above: bool) -> None:
    tables = ["a\tb\tc\n1\t2\t3", "d\te\tf\n4\t5\t6", "g\th\ti\n7\t8\t9"]
    captions = [f"Table {n}: Of it." for n in (1, 2, 3)]
    pairs = zip(captions, tables, strict=True)
    between = "\n\n".join("\n\n".join(pair if above else pair[::-1]) for pair in pairs)
    text = f"1 Results\n\n{PROSE}\n\n{between}\n\n{PROSE}\n"
    assert [text[f.body.start : f.body.end] for f in find_figures(text, find_sections(text)) if f.body] == tables


def test_a_table_below_another_caption_is_not_the_first_ones() -> None:
    text = f"1 Results\n\n{PROSE}\n\nTable 1: A picture.\n\nTable 2.1: Rows.\n\na\tb\tc\n1\t2\t3\n\n{PROSE}\n"
    assert [(f.label, f.body is None) for f in find_figures(text, find_sections(text))] == [
        ("Table 1", True), ("Table 2.1", False),
    ]  # fmt: skip


def test_a_caption_is_no_heading() -> None:
    text = f"1 Results\n\n{PROSE}\n\nFigure 2: Overview of Our Method\n\n{PROSE}\n"
    assert [s.heading for s in find_sections(text)] == ["Results"]


def test_each_caption_has_the_table_beside_it_above_or_below() -> None:
    text = (
        f"1 Results\n\n{PROSE}\n\nTable 1: Above.\na\tb\tc\n1\t2\t3\n\n{PROSE}\n\n"
        f"| d | e |\n| --- | --- |\n| 4 | 5 |\nTable 2: Below.\n\n{PROSE}\n\nTable 3: A picture.\n\n{PROSE}\n"
    )
    figures = find_figures(text, find_sections(text))
    assert [(f.label, text[f.body.start : f.body.end] if f.body else None) for f in figures] == [
        ("Table 1", "a\tb\tc\n1\t2\t3"),
        ("Table 2", "| d | e |\n| --- | --- |\n| 4 | 5 |"),
        ("Table 3", None),
    ]


def test_one_line_with_a_tab_is_no_table() -> None:
    text = f"1 Results\n\n{PROSE}\n\nTable 1: A picture.\n\nSmith\t2020\n\n{PROSE}\n"
    assert [f.body for f in find_figures(text, find_sections(text))] == [None]


def table(rows: list[list[str]]) -> str:
    cells = ["".join(f"<w:tc>{p(r(cell))}</w:tc>" for cell in row) for row in rows]
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"


LOST = [["group", "piles", "lost"], ["shaded", "24", "11.2"], ["open", "24", "18.6"]]
WRAPPINGS = {
    "plain": "{}",
    "content control": "<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>",
    "text box": "<w:p><w:r><w:pict><w:txbxContent>{}</w:txbxContent></w:pict></w:r></w:p>",
    "tracked": "<w:ins>{}</w:ins>",
}


@pytest.mark.parametrize("wrapping", list(WRAPPINGS.values()), ids=list(WRAPPINGS))
def test_a_table_of_a_word_document_stands_where_it_stood_at_its_caption(wrapping: str, tmp_path: Path) -> None:
    data = docx(
        p(r("Results"), style="Heading1") + p(r(PROSE)) + p(r("Table 1: Lost.")) + wrapping.format(table(LOST))
        + p(r("Discussion"), style="Heading1") + p(r(PROSE)) + p(r("References")) + p(r("[1] A. Roy. Piles. 2020."))
    )  # fmt: skip
    paper = read(tmp_path, "paper.docx", data)
    assert bodies(paper) == ["\n".join("\t".join(row) for row in LOST)]
    assert paper.text.index("Lost.") < paper.text.index("shaded\t24") < paper.text.index("Discussion")


def test_label_in_a_paragraph_of_its_own_takes_the_next_one_as_its_caption() -> None:
    text = (
        "Table 1\n\nLifetimes of the pumps.\n\nArm\tMonths\nDry\t14.2\nOiled\t11.8\n\n"
        "Figure 2\n\nPumps in a row.\n\nThe text goes on and names no other part of it.\n\n"
        "Table 7\n\nNo table follows it.\n"
    )
    figures = find_figures(text, find_sections(text))
    assert [(f.label, f.text, f.body is None) for f in figures] == [
        ("Table 1", "Table 1 Lifetimes of the pumps.", False),
        ("Figure 2", "Figure 2 Pumps in a row.", True),
    ]
