"""The main aim, test, result and conclusion of a paper, and what is said where one is missing."""

from __future__ import annotations

from datetime import date

import pytest

from veritas.documents.document import Document, document_id
from veritas.documents.paper_parts import MainStatement
from veritas.papers.extraction.main_statements import main_statements
from veritas.papers.reading.paper_text import paper_of

TITLE = "# Dry pumps in clean rooms\n\n"
INTRODUCTION = (
    "## Introduction\n\nPumps have long been oiled in most clean rooms of the world. Earlier reports described the cost"
    " of the oil at some length. The aim of this study was to determine whether dry pumps last longer than oiled"
    " pumps.\n\n"
)
METHODS = (
    "## Methods\n\nWe observed 120 pumps in twelve rooms for two years and recorded each failure. Lifetimes of the two"
    " arms were compared with a log-rank test.\n\n"
)
RESULTS = (
    "## Results\n\nThe rooms were warmer than we had expected them to be. Dry pumps lasted significantly longer than"
    " oiled pumps, 15.2 against 11.8 months.\n\n"
)
LIMITATION = (
    "However, a limitation of the study is that the rooms were few and could not be chosen at random. Further studies"
    " are needed to see whether the result holds in other rooms."
)
DISCUSSION = (
    "## Discussion\n\nIn conclusion, these results show that dry pumps outlast oiled pumps in clean rooms. "
    + LIMITATION
)


def told(text: str) -> dict[str, MainStatement]:
    document = Document(
        document_id=document_id(text), url="corpus://paper/pumps.md", title="Dry pumps in clean rooms", text=text,
        media_type="text/markdown", fetched_at=date(2026, 1, 1),
    )  # fmt: skip
    paper = paper_of(document, asked="pumps.md", how="file")
    found = main_statements(paper)
    assert [each.kind for each in found] == ["aim", "test", "result", "conclusion"]
    for each in found:
        if each.place is not None:
            assert " ".join(text[each.place.start : each.place.end].split()) == each.text
    return {each.kind: each for each in found}


def test_each_main_statement_is_the_papers_own_sentence() -> None:
    found = told(TITLE + INTRODUCTION + METHODS + RESULTS + DISCUSSION)
    assert found["aim"].text.startswith("The aim of this study was to determine")
    assert "log-rank test" in found["test"].text
    assert found["result"].text.startswith("Dry pumps lasted significantly longer")
    assert found["conclusion"].text.startswith("In conclusion, these results show")


@pytest.mark.parametrize("left", ["Further studies are needed", "Therefore, further evidence is needed"])
def test_a_limitation_and_what_is_left_to_further_studies_are_no_conclusion(left: str) -> None:
    limitation = LIMITATION.replace("Further studies are needed", left)
    found = told(TITLE + INTRODUCTION + METHODS + RESULTS + "## Discussion\n\n" + limitation)
    assert not found["conclusion"].found
    assert found["conclusion"].why == "not found; looked in abstract, discussion and conclusion"


@pytest.mark.parametrize(
    "aside",
    [
        "Therefore, a prospective validation study on other rooms should be conducted.",
        "The formulations were written by me, and the translations were thus also done by me.",
        "To our knowledge, our results indicate that our study is the first to rigorously evaluate dry pumps.",
    ],
)
def test_plans_notes_on_tools_and_claims_to_be_the_first_are_no_conclusions(aside: str) -> None:
    assert not told(TITLE + INTRODUCTION + METHODS + RESULTS + "## Discussion\n\n" + aside)["conclusion"].found


def test_the_headed_conclusion_of_the_abstract_comes_first() -> None:
    headed = "Dry pumps are feasible in rooms of the usual kind and save oil."
    abstract = (
        "## Abstract\n\n### Background\n\nPumps have long been oiled in most rooms.\n\n### Results\n\nDry pumps lasted"
        f" longer, 15.2 against 11.8 months.\n\n### Conclusions\n\n{headed} However, this suggests nothing of cold"
        " rooms.\n\n"
    )
    rest = INTRODUCTION + METHODS + RESULTS + DISCUSSION
    assert told(TITLE + abstract + rest)["conclusion"].text == headed
    plain = abstract.replace("### Conclusions\n\n", "")
    assert told(TITLE + plain + rest)["conclusion"].text != headed


def test_a_paper_that_states_no_aim_is_said_to_have_none() -> None:
    bare = INTRODUCTION.replace(
        "The aim of this study was to determine whether dry pumps last longer than oiled pumps.",
        "Oil is known to creep into the air of such rooms within a few weeks of use.",
    )
    found = told(TITLE + bare + METHODS + RESULTS + DISCUSSION)
    assert (found["aim"].text, found["aim"].place) == ("", None)
    assert found["aim"].why == "not found; looked in abstract and introduction"
