"""The guard on files that nothing here reads as prose, and on bibliographies of other forms."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from veritas.use_cases.writing import Edit, guard_edits

WORK = {"id": "fake2021", "type": "article-journal", "title": "Dietary fibre and the risk of stroke in women",
        "author": [{"family": "Nakamoto", "given": "S."}], "issued": {"date-parts": [[2021]]}}  # fmt: skip
CELL = {"cell_type": "markdown", "metadata": {}, "source": ["See [@fake2021]."]}
BOOK = {"cells": [CELL], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    (tmp_path / ".git").mkdir()
    (tmp_path / "refs.bib").write_text("@book{known2020, title={A Book}, author={A, B}, year={2020}}\n")
    return tmp_path


async def codes(root: Path, name: str, text: str, before: str = "") -> list[str]:
    return [each.diagnostic.code for each in await guard_edits([Edit(str(root / name), before, text)], root=root)]


CITING = [
    ("page.html", "<p>Smith et al. (2020) showed it.</p>"),
    ("page.html", '<p>See <a href="https://doi.org/10.1234/abc.def">this</a>.</p>'),
    ("page.html", "<p>“the words” (Vogel &amp; Osei, 2015)</p>"),
    ("page.adoc", "See cite:[fake2021]."),
    ("page.org", "See [[cite:fake2021]]."),
    ("page.org", "See https://doi.org/10.1234/abc.def."),
    ("page.typ", "As Vance and Nakamoto (2015) show."),
    ("page.txt", "Nakamoto, S., & Vance, C. (2015). Dietary fibre and the risk of stroke. New Journal, 3(2), 1-9."),
    ("README", "As Vance and Nakamoto (2015) show."),
    ("list.enw", "%0 Journal Article\n%T Dietary fibre\n"),
    ("page.md", "As [fake2021](@cite) and [fake2021](@citet) say."),
    ("page.md", 'As {{< cite "fake2021" >}} says.'),
    ("page.md", "As {% cite fake2021 --locator 3 %} says."),
    ("page.md", 'As <d-cite key="fake2021"></d-cite> says.'),
    ("page.md", "As said in \\cite fake2021 before."),
    ("code.cpp", "/** As @cite fake2021 says. */\nint x;"),
    ("code.R", "#' As \\insertCite{fake2021}{pkg} says."),
    ("page.bbl", "\\entry{fake2021}{article}{}\n"),
]


@pytest.mark.parametrize(("name", "text"), CITING)
async def test_what_may_be_a_citation_in_a_file_that_is_not_read_is_not_checked(
    root: Path, name: str, text: str
) -> None:
    assert await codes(root, name, text) == ["not-checked"]
    assert await codes(root, name, f"{text}\nMore.\n", f"{text}\n") == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("refs.json", json.dumps([WORK])),
        ("refs.json", json.dumps({"references": [WORK]}, indent=1)),
        ("refs.yaml", "references:\n- id: fake2021\n  type: article-journal\n  title: Dietary fibre and strokes\n"
                      "  author:\n  - family: Nakamoto\n    given: S.\n  issued: 2021\n"),
    ],
)  # fmt: skip
async def test_a_work_in_a_bibliography_of_another_form_is_unknown(root: Path, name: str, text: str) -> None:
    assert await codes(root, name, text) == ["unknown"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (json.dumps(BOOK), ["unknown-key"]),
        ("\ufeff" + json.dumps(BOOK), ["unknown-key"]),
        (json.dumps(BOOK | {"cells": [CELL | {"cell_type": "raw"}]}), ["unknown-key"]),
        (json.dumps(BOOK)[:-4], ["not-checked"]),
        (json.dumps({"worksheets": [BOOK], "nbformat": 3}), ["not-checked"]),
    ],
)
async def test_a_notebook_is_read_or_said_not_to_be(root: Path, text: str, expected: list[str]) -> None:
    assert await codes(root, "book.ipynb", text) == expected
    assert await codes(root, "book.ipynb", text, text) == []


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("a.md", "It holds &#x5B;&#x40;ghost2019&#x5D;."),
        ("a.md", "So &commat;ghost2019 says."),
        ("a.mdx", 'So <Citation key="ghost2019"/>.'),
        ("a.md", "It holds [@\u200bghost2019]."),
        ("a.adoc", "So it is <<ghost2019,Ghost>>."),
        ("x.sty", "\\newcommand{\\q}{\\cite{ghost2019}}"),
        ("x.tikz", "\\node {\\citep[3]{ghost2019}};"),
        ("p.md.j2", "It holds [@ghost2019]."),
    ],
)
async def test_a_key_that_is_hidden_or_in_a_file_of_code_and_text_is_not_passed(
    tmp_path: Path, name: str, line: str
) -> None:
    (found,) = await guard_edits([Edit(str(tmp_path / name), "", f"{line}\n")], root=tmp_path)
    assert (found.blocks, found.unknown) == (False, True)
    assert await guard_edits([Edit(str(tmp_path / name), f"{line}\n", f"{line}\nMore.\n")], root=tmp_path) == []
