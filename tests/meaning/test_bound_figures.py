"""A figure belongs to the group that its source gives it to; a side's word is no fact of the source's own."""

from __future__ import annotations

import pytest

from veritas.meaning.bound_figures import misbound, rightly_bound
from veritas.meaning.compare import compare_passage
from veritas.meaning.embedded import EmbeddedLens
from veritas.meaning.floor import of_all
from veritas.meaning.sides import one_sided

# A source, a claim that gives a figure of it to another group, and one that gives it to its own.
BOUND = [
    ("Median age was 61 (IQR 55-70) in the exposed group and 48 (IQR 40-57) in controls.",
     "Median age was 61 in controls.", "Median age was 48 in controls."),
    ("Anxiety scores were 7.4 (SD 2.2) in girls and 5.9 (SD 1.8) in boys.",
     "Anxiety scores were 7.4 in boys.", "Anxiety scores were 5.9 in boys."),
    ("Mean weight was 81 kg (range 60-120) at baseline and 77 kg (range 58-116) after six months.",
     "Mean weight was 81 kg after six months.", "Mean weight was 77 kg after six months."),
    ("Readmission was 18% (n = 36) in the early discharge group versus 11% (n = 22) in the usual care group.",
     "Readmission was 18% in the usual care group.", "Readmission was 11% in the usual care group."),
    ("Remission rates were 34% (95% CI 28-40) with the antibody and 19% (95% CI 14-24) with placebo.",
     "Remission rates were 34% with placebo.", "Remission rates were 19% with placebo."),
    ("Healing took 12 days (IQR 9-15) under honey dressings and 16 days (IQR 12-20) under gauze.",
     "Healing took 12 days under gauze.", "Healing took 16 days under gauze."),
    ("Blood loss was 210 ± 40 ml in the robotic arm and 340 ± 65 ml in the open arm.",
     "Blood loss was 210 ml in the open arm.", "Blood loss was 340 ml in the open arm."),
    ("The precision and recall of the detector were 0.88 and 0.71.",
     "The recall of the detector was 0.88.", "The recall of the detector was 0.71."),
    ("The heart rate and blood pressure of the runners were 62 and 118.",
     "The heart rate of the runners was 118.", "The heart rate of the runners was 62."),
    ("Exports in 2016 and 2017 were 31 and 44 tonnes, respectively.",
     "Exports in 2016 were 44 tonnes.", "Exports in 2016 were 31 tonnes."),
    ("Turnover in 2011, 2012 and 2013 was 7, 9 and 15 million pounds, respectively.",
     "Turnover in 2012 was 15 million pounds.", "Turnover in 2012 was 9 million pounds."),
    ("Ruby 3.1 and 3.2 lost support in 2025 and 2026, respectively.",
     "Ruby 3.1 lost support in 2026.", "Ruby 3.1 lost support in 2025."),
    ("Oslo and Bergen received 740 and 2,250 mm of rain, respectively.",
     "Oslo received 2,250 mm of rain.", "Oslo received 740 mm of rain."),
    ("Survival was 71% and 54% in the vaccinated and unvaccinated calves, respectively.",
     "Survival was 71% in the unvaccinated calves.", "Survival was 54% in the unvaccinated calves."),
    ("Port 5432 is used for queries and port 6432 for pooling.",
     "Port 5432 is used for pooling.", "Port 6432 is used for pooling."),
    ("The timeout is 30 seconds (90 seconds for uploads).",
     "The timeout is 30 seconds for uploads.", "The timeout is 90 seconds for uploads."),
    ("Lyon has 520,000 inhabitants, Nantes 320,000.",
     "Nantes has 520,000 inhabitants.", "Nantes has 320,000 inhabitants."),
    ("The first ferry carries 120 cars and the second 85.",
     "The first ferry carries 85 cars.", "The second ferry carries 85 cars."),
    ("Harvests were better in 2004 (6.3 t) than in 2005 (4.9 t).",
     "Harvests in 2005 were 6.3 t.", "Harvests in 2004 were 6.3 t."),
    ("Release 5 requires Java 11; release 6 requires Java 17.",
     "Release 6 requires Java 11.", "Release 6 requires Java 17."),
    ("Seniors pay 12 euros, students 8 euros.", "Students pay 12 euros.", "Students pay 8 euros."),
    ("The inflation rate was 2% in Poland in 2006 and 14% in 2022.",
     "The inflation rate was 14% in Poland in 2006.", "The inflation rate was 14% in Poland in 2022."),
    ("Infection occurred in 5 patients (4%) on rifampicin and 17 patients (13%) on doxycycline.",
     "Infection occurred in 5 patients on doxycycline.", "Infection occurred in 17 patients on doxycycline."),
    ("Error was 0.12 on the training set and 0.31 on the test set.",
     "Error was 0.12 on the test set.", "Error was 0.31 on the test set."),
    ("Set max_conn to 50 for workers and to 200 for proxies.",
     "Set max_conn to 200 for workers.", "Set max_conn to 200 for proxies."),
    ("Unemployment fell to 4% among men while it rose to 7% among women.",
     "Unemployment rose to 4% among women.", "Unemployment rose to 7% among women."),
    ("In the north the lake freezes at a depth of 40 cm, whereas in the south it freezes at 15 cm.",
     "In the south the lake freezes at 40 cm.", "In the south the lake freezes at 15 cm."),
    ("The bridge cost 90 million euros and the tunnel 130 million euros.",
     "The tunnel cost 90 million euros.", "The tunnel cost 130 million euros."),
    ("The p-value was 0.03 for height and 0.60 for weight.",
     "The p-value was 0.03 for weight.", "The p-value was 0.60 for weight."),
    ("Use -a (all) for archives and -s (short) for summaries.", "Use -a for summaries.", "Use -s for summaries."),
]  # fmt: skip

# A source that gives something as a side's word, and one that says it itself.
SIDES = [
    ("Critics say the dam floods the valley.", "The dam floods the valley.",
     "The dam floods the valley, and critics want it removed."),
    ("Supporters of the bill argue that it lowers rents.", "The bill lowers rents.", "The bill lowers rents."),
    ("The company claims its filter removes lead.", "The filter removes lead.", "Its filter removes lead."),
    ("Some believe the mine poisons the river.", "The mine poisons the river.", "The mine poisons the river."),
    ("Opponents maintain that the tax hurts bakers.", "The tax hurts bakers.", "The tax hurts bakers."),
    ("The tax hurts bakers, opponents say.", "The tax hurts bakers.", "The tax hurts bakers."),
    ("According to the manufacturer, the coat keeps out rain.", "The coat keeps out rain.",
     "The coat keeps out rain."),
    ("The prosecution alleged that Ward forged the will.", "Ward forged the will.", "Ward forged the will."),
]  # fmt: skip

LENS = EmbeddedLens()


@pytest.mark.parametrize(("source", "wrong", "right"), BOUND)
def test_a_figure_is_not_given_to_another_group(source: str, wrong: str, right: str) -> None:
    assert misbound(source, wrong) is not None
    assert of_all([compare_passage(source, wrong)]).step != "pass"
    assert LENS.find(wrong, source)[0] != "supports"


@pytest.mark.parametrize(("source", "wrong", "right"), BOUND)
def test_a_figure_of_its_own_group_is_not_held_against_a_claim(source: str, wrong: str, right: str) -> None:
    assert misbound(source, right) is None
    assert rightly_bound(source, right)
    assert compare_passage(source, right).relation != "excludes"
    assert LENS.find(right, source)[0] != "refutes"


@pytest.mark.parametrize(("source", "claim", "own"), SIDES)
def test_the_word_of_one_side_is_no_fact(source: str, claim: str, own: str) -> None:
    assert one_sided(source, claim)
    assert LENS.find(claim, source)[0] == "silent"
    assert not one_sided(own, claim)
    assert LENS.find(claim, own)[0] == "supports"


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("The vendor says the update fixes the crash, but several users still report it.", "Users report the crash."),
        ("Critics say the dam floods the valley.", "Critics say that the dam floods the valley."),
        ("The study found that tea lowers blood pressure.", "Tea lowers blood pressure."),
    ],
)
def test_what_a_source_finds_or_a_claim_reports_is_no_sides_word(source: str, claim: str) -> None:
    assert not one_sided(source, claim)


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        # A range is one figure, a shared phrase belongs to all groups, and a claim may name no group.
        ("Children between 4 and 6 years slept 11 hours and adults 7 hours.", "Adults slept 7 hours."),
        ("Scores were 12 in men and 15 in women at baseline.", "Scores were 12 in men at baseline."),
        ("Scores were 12 in men and 15 in women at baseline.", "A score of 12 was found."),
        ("Scores were 12 in men and 15 in women.", "Scores were 12 in men and 15 in women."),
        ("Scores were 12 in men and 15 in women.", "Women scored 15 and men 12."),
        ("The dam is 1,420 metres long and holds turbines with an output of 216 megawatts.",
         "The dam is long and its turbines have 216 megawatts."),
        ("Both clinics treated 40 patients, in May and in June.", "The clinics treated 40 patients in June."),
    ],
)
def test_other_uses_of_figures_are_left_alone(source: str, claim: str) -> None:
    assert misbound(source, claim) is None
