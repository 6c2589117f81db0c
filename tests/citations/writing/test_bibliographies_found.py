"""Which bibliography a page cites from, which keys it has, and what is told where none is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from veritas.citations.writing.diagnostic import Level
from veritas.use_cases.citations import check
from veritas.use_cases.writing import diagnose_text, open_project

BIB = "@article{%s,\n  title = {A careful study of many rare things},\n  author = {Author, Ann},\n  year = {2020}\n}\n"
RIGHT, STRAY = BIB % "author2020careful", BIB % "tool"
CITED = {"md": "See [@author2020careful].\n", "tex": "See \\cite{author2020careful}.\n",
         "rst": "See :cite:`author2020careful`.\n", "myst": "See {cite}`author2020careful`.\n"}  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    return tmp_path


def put(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def told(root: Path, name: str, text: str) -> list[tuple[str, Level]]:
    """Return code and level of what is wrong or unknown of keys; whether a work exists is not asked here."""
    found = diagnose_text(text, root / name, open_project(root, root=root))
    return [(each.code, each.level) for each in found
            if each.level != "information" and "asked" not in each.message and "veritas bib" not in each.message]


SETTINGS = [
    ("docs/conf.py", "bibtex_bibfiles = ['_static/refs.bib']\n", "docs/_static/refs.bib", "docs/a.rst", "rst"),
    ("book/_config.yml", "bibtex_bibfiles:\n  - _static/refs.bib\n", "book/_static/refs.bib", "book/a.md", "myst"),
    ("_config.yml", "sphinx:\n  config:\n    bibtex_bibfiles: [b/refs.bib]\n", "b/refs.bib", "a.md", "myst"),
    ("myst.yml", "project:\n  bibliography:\n    - bib/refs.bib\n", "bib/refs.bib", "a.md", "myst"),
    ("ch/_metadata.yml", "bibliography: ../bib/refs.bib\n", "bib/refs.bib", "ch/a.qmd", "md"),
    ("mkdocs.yml", "plugins:\n  - bibtex:\n      bib_file: refs/refs.bib\n", "refs/refs.bib", "docs/a.md", "md"),
    ("main.tex", "\\addbibresource{bib/refs.bib}\n\\input{ch/a}\n", "bib/refs.bib", "ch/a.tex", "tex"),
]


@pytest.mark.parametrize(("settings", "said", "bib", "page", "form"), SETTINGS, ids=[each[0] for each in SETTINGS])
def test_the_bibliography_that_a_project_names_counts_before_another_one(
    root: Path, settings: str, said: str, bib: str, page: str, form: str
) -> None:
    put(root, "a.bib", (BIB % "author2020careful").replace("rare", "other"))  # the same key, of another work
    put(root, settings, said)
    put(root, bib, RIGHT)
    project = open_project(root, root=root)
    listed = project.bibliographies.of(str(root / page), CITED[form], "latex" if form == "tex" else
                                       "rst" if form == "rst" else "markdown")  # fmt: skip
    assert listed.there[0].path == str(root / bib)
    assert told(root, page, CITED[form]) == []
    assert ("unknown-key", "error") in told(root, page, CITED[form].replace("author2020careful", "nobody2020"))


@pytest.mark.parametrize("form", CITED)
def test_a_key_that_only_a_bibliography_elsewhere_has_is_not_wrong(root: Path, form: str) -> None:
    page = "ch/a." + form.replace("myst", "md")
    put(root, "CITATION.bib", STRAY)
    put(root, "lists/refs.bib", RIGHT)
    assert told(root, page, CITED[form]) == []
    put(root, "more/refs.bib", RIGHT.replace("rare", "other"))  # two works by the same key
    assert told(root, page, CITED[form]) == [("unknown", "unknown")]


def test_a_page_that_names_another_bibliography_leaves_the_key_unknown(root: Path) -> None:
    put(root, "tool.bib", STRAY)
    put(root, "lists/refs.bib", RIGHT)
    head = "---\nbibliography: tool.bib\n---\n"
    assert told(root, "a.md", head + CITED["md"]) == [("unknown", "unknown")]
    assert told(root, "a.md", head + "See [@nobody2020].\n") == [("unknown-key", "error")]


def test_how_a_project_is_cited_is_no_list_of_what_it_cites(root: Path) -> None:
    put(root, "CITATION.bib", STRAY)
    assert told(root, "a.rst", CITED["rst"]) == [("unknown", "unknown")]
    put(root, "refs.bib", STRAY)
    assert told(root, "a.rst", CITED["rst"]) == [("unknown-key", "error")]


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("Vehtari+etal:2021:Rhat", "As @Vehtari+etal:2021:Rhat say.\n"),
        ("Riutort-Mayol:2023:HSGP", "It is so (see @Riutort-Mayol:2023:HSGP).\n"),
        ("DBLP:conf/nips/x19", "As @DBLP:conf/nips/x19 say.\n"),
        ("doi:10.1111/(sici)x", "It is so [@{doi:10.1111/(sici)x}, p. 3].\n"),
        ("O'Neil2020", "As @{O'Neil2020} says.\n"),
        ("new2020, ids={old, older}", "As [@old; @older, p. 3] says.\n"),
    ],
)
def test_a_key_is_read_whole(root: Path, key: str, text: str) -> None:
    put(root, "refs.bib", BIB % key)
    assert [each for each in told(root, "a.qmd", text) if each[0] == "unknown-key"] == []
    put(root, "refs.bib", STRAY)
    assert ("unknown-key", "error") in told(root, "a.qmd", text)


def test_labels_of_other_kinds_are_no_keys(root: Path) -> None:
    put(root, "refs.bib", STRAY)
    text = ("(@good) An example.\n\nAs (@good) shows, see [`exp`](@ref) and [text](@ref here), [@time](@ref).\n\n"
            "\\index{unquoting!in ast()@in \\texttt{ast()}}\n")  # fmt: skip
    assert told(root, "a.qmd", text) == []
    assert told(root, "a.qmd", "As (@bad) shows, thanks to @jane.\n") == [("unknown", "unknown")] * 2
    assert told(root, "a.qmd", "As [@bad] shows.\n") == [("unknown-key", "error")]


def test_a_name_in_brackets_is_a_key_where_a_bibliography_stands_above_and_else_unknown(root: Path) -> None:
    text = "It is so [@vaswani], and [@scope/name] is a package.\n"
    assert told(root, "docs/a.md", text) == [("unknown", "unknown")]
    put(root, "docs/a.md", text)
    assert [each.rule for each in check([root], root=root).findings] == ["keeps-none"]
    (root / "docs/citations").mkdir()
    report = check([root], root=root)
    assert ([each.rule for each in report.findings], report.ok, report.failed) == (["keeps-none"], False, False)
    put(root, "refs.bib", STRAY)
    assert told(root, "docs/a.md", text) == [("unknown-key", "error")]
    assert [each.rule for each in check([root], root=root).findings] == ["unknown-key"]
    assert told(root, "docs/a.md", "Thanks [@tool](https://example.org/tool) and @tool.\n") == []


def test_roles_of_myst_are_counted_in_a_project_without_artifacts(root: Path) -> None:
    put(root, "a.md", "See {cite}`author2020careful`.\n")
    report = check([root], root=root)
    assert ([each.rule for each in report.findings], report.links) == (["keeps-none"], 1)
