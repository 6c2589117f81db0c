"""A claim that is a sentence of its source with words left out says more than the source where they bound it: at the
embedded lens behind the floor, as `cite` and `verify` ask it, and in the check of a text."""

from __future__ import annotations

from datetime import date

import pytest

from veritas.documents.document import Document
from veritas.factcheck.judging import judge
from veritas.factcheck.pages import read_page
from veritas.meaning.floor import Standing, floor
from veritas.meaning.strict import stop, strict_lens

LEFT_OUT = {
    "head": ("Lack of sleep raises the risk of diabetes.", "Sleep raises the risk of diabetes."),
    "critics": ("Critics of the operator welcomed the new timetable.", "The operator welcomed the new timetable."),
    "threat": ("The threat of a strike closed the port for two days.", "A strike closed the port for two days."),
    "plan": ("The plan to close the Falun line was dropped in 2018.", "The Falun line was dropped in 2018."),
    "office": ("The acting director of the museum was arrested.", "The director of the museum was arrested."),
    "half": ("Half of the wells are contaminated with arsenic.", "The wells are contaminated with arsenic."),
    "who": ("Cyclists who wear helmets have a lower risk of injury.", "Cyclists have a lower risk of injury."),
    "ignored": ("By default, ripgrep won't search files ignored by git.", "ripgrep won't search files."),
    "staying": ("Guests staying more than three nights get free breakfast.", "Guests get free breakfast."),
    "when": ("The cache is shared when the shared option is enabled.", "The cache is shared."),
    "except": ("All buses run on Sundays except the night lines.", "All buses run on Sundays."),
    "vote": ("The council voted against a proposal to ban cars.", "The council voted to ban cars."),
    "preposition": ("Gains are largest in the first few hours.", "Gains are largest after the first few hours."),
    "other clause": (
        "The minor number is bumped for breaking changes, and the patch number is bumped for bug fixes.",
        "The minor number is bumped for bug fixes.",
    ),
    "latter": (
        "The former is better for single files and the latter is better for large directories.",
        "The former is better for large directories and the latter is better for single files.",
    ),
    "groups": (
        "States with helmet laws have fewer deaths than states without helmet laws.",
        "States without helmet laws have fewer deaths than states with helmet laws.",
    ),
}  # fmt: skip
SAID = {
    "head": ("Lack of sleep raises the risk of diabetes.", "Lack of sleep raises the risk of diabetes."),
    "group": ("A group of engineers built the bridge in 1911.", "Engineers built the bridge in 1911."),
    "city": ("The city of Falun was founded in 1641.", "Falun was founded in 1641."),
    "wearing": ("Cyclists who wear helmets have a lower risk of injury.",
                "Cyclists wearing helmets have a lower risk of injury."),
    "aside": ("The bridge, which cost 40 million euros, opened in May 2011.", "The bridge opened in May 2011."),
    "reason": ("The river floods the valley every spring because the snow melts.",
               "The river floods the valley every spring."),
    "remark": ("The risk is highest in August, when the grass is dry.", "The risk is highest in August."),
    "found": ("Researchers found that walking lowers blood pressure.", "Walking lowers blood pressure."),
    "clause": ("The ministry funds the tunnels while the county funds the stations.", "The county funds the stations."),
    "patch": (
        "The minor number is bumped for breaking changes, and the patch number is bumped for bug fixes.",
        "The patch number is bumped for bug fixes.",
    ),
}  # fmt: skip


def verdict(source: str, claim: str) -> str:
    url = "https://example.org/p"
    page = Document(document_id="p", url=url, title="A page", text=source, fetched_at=date(2024, 1, 1))
    return judge(claim, read_page(page)).verdict


@pytest.mark.parametrize("kind", LEFT_OUT)
async def test_what_bounds_a_sentence_is_missed_at_every_door(kind: str) -> None:
    source, claim = LEFT_OUT[kind]
    assert floor(claim, [source]).step != "pass"
    assert stop(claim, [Standing(source)]) is not None
    assert (await strict_lens().judge(claim, source)).label != "supports"
    assert verdict(source, claim) != "supported"


@pytest.mark.parametrize("kind", SAID)
async def test_what_may_be_left_out_is_not(kind: str) -> None:
    source, claim = SAID[kind]
    assert (await strict_lens().judge(claim, source)).label == "supports"
    assert verdict(source, claim) == "supported"


SENTENCE = "Norvik Bank froze all savings accounts on 3 May 2024."
PRETENDED = [
    f"You searched for: {SENTENCE} No results were found.",
    f"Results for “{SENTENCE}” Your search did not match any documents.",
    f"True or false? {SENTENCE} Answer: false.",
    f"What happened in May 2024? (a) {SENTENCE} (b) The bank was sold. Correct answer: (b).",
    f"This is a satirical article. {SENTENCE}",
    f"Suppose the following. {SENTENCE} How should the regulator react?",
    f"Suppose that {SENTENCE} How should the regulator react?",
    f"In the scenario, {SENTENCE} The exercise tests the staff.",
    f"{SENTENCE} Customers queued. The branch was shut. Staff stayed at home. The minister was silent. Correction: an "
    "earlier version of this article said that accounts were frozen. They were not.",
]
MEANT = [
    f"The search of the premises began at noon. {SENTENCE} No further results were announced.",
    f"The quiz night was called off. {SENTENCE}",
    f"Why did customers queue? Answer: {SENTENCE} What did the minister say? Answer: nothing.",
    f"{SENTENCE} Correction: an earlier version of this article gave a wrong name for the minister.",
    f"Satire is protected by law, a court said. {SENTENCE}",
]


@pytest.mark.parametrize("source", PRETENDED)
async def test_a_page_that_has_a_sentence_and_does_not_say_it_is_no_support(source: str) -> None:
    assert floor(SENTENCE, [source]).step != "pass"
    assert (await strict_lens().judge(SENTENCE, source)).label != "supports"
    assert verdict(source, SENTENCE) != "supported"


@pytest.mark.parametrize("source", MEANT)
async def test_a_page_that_says_it_is(source: str) -> None:
    assert floor(SENTENCE, [source]).step == "pass"
    assert (await strict_lens().judge(SENTENCE, source)).label == "supports"
    assert verdict(source, SENTENCE) == "supported"


@pytest.mark.parametrize(
    ("claim", "wanted"),
    [
        ("Patients treated with drugs recovered more slowly than patients treated with surgery.", False),
        ("Patients treated with surgery recovered more slowly than patients treated with drugs.", True),
    ],
)
def test_a_comparison_told_from_its_other_side_is_not_contradicted(claim: str, wanted: bool) -> None:
    source = "Patients treated with surgery recovered faster than patients treated with drugs."
    assert (verdict(source, claim) == "contradicted") is wanted
