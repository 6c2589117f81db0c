"""What the default lens can tell apart, one pair an ability: the claim that is so, and one beside it that is not."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.meaning.embedded import EmbeddedLens
from veritas.meaning.embedded.dates import dates

LENS = EmbeddedLens()
TABLE = "Table 2: Accuracy and training time by model.\nModel\tAccuracy\tTime (h)\nAlpha\t81.2\t4\nBeta\t77.5\t9"
ABILITIES = {
    "unit": (
        "The Borealis pump moves 40 litres of water per minute at full speed.",
        "The pump moves 40 litres of water per minute.",
        "The pump moves 40 millilitres of water per minute.",
    ),
    "range": (
        "Patients were 40-60 years old.",
        "Patients were between 40 and 60 years old.",
        "Patients were between 20 and 30 years old.",
    ),
    "percentage": (
        "In the treated group mortality fell by 12 percent.", "Mortality fell by 12%.", "Mortality fell by 21%.",
    ),
    "comparison": (
        "Aspirin was more effective than placebo in reducing pain.",
        "Aspirin was more effective than placebo.",
        "Placebo was more effective than aspirin.",
    ),
    "direction": (
        "In this trial zinc reduced the duration of colds.",
        "Zinc reduces the duration of colds.",
        "Zinc increases the duration of colds.",
    ),
    "year": (
        "The bridge was opened to traffic on 19 March 1932.",
        "The bridge was opened in 1932.",
        "The bridge was opened in 1923.",
    ),
    "month": (
        "Parliament passed the law on May 3, 2011.",
        "The law was passed on 3 May 2011.",
        "The law was passed on 3 June 2011.",
    ),
    "day": (
        "Parliament passed the law on 2011-05-03.",
        "Parliament passed the law on 3 May 2011.",
        "Parliament passed the law on 30 May 2011.",
    ),
    "day that is not given": (
        "Parliament passed the law in May 2011.",
        "Parliament passed the law in May 2011.",
        "Parliament passed the law on 3 May 2011.",
    ),
    "negation": (
        "The drug lowers blood pressure in adults.",
        "The drug lowers blood pressure.",
        "The drug does not lower blood pressure.",
    ),
    "antonym": (
        "The test was positive in most patients of the ward.",
        "The test was positive in most patients.",
        "The test was negative in most patients.",
    ),
    "hedge": (
        "Coffee may reduce the risk of diabetes, the authors suggest.",
        "Coffee may reduce the risk of diabetes.",
        "Coffee certainly reduces the risk of diabetes.",
    ),
    "quantifier": (
        "Some patients recovered within a week.",
        "Some patients recovered within a week.",
        "All patients recovered within a week.",
    ),
    "scope": (
        "Metformin extends lifespan in mice.",
        "Metformin extends lifespan in mice.",
        "Metformin extends lifespan in humans.",
    ),
    "entity": (
        "Marie Curie discovered polonium in 1898.",
        "Marie Curie discovered polonium.",
        "Lise Meitner discovered polonium.",
    ),
    "abbreviation": (
        "Chronic kidney disease (CKD) is common. CKD raises the risk of stroke in adults.",
        "Chronic kidney disease raises the risk of stroke.",
        "Chronic kidney disease lowers the risk of stroke.",
    ),
    "table, comparison": (TABLE, "Alpha outperforms Beta in accuracy.", "Beta outperforms Alpha in accuracy."),
    "table, ranking": (TABLE, "Alpha has the highest accuracy.", "Beta has the highest accuracy."),
    "table, number": (TABLE, "Alpha reaches an accuracy of 81.2.", "Alpha reaches an accuracy of 77.5."),
}


@pytest.mark.parametrize(
    "ability",
    [pytest.param(a, marks=[pytest.mark.xfail(reason="the comparison is too careful")] if a == "abbreviation" else [])
     for a in ABILITIES],
)
def test_what_is_so_is_supported_and_what_is_not_is_not(ability: str) -> None:
    passage, so, other = ABILITIES[ability]
    assert LENS.find(so, passage)[0] == "supports"
    label, _, why = LENS.find(other, passage)
    assert label != "supports", why


@pytest.mark.parametrize("ability", ["negation", "antonym", "direction", "table, comparison"])
def test_the_opposite_is_refuted_with_the_words_that_show_it(ability: str) -> None:
    passage, _, other = ABILITIES[ability]
    label, _, why = LENS.find(other, passage)
    assert label == "refutes"
    assert any(word in why for word in ("negates", "positive", "reduced", "81.2"))


def test_the_sentence_that_matters_is_found_among_others() -> None:
    filler = " ".join(f"The garden has {n} beds of roses, and the house has a roof." for n in range(3, 40))
    passage = f"{filler} The pump needs no oil. {filler}"
    assert LENS.find("The pump needs no oil.", passage)[0] == "supports"
    assert LENS.find("The pump needs oil.", passage)[0] != "supports"


def test_a_table_of_something_else_is_silent() -> None:
    label, _, why = LENS.find("The networks were fed with recordings of birds from several continents.", TABLE)
    assert label == "silent"
    assert "no cell speaks of it" in why


@settings(deadline=None)
@given(st.dates(date(1000, 1, 1), date(2099, 12, 31)))
def test_a_date_is_the_same_in_every_form(day: date) -> None:
    forms = [day.isoformat(), f"{day.day} {day:%B} {day.year:04}", f"{day:%B} {day.day}, {day.year:04}"]
    found = [dates(f"It was on {form}, as told.") for form in forms]
    assert [[(d.year, d.month, d.day) for d in each] for each in found] == [[(day.year, day.month, day.day)]] * 3


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_has_dates_or_none(text: str) -> None:
    assert all(d.text in text and 1 <= d.month <= 12 for d in dates(text))
