"""The structure that converters hand over beside a text."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.reading._cache import from_json, to_json
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


@pytest.mark.parametrize(
    ("source", "blocks"),
    [
        ('!!! note "Mind"\n    Text.\n\n    ```js\n    x\n    ```\n\nOut.',
         [("admonition", 0, "Mind"), ("prose", 1, "Text."), ("code", 1, "x"), ("prose", 0, "Out.")]),
        (":::tip Mind\nText.\n:::\n\nOut.", [("admonition", 0, "Mind"), ("prose", 1, "Text."), ("prose", 0, "Out.")]),
        ("- item\n\n    !!! tip\n        Text.\n\nOut.",
         [("item", 0, "- item"), ("admonition", 1, "Tip"), ("prose", 2, "Text."), ("prose", 0, "Out.")]),
        ("::: outer\n::: inner\nText.\n:::\n:::\n:::\nOut.",
         [("admonition", 0, "Outer"), ("admonition", 1, "Inner"), ("prose", 2, "Text."), ("prose", 0, "Out.")]),
        ("```{note} Mind\nText.\n```\nOut.",
         [("admonition", 0, "Mind"), ("prose", 1, "Text."), ("prose", 0, "Out.")]),
    ],
)  # fmt: skip
def test_a_box_has_its_title_and_what_is_in_it(source: str, blocks: list[tuple[str, int, str]]) -> None:
    assert [(kind, level, said) for kind, level, _, said in told(convert(source.encode(), "markdown"))] == blocks


@pytest.mark.parametrize(
    ("source", "language"),
    [
        ("```python hl_lines='1'\nx = 1\n```", "python"), ("```{.yaml .annotate}\nx = 1\n```", "yaml"),
        ("```{code-block} rust\n:caption: a\nx = 1\n```", "rust"), (":::{code-block} rust\nx = 1\n:::", "rust"),
        ("```{python}\nx = 1\n```", "python"), ("```text\nx = 1\n```", ""),
        ("```{eval-rst}\n.. code:: go\n\n   x = 1\n```", "go"),
    ],
)  # fmt: skip
def test_a_program_is_one_however_a_tool_of_documentation_marks_it(source: str, language: str) -> None:
    assert told(convert(source.encode(), "markdown")) == [("code", 0, language, "x = 1")]


def test_what_a_directive_between_colons_does_not_show_is_no_text() -> None:
    assert convert(b"One.\n\n:::{toctree}\na\nb\n:::\n\nTwo.", "markdown").text == "One.\n\nTwo."


RST = b"""
Tarn
====

|badge| |name|, see tool_ and id_.

.. |badge| image:: b.svg
.. |name| replace:: Tarn *tool*
.. _tool: https://tool.example

Runs
----

Call it::

    tarn run

1. First.

   .. code-block:: python

      x = 1

2. Second
   line.

retries
    How often.

--fast  Quicker.

.. option:: --slow

   Slower.

.. py:function:: run(path)

   Run a file.

.. list-table:: Kinds
   :header-rows: 1

   * - a
     - b
   * - ``1``
     - 2

.. csv-table::
   :header: "x", "y"

   "1, 2", 3

.. admonition:: Mind

   Text.

>>> 1 + 1
2

After
-----

End.
"""


def test_rest_has_its_structure() -> None:
    page = convert(RST, "rst")
    assert told(page) == [
        ("heading", 1, "", "Tarn"), ("prose", 0, "", "Tarn tool, see tool and id_."), ("heading", 2, "", "Runs"),
        ("prose", 0, "", "Call it:"), ("code", 0, "", "tarn run"), ("item", 0, "", "1. First."),
        ("code", 1, "python", "x = 1"), ("item", 0, "", "2. Second\nline."), ("item", 0, "", "retries"),
        ("prose", 1, "", "How often."), ("item", 0, "", "--fast Quicker."), ("item", 0, "", "--slow"),
        ("prose", 1, "", "Slower."), ("heading", 7, "", "run(path)"), ("prose", 0, "", "Run a file."),
        ("prose", 0, "", "Kinds"), ("head", 0, "", "a\tb"), ("row", 0, "", "1\t2"), ("head", 0, "", "x\ty"),
        ("row", 0, "", "1, 2\t3"), ("admonition", 0, "", "Mind"), ("prose", 1, "", "Text."),
        ("code", 0, "pycon", ">>> 1 + 1\n2"), ("heading", 2, "", "After"), ("prose", 0, "", "End."),
    ]  # fmt: skip
    assert page.title == "Tarn"


def test_front_matter_of_rest_is_its_owners_and_a_ruled_title_is_none() -> None:
    page = convert(b"---\ntitle: The Tarn\n---\nText.", "rst")
    assert (page.text, dict(page.front_matter)) == ("Text.", {"title": "The Tarn"})
    assert convert(b"---\nA: b: c\n---\n\nText.", "rst").text == "A: b: c\n\nText."


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


def test_sections_of_an_article_have_their_depth() -> None:
    page = convert(
        b"<article><front><article-meta><title-group><article-title>On tarns</article-title></title-group>"
        b"</article-meta></front><body><sec><title>Methods</title><p>We read.</p><sec><title>Sites</title><p>Ten.</p>"
        b"</sec></sec></body></article>",
        "jats",
    )
    assert [(level, said) for kind, level, _, said in told(page) if kind == "heading"] == [
        (1, "On tarns"), (2, "Methods"), (3, "Sites"),
    ]  # fmt: skip


def test_code_of_a_notebook_is_in_its_language_and_what_it_printed_in_none() -> None:
    cell = {"cell_type": "code", "source": "print(1)", "outputs": [{"output_type": "stream", "text": "1\n"}]}
    notebook = {"cells": [cell], "metadata": {"language_info": {"name": "julia"}}}
    assert told(convert(json.dumps(notebook).encode(), "ipynb")) == [
        ("code", 0, "julia", "print(1)"), ("code", 0, "", "1"),
    ]  # fmt: skip


def test_blocks_move_with_the_text_when_unseen_characters_are_taken_out() -> None:
    page = convert("# Ti\u00adtle\n\nOne \U000e0041\U000e0042tag.\n\n`x`".encode(), "markdown")
    assert told(page) == [("heading", 1, "", "Title"), ("prose", 0, "", "One tag."), ("prose", 0, "", "x")]


def test_a_kept_conversion_has_its_structure() -> None:
    page = convert(b"# One\n\n```sh\nls\n```", "markdown")
    assert from_json(json.loads(json.dumps(to_json(page)))) == page


MARKS = [
    "Tarn", "reads", ".", ":", "::", "\n\n", "\n", "# ", "- ", "1. ", "    ", "   ", "```", "```py", "|",
    "| a | b |\n|---|---|\n", ":::", ":::tip", "!!! note", '=== "A"', "====", "----", ".. note::", ".. code:: py",
    ".. list-table::", "* - ", ">>> 1", "<div>", "</div>", "<li>", "<pre>", "</pre>", "**b**", "x_", "\t", "===  ===",
    "+--+--+",
]  # fmt: skip
SOURCES = st.lists(st.sampled_from(MARKS), max_size=40)


@pytest.mark.parametrize("kind", ["markdown", "rst", "html", "mdx"])
@given(SOURCES.map(" ".join) | SOURCES.map("\n".join))
@settings(deadline=None, max_examples=60)
def test_blocks_hold_all_of_a_text_but_bullets_in_order(kind: str, source: str) -> None:
    page = convert(source.encode(), kind)
    assert all(a.end <= b.start for a, b in pairwise(page.blocks))
    assert all(0 <= b.start < b.end <= len(page.text) and page.text[b.start : b.end].strip() for b in page.blocks)
    if page.blocks:
        ends = [0, *(block.end for block in page.blocks)]
        starts = [*(block.start for block in page.blocks), len(page.text)]
        between = "".join(page.text[end:start] for end, start in zip(ends, starts, strict=True))
        assert not between.replace("-", "").translate(dict.fromkeys(map(ord, "0123456789."))).strip()


def test_asciidoc_has_terms_above_what_explains_them_and_what_is_attached_to_an_item() -> None:
    page = convert(
        b"= tarn(1)\n\n== OPTIONS\n\n`-c`::\n`--cold`::\n  Keeps it cold.\n+\nMore of it.\n`--warm`::\n  Keeps it warm."
        b"\n\nBelow.\n\n* Show all:\n+\n`tarn show`\n** deep\n* Show one:\n+\n[source,sh]\n----\ntarn show one\n----\n"
        b"\nEnd.\n",
        "asciidoc",
    )
    assert told(page) == [
        ("heading", 1, "", "tarn(1)"), ("heading", 2, "", "OPTIONS"), ("item", 0, "", "-c"), ("item", 0, "", "--cold"),
        ("prose", 1, "", "Keeps it cold."), ("prose", 1, "", "More of it."), ("item", 0, "", "--warm"),
        ("prose", 1, "", "Keeps it warm."), ("prose", 0, "", "Below."), ("item", 0, "", "- Show all:"),
        ("code", 1, "", "tarn show"), ("item", 1, "", "- deep"), ("item", 0, "", "- Show one:"),
        ("code", 1, "sh", "tarn show one"), ("prose", 0, "", "End."),
    ]  # fmt: skip


def test_asciidoc_has_boxes_and_the_rows_of_tables() -> None:
    page = convert(
        b"[NOTE]\n.Mind\n====\nText.\n====\n\nOut.\n\n|===\n|a |b\n\n|1 |2\n|===\n", "asciidoc"
    )
    assert told(page) == [
        ("admonition", 0, "", "Mind"), ("admonition", 0, "", "Note"), ("prose", 1, "", "Text."),
        ("prose", 0, "", "Out."), ("head", 0, "", "a\tb"), ("row", 0, "", "1\t2"),
    ]  # fmt: skip
