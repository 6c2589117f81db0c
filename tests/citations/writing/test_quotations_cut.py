"""Quotations that are cut, or have words put in, so that they say another thing; and those that are quoted rightly."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.citations.artifact_samples import SLUG, artifact
from veritas.citations.artifacts import Excerpt, write_artifact
from veritas.citations.writing.project import Project
from veritas.use_cases.writing import diagnose_text, open_project

TITLE = "Effects of statins on muscle pain in older adults"
TEXT = (
    "We enrolled 1,204 adults aged 65 or older. It is unlikely that statins cause muscle pain in older adults at 20"
    " mg daily. The difference of 1.5 points was non-significant (p = 0.31) after adjustment for age and sex. "
    "Statins as prescribed in the participating general practices of the region did not increase the rate of muscle"
    " pain compared with placebo. Patients who stopped the drug early, which was not asked of them, reported a -0.5"
    " change in the pain score. The cost was $1,500 per patient in the intervention arm of the trial. We do not "
    "recommend routine withdrawal of treatment in this population, and cost-benefit is the same. This harmless drug"
    " is well tolerated by most."
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    excerpt = Excerpt(text="We enrolled 1,204 adults aged 65 or older.", location="Abstract")
    made = artifact(title=TITLE, abstract=TEXT, excerpts=(excerpt,))
    write_artifact(made, tmp_path / "docs/citations", SLUG)
    return open_project(tmp_path, root=tmp_path)


def codes(text: str, project: Project, name: str = "page.md") -> list[str]:
    return [each.code for each in diagnose_text(text, Path(project.root) / name, project) if each.code != "claim"]


FALSE, OPEN, TRUE = ["quote-altered"], ["unknown"], list[str]()


@pytest.mark.parametrize(
    ("quoted", "expected"),
    [
        ("significant (p = 0.31) after adjustment for age and sex", OPEN),
        ("treatment in this population, and cost", OPEN),
        ("5 points was non-significant (p = 0.31)", FALSE),
        ("points was non-significant (p = 0.3", FALSE),
        ("-0.5 change in the pain score", TRUE),
        ("500 per patient in the intervention arm", FALSE),
        ("$1,500 per patient in the intervention arm", TRUE),
        ("likely that statins cause muscle pain […] at 20 mg daily", FALSE),
        ("do not recommend routine withdrawal of treatment in this population", TRUE),
    ],
)
def test_a_cut_inside_a_word_a_figure_or_a_denial_is_no_quotation(
    project: Project, quoted: str, expected: list[str]
) -> None:
    assert codes(f'They say "{quoted}" [@baruch2019little].\n', project) == expected


@pytest.mark.parametrize(
    ("quoted", "expected"),
    [
        ("Statins as prescribed […] increase the rate of muscle pain", OPEN),
        ("Statins as prescribed ... increase the rate of muscle pain", OPEN),
        ("Statins as prescribed […] did not increase the rate of muscle pain", TRUE),
        ("Patients who stopped the drug early […] reported a -0.5 change", OPEN),
        ("We enrolled 1,204 adults […] in the intervention arm of the trial", OPEN),
        ("We enrolled 1,204 adults […] The cost was $1,500 per patient", OPEN),
        ("Statins as prescribed […] The cost was $1,500 per patient", OPEN),
    ],
)
def test_what_is_left_out_may_hide_a_denial(project: Project, quoted: str, expected: list[str]) -> None:
    assert codes(f'They say "{quoted}" [@baruch2019little].\n', project) == expected
