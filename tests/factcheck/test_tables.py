"""A figure of a table is its row's and its column's."""

from __future__ import annotations

from datetime import date

import pytest

from veritas.documents.document import Document
from veritas.factcheck import read_text
from veritas.factcheck.judging import judge
from veritas.factcheck.pages import ReadPage, read_page

SPEEDS = """# Benchmarks

| Compressor name | Ratio | Compression | Decompress. |
| --- | --- | --- | --- |
| zstd 1.5.6 -1 | 2.887 | 510 MB/s | 1580 MB/s |
| snappy 1.1.4 | 2.091 | 565 MB/s | 1950 MB/s |
"""


def _page(text: str) -> ReadPage:
    return read_page(
        Document(document_id="d", url="https://example.org/", title="Notes", text=text, fetched_at=date(2024, 1, 1))
    )


@pytest.mark.parametrize(
    "claim",
    [
        "Snappy 1.1.4 decompresses at 1950 MB/s.",
        "Snappy 1.1.4 reached a compression of 565 MB/s and a decompression of 1950 MB/s.",
    ],
)
def test_a_row_tells_its_figures(claim: str) -> None:
    assert judge(claim, _page(SPEEDS)).verdict == "supported"


@pytest.mark.parametrize(
    "claim",
    [
        "Snappy 1.1.4 decompresses at 565 MB/s.",
        "zstd 1.5.6 decompresses at 1950 MB/s.",
        "Snappy 1.1.4 never decompresses at 1950 MB/s.",
        "Snappy 1.1.4 is 1950 times faster than zstd 1.5.6 at decompression.",
    ],
)
def test_another_columns_or_rows_figure_is_not_supported(claim: str) -> None:
    assert judge(claim, _page(SPEEDS)).verdict != "supported"


def test_the_value_of_an_option_denies_nothing() -> None:
    page = "The `-N` option (or `--shell=none`) can be used to run commands without an intermediate shell."
    assert judge("The intermediate shell can be avoided with --shell=none.", _page(page)).verdict != "contradicted"


def test_a_table_whose_last_column_holds_only_the_mark_is_read() -> None:
    text = "| Fact | Source |\n| --- | --- |\n| The pump moves 40 litres. | [1] |\n\nSources:\n[1] https://example.org/p\n"
    assert read_text(text).statements


def test_a_figure_of_another_unit_is_not_the_columns() -> None:
    page = _page("# Times\n\n| Step | Time (min) |\n| --- | --- |\n| baking | 45 |\n| cooling | 20 |\n")
    assert judge("The time of baking is 45 hours.", page).verdict != "supported"


OPTIONS = """Results

| Compressor name | Compression | Decompress. |
| --- | --- | --- |
| zstd 1.5.6 --fast=1 | 545 MB/s | 1890 MB/s |
| zstd 1.5.6 --fast=3 | 650 MB/s | 2000 MB/s |

Line\tMean delay (min)\tShare late
Coast line\t6.5\t12 %
Night line\t31.0\t40 %
"""


@pytest.mark.parametrize(
    ("claim", "may_be"),
    [
        ("zstd 1.5.6 --fast=3 decompresses at 2000 MB/s.", ("supported", "cannot_tell")),
        ("zstd 1.5.6 --fast=3 decompresses at 1890 MB/s.", ("contradicted", "not_in_source", "cannot_tell")),
        ("The mean delay of the night line was 31.0 minutes.", ("supported", "cannot_tell")),
        ("The mean delay of the night line was 31.0 hours.", ("contradicted", "not_in_source", "cannot_tell")),
    ],
)
def test_a_row_is_told_by_its_options_and_a_figure_by_the_unit_of_its_head(claim: str, may_be: tuple[str, ...]) -> None:
    assert judge(claim, _page(OPTIONS)).verdict in may_be


def test_a_figure_of_a_table_whose_heading_says_what_it_is_of_is_not_contradicted() -> None:
    page = "## Llama 2 7B\n\n| Quant | bits per weight |\n| --- | --- |\n| Q4_K_M | 4.84 |\n\n## Llama 2 70B\n\n"
    page += "| Quant | bits per weight |\n| --- | --- |\n| Q4_K_M | 4.80 |\n"
    found = judge("For Llama 2 7B, Q4_K_M takes 4.84 bits per weight.", _page(page))
    assert found.verdict != "contradicted"
