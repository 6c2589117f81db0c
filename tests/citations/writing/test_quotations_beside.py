"""Quotations that stand beside their citation, and those of which nothing can be told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.citations.artifact_samples import SLUG, artifact
from veritas.citations.artifacts import write_artifact
from veritas.citations.writing.project import Project
from veritas.use_cases.writing import diagnose_text, open_project

QUOTE = "A perturbation of 1.5 standard deviations suffices for p < 0.05"
OTHER = "Wholly other words about cats and dogs at sea"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    write_artifact(artifact(), tmp_path / "docs/citations", SLUG)
    return open_project(tmp_path, root=tmp_path)


def codes(text: str, project: Project, name: str = "page.md") -> list[str]:
    return [each.code for each in diagnose_text(text, Path(project.root) / name, project)]


BESIDE = [
    ("page.md", 'They studied this [@baruch2019little]. They write “{}”.\n'),
    ("page.md", 'They show it [@baruch2019little].[^1]\n\n[^1]: In their words, “{}”.\n[^2]: Another note.\n'),
]
BLOCKS = [
    ("page.md", "As they say [@baruch2019little]:\n\n> {}\n\nMore.\n"),
    ("page.md", "As they say:\n\n> {}\n\n[@baruch2019little]\n"),
    ("page.rst", "As they say :cite:p:`baruch2019little`:\n\n    {}\n\nMore.\n"),
    ("page.tex", "As they say \\cite{{baruch2019little}}:\n\\begin{{quote}}\n{}\n\\end{{quote}}\nMore.\n"),
    ("page.tex", "As they say\n\\begin{{quotation}}\n{} \\cite{{baruch2019little}}\n\\end{{quotation}}\nMore.\n"),
]


@pytest.mark.parametrize(("name", "text"), [*BESIDE, *BLOCKS])
def test_a_quotation_beside_its_citation_is_compared_with_it(project: Project, name: str, text: str) -> None:
    assert codes(text.format(QUOTE), project, name) == []
    assert codes(text.format(QUOTE.replace("1.5", "2.5")), project, name) == ["quote-altered"]


@pytest.mark.parametrize(("name", "text"), BESIDE)
def test_a_quotation_without_a_citation_of_its_own_accuses_nobody(project: Project, name: str, text: str) -> None:
    assert codes(text.format(OTHER), project, name) == ["unknown"]


@pytest.mark.parametrize(("name", "text"), BLOCKS)
def test_a_block_that_may_be_no_quotation_is_left_alone(project: Project, name: str, text: str) -> None:
    assert codes(text.format(OTHER), project, name) == []


@pytest.mark.parametrize(
    ("quoted", "found"),
    [
        ("gradients are poisoned", []),
        ("study how gradients are poisoned", []),
        ("gradients are never poisoned", ["unknown"]),
        ("2.5 standard deviations suffices", ["unknown"]),
        ("state of the art", []),
        ("proof of the pudding", []),
        ("A perturbation of 1.5 standard deviations …[not]… suffices", ["unknown"]),
        ("A perturbation of 1.5 standard deviations […not…] suffices", ["quote-altered"]),
        ("A perturbation of 2.5 [sic] standard deviations suffices", ["quote-altered"]),
        ("A perturbation of 1.5 [sic] standard deviations suffices", []),
    ],
)
def test_few_words_and_brackets_are_unknown_where_nothing_can_be_told(
    project: Project, quoted: str, found: list[str]
) -> None:
    assert codes(f"They write “{quoted}” [@baruch2019little].\n", project) == found
