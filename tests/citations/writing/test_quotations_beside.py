"""Quotations that stand beside their citation, and those of which nothing can be told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.citations.artifact_samples import SLUG, artifact
from veritas.citations.artifacts import write_artifact
from veritas.citations.writing.project import Project
from veritas.citations.writing.quoted_words import forms
from veritas.citations.writing.standing import Standing, standing
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


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("page.md", "{} (verbatim from [@baruch2019little]).\n"),
        ("page.md", "They studied it. {} (quoted in [@baruch2019little]).\n"),
        ("page.tex", "\\marginpar{{\\emph{{{}}} \\cite{{baruch2019little}}}}\n"),
    ],
)
def test_words_told_as_quoted_behind_them_or_in_the_margin_are_compared(project: Project, name: str, text: str) -> None:
    assert codes(text.format(QUOTE), project, name) == codes(text.format(OTHER), project, name) == []
    assert codes(text.format(QUOTE.replace("1.5", "2.5")), project, name) == ["quote-altered"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("page.md", "They show it <!-- “{}” --> [@baruch2019little].\n"),
        ("page.tex", "They show it \\cite{{baruch2019little}}. % ``{}''\nMore.\n"),
        ("page.tex", "\\begin{{comment}}\n``{}'' \\cite{{baruch2019little}}\n\\end{{comment}}\nMore.\n"),
        ("page.rst", ".. “{}” :cite:p:`baruch2019little`\n\nMore.\n"),
    ],
)
def test_a_quotation_that_is_not_printed_is_not_judged(project: Project, name: str, text: str) -> None:
    assert codes(text.format(QUOTE.replace("1.5", "2.5")), project, name) == []


def test_a_percent_sign_that_is_printed_hides_no_quotation(project: Project) -> None:
    altered = QUOTE.replace("1.5", "2.5")
    page = f"At 5\\% they say ``{altered}'' \\cite{{baruch2019little}}.\n"
    assert codes(page, project, "page.tex") == ["quote-altered"]


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


ALTERED = QUOTE.replace("1.5", "2.5")
OTHERS = [
    'We replicate [@baruch2019little]. Our press release says “{}”.\n',
    "We replicated [@baruch2019little].\n\n> {}\n\nThis is our main finding.\n",
    'They show it [@baruch2019little].\n\nOur hypothesis: “{}”.\n',
    'A blog misquotes [@baruch2019little] as “{}”. That is false.\n',
    'They are said to write “{}” [@baruch2019little]. That is not true.\n',
    'It would be wrong to say that “{}” [@baruch2019little].\n',
    'Reviewer 2 wants us to write “{}” [@baruch2019little].\n',
    'Is it true that “{}”? No [@baruch2019little].\n',
]


@pytest.mark.parametrize("text", OTHERS)
def test_words_that_are_said_to_be_others_are_unknown_and_never_an_altered_quotation(
    project: Project, text: str
) -> None:
    assert codes(text.format(ALTERED), project) == ["unknown"]


def test_words_of_the_writer_elsewhere_in_the_sentence_excuse_no_altered_quotation(project: Project) -> None:
    for text in ('They write “{}” [@baruch2019little], as our draft says.\n', 'We cite “{}” [@baruch2019little].\n'):
        assert codes(text.format(ALTERED), project) == ["quote-altered"]


def test_a_blank_before_a_percent_sign_and_between_thousands_alters_nothing() -> None:
    source = "We saw 3,418 cores; it fell by 23% (95% CI 17-29) in 62 of them"
    same = ("it fell by 23 % (95 % CI 17–29) in 62", "it fell by 23\u202f% (95\u00a0% CI 17–29)", "We saw 3418 cores",
            "We saw 3 418 cores", "We saw 3\u202f418 cores")  # fmt: skip
    for words in same:
        assert standing(forms(words, "markdown"), [source]) == Standing(True), words
    for words in ("418 cores; it fell", "We saw 3 419 cores", "We saw 34,18 cores", "it fell by 23 (95% CI"):
        assert not standing(forms(words, "markdown"), [source]).found, words


@pytest.mark.parametrize(
    "said",
    ['It takes “1.5 standard deviations” [@baruch2019little].',
     'They need "a perturbation of 1.5" [@baruch2019little].', 'It is “of 12 kinds” [@baruch2019little].',
     'Our survey says “2.5 standard deviations” [@baruch2019little].',
     'It takes “2.5 standard candles” [@baruch2019little].',
     'It takes “2.5 standard deviations” [@baruch2019little; @other2020].'],
)  # fmt: skip
def test_a_figure_that_a_source_has_or_may_have_is_let_through(said: str, project: Project) -> None:
    assert {"unknown", "quote-altered"} & set(codes(f"{said}\n", project)) == set()


@pytest.mark.parametrize(
    "said",
    ['It takes “2.5 standard deviations” [@baruch2019little].', 'It takes "a perturbation of 15" [@baruch2019little].',
     'They find “2.5 standard deviations overall” [@baruch2019little].'],
)  # fmt: skip
def test_an_altered_figure_in_a_few_quoted_words_is_told(said: str, project: Project) -> None:
    assert codes(f"{said}\n", project) == ["unknown"]


ITALIC = [
    ("page.md", "They write: *{}* [@baruch2019little].\n"),
    ("page.md", "In their words, _{}_ [@baruch2019little].\n"),
    ("page.tex", "They state that \\emph{{{}}} \\cite{{baruch2019little}}.\n"),
]


@pytest.mark.parametrize(("name", "text"), ITALIC)
def test_italics_that_are_told_as_a_quotation_are_held_against_the_source(
    name: str, text: str, project: Project
) -> None:
    assert codes(text.format(QUOTE), project, name) == []
    assert codes(text.format(QUOTE.replace("suffices", "never suffices")), project, name) == ["quote-altered"]
    assert codes(text.format(OTHER), project, name) == []


def test_other_italics_are_the_writers_own(project: Project) -> None:
    said = f"We stress *{QUOTE.replace('suffices', 'never suffices')}* [@baruch2019little].\n"
    assert codes(said, project) == []
