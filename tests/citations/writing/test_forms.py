"""The forms in which LaTeX, reStructuredText, MyST and notebooks cite, and what only looks like one."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tests.citations.artifact_samples import SLUG, artifact
from veritas.citations.artifacts import write_artifact
from veritas.citations.writing.project import Project
from veritas.use_cases.citations import check
from veritas.use_cases.writing import check_text, diagnose_text, open_project

ALTERED = "A perturbation of 2.5 standard deviations suffices for p < 0.05"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    write_artifact(artifact(), tmp_path / "docs/citations", SLUG)
    (tmp_path / "refs.bib").write_text("@book{known2020, title={A Book}, author={A, B}, year={2020}}\n")
    return open_project(tmp_path, root=tmp_path)


def wrong(text: str, project: Project, name: str) -> list[tuple[str, str]]:
    told = diagnose_text(text, Path(project.root) / name, project)
    return [(each.code, each.key or text[each.start : each.end]) for each in told if each.level == "error"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.tex", r"\textcquote{nobody2020}{words}"),
        ("a.tex", r"\textcquote[12][]{nobody2020}[.]{words}"),
        ("a.tex", r"\blockcquote[p. 3]{nobody2020}{words}"),
        ("a.tex", r"\foreigntextcquote{german}[p. 3]{nobody2020}{words}"),
        ("a.tex", r"\hybridblockcquote{german}{nobody2020}{words}"),
        ("a.tex", r"\begin{displaycquote}[3]{nobody2020} words \end{displaycquote}"),
        ("a.tex", r"\autocites(a)(b){known2020}{nobody2020}"),
        ("a.tex", r"\parencites(see)[][3]{known2020}[4]{nobody2020}"),
        ("a.tex", r"\cites{known2020}{nobody2020}"),
        ("a.tex", r"\volcite{2}[p. 3]{nobody2020}"),
        ("a.tex", "\\newcommand{\\mc}[1]{(see \\cite{#1})}\nText \\mc{nobody2020}."),
        ("a.tex", "\\def\\foo#1#2{\\emph{#1} \\citep{#2}}\n\\foo{such words}{nobody2020}"),
        ("a.tex", "\\newcommand{\\pcite}[2][]{\\cite[#1]{#2}}\n\\pcite[p. 3]{nobody2020}"),
        ("a.tex", "\\NewDocumentCommand{\\mc}{o m m}{#2 \\cite[#1]{#3}}\n\\mc[3]{words}{nobody2020}"),
        ("a.tex", "\\newcommand{\\citex}[2]{\\emph{#1} \\cite{#2}}\n\\citex{no key}{nobody2020}"),
        ("a.tex", "\\iffalse\n\\ifx a \\cite{other2020} \\fi\n\\fi\n\\cite{nobody2020}"),
        ("a.tex", "\\iff \\begin{comment} \\cite{nobody2020}"),
        ("a.Rnw", "<<a, echo=FALSE>>=\nx <- '\\\\cite{other2020}'\n@\nAs \\citep{nobody2020} show.\n"),
        ("a.Rmd", "---\nbibliography: refs.bib\n---\nAs @nobody2020 says.\n"),
        ("a.md", "As {cite}`known2020` and {cite:p}`nobody2020` say.\n"),
        ("a.md", r"As \citep[p. 3]{nobody2020} say."),
        ("a.md", 'They write[^1].\n\n[^1]: [@nobody2020]: "such words as these".\n'),
        ("a.rst", "As :cite:p:`known2020` and :footcite:`{see}nobody2020{p. 3}` say.\n"),
        ("a.ipynb", json.dumps({"cells": [{"cell_type": "markdown", "source": ["As [@nobody2020] says.\n"]}]})),
    ],
)  # fmt: skip
def test_a_key_is_found_in_each_form(project: Project, name: str, text: str) -> None:
    assert [each for each in wrong(text, project, name) if each[0] == "unknown-key"] == [("unknown-key", "nobody2020")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.tex", r"\setcitestyle{authoryear,round}\citestyle{agu}\citetext{see others}\newcites{sec}{Sources}"),
        ("a.tex", r"\DeclareCiteCommand{\mycite}{a}{b}{c}{d}\AtEveryCite{code}\excited{words}\citeyearleft{x}"),
        ("a.tex", "\\newcommand{\\mc}[1]{\\cite{#1}}\\def\\foo#1{\\citep{#1}}\\newenvironment{x}[1]{\\cite{#1}}{}"),
        ("a.tex", "\\cite{\\thekey}\\cite{smith\\jobname} \\verb|\\cite{nobody2020}| \\verb+\\cite{nobody2020}+"),
        ("a.tex", "\\begin{verbatim}\n\\cite{nobody2020}\n\\end{verbatim}\\lstinline[x]|\\cite{nobody2020}|"),
        ("a.tex", "\\begin{lstlisting}[x]\n\\cite{nobody2020}\n\\end{lstlisting}\\lstinline{\\cite{nobody2020}}"),
        ("a.tex", "\\begin{comment}\n\\cite{nobody2020}\n\\end{comment}\\mintinline{tex}{\\cite{nobody2020}}"),
        ("a.tex", "\\iffalse\n\\cite{nobody2020}\n\\ifx a\\fi\\cite{nobody2020}\\fi\n\\cite{known2020}"),
        ("a.rst", "Write ``:cite:`nobody2020` `` or ``[no2020]_``.\n\n.. code-block:: rst\n\n   :cite:`nobody2020`\n"),
        ("a.rst", "An example::\n\n    :cite:`nobody2020`\n\n    More [nobody2020]_\n\nText.\n"),
        ("a.md", "Write `\\cite{nobody2020}` there.\n\n```\n\\cite{nobody2020}\n```\n"),
        ("a.Rnw", "<<a>>=\nx <- '\\\\cite{nobody2020}'\n@\n"),
    ],
)
def test_what_only_looks_like_a_citation_is_left_alone(project: Project, name: str, text: str) -> None:
    assert wrong(text, project, name) == []


def test_a_command_of_latex_in_markdown_accuses_nobody_where_no_bibliography_is(tmp_path: Path) -> None:
    project = open_project(tmp_path, root=tmp_path)
    for text in ("As \\cite{key} does.\n", "As {cite}`key` does.\n"):
        assert [each.level for each in diagnose_text(text, tmp_path / "a.md", project)] == ["unknown"]


def test_a_quotation_is_compared_in_the_commands_of_csquotes_and_in_a_notebook(project: Project) -> None:
    for command in (r"\textcquote[12]{baruch2019little}{%s}", r"\blockcquote{baruch2019little}[.]{%s}"):
        assert [each[0] for each in wrong(command % ALTERED, project, "a.tex")] == ["quote-altered"]
    source = ["# Page\n", "\n", f'They write "{ALTERED}" [@baruch2019little].\n']
    book = json.dumps({"cells": [{"cell_type": "markdown", "source": source}]}, indent=1)
    (told,) = diagnose_text(book, Path(project.root) / "a.ipynb", project)
    assert (told.code, book[told.start : told.start + 16]) == ("quote-altered", '\\"A perturbation')


def test_a_label_that_no_file_defines_is_unknown_and_all_others_are_fine(project: Project) -> None:
    root = Path(project.root)
    (root / "other.rst").write_text(".. [CIT2002] A citation of another page.\n")
    (root / "module.py").write_text('def f():\n    """Do it [py2020]_.\n\n    .. [Py2020] A docstring.\n    """\n')
    fine = (
        "Notes [1]_, [#]_, [#name]_ and [*]_; [Here99]_, [CIT2002]_, [py2020]_, [baruch2019little]_, ``[no2020]_``\n"
        "and code[nobody2020]_.\n\n.. [1] A note.\n.. [#name] A note.\n.. [here99] A citation.\n"
    )
    assert asyncio.run(check_text(fine, root / "a.rst", project=project)) == []
    bad = "Shown by [nobody2020]_.\n"
    (told,) = asyncio.run(check_text(bad, root / "a.rst", project=project))
    assert (told.code, told.level, bad[told.start : told.end]) == ("unknown", "unknown", "[nobody2020]_")
    assert told.message.endswith("no file of the project defines this label. Define it with `.. [nobody2020] …`")


@pytest.mark.parametrize(
    ("named", "level"),
    [
        ("bibliography: refs.bib", "error"),
        ("bibliography:\n  - refs.bib\n  - other.bib", "error"),
        ("bibliography:\n- 'refs.bib'", "error"),
        ("bibliography: [refs.bib, packages.bib]", "unknown"),
        ("bibliography:\n  - refs.bib\n  - packages.bib", "unknown"),
    ],
)
def test_a_bibliography_that_is_named_and_not_there_may_have_a_key(tmp_path: Path, named: str, level: str) -> None:
    (tmp_path / "refs.bib").write_text("@book{known2020, title={A Book}, author={A, B}, year={2020}}\n")
    (tmp_path / "other.bib").write_text("@book{other2020, title={B Book}, author={A, B}, year={2020}}\n")
    project = open_project(tmp_path, root=tmp_path)
    told = diagnose_text(f"---\n{named}\n---\n\n[@known2020; @nobody2020]\n", tmp_path / "a.md", project)
    assert {each.key: each.level for each in told if each.code != "no-artifact"}["nobody2020"] == level
    assert [each.code for each in told if each.key == "known2020"] == ["no-artifact", "unknown"]


def test_a_bibliography_in_json_has_keys_as_any_other(tmp_path: Path) -> None:
    (tmp_path / "refs.json").write_text(json.dumps([{"id": "known2020", "type": "book", "title": "A Book"}]))
    project = open_project(tmp_path, root=tmp_path)
    told = diagnose_text(
        "---\nbibliography: refs.json\n---\n\n[@known2020; @nobody2020]\n", tmp_path / "a.md", project
    )
    assert [each.key for each in told if each.level == "error"] == ["nobody2020"]


@pytest.mark.parametrize(("named", "level"), [("[refs.bib, packages.bib]", "unknown"), ("refs.bib", "error")])
def test_a_chapter_has_the_bibliographies_of_its_book(tmp_path: Path, named: str, level: str) -> None:
    (tmp_path / "refs.bib").write_text("@book{known2020, title={A Book}, author={A, B}, year={2020}}\n")
    (tmp_path / "index.Rmd").write_text(f"---\ntitle: A\nbibliography: {named}\n---\n")
    project = open_project(tmp_path, root=tmp_path)
    told = diagnose_text("See @known2020 and @nobody2020.\n", tmp_path / "chapters" / "01.Rmd", project)
    assert [each.level for each in told if each.key == "nobody2020"] == [level]


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("The class [^abc] matches.", "unknown"),
        ("It is so.[^abc]", "error"),
        ("It is so [^abc].", "error"),
        ("It is so [^1].", "error"),
        ("It is so [^smith2020].", "error"),
        ("Fixed by @user2020, in 1.2.", "unknown"),
        ("Thanks to @ada1990 and @user2020.", "unknown"),
        ("Shown by @user2020.", "error"),
        ("Fixed by [@user2020].", "error"),
    ],
)
def test_letters_of_a_regular_expression_and_names_of_users_are_no_error(
    project: Project, text: str, level: str
) -> None:
    page = Path(project.root) / "page.md"
    assert {each.level for each in diagnose_text(f"{text}\n", page, project)} == {level}
    page.write_text(f"{text}\n")
    assert bool(check([page], root=project.root).findings) == (level == "error")
