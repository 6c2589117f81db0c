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
        ("non-significant (p = 0.31) after adjustment for age and sex", TRUE),
        ("treatment in this population, and cost", OPEN),
        ("treatment in this population, and cost-benefit", TRUE),
        ("5 points was non-significant (p = 0.31)", FALSE),
        ("1.5 points was non-significant (p = 0.31)", TRUE),
        ("points was non-significant (p = 0.3", FALSE),
        ("0.5 change in the pain score", FALSE),
        ("-0.5 change in the pain score", TRUE),
        ("−0.5 change in the pain score", TRUE),
        ("500 per patient in the intervention arm", FALSE),
        ("1,500 per patient in the intervention arm", OPEN),
        ("$1,500 per patient in the intervention arm", TRUE),
        ("204 adults aged 65 or older", FALSE),
        ("likely that statins cause muscle pain […] at 20 mg daily", FALSE),
        ("unlikely that statins cause muscle pain […] at 20 mg daily", TRUE),
        ("recommend routine withdrawal of treatment in this population", OPEN),
        ("do not recommend routine withdrawal of treatment in this population", TRUE),
        ("statins cause muscle pain in older adults", OPEN),
    ],
)
def test_a_cut_inside_a_word_a_figure_or_a_denial_is_no_quotation(
    project: Project, quoted: str, expected: list[str]
) -> None:
    assert codes(f'They say "{quoted}" [@baruch2019little].\n', project) == expected


@pytest.mark.parametrize("said", ["It is not so that", "Few doubt, and none deny, that", "They find it unlikely that"])
def test_who_denies_it_beside_the_quotation_hides_nothing(project: Project, said: str) -> None:
    quoted = '"statins cause muscle pain in older adults at 20 mg daily"'
    assert codes(f"{said} {quoted} [@baruch2019little].\n", project) == TRUE
    assert codes(f"They find that {quoted} [@baruch2019little].\n", project) == OPEN


@pytest.mark.parametrize(
    ("quoted", "expected"),
    [
        ("Statins as prescribed […] increase the rate of muscle pain", OPEN),
        ("Statins as prescribed ... increase the rate of muscle pain", OPEN),
        ("Statins as prescribed […] did not increase the rate of muscle pain", TRUE),
        ("Patients who stopped the drug early […] reported a -0.5 change", TRUE),
        ("We enrolled 1,204 adults […] in the intervention arm of the trial", OPEN),
        ("We enrolled 1,204 adults […] The cost was $1,500 per patient", TRUE),
        ("Statins as prescribed […] The cost was $1,500 per patient", OPEN),
    ],
)
def test_what_is_left_out_may_hide_a_denial(project: Project, quoted: str, expected: list[str]) -> None:
    assert codes(f'They say "{quoted}" [@baruch2019little].\n', project) == expected


@pytest.mark.parametrize(
    ("quoted", "expected"),
    [
        ("[It is certain that] statins as prescribed in the participating general practices", OPEN),
        ("[Nobody thinks that] statins as prescribed in the participating general practices", OPEN),
        ("[These] statins as prescribed in the participating general practices", TRUE),
        ("[5,000] adults aged 65 or older", OPEN),
        ("[The] adults aged 65 or older", TRUE),
        ("was non-significant (p = 0.31) after adjustment [never]", FALSE),
        ("was non-significant (p = 0.31) after adjustment [who smoke heavily]", OPEN),
        ("was non-significant (p = 0.31) after adjustment [for age]", TRUE),
        ("It is unlikely that [ibuprofen] cause muscle pain in older adults", OPEN),
        ("It is unlikely that [the statins] cause muscle pain in older adults", TRUE),
        ("It is [quite clear] that statins cause muscle pain in older adults", OPEN),
        ("It [has been established] that statins cause muscle pain in older adults", OPEN),
        ("It [was] unlikely that statins cause[d] muscle pain in older adults", TRUE),
        ("Patients who stop[] the drug early", TRUE),
        ("This harm[] drug is well tolerated by most", FALSE),
        ("[We] do not recommend routine withdrawal of treatment", TRUE),
        ("[The authors] do not recommend routine withdrawal of treatment", TRUE),
        ("[w]e do not recommend routine withdrawal of treatment", TRUE),
        ("[w]e do recommend routine withdrawal of treatment", FALSE),
    ],
)
def test_words_in_brackets_say_nothing_of_their_own(project: Project, quoted: str, expected: list[str]) -> None:
    assert codes(f'They say "{quoted}" [@baruch2019little].\n', project) == expected


RIGHT = [
    ("p.tex", "They say \"`We do {}recommend routine withdrawal of treatment\"' \\cite{{baruch2019little}}.\n"),
    ("p.tex", "They say ``We do {}recommend rou\\-tine \\emph{{withdrawal}} of'' \\cite{{baruch2019little}}.\n"),
    ("p.md", "> We do {}recommend routine withdrawal of treatment\n>\n> — Vogel [@baruch2019little]\n"),
    ("p.md", "> We do {}recommend routine withdrawal of treatment\n> — Vogel and Osei [@baruch2019little]\n"),
    ("p.md", 'They say "We do {}recommend rou-\ntine withdrawal of treatment" [@baruch2019little].\n'),
    ("p.md", 'They say "We do {}recom\u00admend routine withdrawal of treatment" [@baruch2019little].\n'),
    ("p.md", 'They say "We do {}recommend routine [withdrawal of treatment](x.md)" [@baruch2019little].\n'),
    ("p.md", "They say “We do {}recommend ‘routine’ withdrawal of treatment” [@baruch2019little].\n"),
    ("p.md", "They say \"We 'do {}recommend' routine withdrawal of treatment\" [@baruch2019little].\n"),
    ("p.rst", 'They say "We do {}recommend *routine* withdrawal\\ of treatment" :cite:`baruch2019little`.\n'),
]


@pytest.mark.parametrize(("name", "text"), RIGHT)
def test_markup_inside_a_quotation_alters_nothing(project: Project, name: str, text: str) -> None:
    assert codes(text.format("not "), project, name) == TRUE
    assert codes(text.format(""), project, name) == FALSE


FIGURES = [
    ("p.tex", "They say ``The difference of $1.5$ points was non-significant ($p={}$)'' \\cite{{baruch2019little}}.\n"),
    ("p.md", 'They say "The difference of 1.5 points was non-significant ($p = {}$)" [@baruch2019little].\n'),
    ("p.md", 'They say "1.5&nbsp;points was non-significant (p&nbsp;=&nbsp;{})" [@baruch2019little].\n'),
    ("p.md", 'They say "1.5 points was non-signi\ufb01cant (p = {})" [@baruch2019little].\n'),
    ("p.rst", 'They say "1.5 points was non-significant (:math:`p = {}`)" :cite:`baruch2019little`.\n'),
]


@pytest.mark.parametrize(("name", "text"), FIGURES)
def test_figures_are_compared_however_they_are_set(project: Project, name: str, text: str) -> None:
    assert codes(text.format("0.31"), project, name) == TRUE
    assert codes(text.format("0.01"), project, name) == FALSE


@pytest.mark.parametrize(
    ("name", "quoted"),
    [
        ("p.tex", "``The cost was \\$1,500 per~patient in the intervention arm''"),
        ("p.tex", "``We enrolled 1{,}204 adults aged 65 or older''"),
        ("p.tex", "``reported a $-0.5$ change in the pain score''"),
        ("p.tex", "``{\\em We enrolled} \\textbf{1,204 \\textit{adults}} aged 65''"),
        ("p.md", '"The cost was \\$1,500 per patient in the intervention arm"'),
    ],
)
def test_signs_that_a_text_escapes_are_those_of_the_work(project: Project, name: str, quoted: str) -> None:
    mark = "\\cite{baruch2019little}" if name == "p.tex" else "[@baruch2019little]"
    assert codes(f"They say {quoted} {mark}.\n", project, name) == TRUE
    assert codes(f"They say {quoted.replace('0', '7')} {mark}.\n".replace("2719", "2019"), project, name) == FALSE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f'See "{TITLE}" [@baruch2019little].\n', TRUE),
        ('In contrast to "Statins and muscle pain in older adults at home", see [@baruch2019little].\n', OPEN),
        ('While the label says "We recommend withdrawal of treatment in this population", '
         "the trial disagrees [@baruch2019little].\n", OPEN),
        ('The "do recommend routine withdrawal of therapy" reading is wrong [@baruch2019little].\n', OPEN),
        ('They say "We recommend withdrawal of treatment in this population" [@baruch2019little].\n', FALSE),
        ('"We recommend withdrawal of treatment in this population", they say [@baruch2019little].\n', FALSE),
        ('Vogel [@baruch2019little] says "We recommend withdrawal of treatment in this population".\n', FALSE),
    ],
)  # fmt: skip
def test_words_of_another_work_in_the_same_sentence_accuse_nobody(
    project: Project, text: str, expected: list[str]
) -> None:
    assert codes(text, project) == expected
