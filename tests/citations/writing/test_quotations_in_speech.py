"""Marks that have the citation inside may be of somebody's speech; the work's words in it are compared."""

from __future__ import annotations

import pytest

from tests.citations.writing.test_quotation_marks import CITE, KEY, WORDS
from tests.citations.writing.test_quotations_cut import FALSE, OPEN, TRUE, codes
from tests.citations.writing.test_quotations_cut import project as project
from veritas.citations.writing.project import Project

ROLE = ":cite:p:`baruch2019little`"


def both(text: str, project: Project, name: str) -> tuple[list[str], list[str]]:
    """Return what is told of a text with the work's words in it, and of one with altered words."""
    told = [codes(text.replace("WORDS", WORDS.format(said)), project, name) for said in ("not ", "")]
    return told[0], told[1]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("p.md", f"She told us: “They write ‘WORDS’ {KEY}.”\n"),
        ("p.md", f"“We read ‘WORDS’ {KEY} and laughed,” she said.\n"),
        ("p.md", f"> She said: “They write ‘WORDS’ {KEY}.”\n"),
        ("p.md", f'He wrote: "They write “WORDS” {KEY}, and rightly."\n'),
        ("p.md", f"„Sie schreiben ‚WORDS‘ {KEY}.“\n"),
        ("p.md", "“As @baruch2019little put it, ‘WORDS,’ and so do we,” she said.\n"),
        ("p.rst", f"She told us: “They write ‘WORDS’ {ROLE}.”\n"),
        ("p.tex", f"\\enquote{{The authors cite \\enquote{{WORDS}} {CITE} without comment.}}\n"),
        ("p.tex", f"She said: ``They write `WORDS' {CITE}.''\n"),
    ],
)
def test_marks_inside_of_marks_are_the_quotation_that_the_citation_beside_them_is_for(
    project: Project, name: str, text: str
) -> None:
    assert both(text, project, name) == (TRUE, FALSE)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("p.md", f"They write “WORDS {KEY}.”\n"),
        ("p.md", 'They write "WORDS (see @baruch2019little, p. 3)."\n'),
        ("p.tex", f"They write ``WORDS {CITE}.''\n"),
        ("p.tex", "They write \\enquote{WORDS \\parencite[3]{baruch2019little}.}\n"),
        ("p.rst", f"They write “WORDS {ROLE}.”\n"),
    ],
)
def test_a_citation_inside_the_marks_is_none_of_the_quoted_words(project: Project, name: str, text: str) -> None:
    assert both(text, project, name) == (TRUE, FALSE)


@pytest.mark.parametrize(
    "text",
    [
        f"“They write that WORDS {KEY},” she said.\n",
        f"The item read “Would you say that WORDS {KEY}?”\n",
        f"She said: “It is shown that WORDS {KEY}, which nobody doubts.”\n",
        "Prompt: “Explain why @baruch2019little think that WORDS.”\n",
    ],
)
def test_who_tells_in_speech_what_a_work_says_is_not_accused_of_altering_it(project: Project, text: str) -> None:
    assert both(text, project, "p.md") == (TRUE, OPEN)


@pytest.mark.parametrize(
    "text",
    [
        'Prompt: "Summarise the finding of @baruch2019little in one short sentence."\n',
        f"“I never believed a word of all of that {KEY}, and nobody should,” she said.\n",
    ],
)
def test_speech_that_names_a_work_is_no_quotation_of_it(project: Project, text: str) -> None:
    assert codes(text, project) == TRUE


def test_a_report_inside_the_marks_may_be_the_speakers(project: Project) -> None:
    said = f"“We read ‘WORDS’ and laughed,” she said {KEY}.\n"
    assert both(said, project, "p.md") == (OPEN, FALSE)


def test_words_that_deny_before_the_works_words_in_speech_are_not_passed_over(project: Project) -> None:
    assert codes(f"“They deny that {WORDS.format('not ')} {KEY},” she said.\n", project) == OPEN
