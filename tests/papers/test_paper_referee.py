"""The arithmetic referee: pairs of sentences, the right one passed over, the wrong one flagged with its calculation."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.papers.pump_papers import PAPER
from veritas import audit_paper, referee_paper
from veritas.documents.document import Document, document_id
from veritas.documents.paper_parts import Place, Section
from veritas.papers.audit import PaperAudit
from veritas.papers.reading.captions import find_figures
from veritas.papers.reading.paper_text import paper_of
from veritas.papers.referee.finding import Finding
from veritas.papers.referee.referee import referee, referee_of
from veritas.report.paper import render_paper_html
from veritas.report.paper.audit_text import show_audit
from veritas.text.formulas import plain_formula

TODAY = date(2026, 6, 1)
TABLE = "Table 1. People by site.\n\nSite\tMen\tWomen\tOld\nNorth\t20\t25\t5\nSouth\t15\t20\t{}\nTotal\t35\t45\t10\n"
CELLS = "Lifetime was {} months in the dry pumps (Table 1).\n\nTable 1. Lifetimes in months.\n\nArm\tLifetime\n" + (
    "Dry pumps\t14.2\nOiled pumps\t11.8\nSealed pumps\t9.4\n"
)
SHARES = (
    "Table 2. Baseline.\n\nTrait\tDrug (n = 60)\tPlacebo (n = 50)\nSmoker\t12 (20.0)\t10 (20.0)\n"
    "Diabetes\t15 (25.0)\t5 (10.0)\nAsthma\t6 (10.0)\t10 (20.0)\nGout\t{}\t20 (40.0)\nMen\t30 (50.0)\t25 (50.0)\n"
)
SIZED = (
    "There were 81 male undergraduates. They differed in weight, t(79) = 2.43, p = .017, and in height, "
    "F(1, 79) = 5.10, p = .027. They did not differ in age, t({}."
)


def _found(text: str) -> tuple[Finding, ...]:
    return referee(text, figures=find_figures(text, (), ())).findings


PAIRS = [
    ("p-value", "The groups differed, t(28) = 2.20, p = .036.", "The groups differed, t(28) = 2.20, p = .36."),
    ("p-value", "We found F(2, 57) = 3.40, p = .040.", "We found F(2, 57) = 3.40, p = .14."),
    ("p-value", "They were related, r(48) = .42, p < .01.", "They were related, r(48) = .12, p < .01."),
    ("p-value", "It differed, χ2(2, N = 120) = 7.20, p = .027.", "It differed, χ2(2, N = 120) = 7.20, p = .27."),
    ("p-value", "It was lower (z = −2.42, p = .016).", "It was lower (z = −1.42, p = .016)."),
    ("p-value", "It was heterogeneous, Q(12) = 22.2, p = .035.", "It was heterogeneous, Q(12) = 12.2, p = .035."),
    ("grim", "The mean number of shocks per patient in the 20 patients with a device was 2.45.",
     "The mean number of shocks per patient in the 20 patients with a device was 2.47."),
    ("grim", "Each gave one whole-number rating from 1 to 7 (M = 2.45, n = 20).",
     "Each gave one whole-number rating from 1 to 7 (M = 2.47, n = 20)."),
    ("p-value", "There was none, t(28) = 1.20, n.s.", "There was none, t(28) = 2.90, n.s."),
    ("grim", "On a 7-point scale they gave M = 5.18 (n = 28).", "On a 7-point scale they gave M = 5.19 (n = 28)."),
    ("grimmer", "The number of errors: M = 3.20, SD = 1.14, n = 10.",
     "The number of errors: M = 3.20, SD = 1.12, n = 10."),
    ("confidence-interval", "It rose (OR 1.70, 95% CI 1.60 to 2.05).", "It rose (OR 1.50, 95% CI 1.60 to 2.05)."),
    ("confidence-interval", "It rose (HR = 1.50; 95% CI: 1.10–2.05; p = 0.01).",
     "It rose (HR = 1.50; 95% CI: 1.10–2.05; p = 0.30)."),
    ("confidence-interval", "The odds ratio of gout for daily use was 1.36 (95% CI 0.97 to 1.90, p = 0.07).",
     "The odds ratio of gout for daily use was 1.36 (95% CI 0.97 to 1.90, p = 0.004)."),
    ("confidence-interval", "HR 0.82, 95% CI 0.67 to 0.99, p = 0.06.", "HR 0.82, 95% CI 0.67 to 0.99, p = 0.31."),
    ("confidence-interval", "It fell (mean difference 2.1, 95% CI 1.2 to 3.0).",
     "It fell (mean difference 2.1, 95% CI 3.2 to 2.0)."),
    ("confidence-interval", "It was rare (OR 0.06 and 95% CI 0.00–0.11).",
     "It was rare (OR 0.16 and 95% CI 0.00–0.11)."),
    ("confidence-interval", "PPV and NPV were 86.4% (95% CI = 77.2%–95.5%) and 94.6% (95% CI = 88.7%–100%).",
     "PPV and NPV were 6.4% (95% CI = 77.2%–95.5%) and 94.6% (95% CI = 88.7%–100%)."),
    ("confidence-interval", "Mean stay was 12.4 days (95% CI 11.0–13.5 days).",
     "Mean stay was 14.4 days (95% CI 11.0–13.5 days)."),
    ("confidence-interval", "Earlier work gave values of 1.16 (95% CI: 1.04, 1.24) and 2.0.",
     "Earlier work gave values of 1.36 (95% CI: 1.04, 1.24) and 2.0."),
    ("share", "Relief came to 23 of 51 patients (45.1%).", "Relief came to 23 of 51 patients (55.1%)."),
    ("share", "In all, 45.1% (23/51) improved.", "In all, 46.1% (23/51) improved."),
    ("share", "In all, 12 out of 40 (30%) improved.", "In all, 52 out of 40 (30%) improved."),
    ("share", "Of 60 vials, 45 (75 %) stayed clear.", "Of 60 vials, 45 (80 %) stayed clear."),
    ("share", "Of the 60 vials kept cold, 45 vials (75%) stayed clear.",
     "Of the 60 vials kept cold, 45 vials (80%) stayed clear."),
    ("share", "There, 45 vials (75 %) of 60 stayed clear.", "There, 45 vials (80 %) of 60 stayed clear."),
    ("share", "There, 45 (75 %) of the 60 vials stayed clear.", "There, 45 (80 %) of the 60 vials stayed clear."),
    ("count", "A total of 120 participants were assigned to drug (n = 60) or placebo (n = 60).",
     "A total of 120 participants were assigned to drug (n = 60) or placebo (n = 58)."),
    ("count", "We randomized 52 adults to exercise (n = 26) or usual care (n = 26).",
     "We randomized 55 adults to exercise (n = 26) or usual care (n = 26)."),
    ("confidence-interval", "It fell by −2·46 points (p<0·001, 95% CI −3·72 to −1·21).",
     "It fell by −2·46 points (p<0·001, 95% CI −1·72 to −1·21)."),
    ("date", "The trial began on 30 April 2019.", "The trial began on 31 April 2019."),
    ("date", "Patients were seen on 29 February 2020.", "Patients were seen on 29 February 2019."),
    ("date", "Enrolment ran from March 2019 to January 2020.", "Enrolment ran from March 2020 to January 2019."),
    ("table-sum", TABLE.format(5), TABLE.format(6)),
    ("share", "Nine (18.0%) of 50 fell ill.", "Nine (16.0%) of 50 fell ill."),
    ("share", "Relief came to 16 (5.3%) of 302, and nine (6.0%) of 151 from the two arms, respectively.",
     "Relief came to 26 (5.3%) of 302, and nine (6.0%) of 151 from the two arms, respectively."),
    ("count", "Participants were 81 healthy male undergraduates assigned to one of two groups: rest (n = 41) and "
     "control (n = 40), respectively.",
     "Participants were 81 healthy male undergraduates assigned to one of two groups: rest (n = 41) and "
     "control (n = 43), respectively."),
    ("share", SHARES.format("9 (15.0)"), SHARES.format("9 (25.0)")),
]  # fmt: skip


@pytest.mark.parametrize(("check", "right", "wrong"), PAIRS)
def test_wrong_number_is_flagged_and_the_right_one_is_not(check: str, right: str, wrong: str) -> None:
    assert _found(right) == ()
    found = _found(wrong)
    assert {each.check for each in found} == {check}
    for each in found:
        assert wrong[each.location.start : each.location.end] == each.quote
        assert all(wrong[i.place.start : i.place.end] == i.printed for i in each.inputs)
        assert all((each.says, each.recomputed, each.calculation, each.allowed, each.right_if))


SILENT = [
    "None was seen in 20/699 (97.14%) of them.",
    "A total of 568, 239 (98.7%) sites were used.",
    "It rose (OR=1·28; 95 % CI 1·103, 1·697; P<0·05).",
    "Mortality was 45.0% versus 30.0% (95% CI 5.0%–25.0%).",
    "It rose from 30.0% to 45.0% (95% CI 5.0%–25.0%).",
    "Sensitivity and specificity were 90% and 80% (95% CI 85–95 and 70–90).",
    "Of the 48 rats in two groups divided (A, n = 7, B and C, n = 7, 5, and 6, D, n = 23), all lived.",
    "In all, 163 (58.80%) of 277 pupils were sensitised.",  # rounded to 58.8, and filled up
    "Among the 20 patients and 30 controls, r(48) = .42, p < .01.",  # more people than those counted
    "In the 20 patients, the mean number of shocks per year was 2.47.",  # no count a person
    "This test was one-tailed, t(28) = 2.20, p = .018.",  # half of the two-tailed p
    "Two one-sided tests gave t(29) = −8.22, p = 1.",  # in the other direction
    "An equivalence test gave t(29) = 1.22, p = .884.",
    "With Bonferroni correction, t(28) = 2.20, p = .108.",  # three times p
    "The degrees of freedom were Greenhouse-Geisser corrected, F(2, 57) = 3.40, p = .052.",
    "They answered 12 items on a 7-point scale (M = 5.19, n = 28).",  # a mean of many values a person
    "Their age was high (M = 45.19, n = 28).",  # not told to be whole numbers
    "The adjusted odds were higher in 20/100 vs 10/100 patients (OR 3.25) in the model.",
    "About 45% (23/52) improved.",
    "The survey was weighted (sampling weights). Of those, 23 of 51 (55.1%) agreed.",
    "Scores were 2.46 and 1.30 (95% CI 3.72 to 4.21), respectively.",
    "It was −2.46 (95% CI 1.21 to 3.72).",  # the sign may be told in words
    "Change lay between −0.5 (95% CI −0.9–0.1).",  # a dash or a minus
    "Emissions are to fall: a reduction from 2033 to 2150.",  # years
    "Prices rose from 20 dollars to 15 euros.",  # units
    "Visits will be scheduled in 2031.",  # a plan
    "Of the 120 who were randomized to drug (n = 60) or placebo (n = 55), five withdrew.",
    "In 40 trials each (N = 30), they differed, t(58) = 2.20, p = .032.",  # many values a person
    "Of 60 wards, 45 nurses (80 %) answered.",  # two kinds of things
    "There, 45 patients (80 %) of 60 years or older were treated.",
    "There, 45 nurses (80 %) of 60 wards answered.",
    "Of 60 vials, 45 (80 %) of the 56 that were filled stayed clear.",
    "Of 60 vials, about 45 (80 %) stayed clear.",
    "Of 60 patients given the drug and 58 given none, 45 (78 %) recovered.",
    "The 80 participants (45 men and 30 women) were seen.",  # of five the sex was not told
    "The 80 couples (80 men and 80 women) were seen.",
    "Of the 81 workers, 50 smoked, 40 drank and 20 gambled.",  # they may do all three
    "We randomised 60 patients in a crossover: 58 to iron and 57 to placebo.",
    "Of the 81 workers, 24 (30%) were recruited in the mill and 65 in the mine, and some of them in both.",
    "Odds ratios (95% CI) are in Table 2. The mean was 0.84 (1.49–2.48) in men.",
    "The odds ratio was 0.84 (1.49–2.48) in men.",  # nothing says what the brackets hold
    SIZED.format("158) = 0.49, p = .625"),  # twice the degrees of freedom: contrasts with a pooled error
    f"A mixed model was fitted. {SIZED.format('179) = 0.49, p = .625')}",
    f"In a pilot we saw 200 students. {SIZED.format('179) = 0.49, p = .625')}",
    "One hundred and nine (54.5%) of 200 died.",
    "It was a trend (p = .07), marginally significant at the level of significance of .10.",
]


@pytest.mark.parametrize("text", SILENT)
def test_what_may_be_right_in_another_reading_accuses_nobody(text: str) -> None:
    assert [each for each in _found(text) if each.severity != "note"] == []


def test_whole_number_beside_a_table_may_count_anything() -> None:
    counted = CELLS.format("14.2").replace("Lifetime was", "Of 12 samples, lifetime was")
    assert _found(counted) == ()
    assert _found(CELLS.format("2009")) == ()


def test_paper_of_one_tailed_tests_gets_one_note() -> None:
    found = _found("They differed, z = 2.00, p = .023, and z = 2.30, p = .011, and z = 1.75, p = .040.")
    assert [(each.severity, each.quote) for each in found] == [("note", "z = 2.00, p = .023")]
    assert "2 others like it were one-tailed" in found[0].right_if


def test_numbers_of_kinds_that_groups_share_are_no_sum() -> None:
    head = "Table 1. Finds.\n\nSite\tA\tB\tTotal\nShells\t5\t7\t12\nBones\t3\t4\t7\n"
    assert _found(head + "No. species\t4\t5\t6\n") == ()
    assert [each.check for each in _found(head + "Teeth\t4\t5\t6\n")] == ["table-sum"]


def test_decision_error_last_digit_and_zero_are_told_apart() -> None:
    graded = {
        "A test, t(28) = 2.20, p = .36.": "decision",
        "A test, t(28) = 2.90, p = .030.": "error",
        "A test, t(28) = 2.20, p = .038.": "rounding",
        "A test, t(28) = 9.20, p = .000.": "note",
        "A test, t(28) = 9.20, p = .0001.": "note",
        "A test, t(28) = 2.20, p = .018.": "note",  # right if one-tailed
        "Of all, 23 of 51 (45.2%) agreed.": "rounding",
    }
    assert {text: _found(text)[0].severity for text in graded} == graded


def test_correction_far_from_a_test_explains_only_what_a_correction_can_do() -> None:
    methods = "Post hoc tests were Bonferroni corrected.\n\n" + "Nothing else is to be said here at all. " * 40
    assert _found(methods + "\n\nIt differed, t(28) = 2.20, p = .108.") == ()
    assert [f.severity for f in _found(methods + "\n\nIt differed, t(28) = 5.20, p = .24.")] == ["decision"]


def test_a_correction_in_a_list_of_references_or_a_key_explains_nothing() -> None:
    said, list_ = "They differed, t(118) = 2.20, p = .36. ", "1. Benjamini Y, Hochberg Y. Multiple testing. 1995."
    text = f"{said}See [@benjamini1995controlling]. {list_}"
    sections = [Section(id="s1", name="references", heading="References", level=1,
                        place=Place(start=text.index(list_), end=len(text)))]  # fmt: skip
    assert [each.severity for each in referee(text, sections=sections).findings] == ["decision"]
    assert [each.severity for each in referee(f"{said}{'So it was. ' * 90}We used Holm's method.").findings] == ["note"]


def test_gravest_comes_first_and_what_was_recomputed_is_counted() -> None:
    text = "In all, 46.1% (23/51) improved, and 30% (12/40) did not. It rose, t(28) = 2.20, p = .36."
    made = referee(text)
    assert [each.severity for each in made.findings] == ["decision", "error"]
    assert made.recomputed == {"p-value": 1, "share": 2}
    assert referee("Nothing is counted here.").recomputed == {}


def test_reference_list_is_not_refereed() -> None:
    slip = "Relief in 23 of 51 patients (55.1%)."
    text = PAPER.replace("[2] B. Jones", f"[3] C. Other. {slip} Journal of Slips, 1:1, 2001.\n\n[2] B. Jones")
    document = Document(document_id=document_id(text), url="corpus://a", title="A", text=text, fetched_at=TODAY)
    assert referee_of(paper_of(document, asked="a", how="file")).findings == ()
    text = text.replace("Oil has been used", f"{slip} Oil has been used")
    document = Document(document_id=document_id(text), url="corpus://a", title="A", text=text, fetched_at=TODAY)
    found = referee_of(paper_of(document, asked="a", how="file")).findings
    assert [(each.check, each.location.section is not None) for each in found] == [("share", True)]


def test_one_slip_told_twice_is_one_finding_with_both_places() -> None:
    slip = "Relief came to 23 of 51 patients (55.1%)."
    text = PAPER.replace("We hypothesize", f"{slip} We hypothesize", 1)
    text = text.replace("Mean lifetime", f"{slip} Mean lifetime", 1)
    document = Document(document_id=document_id(text), url="corpus://a", title="A", text=text, fetched_at=TODAY)
    (found,) = referee_of(paper_of(document, asked="a", how="file")).findings
    assert found.where == "Abstract and Results"
    assert [text[p.start : p.end] for p in (found.location, *found.also)] == [found.quote] * 2
    other = text.replace(slip, "Relief came to 24 of 51 patients (55.1%).", 1)
    document = Document(document_id=document_id(other), url="corpus://a", title="A", text=other, fetched_at=TODAY)
    assert len(referee_of(paper_of(document, asked="a", how="file")).findings) == 2


def test_stored_audit_of_before_has_no_findings() -> None:
    assert PaperAudit.model_fields["findings"].get_default() == ()


def test_a_slip_of_a_little_more_than_a_unit_does_not_refute_itself() -> None:
    (found,) = _found("Malaria was seen in 17 out of 64, 26.7%.")
    assert (found.severity, found.recomputed) == ("rounding", "26.56 %")
    assert "64" not in found.right_if


def test_numbers_that_were_seen_and_not_recomputed_are_counted_by_form() -> None:
    said = "In 45 of 60 (75%) it fell, by 9.9% (0.84 (0.49–1.48), p = .02); t(28) = 2.20, p = .036."
    assert referee(said).unchecked == {"percentage": 1, "interval": 1, "p-value": 1}
    assert referee("In 45 of 60 (75%) it fell.").unchecked == {}
    assert referee("It was high (M = 5.2, SD = 1.10).").unchecked == {"mean": 1, "SD": 1}


@pytest.mark.parametrize("name", ["p.tex", "p.md"])
@pytest.mark.parametrize(
    ("written", "said"),
    [
        (r"Attendance differed ($\chi^2_{2} = 6.58$, $p = 0.19$).", "p = 0.19"),
        (r"The groups differed, $t(96) = 2.31, p = .004$.", "p = .004"),
        (r"It was related to age, $r(96) = 1.31$, $p = .002$.", "r = 1.31"),
        (r"The odds were higher (OR $0.82$, 95\% CI $0.87$ to $1.29$).", "0.82 (95 % CI 0.87 to 1.29)"),
        (r"Infection was found in $98$ of $212$ contacts ($52.6\%$).", "52.6 %"),
    ],
)  # fmt: skip
def test_simple_formulas_are_refereed_as_the_signs_that_they_print(
    written: str, said: str, name: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(f"{'We wrote to the adults of two towns, who had given consent. ' * 9}\n\n{written}\n")
    assert [each.says for each in referee_paper(tmp_path / name).findings] == [said]


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        (r"\chi^2_{2} = 6.58", "χ²₂ = 6.58"), (r"-4.3", "−4.3"), (r"3\times10^{-4}", "3×10⁻⁴"), (r"\bar x_1", "x̄₁"),
        (r"95\%\,\text{CI}\ 1{,}204", "95% CI 1,204"), (r"p_{\text{adj}} \le .03", "p_adj ≤ .03"),
        (r"\frac{a}{b}", None), ("x^{", None), ("a & b", None), ("{" * 50 + "}" * 50, None),
    ],
)  # fmt: skip
def test_a_formula_is_plain_text_only_where_a_line_of_signs_says_it(source: str, printed: str | None) -> None:
    assert plain_formula(source) == printed


def test_a_paper_in_which_nothing_was_recomputed_says_so(tmp_path: Path) -> None:
    (tmp_path / "p.md").write_text(f"# Pumps\n\n{'We hypothesize that dry pumps last longer. ' * 12}It rose by 9.9%.\n")
    audit = audit_paper(tmp_path / "p.md", home=tmp_path / "home", graphs=1)
    assert (audit.recomputed, audit.unchecked) == ({}, {"percentage": 1})
    said = "Nothing was recomputed, which says nothing about the paper."
    assert said in show_audit(audit, width=1000)
    assert f"{said} Seen and not recomputed: about 1 percentage." in render_paper_html(audit)
