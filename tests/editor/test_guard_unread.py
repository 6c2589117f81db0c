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
OTHERS = [
    ("page.html", "<p>Hello, © 2020 Smith and Sons (2020 edition).</p><script>cite = x(10.1234)</script>"),
    ("page.html", "<script>var a = '@user2020';</script>"),
    ("requirements.txt", "numpy==1.26.4  # via scipy (2020)\n"),
    ("page.org", "* Heading\n[[https://example.org][a link]] by user@host2020.org"),
    ("page.typ", "See @fig-one and @sec:two."),
    ("page.typ", '#bibliography("refs.bib")'),
    ("page.org", "* A quotation\n#+begin_quote\nThe words.\n#+end_quote"),
    ("page.adoc", "See <<section>> and xref:other.adoc[]."),
    ("data.xml", "<project><name>x</name></project>"),
    ("data.json", json.dumps([{"id": 1, "type": "button", "title": "Press"}])),
    ("data.yaml", "- id: a\n  type: step\n  title: Build\n"),
    ("page.md", "Write `[key2021](@cite)` or\n\n```\n{% cite key2021 %}\n```\n\nand see [`exp`](@ref)."),
    ("code.cpp", "// cite 2021, and user@cite.org 2021\nint cite = 2021;"),
    ("code.py", "x = 'cite:[fake2021]'"),
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
        ("page.org", "#+begin_quote\nThe words.\n#+end_quote\n[cite:@known2020]"),
        ("page.typ", "#quote(block: true)[The words.] @known2020"),
    ],
)
async def test_a_block_of_quoted_words_beside_a_key_of_org_and_typst_is_not_checked(
    root: Path, name: str, text: str
) -> None:
    assert "not-checked" in await codes(root, name, text)
    assert "not-checked" not in await codes(root, name, f"{text}\nMore.\n", f"{text}\n")


@pytest.mark.parametrize(("name", "text"), OTHERS)
async def test_other_words_of_such_files_pass(root: Path, name: str, text: str) -> None:
    assert await codes(root, name, text) == []


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


async def test_a_page_may_cite_a_bibliography_that_comes_with_it(root: Path) -> None:
    page = Edit(str(root / "page.md"), "", "---\nbibliography: refs.json\n---\nSee [@fake2021].\n")
    refs = Edit(str(root / "refs.json"), "", json.dumps([WORK]))
    assert {each.diagnostic.code for each in await guard_edits([page, refs], root=root)} == {"no-artifact", "unknown"}


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


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("x.sty", "\\newcommand{\\q}[1]{\\cite{#1}}"),
        ("p.md.j2", "[@{{ key }}] Thanks, @user2020, for \\cite{ {{k}} }"),
        ("a.md", "Write to me&#64;example2020.com, or read <cite>The Book</cite> &lsqb;x&rsqb;."),
        ("a.adoc", "See <<install>> and <<chapter-2>>."),
    ],
)
async def test_what_only_looks_like_a_hidden_key_is_left_alone(tmp_path: Path, name: str, line: str) -> None:
    assert await guard_edits([Edit(str(tmp_path / name), "", f"{line}\n")], root=tmp_path) == []


async def test_markdown_in_the_output_of_a_cell_is_not_read(tmp_path: Path) -> None:
    def notebook(printed: str) -> str:
        output = {"output_type": "display_data", "data": {"text/markdown": [printed]}, "metadata": {}}
        cell = {"cell_type": "code", "metadata": {}, "outputs": [output], "execution_count": 1, "source": ["x"]}
        return json.dumps({"cells": [cell], "nbformat": 4, "nbformat_minor": 5, "metadata": {}})

    path = str(tmp_path / "n.ipynb")
    (found,) = await guard_edits([Edit(path, "", notebook("It holds [@ghost2019]."))], root=tmp_path)
    assert found.unknown
    assert await guard_edits([Edit(path, "", notebook("It holds."))], root=tmp_path) == []
