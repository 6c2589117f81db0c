"""Quotations whose work is given by its DOI, and those in forms of block quotation: a lie and its true twin."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.citations.artifact_samples import artifact
from veritas.citations.artifacts import Excerpt, write_artifact
from veritas.use_cases.writing import check_text, open_project

DOI = "10.1111/mowing.13999"
TRUE = "Unmown strips did not lower hay yields in either dry year"
LIE = "Unmown strips did lower hay yields in either dry year"
TEXT = f"We tagged lapwings on fourteen coastal farms. {TRUE}. Farmers rarely accepted payments."
FORMS = {
    "link behind": ("page.md", "Solheim et al. (2018) found that “{Q}” (https://doi.org/" + DOI + ")."),
    "named link": ("page.md", "“{Q}” ([Solheim et al. 2018](https://doi.org/" + DOI + "))."),
    "with names": ("page.md", "“{Q}” (Solheim et al., 2018, doi:" + DOI + ")."),
    "linked words": ("page.md", "[“{Q}”](https://doi.org/" + DOI + ")"),
    "element": ("page.md", '<blockquote cite="https://doi.org/' + DOI + '">{Q}.</blockquote>'),
    "hfill": ("page.tex", "\\begin{{quotation}}{Q}. \\hfill \\parencite{{solheim2018}}\\end{{quotation}}"),
    "dictum": ("page.tex", "\\dictum[\\cite{{solheim2018}}]{{{Q}.}}"),
    "raggedleft": ("page.tex", "\\begin{{quote}}{Q}.\\\\\n\\raggedleft --- \\citet{{solheim2018}}\\end{{quote}}"),
}


def codes(name: str, text: str, root: Path) -> set[str]:
    kept = artifact(
        title="Delayed mowing and nest survival of lapwings", authors=("Brita Solheim",), year=2018, arxiv_id=None,
        doi=DOI, urls={"abs": f"https://doi.org/{DOI}"}, excerpts=(Excerpt(text=TEXT, location="Abstract"),),
        abstract=TEXT, claim_supported="We tagged lapwings", bibtex="@article{solheim2018,\n  title={Mowing}\n}",
    )  # fmt: skip
    write_artifact(kept, root / "docs/citations", "solheim")
    project = open_project(root, root=root)
    return {each.code for each in asyncio.run(check_text(text, root / name, project=project)) if each.level == "error"}


@pytest.mark.parametrize("form", FORMS)
def test_an_altered_quotation_is_told_and_the_true_one_is_not(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    name, text = FORMS[form]
    assert "quote-altered" not in codes(name, text.format(Q=TRUE), tmp_path)
    assert "quote-altered" in codes(name, text.format(Q=LIE), tmp_path)


def test_a_quotation_beside_the_doi_of_another_work_is_not_held_against_the_artifact(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    text = f"“{LIE}” (https://doi.org/10.1234/other.1 on https://doi.org/{DOI})."
    assert "quote-altered" not in codes("page.md", text, tmp_path)
