"""All words of a statement may stand in a sentence that says them of other things."""

from __future__ import annotations

import pytest

from veritas.factcheck.roles import astray
from veritas.meaning.embedded.claim_evidence import Statement

BACKENDS = "ArviZ supports three plotting backends: Matplotlib, Bokeh, and plotly."
RATIO = "Zstd can also offer stronger compression ratios at the cost of compression speed."
ENTROPY = "It is backed by a very fast entropy stage, provided by Huff0 and FSE library."
EINSUM = "For the linear algebra, using einsum resulted in a 4x speed improvement over loops."
COMPILED = "We use mypyc to compile Black into a C Python extension, usually doubling performance."
TRADE = "LZ4_HC is a derivative, trading CPU time for improved compression ratio."
ROW = "hypergrep\thgrep -n -w x\t536\t0.167s (2.04x)"


def _why(claim: str, sentence: str, page: str = "", title: str = "") -> str:
    return astray(Statement(claim), [Statement(sentence)], page or sentence, title)


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Matplotlib supports three plotting backends: ArviZ, Bokeh and plotly.", BACKENDS),
        ("Zstd offers stronger compression speed at the cost of compression ratio.", RATIO),
        ("It is backed by an entropy stage, which provides the Huff0 and FSE library.", ENTROPY),
        ("Using loops instead of einsum resulted in a 4x speed improvement.", EINSUM),
        ("LZ4_HC trades compression ratio for improved CPU time.", TRADE),
        ("mypyc uses Black to compile projects into a C extension, usually doubling performance.", COMPILED),
    ],
)
def test_exchanged_roles_are_seen(claim: str, sentence: str) -> None:
    assert _why(claim, sentence)


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("ArviZ supports the plotting backends Bokeh, plotly and Matplotlib.", BACKENDS),
        ("Zstd offers stronger compression ratios at the cost of speed.", RATIO),
        ("It is backed by an entropy stage that Huff0 and FSE provide.", ENTROPY),
        ("Using einsum instead of loops resulted in a 4x speed improvement.", EINSUM),
        ("LZ4_HC trades CPU time for an improved compression ratio.", TRADE),
        ("In 2020, sales in Spain rose.", "Sales rose in Spain in 2020."),
        ("Huff0 and FSE provide the entropy stage.", "The entropy stage is provided by Huff0 and FSE."),
    ],
)
def test_the_same_roles_in_other_words_are_not(claim: str, sentence: str) -> None:
    assert not _why(claim, sentence)


def test_a_row_says_its_figure_of_its_first_cell() -> None:
    page = f"{ROW}\nugrep\tugrep -r -w x\t536\t0.639s (7.82x)"
    assert "ugrep" in _why("In the benchmark, ugrep took 0.167 seconds.", ROW, page)
    assert not _why("In the benchmark, hypergrep took 0.167 seconds.", ROW, page)


def test_a_subject_that_stands_elsewhere_on_the_page_is_not_the_sentences() -> None:
    page = "Black is compiled with mypyc. Running it on PyPy is possible."
    assert "PyPy" in _why("PyPy is compiled with mypyc.", "Black is compiled with mypyc.", page)
    assert not _why("Black is compiled with mypyc.", "Black is compiled with mypyc.", page)


def test_a_pronoun_and_the_pages_own_subject_need_no_name() -> None:
    page = "Gentoo penguins are large. They weigh 5076 g."
    assert not _why("Gentoo penguins weigh 5076 g.", "They weigh 5076 g.", page)
    assert not _why("PyMC is written in Python.", "The library is written in Python.", "PyMC …", "PyMC: a library")


def test_a_verb_of_saying_and_a_noun_of_the_same_letters_turn_nothing_over() -> None:
    assert not _why("Rask says clover costs him forty euros.", "“Clover costs me forty euros,” says Rask.")
    assert not _why("In March, 72 % of the adults polled were for meals.", "In a poll by adults, 72 % wanted meals.")


def test_the_subject_of_a_figure_is_named_where_the_figure_stands() -> None:
    figures = "The redesigned ArviZ already has 37 plots, 10 more than the 0.x versions."
    near = [Statement(figures), Statement("PyMC uses it.")]
    page = f"{figures} PyMC uses it."
    assert "PyMC" in astray(Statement("PyMC offers 37 plots, 10 more than ArviZ."), near, page, "")
    assert not astray(Statement("ArviZ offers 37 plots, 10 more than before."), near, page, "")
