"""Quotations that do not stand where their work is cited: in another paragraph, a directive, a comment of code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.citations.artifact_samples import SLUG, artifact
from veritas.citations.artifacts import Excerpt, write_artifact
from veritas.citations.writing.project import Project
from veritas.use_cases.writing import diagnose_text, open_project

QUOTE = "A perturbation of 1.5 standard deviations suffices for p < 0.05"
ALTERED = QUOTE.replace("1.5", "2.5")
OTHER = "Wholly other words about cats and dogs at sea that nobody wrote"
VOGEL = artifact(
    title="Effects of statins on muscle pain", authors=("Hanna Vogel",), arxiv_id=None, doi="10.1056/tst1501234",
    year=2015, urls={"doi": "https://doi.org/10.1056/tst1501234"}, bibtex="@article{vogel2015,\n  year={2015}\n}",
    abstract="We enrolled 1,204 adults. Statins did not increase the rate of muscle pain.",
    excerpts=(Excerpt(text="Statins did not increase the rate of muscle pain.", location="Abstract"),),
)  # fmt: skip


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    write_artifact(artifact(), tmp_path / "docs/citations", SLUG)
    write_artifact(VOGEL, tmp_path / "docs/citations", "10.1056_tst1501234-vogel-effects")
    return open_project(tmp_path, root=tmp_path)


def codes(text: str, project: Project, name: str) -> list[str]:
    return [each.code for each in diagnose_text(text, Path(project.root) / name, project)]


PLAIN = [
    ("page.md", "They write “{}”. Much was said of it. It is in the paper [@baruch2019little].\n"),
    ("page.md", "They write “{}”.\n\nIt is in the paper [@baruch2019little].\n"),
    ("page.md", "This is the paper [@baruch2019little].\n\nThey write “{}”.\n"),
    ("page.md", "This is the paper [@baruch2019little]. It was large. They write “{}”.\n"),
    ("page.md", "## The paper [@baruch2019little]\n\n“{}”\n"),
    ("page.md", "> {}\n\n— Moran Baruch and others [@baruch2019little]\n"),
    ("page.md", "They say [@baruch2019little]:\n\n```{{epigraph}}\n{}\n```\n"),
    ("page.md", "```{{epigraph}}\n{}\n\n-- {{cite}}`baruch2019little`\n```\n"),
    ("page.rst", "They say :cite:p:`baruch2019little`.\n\n.. epigraph::\n\n   {}\n\nMore.\n"),
    ("page.rst", "They say “{}” [#a]_.\n\n.. [#a] See :cite:p:`baruch2019little`.\n"),
    ("page.tex", "They say \\cite{{baruch2019little}}:\n\n\\begin{{quote}}\n{}\n\\end{{quote}}\n"),
    ("page.py", f"# They say “{{}}”\n# docs/citations/{SLUG}.md\n"),
]
ELSEWHERE = [
    ("page.md", "See the paper [@baruch2019little].\n\nOther words.\n\nMore words.\n\nThey write “{}”.\n"),
    ("page.md", "See both [@baruch2019little; @vogel2015].\n\nThey write “{}”.\n"),
    ("page.md", "See the trial [@vogel2015].\n\nThey write “{}”.\n\nOther words.\n\nSee [@baruch2019little].\n"),
]


@pytest.mark.parametrize(("name", "text"), PLAIN)
def test_an_altered_copy_beside_its_citation_is_told(project: Project, name: str, text: str) -> None:
    assert codes(text.format(ALTERED), project, name) == ["quote-altered"]


@pytest.mark.parametrize(("name", "text"), ELSEWHERE)
def test_an_altered_copy_elsewhere_in_the_page_is_in_doubt(project: Project, name: str, text: str) -> None:
    assert codes(text.format(ALTERED), project, name) == ["unknown"]


@pytest.mark.parametrize(("name", "text"), [*PLAIN, *ELSEWHERE])
def test_a_true_copy_and_the_words_of_others_are_left_alone(project: Project, name: str, text: str) -> None:
    assert codes(text.format(QUOTE), project, name) == []
    assert codes(text.format(OTHER), project, name) == []


def test_a_directive_that_holds_prose_is_read_and_code_in_it_is_not(project: Project) -> None:
    page = "````{{note}}\n{}\n```python\nx = '[@nobody2021]'\n```\n````\n"
    assert codes(page.format("See [@nobody2020]."), project, "page.md") == ["unknown-key"]
    assert codes(page.format("See {cite}`nobody2020`."), project, "page.md") == ["unknown-key"]
    assert codes("```{code-cell}\n[@nobody2020]\n```\n", project, "page.md") == []
