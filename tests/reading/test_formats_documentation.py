"""Documentation as its tools write it: marks of MkDocs, Sphinx and Docusaurus in Markdown, MDX, notebooks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from veritas.errors import CorpusError
from veritas.reading.formats import Converted, convert, kind_of


def markdown(text: str) -> Converted:
    return convert(text.encode(), "markdown")


def mdx(text: str) -> Converted:
    return convert(text.encode(), "mdx")


def notebook(*cells: dict[str, Any], **fields: Any) -> Converted:
    return convert(json.dumps({"cells": cells, "nbformat": 4, **fields}).encode(), "ipynb")


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("# Tasks { #tasks }\n\nText.", "Tasks\n\nText."),
        ("## Tasks {#tasks .wide data-x='1'}", "Tasks"),
        ("See [the page](a.md){.internal-link target=_blank} for it.", "See the page for it."),
        ('![x](a.png){ width="300" } below', "below"),
        ("A paragraph.\n{: .lead }", "A paragraph."),
        ("Write `{ #anchor }` behind it, or {name=value} in words, or {#} alone.",
         "Write { #anchor } behind it, or {name=value} in words, or {#} alone."),
        ("Call {func}`~a.b.run` as {doc}`the guide <guide>` says.", "Call run as the guide says."),
        ("(anchor)=\n# Title\n\nText.", "Title\n\nText."),
        ("{{< note >}}\nKeep it dry.\n{{< /note >}}", "Keep it dry."),
        ("!!! is a sign\nand ??? another one", "!!! is a sign and ??? another one"),
    ],
)  # fmt: skip
def test_marks_are_no_text(source: str, shown: str) -> None:
    assert markdown(source).text == shown


def test_rest_inside_markdown_is_read_as_rest() -> None:
    program = "@tool.command()\n\ndef run(name):\n    tool.echo(name)"
    text = markdown(
        "# Runs\n\n```{eval-rst}\n.. currentmodule:: tool\n```\n\n```{eval-rst}\n.. tool:example::\n\n"
        + "".join(f"    {line}\n" for line in program.split("\n"))
        + "```\n\nCall :it:."
    ).text
    assert text == f"Runs\n\n{program}\n\nCall :it:."


def test_options_of_a_block_of_code_are_no_code() -> None:
    text = "```{code-block} python\n:caption: test_run.py\n:linenos:\n\nrun(1)\n```"
    assert markdown(text).text == "run(1)"
    assert ":caption:" in markdown("```text\n:caption: kept\n```").text


def test_a_link_or_a_role_of_rest_may_go_on_in_the_next_line() -> None:
    said = "Wait for `the window\nof sending <https://example.org/rfc>`_, or ``a\nb`` as :ref:`the\nguide <g>` says."
    assert convert(said.encode(), "rst").text == "Wait for the window\nof sending, or a\nb as the\nguide says."
    line = "It announces::\n"
    assert convert(line.encode() * 40_000, "rst").text == "It announces:\n" * 39_999 + "It announces:"
    apart = "It is *one\n\ntwo* here, and `one\n\ntwo`_."
    assert convert(apart.encode(), "rst").text == apart


def test_an_admonition_is_its_title_and_its_text() -> None:
    text = markdown(
        'Before.\n\n!!! warning "Take care"\n    A *body* of it.\n\n    ```python\n    run( )\n    ```\n\n'
        "??? note\n    Folded.\n\n    !!! tip\n        Nested.\n\nAfter."
    ).text
    assert text == "Before.\n\nTake care\n\nA body of it.\n\nrun( )\n\nNote\n\nFolded.\n\nTip\n\nNested.\n\nAfter."


def test_tabs_are_their_titles_and_their_texts() -> None:
    assert markdown('=== "Linux"\n\n    Use apt.\n\n=== "macOS"\n\n    Use brew.\n\nDone.').text == (
        "Linux\n\nUse apt.\n\nmacOS\n\nUse brew.\n\nDone."
    )


@pytest.mark.parametrize(
    "source",
    [
        "/// note | Mind this\n\nA body.\n\n///\n\nAfter.",
        ":::note[Mind this]\n\nA body.\n\n:::\n\nAfter.",
        "::: warning Mind this\nA body.\n:::\n\nAfter.",
        ":::{tip} Mind this\n:class: wide\nA body.\n:::\n\nAfter.",
        "```{admonition} Mind this\n:class: wide\nA body.\n```\n\nAfter.",
    ],
)
def test_a_box_is_its_title_and_its_text(source: str) -> None:
    assert markdown(source).text == "Mind this\n\nA body.\n\nAfter."


def test_code_is_left_as_it_is() -> None:
    code = '!!! note "x"\n    {: .y }\n::: z.y\n:::tip'
    assert markdown(f"Text.\n\n```text\n{code}\n```").text == f"Text.\n\n{code}"
    assert markdown("```{code-block} python\nrun({ 'a': 1 })\n```").text == "run({ 'a': 1 })"


def test_the_text_of_another_file_is_left_out_and_said() -> None:
    page = markdown(
        'How.\n\n```python\n--8<-- "docs/a.py"\n```\n\n{* ../a.py hl[3] *}\n\n{! b.md !}\n\n'
        "::: httpx.Client\n    options:\n      members: true\n\nEnd."
    )
    assert page.text == "How.\n\nEnd."
    assert page.remarks == ("3 × text of another file, which it includes, is not read with it",)


MDX = """---
title: The tasks
---
import Tabs from '@theme/Tabs';
import {
  Steps,
} from 'x';

export const Box = () => <div />

# Tasks

{/* a comment
over lines */}

<Steps>
  <Step title="Install it">
    Run it with *care*, `<Retry n={3} />` or {'"quotes"'}.

    ```jsx
    <Retry n={3} />
    import x from 'y'
    ```
  </Step>
</Steps>

A <Highlight color="red">red</Highlight> word, and 3 < 4 {"and"} more.
"""


def test_mdx_is_read_without_its_imports_and_components() -> None:
    page = mdx(MDX)
    assert page.text == (
        'Tasks\n\nInstall it\n\nRun it with care, <Retry n={3} /> or "quotes".\n\n'
        "<Retry n={3} />\nimport x from 'y'\n\nA red word, and 3 < 4 and more."
    )
    assert (page.title, dict(page.front_matter)) == ("Tasks", {"title": "The tasks"})


def test_mdx_keeps_lists_and_prose_that_begins_like_a_module() -> None:
    assert mdx("import the file first.\n\n- one\n  - two\n\nexport it later.").text == (
        "import the file first.\n\n- one\n\n- two\n\nexport it later."
    )


def test_what_the_style_of_an_mdx_element_hides_is_no_text() -> None:
    page = "Seen.\n\n<div style={{display: 'none', width: 12}}>\nHidden.\n</div>\n\n<p style={{color: 'red'}}>Red.</p>"
    assert mdx(page).text == "Seen.\n\nRed."


@pytest.mark.parametrize("piece", ["a" + " " * 250_000 + "b", "{{< " * 60_000])
def test_marks_that_are_made_to_take_long_do_not(piece: str) -> None:
    assert "The end." in markdown(f"{piece}\n\nThe end.").text


def test_spans_of_code_in_mdx_end_at_as_many_backticks() -> None:
    assert mdx("a ``<X ` y/>`` b `<Y/>` c").text == "a <X ` y/> b <Y/> c"


@pytest.mark.parametrize(
    "piece", ["import" + " " * 100_000, "{/*" * 20_000, "".join("`" * i + " " for i in range(700))]
)  # fmt: skip
def test_mdx_that_is_made_to_take_long_does_not(piece: str) -> None:
    # Without an end in sight: the rules took minutes to days for these.
    assert "The end." in mdx(f"{piece}\n\nThe end.").text


def test_a_notebook_is_its_cells_and_what_they_printed() -> None:
    page = notebook(
        {"cell_type": "markdown", "source": ["# Waves\n", "\n", "They *travel*."]},
        {"cell_type": "code", "source": "x = '''```'''\nprint(x)", "outputs": [
            {"output_type": "stream", "text": ["```\n"]},
            {"output_type": "execute_result", "data": {"text/plain": "\x1b[31m42\x1b[0m", "image/png": "iVBO"}},
            {"output_type": "error", "traceback": ["No."], "text": "No."},
            {"output_type": "stream", "text": "1, " * 3000},
        ]},
        {"cell_type": "raw", "source": "raw"},
        {"cell_type": "code", "source": "", "outputs": []},
    )  # fmt: skip
    assert page.title == "Waves"
    assert page.text == "Waves\n\nThey travel.\n\nx = '''```'''\nprint(x)\n\n```\n\n42"
    assert page.remarks == ("1 × picture is not read", "1 × long output is not read")


def test_a_notebook_of_the_older_format_is_read() -> None:
    cells = [{"cell_type": "heading", "level": 1, "source": "Old"}, {"cell_type": "code", "input": "run()"}]
    page = convert(json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3}).encode(), "ipynb")
    assert page.text == "Old\n\nrun()"


@pytest.mark.parametrize("level", ["abc", [1], 1e999, 50_000_000, -5, 2.0, None])
def test_a_level_of_a_heading_that_is_none_is_the_first(level: object) -> None:
    assert notebook({"cell_type": "heading", "level": level, "source": "Title"}).text == "Title"


@pytest.mark.parametrize("data", [b"{", b"[]", b'{"cells": 3}', b'{"a": 1}', b'{"worksheets": [3]}'])
def test_what_is_no_notebook_is_said_to_be_none(data: bytes) -> None:
    with pytest.raises(CorpusError, match="is no notebook"):
        convert(data, "ipynb")


def test_their_files_are_known_by_their_endings() -> None:
    assert [kind_of(Path(name)) for name in ("a.mdx", "a.ipynb")] == ["mdx", "ipynb"]
