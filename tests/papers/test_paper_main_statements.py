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
    end = "## Conclusion\n\nIn conclusion, these results show that dry pumps are the better pumps for clean rooms."
    found = told(TITLE + INTRODUCTION + METHODS + RESULTS + end)
    assert found["aim"].text.startswith("The aim of this study was to determine")
    assert not found["test"].found  # no sentence of the methods is surely about the aim
    assert found["result"].text.startswith("Dry pumps lasted significantly longer")
    assert found["conclusion"].text.startswith("In conclusion, these results show")


@pytest.mark.parametrize("left", ["Further studies are needed", "Therefore, further evidence is needed"])
def test_a_limitation_and_what_is_left_to_further_studies_are_no_conclusion(left: str) -> None:
    limitation = LIMITATION.replace("Further studies are needed", left)
    found = told(TITLE + INTRODUCTION + METHODS + RESULTS + "## Discussion\n\n" + limitation)
    assert not found["conclusion"].found
    assert found["conclusion"].why == "not found; looked in abstract, discussion and conclusion"


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


AIM = "The aim of this study was to determine whether dry pumps last longer than oiled pumps."


ABSTRACT = (
    "## Abstract\n\nPumps have long been oiled in most rooms of the world. Here we compare the lifetimes of dry pumps"
    " and of oiled pumps. Dry pumps lasted significantly longer, 15.2 against 11.8 months. {end}\n\n"
)
SAID = "Dry pumps are therefore a sound choice for rooms of the usual kind."


@pytest.mark.parametrize(
    "left",
    [
        "Larger trials are urgently needed to optimise the pumps of cold rooms.",
        "Please see later in the article for the summary of the editors of this journal.",
        "All readings, drawings and source code are publicly available as a record of the rooms.",
    ],
)
def test_an_abstract_concludes_before_what_is_left_and_what_is_available(left: str) -> None:
    rest = INTRODUCTION + METHODS + RESULTS
    assert told(TITLE + ABSTRACT.format(end=f"{SAID} {left}") + rest)["conclusion"].text == SAID
    assert told(TITLE + ABSTRACT.format(end=SAID) + rest)["conclusion"].text == SAID


def test_a_conclusion_before_a_wish_for_further_work_in_the_same_sentence_is_one() -> None:
    both = "Dry pumps appear safe and durable in rooms of the usual kind, but larger trials are needed in cold rooms."
    rest = INTRODUCTION + METHODS + RESULTS
    assert told(TITLE + ABSTRACT.format(end=both) + rest)["conclusion"].text == both


HEADED = (
    "## Abstract\n\n### Background\n\nPumps have long been oiled in most rooms. {aim}\n\n### Methods\n\nPumps were"
    " observed in twelve rooms. {method}\n\n### Results\n\n{results}\n\n### Conclusions\n\n{end}\n\n"
)
ASKED = "This study was aimed to assess the sensitivity of the oil test for the failure of pumps in rooms."
COMPUTED = "Data were analyzed using SPSS version 20 statistical software."


def headed(**parts: str) -> str:
    whole = {"aim": ASKED, "method": COMPUTED, "results": "", "end": "The oil test is fit for rooms of the usual kind."}
    return TITLE + HEADED.format(**{**whole, **parts}) + "## Introduction\n\nPumps have long been oiled in rooms.\n\n"


def test_a_conclusion_is_read_and_no_result_stands_for_it() -> None:
    end = "The relation of oil and failure in a record of pumps which were of ten years failed to reach significance."
    results = (
        "There were 35.7% who used less than 7 litres of oil on most days. In adjusted regression the odds ratio of"
        " failure for pumps with little oil was 1.00 [95% CI: 0.83, 1.21; p = .98]."
    )
    found = told(headed(end=end, results=results, aim="We asked whether the failure of pumps goes with little oil."))
    assert found["conclusion"].text == end
    assert found["result"].text.startswith("In adjusted regression the odds ratio")


def test_the_main_result_is_what_was_asked_for_and_no_aside_of_the_results() -> None:
    answers = (
        "The sensitivity and specificity of the oil test for failure were 93.8% (95% CI = 87.1%–100%) and 87.9% (95%"
        " CI = 79.7%–96.1%), while the predictive values were 86.4% (95% CI = 77.2%–95.5%) and 94.6% (95% CI ="
        " 88.7%–100%)."
    )
    aside = "Rural residence of owners was significantly associated with rust (AOR = 0.43, CI = 0.02–0.83)."
    found = told(headed(results=answers) + f"## Results\n\n{aside}\n\n")
    assert found["result"].text == answers
    assert not told(headed(results="Rooms were kept at 20 degrees.") + f"## Results\n\n{aside}\n\n")["result"].found


SHORT = (
    "# Text messages and smoking\n\n## Abstract\n\nSmoking is a leading cause of death in most countries. By intention"
    " to treat 38 of 80 (47.5%) against 25 of 80 (31.2%) were abstinent.\n\n## Results\n\nMore smokers of the messages"
    " group were abstinent after six months (p = .035).\n\n"
    + METHODS
)


def test_a_lone_short_conclusion_is_the_main_one_and_a_filler_is_none() -> None:
    assert told(SHORT + "## Conclusion\n\nText messages increased abstinence.")["conclusion"].text == (
        "Text messages increased abstinence."
    )
    assert told(SHORT + "## Discussion\n\nOthers agree.")["conclusion"].text != "Others agree."


def test_a_section_of_a_labelled_abstract_that_is_no_part_holds_no_main_statement() -> None:
    ethics = "## Ethics and dissemination\n\nThese results show what will be published in a journal of pumps.\n\n"
    assert "published" not in told(headed(end="") + ethics)["conclusion"].text


def test_labels_without_a_mark_are_labels_where_an_abstract_has_them_throughout() -> None:
    abstract = (
        "Background Oil is costly in rooms. Methods 120 pumps of twelve rooms were watched for two years."
        " Results Dry pumps lasted significantly longer than oiled pumps did. Conclusions Dry pumps are better."
    )
    document = told(TITLE + "## Abstract\n\n" + abstract + "\n\n" + INTRODUCTION)
    assert document["test"].text.startswith("120 pumps")
    assert document["result"].text.startswith("Dry pumps lasted")
