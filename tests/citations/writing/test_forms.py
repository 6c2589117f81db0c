"""The forms in which LaTeX, reStructuredText, MyST and notebooks cite, and what only looks like one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.citations.artifact_samples import SLUG, artifact
from veritas.citations.artifacts import write_artifact
from veritas.citations.writing.project import Project
from veritas.use_cases.writing import diagnose_text, open_project


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
        ("a.tex", r"\blockcquote[p. 3]{nobody2020}{words}"),
        ("a.tex", r"\hybridblockcquote{german}{nobody2020}{words}"),
        ("a.tex", r"\autocites(a)(b){known2020}{nobody2020}"),
        ("a.tex", r"\cites{known2020}{nobody2020}"),
        ("a.tex", "\\newcommand{\\mc}[1]{(see \\cite{#1})}\nText \\mc{nobody2020}."),
        ("a.tex", "\\newcommand{\\pcite}[2][]{\\cite[#1]{#2}}\n\\pcite[p. 3]{nobody2020}"),
        ("a.tex", "\\newcommand{\\citex}[2]{\\emph{#1} \\cite{#2}}\n\\citex{no key}{nobody2020}"),
        ("a.tex", "\\iff \\begin{comment} \\cite{nobody2020}"),
        ("a.Rmd", "---\nbibliography: refs.bib\n---\nAs @nobody2020 says.\n"),
        (
            "a.qmd",
            "---\nbibliography: refs.bib\nreferences:\n- id: mine2020\n  type: book\n  title: A Book\n---\n"
            "As [@known2020; @mine2020] say, not @nobody2020.\n",
        ),
        ("a.md", r"As \citep[p. 3]{nobody2020} say."),
        ("a.rst", "As :cite:p:`known2020` and :footcite:`{see}nobody2020{p. 3}` say.\n"),
    ],
)  # fmt: skip
def test_a_key_is_found_in_each_form(project: Project, name: str, text: str) -> None:
    assert [each for each in wrong(text, project, name) if each[0] == "unknown-key"] == [("unknown-key", "nobody2020")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.tex", r"\setcitestyle{authoryear,round}\citestyle{agu}\citetext{see others}\newcites{sec}{Sources}"),
        ("a.tex", "\\newcommand{\\mc}[1]{\\cite{#1}}\\def\\foo#1{\\citep{#1}}\\newenvironment{x}[1]{\\cite{#1}}{}"),
        ("a.tex", "\\begin{verbatim}\n\\cite{nobody2020}\n\\end{verbatim}\\lstinline[x]|\\cite{nobody2020}|"),
        ("a.tex", "\\begin{comment}\n\\cite{nobody2020}\n\\end{comment}\\mintinline{tex}{\\cite{nobody2020}}"),
        ("a.rst", "Write ``:cite:`nobody2020` `` or ``[no2020]_``.\n\n.. code-block:: rst\n\n   :cite:`nobody2020`\n"),
        ("a.md", "Write `\\cite{nobody2020}` there.\n\n```\n\\cite{nobody2020}\n```\n"),
    ],
)
def test_what_only_looks_like_a_citation_is_left_alone(project: Project, name: str, text: str) -> None:
    assert wrong(text, project, name) == []
