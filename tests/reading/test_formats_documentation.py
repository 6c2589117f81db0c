"""Documentation as its tools write it: marks of MkDocs, Sphinx and Docusaurus in Markdown, MDX, notebooks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from veritas.errors import CorpusError
from veritas.reading.formats import Converted, convert


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
        ("See [the page](a.md){.internal-link target=_blank} for it.", "See the page for it."),
        ("A paragraph.\n{: .lead }", "A paragraph."),
        ("Call {func}`~a.b.run` as {doc}`the guide <guide>` says.", "Call run as the guide says."),
        ("{{< note >}}\nKeep it dry.\n{{< /note >}}", "Keep it dry."),
    ],
)  # fmt: skip
def test_marks_are_no_text(source: str, shown: str) -> None:
    assert markdown(source).text == shown


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


def test_what_the_style_of_an_mdx_element_hides_is_no_text() -> None:
    page = "Seen.\n\n<div style={{display: 'none', width: 12}}>\nHidden.\n</div>\n\n<p style={{color: 'red'}}>Red.</p>"
    assert mdx(page).text == "Seen.\n\nRed."


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


@pytest.mark.parametrize("data", [b"{", b"[]", b'{"cells": 3}', b'{"a": 1}', b'{"worksheets": [3]}'])
def test_what_is_no_notebook_is_said_to_be_none(data: bytes) -> None:
    with pytest.raises(CorpusError, match="is no notebook"):
        convert(data, "ipynb")
