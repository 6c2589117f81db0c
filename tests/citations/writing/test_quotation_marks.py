"""An altered quotation is found by whatever marks it is set, and wherever its citation stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.citations.writing.test_quotations_cut import FALSE, OPEN, TEXT, TRUE, codes
from tests.citations.writing.test_quotations_cut import project as project
from veritas.citations.writing.project import Project
from veritas.citations.writing.quoted_words import forms

KEY, CITE = "[@baruch2019little]", "\\cite{baruch2019little}"
PARAPHRASE = "we do not recommend any routine withdrawal of treatment"
WORDS = "We do {}recommend routine withdrawal of treatment in this population"

MARKED = [
    *(("p.md", f"They say {opened}WORDS{closed} {KEY}.\n") for opened, closed in (
        ('"', '"'), ("„", "“"), ("„", "”"), ("„", '"'), ("”", "”"), ("「", "」"), ("＂", "＂"), ("″", "″"), ("❝", "❞"),
        ("«", "»"), ("&quot;", "&quot;"), ("&ldquo;", "&rdquo;"), ('\\"', '\\"'), ("<q>", "</q>"),
    )),
    *(("p.tex", f"They say {opened}WORDS{closed} {CITE}.\n") for opened, closed in (
        ("``", "''"), ("\"`", "\"'"), ("\\say{", "}"), ("\\glqq ", "\\grqq{}"), ("\\og ", "\\fg{}"),
        ("\\textquotedblleft ", "\\textquotedblright"), ("\\enquote{", "}"), ("\\textquote{", "}"),
    )),
    ("p.tex", "They say \\textcquote{baruch2019little}{WORDS}.\n"),
    ("p.tex", "\\epigraph{WORDS}{" + CITE + "}\n"),
    ("p.md", f"They say {KEY}\n\n<blockquote>WORDS</blockquote>\n"),
    ("p.md", f'They say "WORDS".[^1]\n\n[^1]: See {KEY}.\n'),
    ("p.md", f'They say "WORDS."[^1] More.\n\n[^1]: {KEY}, p. 3.\n'),
    ("p.md", f'They write "WORDS". It is in the trial {KEY}.\n'),
    *(("p.tex", f"{quoted}\n") for quoted in (
        "\\textquote[{\\cite[4]{baruch2019little}}]{WORDS}", "\\blockquote[{\\cite[4]{baruch2019little}}][.]{WORDS}",
        "\\foreigntextquote{english}[{\\parencite[see][4]{baruch2019little}}]{WORDS}",
        "\\begin{displayquote}[{\\cite[4]{baruch2019little}}]\nWORDS.\n\\end{displayquote}",
        "\\textcquote{baruch2019little}{WORDS\\textelp{}}",
    )),
    *(("p.md", f"They say: {opened}WORDS{closed} {KEY}.\n") for opened, closed in (
        ("*", "*"), ("**", "**"), ("***", "***"), ("__", "__"), ("==", "=="), ("<em>", "</em>"),
        ("<b><i>", "</i></b>"),
    )),
    ("p.tex", f"Their words: \\textbf{{\\emph{{WORDS}}}} {CITE}.\n"),
    ("p.tex", f"They say: {{\\itshape WORDS}} {CITE}.\n"),
    ("p.rst", "They say: **WORDS** :cite:p:`baruch2019little`.\n"),
    ("p.md", f":::{{epigraph}}\n:class: wide\nWORDS.\n-- {KEY}\n:::\n"),
    ("p.md", "```{pull-quote}\nWORDS.\n-- {cite:t}`baruch2019little`\n```\n"),
    ("p.md", f"::: {{.blockquote}}\nWORDS.\n\n--- {KEY}\n:::\n"),
    ("p.rst", ".. epigraph::\n\n   WORDS.\n   -- :cite:t:`baruch2019little`\n"),
    ("p.md", f"| WORDS\n|   --- {KEY}\n"),
    ("p.rst", "| WORDS\n| -- :cite:t:`baruch2019little`\n"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text"), MARKED)
def test_an_altered_quotation_is_found_by_its_marks(project: Project, name: str, text: str) -> None:
    assert codes(text.replace("WORDS", WORDS.format("not ")), project, name) == TRUE
    assert codes(text.replace("WORDS", WORDS.format("")), project, name) == FALSE


@pytest.mark.parametrize("emphasised", ["\\enquote{%s}", "\\textquote{%s}", "``%s''", "\\say{%s}"])
def test_a_command_inside_a_quotation_does_not_hide_it(project: Project, emphasised: str) -> None:
    for said, expected in ((WORDS.format("not "), TRUE), (WORDS.format(""), FALSE)):
        words = said.replace("routine", "\\emph{routine \\textbf{withdrawal}}").replace("}} withdrawal", "}}")
        assert codes(f"They say {emphasised % words} {CITE}.\n", project, "p.tex") == expected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("p.md", f"They say that **WORDS** {KEY}.\n"),
        ("p.md", f"**WORDS** {KEY}.\n"),
        ("p.md", f"| Finding | Source |\n| --- | --- |\n| WORDS | {KEY} |\n"),
        ("p.md", f"::: {{.callout-note}}\nWORDS.\n{KEY}\n:::\n"),
        ("p.rst", ".. note::\n\n   WORDS.\n   See :cite:t:`baruch2019little`.\n"),
    ],
)
def test_a_paraphrase_that_is_stressed_or_set_apart_is_no_quotation(project: Project, name: str, text: str) -> None:
    assert codes(text.replace("WORDS", PARAPHRASE), project, name) == TRUE


DOCUMENTED = [
    ("p.py", f'"""They write "WORDS" {KEY}."""\n'),
    ("p.py", f"def f():\n    r'''Do it.\n\n    They write “WORDS” {KEY}.\n    '''\n"),
    ("p.jl", f'"""\n    f(x)\n\nThey write “WORDS” {KEY}.\n"""\nf(x) = x\n'),
]


@pytest.mark.parametrize(("name", "text"), DOCUMENTED)
def test_a_quotation_in_a_documentation_string_is_compared(
    project: Project, tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / "refs.bib").write_text("@article{baruch2019little, title={A}, author={Baruch, E.}, year={2019}}\n")
    assert codes(text.replace("WORDS", WORDS.format("not ")), project, name) == TRUE
    assert codes(text.replace("WORDS", WORDS.format("")), project, name) == FALSE
    assert codes(text.replace("“WORDS”", PARAPHRASE).replace('"WORDS"', PARAPHRASE), project, name) == TRUE


def test_a_long_quotation_and_a_long_paragraph_are_compared(project: Project) -> None:
    start = TEXT[:420]
    assert codes(f'They say "{start}" {KEY}.\n', project) == TRUE
    assert codes(f'They say "{start.replace("non-significant", "significant")}" {KEY}.\n', project) == FALSE
    filler = "Filler words go here today. "
    said = f'They say "{WORDS.format("")}" {KEY}.\n'
    assert codes(filler * 300 + said, project) == FALSE
    assert codes(filler * 900 + said, project) == OPEN  # not read, and told so
    assert codes(filler * 900 + f"It is so {KEY}.\n", project) == TRUE


def test_a_footnote_that_cites_another_work_too_accuses_nobody(project: Project, tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text("@article{other2020, title={Another}, author={Other, O.}, year={2020}}\n")
    found = codes(f'They say "{WORDS.format("")}".[^1]\n\n[^1]: See {KEY} and [@other2020].\n', project)
    assert "quote-altered" not in found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("p.tex", "They say ``WORDS (emphasis added)'' CITE.\n"),
        ("p.md", 'They say "WORDS [italics in original]" CITE.\n'),
        ("p.tex", "They say ``\\index{trial}WORDS\\label{q:1}'' CITE.\n"),
        ("p.tex", "They say ``WORDS\\footnote{In the abstract.}'' CITE.\n"),
    ],
)
def test_what_is_not_printed_in_a_quotation_or_is_said_of_its_letters_makes_no_difference(
    project: Project, name: str, text: str
) -> None:
    text = text.replace("CITE", KEY if name == "p.md" else CITE)
    assert codes(text.replace("WORDS", WORDS.format("not ")), project, name) == TRUE
    assert codes(text.replace("WORDS", WORDS.format("")), project, name) == FALSE


def test_a_break_of_verse_and_a_quantity_are_read(project: Project) -> None:
    for said, expected in ((WORDS.format("not "), TRUE), (WORDS.format(""), FALSE)):
        assert codes(f'They say "{said.replace(" withdrawal", " / withdrawal")}" {KEY}.\n', project) == expected
    assert forms("from \\SI{31}{\\percent} to \\qty{4}{kg}", "latex")[0] == "from 31% to 4 kg"
