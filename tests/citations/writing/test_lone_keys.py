"""`@key` in a sentence of a plain page, where a bibliography beside it has the key."""

from __future__ import annotations

from pathlib import Path

import pytest

from veritas.citations.writing.diagnose import resolve
from veritas.citations.writing.places import kind_of
from veritas.use_cases.writing import open_project


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("As @wraith2020 show, dunlins remember.\n", ["wraith2020"]),
        ("# On @{wraith2020}\n", ["wraith2020"]),
        ("As @wraith2020 and [@wraith2020, p. 3] show.\n", ["wraith2020", "wraith2020"]),
        ("Thanks to @octo2020 and @mouse; write to a@wraith2020.org.\n", []),
        ("Write `@wraith2020`.\n\n    @wraith2020\n\n```\n@wraith2020\n```\n", []),
    ],
)
def test_a_name_that_a_bibliography_has_is_a_key(text: str, keys: list[str], tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text("@misc{wraith2020, title={Dunlins}}\n@misc{mouse, title={Mice}}\n")
    project = open_project(tmp_path, root=tmp_path)
    found = resolve(text, str(tmp_path / "page.md"), project, "markdown")
    assert [each.key for each in found] == keys
    assert all(each.entry is not None for each in found)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", "---\nnocite: |\n  @wraith2020\n---\n\nText.\n"),
        ("a.md", '---\ntitle: "A study after [@wraith2020]"\n---\n\nText.\n'),
        ("a.md", '<cite data-cite="wraith2020">x</cite>\n'),
        ("a.qmd", "```{r}\n#| tbl-cap: >\n#|   Counts after [@wraith2020]\nx\n```\n"),
        ("c.py", 'def f():\n    r"""Do.\n\n    See :footcite:t:`wraith2020`.\n    """\n'),
        ("c.py", "# It holds \\cite{wraith2020}.\nx = 1\n"),
        ("c.R", "#' It holds \\insertCite{wraith2020}{pkg}\nf <- 1\n"),
        ("c.jl", "# It holds [wraith2020](@cite).\nf(x) = x\n"),
        ("c.cpp", "/// It holds \\cite wraith2020\nint x;\n"),
        ("c.rs", "//! It holds [@wraith2020].\n"),
        ("x.sty", "\\newcommand{\\q}{\\cite{wraith2020}}\n"),
        ("x.lhs", "It holds \\cite{mouse,wraith2020}.\n"),
        ("x.tikz", "\\node {\\cite{wraith2020}};\n"),
        ("x.myst", "It holds {cite}`wraith2020`.\n"),
    ],
)
def test_a_key_in_a_comment_a_head_or_a_caption_is_one_where_a_bibliography_has_it(
    name: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / "refs.bib").write_text("@misc{wraith2020, title={Dunlins}}\n")
    project = open_project(tmp_path, root=tmp_path)
    found = resolve(text, str(tmp_path / name), project, kind_of(name))
    assert [each.key for each in found if each.entry is not None] == ["wraith2020"]
    other = resolve(text.replace("wraith", "octo"), str(tmp_path / name), project, kind_of(name))
    assert not [each for each in other if each.entry is not None]


def test_a_string_of_a_program_cites_nothing(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text("@misc{wraith2020, title={Dunlins}}\n")
    project = open_project(tmp_path, root=tmp_path)
    assert resolve('x = "@wraith2020 \\\\cite{wraith2020}"\n', str(tmp_path / "c.py"), project, "source") == []
