"""References in tables, comments, docstrings, elements, items and sentences, against the record of their DOI: each as
the record has it, and with lies."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.citations.registry_server import Work, registry_server
from veritas.citations.writing.diagnostic import Diagnostic
from veritas.citations.writing.project import Project
from veritas.citations.writing.reference_homes import bared, stretch_around
from veritas.use_cases.bibliographies import audit_bibliography
from veritas.use_cases.writing import check_text, open_project

DOI = "10.1111/worms.16999"
TITLE = "Effects of nitrogen fertiliser on earthworm abundance in temperate grassland soils"
OTHER = "Mycorrhizal networks of boreal spruce seedlings under drought"
TRUE = {"a": "K. Lindqvist, P. de la Cruz, X. Li", "f": "Karin Lindqvist, Pedro de la Cruz and Xiaoming Li"}
TRUE |= {"e": "Lindqvist et al.", "t": TITLE, "y": "2018"}
GHOSTS = {"a": "B. Quillfeather, P. Moorcastle, L. Oduvane", "e": "Quillfeather et al."}
GHOSTS |= {"f": "Bram Quillfeather, Pia Moorcastle and Leo Oduvane"}
LIES = {"authors": GHOSTS, "title": {"t": OTHER}, "both": GHOSTS | {"t": OTHER}, "year": {"y": "2003"}}
LINK = f"https://doi.org/{DOI}"
HOMES = {
    "cell.md": f"| # | Reference |\n|--|--|\n| 1 | {{a}}. “{{t}}.” J. Soils {{y}}. [link]({LINK}) |\n",
    "columns.md": f"| Authors | Title | Year | DOI |\n|--|--|--|--|\n| {{a}} | {{t}} | {{y}} | [x]({LINK}) |\n",
    "others.md": f"| No | Year | Title | Author(s) | Method | Link |\n|--|--|--|--|--|--|\n| 1 | {{y}} | {{t}} | {{e}} "
    f"| trial | <{LINK}> |\n",
    "list.rst": ".. list-table::\n   :header-rows: 1\n\n   * - Title\n     - Authors\n     - Year\n     - DOI\n"
    f"   * - {{t}}\n     - {{a}}\n     - {{y}}\n     - {LINK}\n",
    "numpydoc.py": 'def f():\n    """Do it.\n\n    References\n    ----------\n    .. [1] {a}, "{t},"\n       J. Soils'
    f', {{y}}.\n       :doi:`{DOI}`\n    """\n',
    "google.py": f'def f():\n    """Do it.\n\n    Reference:\n        {{a}}. {{t}}. J. Soils, {{y}}. {LINK}\n    """\n',
    "hash.py": f"# {{a}}, “{{t}},” J. Soils {{y}};12:33-41.\n# {LINK}\nx = 1\n",
    "block.c": f'/*\n * {{a}}, "{{t}}",\n * Journal of Soils, {{y}}, doi:{DOI}\n */\nint x;\n',
    "doc.rs": f'/// {{a}}. "{{t}}". {{y}}. <{LINK}>\nfn f() {{{{}}}}\n',
    "roxygen.R": f"#' Do it\n#' @references {{a}} ({{y}}). {{t}}. *J. Soils*. \\doi{{{{{DOI}}}}}\n#' @export\nf <- 1\n",
    "doc.jl": f'"""\n    f(x)\n\n# References\n- {{a}}. *{{t}}*. J. Soils ({{y}}). [{DOI}]({LINK})\n"""\n1\n',
    "item.tex": f"\\item {{a}}. ``{{t}}.'' \\textit{{{{J. Soils}}}} {{y}}. \\url{{{{{LINK}}}}}\n",
    "element.md": f'<p>{{a}} ({{y}}). <i>{{t}}</i>. J. Soils. <a href="{LINK}">doi</a></p>\n',
    "fields.md": f"- title: {{t}}\n  authors: {{f}}\n  year: {{y}}\n  doi: {DOI}\n",
    "sentence.md": f'In their paper "{{t}}" ({{y}}), {{f}} show it: {LINK}.\n',
    "by.md": f"The plan was introduced by {{f}} in “{{t}}” ({{y}}, {LINK}) and is old.\n",
}
NEITHER = {
    "heading.md": (f"### {{t}}\n\n{{f}} ({{y}})\n\n{LINK}\n", ("authors", "both", "year")),
    "brackets.md": (f"The plan ({{e}}, {{y}}; [{{t}}]({LINK})) is old.\n", ("authors", "title", "both")),
    "first.md": (f"- ({{y}}, Journal of Soils) {{t}} [link]({LINK})\n", ("title", "both", "year")),
    "colleagues.md": (f"{{e}} ({{y}}) show it [doi:{DOI}]({LINK}).\n", ("authors", "both", "year")),
}
"""Homes where some of it is not printed, or may be of another work, with the lies that are told there."""
ELSEWHERE = (
    ("a.md", f"| Date | Presenter | Paper |\n|--|--|--|\n| 2024-03-01 | K. Hansen, L. Moreau | [{TITLE}]({LINK}) |\n"),
    ("a.md", f"| Dataset | Authors | Paper |\n|--|--|--|\n| Worms 2024 | K. Hansen, L. Moreau | [{TITLE}]({LINK}) |\n"),
    ("a.md", f"| Title | Authors | Compared with |\n|--|--|--|\n| {OTHER} | K. Hansen, L. Moreau | {LINK} |\n"),
    ("a.md", f"| Paper | Reproduced by | Year |\n|--|--|--|\n| [{TITLE}]({LINK}) | K. Hansen, L. Moreau | 2024 |\n"),
    ("a.md", f"### Replication of “{TITLE}”\n\nKarin Hansen, Louis Moreau\n\n{LINK}\n"),
    ("a.py", f"# Copyright 2021 K. Hansen, L. Moreau\n# {TITLE}\n# {LINK}\nx = 1\n"),
    ("a.py", f"# K. Hansen, 2021-03-01: use eq. 3 of Lindqvist et al. (2018), {LINK}\nx = 1\n"),
    ("a.py", f"# Karin Hansen and Louis Moreau (2020)\n# {LINK}\nx = 1\n"),
    ("a.py", f"# Author: Karin Hansen, Louis Moreau\n# Date: 2024\n# See {LINK}\nx = 1\n"),
    ("a.py", f'"""Written by K. Hansen and L. Moreau after *{TITLE}* ({LINK})."""\n'),
    ("a.py", f'"""References\n----------\n.. [1] {TITLE}. {LINK}\n.. [2] K. Hansen, L. Moreau, {OTHER}, 2020.\n"""\n'),
    ("a.R", f"#' @author Karin Hansen, Louis Moreau\n#' @references \\doi{{{DOI}}}\nf <- 1\n"),
    ("a.py", f'"""See:\n  * Lindqvist, K., Li, X. {TITLE}. UK: Smith &\n    Sons, Ltd, 2018. {LINK}, p. 3\n"""'),
    ("a.jl", f'x = """K. Hansen, L. Moreau. {OTHER}. 2020. {LINK}"""\n'),
    ("a.tex", f"\\item Talk by Karin Hansen and Louis Moreau on \\emph{{{TITLE}}} (\\url{{{LINK}}})\n"),
    ("a.md", f"### {TITLE}\n\nNotes by Karin Hansen and Louis Moreau (2024)\n\n{LINK}\n"),
    ("a.md", f'<p>Thanks to Karin Hansen and Louis Moreau for <a href="{LINK}">the method</a></p>\n'),
    ("a.md", f'In their paper "{OTHER}" (2019), Hansen and Moreau use the data of {LINK}.\n'),
    ("a.md", f"Hansen and Moreau (2019) report that [Lindqvist et al.]({LINK}) erred.\n"),
    ("a.md", f"It is disputed (Hansen and Moreau, 2019, against [{TITLE}]({LINK})).\n"),
)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The settings of a machine that knows the work under `DOI`."""
    root = tmp_path_factory.mktemp("homes")
    work = Work(TITLE, authors=("Karin Lindqvist", "Pedro de la Cruz", "Xiaoming Li"), year=2018, doi=DOI)
    with pytest.MonkeyPatch.context() as patched, registry_server(work) as server:
        settings = server.environment() | {"VERITAS_HOME": str(root)}
        for name, value in settings.items():
            patched.setenv(name, value)
        asyncio.run(check_text(f"doi:{DOI}", root / "a.md", online=True))
    return settings


@pytest.fixture
def known(cache: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Project:
    for name, value in cache.items():
        monkeypatch.setenv(name, value)
    return open_project(Path(cache["VERITAS_HOME"]), root=Path(cache["VERITAS_HOME"]))


async def told(text: str, name: str, project: Project) -> list[Diagnostic]:
    return await check_text(text, Path(project.root) / name, project=project)


@pytest.mark.parametrize("name", [*HOMES, *NEITHER])
async def test_a_true_reference_passes_in_every_home_and_its_lies_are_told(name: str, known: Project) -> None:
    form, lies = NEITHER[name] if name in NEITHER else (HOMES[name], tuple(LIES))
    assert await told(form.format(**TRUE), name, known) == []
    found = {lie: await told(form.format(**TRUE | LIES[lie]), name, known) for lie in lies}
    assert all(found.values()), found


@pytest.mark.parametrize(("name", "text"), ELSEWHERE)
async def test_who_stands_beside_a_work_and_did_not_write_it_is_no_lie(name: str, text: str, known: Project) -> None:
    assert await told(text, name, known) == []


def test_marks_of_comments_are_blanked_in_place() -> None:
    comment = f"/*\n * @author A. Ghost, 2020\n * A. Ghost: {TITLE}.\n *\n * {LINK}\n */"
    words = bared(comment)
    assert len(words) == len(comment)
    assert words.index(DOI) == comment.index(DOI)
    assert stretch_around(words, words.index(DOI), "markdown").said == LINK


async def test_a_listed_reference_is_judged_by_its_doi_where_its_words_were_never_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bibliography = f"@article{{a, title={{{TITLE}}}, author={{Lindqvist, Karin}}, year={{2018}}, doi={{{DOI}}}}}\n"
    (tmp_path / "a.bib").write_text(bibliography)
    with registry_server(Work(TITLE, authors=("Karin Lindqvist",), year=2018, doi=DOI)) as server:
        for name, value in (server.environment() | {"VERITAS_HOME": str(tmp_path / "home")}).items():
            monkeypatch.setenv(name, value)
        await audit_bibliography(tmp_path / "a.bib")
    project = open_project(tmp_path, root=tmp_path)
    page = "Text.\n\n## References\n\n1. **[{}](" + LINK + ")** - Karin Lindqvist (2018)\n"
    assert await told(page.format(TITLE), "page.md", project) == []
    (found,) = await told(page.format(OTHER), "page.md", project)
    assert TITLE in found.message
