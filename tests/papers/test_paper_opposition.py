"""Contradictions need one subject, measure, comparison and period: pairs that differ in one of them, and plain ones."""

from __future__ import annotations

import pytest

from veritas.judging.verdict import Setting
from veritas.papers.verification._node_grounding import opposes

PAPER, ANOTHER = Setting("a", "Shading of compost piles"), Setting("b", "Another paper on compost")

COMPATIBLE = [
    ("Mortality was 12 % in 2010.", "Mortality was 15 % in 2012."),
    ("Mean latency was 25 ms in the drug group.", "Mean latency was 31 ms in the placebo group."),
    ("Accuracy was 91 % on the training set.", "Accuracy was 84 % on the test set."),
    ("Shading lowered the ammonia loss of the piles.", "Shading did not lower the methane loss of the piles."),
    ("Shading lowered the ammonia loss of the piles in summer.",
     "Shading did not lower the ammonia loss of the piles in winter."),
    ("The drug reduced mortality compared with placebo.",
     "The drug did not reduce mortality compared with standard care."),
    ("The drug reduced mortality.", "In women, the drug did not reduce mortality."),
    ("The drug reduced mortality after 5 years.", "The drug did not reduce mortality after 1 year."),
    ("Response time increased with load.", "Response time did not increase with age."),
    ("The effect was significant at 0.05.", "The effect was not significant after correction."),
    ("Participants improved at follow-up.", "Participants did not improve at baseline."),
    ("Aphid density was higher in open plots.", "Aphid density was lower in shaded plots."),
    ("The expression of Sox2 increased in mutants.", "The expression of Sox2 decreased in wild-type embryos."),
    ("The expression of Sox2 increased in mutants.", "The expression of Sox3 decreased in mutants."),
    ("Treatment A was superior to treatment B.", "Treatment A was not superior to treatment C."),
    ("Sixty patients were randomised.", "Fifty-four patients were analysed."),
    ("We recruited 120 patients.", "We recruited 60 patients from each hospital."),
    ("The model explains 45 % of the variance.", "The model with covariates explains 62 % of the variance."),
    ("There was no difference between the groups at baseline.", "There was a difference between the groups at week 8."),
    ("The pumps lasted 14.2 months on average.", "The pumps lasted 11.8 months in the humid rooms."),
    ("Previous studies found that shading increases the loss.", "We found that shading lowers the loss."),
    ("Some authors claim that the drug is safe.", "The drug is not safe."),
    ("The drug may increase the risk of bleeding.", "The drug did not increase the risk of bleeding."),
    ("Blood pressure fell in the treated rats.", "Blood pressure did not fall in the control rats."),
    ("The vaccine protects adults.", "The vaccine does not protect infants."),
    ("Cases rose in the first wave.", "Cases fell in the second wave."),
    ("Median survival was 9.1 months with the drug.", "Mean survival was 11.2 months with the drug."),
    ("The sensitivity of the test was 90 %.", "The specificity of the test was 75 %."),
    ("The intervention improved reading scores.", "The intervention did not improve mathematics scores."),
    ("Plants grew taller under blue light.", "Plants did not grow taller under red light."),
    ("Smoking was associated with lung cancer.", "Smoking was not associated with lung cancer in the adjusted model."),
    ("We hypothesised that sleep improves memory.", "Sleep did not improve memory."),
    ("The relative risk was 1.8 in smokers.", "The relative risk was 1.2 in former smokers."),
    ("Mean age was 61 years in the intervention arm.", "Mean age was 58 years in the control arm."),
    ("The half-life was 12 h at 20 °C.", "The half-life was 7 h at 30 °C."),
    ("Prevalence was 4.1 % among men.", "Prevalence was 6.3 % among women."),
    ("Precision was 0.81 for nouns.", "Precision was 0.69 for verbs."),
    ("Yield was 6.2 t/ha in 2019.", "Yield was 5.1 t/ha in 2020."),
    ("The error rate was 3 % with the new decoder.", "The error rate was 9 % with the old decoder."),
    ("The estimate was 0.31 in the fixed-effects model.", "The estimate was 0.44 in the random-effects model."),
    ("Uptake was 44 % in rural districts.", "Uptake was 61 % in urban districts."),
    ("The catalyst converted 82 % of the methane.", "The catalyst converted 64 % of the ethane."),
    ("Recall was 0.92 on English.", "Recall was 0.71 on German."),
    ("The median wait was 14 days before the reform.", "The median wait was 9 days after the reform."),
    ("IL-6 rose in septic patients.", "IL-6 did not rise in healthy volunteers."),
    ("Model A outperformed Model B on short texts.", "Model A did not outperform Model B on long texts."),
    ("Larvae survived at pH 7.", "Larvae did not survive at pH 4."),
    ("Table 2 shows a rise in exports.", "Table 3 shows a fall in exports."),
    ("Cortisol was higher in the evening.", "Cortisol was lower in the morning."),
    ("Group 1 improved.", "Group 2 did not improve."),
    ("Cohort A had 40 deaths.", "Cohort B had 25 deaths."),
    ("Experiment 1 found an effect of priming.", "Experiment 2 found no effect of priming."),
]
"""Sentences that can both be true: another group, year, place, measure, comparison, model, or a thought."""

CONTRARY = [
    ("Shading lowered the ammonia loss of the piles.", "Shading did not lower the ammonia loss of the piles."),
    ("The drug reduced mortality after 5 years.", "The drug did not reduce mortality after 5 years."),
    ("The pumps lasted 14.2 months on average.", "The pumps lasted 15.2 months on average."),
    ("Aphid density was higher in shaded plots.", "Aphid density was lower in shaded plots."),
    ("There was no difference between the groups at week 8.", "There was a difference between the groups at week 8."),
]


@pytest.mark.parametrize(("where", "most"), [(PAPER, 0.1), (ANOTHER, 0.05)])
def test_what_differs_in_subject_measure_comparison_or_period_seldom_contradicts(where: Setting, most: float) -> None:
    both = [pair for one, other in COMPATIBLE for pair in ((one, other), (other, one))]
    accused = [pair for pair in both if opposes(*pair, of_statement=PAPER, of_passage=where)]
    assert len(accused) <= most * len(both), accused


@pytest.mark.parametrize(("one", "other"), CONTRARY)
def test_what_is_denied_of_the_same_thing_in_the_same_paper_is_contradicted(one: str, other: str) -> None:
    assert opposes(one, other, of_statement=PAPER, of_passage=PAPER)
    assert opposes(other, one, of_statement=PAPER, of_passage=PAPER)
