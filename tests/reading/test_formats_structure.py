"""The structure that converters hand over beside a text."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.reading.formats import Converted, convert


def told(converted: Converted) -> list[tuple[str, int, str, str]]:
    return [(b.kind, b.level, b.language, converted.text[b.start : b.end]) for b in converted.blocks]


def test_markdown_has_headings_with_levels_items_with_what_is_in_them_rows_and_programs_in_their_language() -> None:
    page = convert(
        b"# Tarn\n\nReads:\n\n- one\n- two\n\n  more\n\n  ```sh\n  ls\n  ```\n  - deep\n\n"
        b"| a | b |\n|---|---|\n| 1 |  |\n\n"
        b"### Runs\n\n    x = 1\n\n**A line**\n\nis **bold**.\n",
        "markdown",
    )
    assert told(page) == [
        ("heading", 1, "", "Tarn"), ("prose", 0, "", "Reads:"), ("item", 0, "", "- one"), ("item", 0, "", "- two"),
        ("prose", 1, "", "more"), ("code", 1, "sh", "ls"), ("item", 1, "", "- deep"), ("head", 0, "", "a\tb"),
        ("row", 0, "", "1"), ("heading", 3, "", "Runs"), ("code", 0, "", "x = 1"), ("heading", 6, "", "A line"),
        ("prose", 0, "", "is bold."),
    ]  # fmt: skip


def test_a_page_has_its_structure() -> None:
    page = convert(
        b"<title>t</title><h1>Tarn</h1><div class='highlight-python notranslate'><div class='highlight'>"
        b"<pre>x = 1</pre></div></div><dl class='py function'><dt class='sig sig-object'>run(path)</dt>"
        b"<dd><p>Run.</p></dd></dl>"
        b"<dl><dt>--fast</dt><dd>Quicker.</dd></dl><div class='admonition note'><p class='admonition-title'>Note</p>"
        b"<p>Mind.</p></div><table><thead><tr><th>a</th><th>b</th></tr></thead><tr><td></td><td>2</td></tr></table>"
        b"<details><summary>More</summary><p>Said.</p></details>",
        "html",
    )
    assert told(page) == [
        ("heading", 1, "", "Tarn"), ("code", 0, "python", "x = 1"), ("heading", 7, "", "run(path)"),
        ("prose", 1, "", "Run."), ("item", 0, "", "--fast"), ("prose", 1, "", "Quicker."),
        ("admonition", 0, "", "Note"), ("prose", 1, "", "Mind."),
        ("head", 0, "", "a\tb"), ("row", 0, "", "\t2"), ("admonition", 0, "", "More"),
        ("prose", 1, "", "Said."),
    ]  # fmt: skip


MARKS = [
    "Tarn", "reads", ".", ":", "::", "\n\n", "\n", "# ", "- ", "1. ", "    ", "   ", "```", "```py", "|",
    "| a | b |\n|---|---|\n", ":::", ":::tip", "!!! note", '=== "A"', "====", "----", ".. note::", ".. code:: py",
    ".. list-table::", "* - ", ">>> 1", "<div>", "</div>", "<li>", "<pre>", "</pre>", "**b**", "x_", "\t", "===  ===",
    "+--+--+",
]  # fmt: skip
SOURCES = st.lists(st.sampled_from(MARKS), max_size=40)


@pytest.mark.parametrize("kind", ["markdown", "rst", "html", "mdx"])
@given(SOURCES.map(" ".join) | SOURCES.map("\n".join))
@settings(deadline=None, max_examples=30)
def test_blocks_hold_all_of_a_text_but_bullets_in_order(kind: str, source: str) -> None:
    page = convert(source.encode(), kind)
    assert all(a.end <= b.start for a, b in pairwise(page.blocks))
    assert all(0 <= b.start < b.end <= len(page.text) and page.text[b.start : b.end].strip() for b in page.blocks)
    if page.blocks:
        ends = [0, *(block.end for block in page.blocks)]
        starts = [*(block.start for block in page.blocks), len(page.text)]
        between = "".join(page.text[end:start] for end, start in zip(ends, starts, strict=True))
        assert not between.replace("-", "").translate(dict.fromkeys(map(ord, "0123456789."))).strip()
