"""A trial made up for the tests of the reviewer's desk: some items are told, some are not, and one number slipped."""

from __future__ import annotations

from pathlib import Path

SLIP = "Side effects were seen in 12 of 60 patients (25.0%)."
POWER = "A sample size of 60 per group was calculated to give 80% power at a two-sided alpha of 5%."
SEQUENCE = "The allocation sequence was computer-generated."
PRIMARY = "The primary outcome was the change in haemoglobin after 12 weeks."
DATA = "The data are available at https://zenodo.org/record/77."
REGISTERED = "The trial was registered at ClinicalTrials.gov (NCT02233764) in May 2015."

TRIAL = f"""Iron for Tired Adults: a Randomised Controlled Trial

Ada Author and Bert Builder

Abstract

Background. Iron is given to many tired adults. The aim of this study was to test whether it helps patients.
Methods. Patients were randomly assigned to iron or placebo. {REGISTERED}
Results. Haemoglobin rose by 4.1 g/l (95% CI 1.2 to 7.0) in patients with iron.

1 Introduction

Iron deficiency is common in adults, and tiredness is what patients complain of first [1]. Whether iron helps adults
who are not anaemic is not known, because earlier trials were short and counted few patients [2].

2 Methods

This was a parallel-group trial with a 1:1 allocation ratio. Participants were recruited at the university hospital of
Lund between March 2015 and May 2016. Patients younger than 18 years were excluded. {PRIMARY}
Patients were randomly assigned to two groups. {SEQUENCE} {POWER}
Groups were compared with a two-sided t-test. The study was approved by the ethics committee of the university (12/345).

3 Results

Of 140 patients who were screened, 120 patients were randomised. {SLIP}
Haemoglobin rose by 4.1 g/l (95% CI 1.2 to 7.0) in the iron group. The standardised mean difference was SMD 0.42.

4 Discussion

Iron helps patients a little. One limitation of this study is its short duration.

Data availability

{DATA}

Funding

This work was supported by a grant of the Research Council.

References

[1] A. Smith. Tiredness in adults. Journal of Blood, 12(3):1-9, 1990.

[2] B. Jones and C. Roy. Iron for adults who are not anaemic. Journal of Blood, 5:20-29, 2005.
"""


def write_trial(folder: Path, text: str = TRIAL) -> Path:
    """Write the paper, or another text, and return its path."""
    path = folder / "trial.txt"
    path.write_text(text, encoding="utf-8")
    return path
