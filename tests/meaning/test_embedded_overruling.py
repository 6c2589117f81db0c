"""What a sentence with the claim's words does not say: a number more, "may" made "always", "without" made "with"."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.meaning.embedded import CoverageLens, EmbeddedLens, NumericLens
from veritas.meaning.embedded.certainty import overstated
from veritas.meaning.embedded.claim_evidence import Alignment, Passage, Statement
from veritas.meaning.embedded.entailment import plain
from veritas.meaning.embedded.exclusion import taken_in
from veritas.meaning.embedded.overruling import overruled
from veritas.meaning.embedded.retraction import standing
from veritas.meaning.embedded.short_cuts import EmbeddedJudge

LENSES: list[EmbeddedJudge] = [EmbeddedLens(), CoverageLens(), NumericLens()]
every_lens = pytest.mark.parametrize("lens", LENSES, ids=lambda lens: lens.name)

ADDED = [
    ("Some operators of the pump reported leaks at the seal in 494 cases.",
     "Some operators of the pump reported leaks at the seal."),
    ("Some operators of the Gale 186 pump reported leaks at the shaft seal in 285 cases.",
     "Some operators of the Gale 186 pump reported leaks at the shaft seal. Its noise stayed below 400 decibels."),
    ("Twelve operators reported that the valve leaked at the seal.",
     "Operators reported that the valve leaked at the seal."),
    ("The museum of Linz was founded by Karl Moser in 1987.", "The museum of Linz was founded by Karl Moser."),
    ("The trial enrolled forty-five patients with asthma in Norway.",
     "The trial enrolled patients with asthma in Norway."),
    ("The study followed nurses in Ghent for three years.", "The study followed nurses in Ghent."),
    ("Sales of the heater rose by 15 percent in Norway last winter.",
     "Sales of the heater rose in Norway last winter. The firm has 150 workers."),
    ("Sales of the heater rose by at least 15 percent in Norway last winter.",
     "Sales of the heater rose in Norway last winter. The firm has 150 workers."),
    ("The statue was built by Romans in 80 AD and stands in Trier.", "The statue, built by Romans, stands in Trier."),
    ("The drug cured the fever within 2 days in children.", "The drug cured the fever in children."),
]  # fmt: skip
AT_MOST = [
    ("The treatment reduces mortality by 30%.", "The treatment reduces mortality by up to 30%."),
    ("The tank holds 200 litres of water.", "The tank holds at most 200 litres of water."),
    ("The battery lasts 12 hours.", "The battery lasts no more than 12 hours."),
    ("30 pumps failed the test.", "At most 30 pumps failed the test."),
    ("Several valves failed during the test.", "At most one valve failed during the test."),
]
CERTAIN = [
    ("The pump always overheats when it runs dry.", "The pump may overheat when it runs dry."),
    ("The pump will overheat when it runs dry.", "The pump can overheat when it runs dry."),
    ("The pump always overheats when it runs dry.", "The pump sometimes overheats when it runs dry."),
    ("Every pump overheats when it runs dry.", "The pump may overheat when it runs dry."),
    ("Smoking inevitably causes lung cancer in adults.", "Smoking can cause lung cancer in adults."),
    ("The rash occurs in all patients treated with it.", "The rash occurs in some patients treated with it."),
    ("The merger will certainly raise prices.", "The merger might raise prices."),
    ("The storm never damages the northern pier.", "The storm may not damage the northern pier."),
    ("Most members voted for the motion.", "Some members voted for the motion."),
    ("Most patients recovered in a week.", "A few patients recovered in a week."),
    ("The vaccine prevents infection in all adults.", "The vaccine prevents infection in most adults."),
    ("The committee must approve the budget.", "The committee may approve the budget."),
    ("Coffee is proven to lower the risk of gout.", "Coffee appears to lower the risk of gout."),
    ("Coffee lowers the risk of gout.", "Coffee may lower the risk of gout."),
    ("The bridge is always closed in winter.", "The bridge is usually closed in winter."),
    ("The frogs frequently cross the road in spring.", "The frogs seldom cross the road in spring."),
    ("The drug often causes severe headaches.", "The drug rarely causes severe headaches."),
    ("Many of the students failed the exam.", "Few of the students failed the exam."),
    ("Everyone in the village speaks the dialect.", "Some people in the village speak the dialect."),
]
CERTAIN += [
    ("It binds proteins in the brain that will be effectors of nitric oxide and may be targets of drugs.",
     "It binds proteins in the brain that may be effectors of nitric oxide and may be targets of drugs."),
    ("The loss is rarely total, though the damage to the cord will be complete in some patients.",
     "The loss is rarely total, though the damage to the cord may be complete in some patients."),
]  # fmt: skip
TAKEN_IN = [
    ("Clotting was rarer in persons with a malignancy than in persons with malignancy.",
     "Clotting was rarer in persons with a malignancy than in persons without malignancy."),
    ("The remission was complete after the dose, with relapse in the first year.",
     "The remission was complete after the dose, without relapse in the first year."),
    ("The pump weighs 40 kilograms with everything.", "The pump weighs 40 kilograms without its frame."),
    ("The pump weighs 40 kilograms with its frame.", "The pump weighs 40 kilograms without its frame."),
    ("The pump weighs 40 kilograms including its frame.", "The pump weighs 40 kilograms excluding its frame."),
    ("The engine runs without oil.", "The engine runs with oil."),
    ("The cells divided in the presence of serum.", "The cells divided in the absence of serum."),
    ("The plant grows with light.", "The plant grows in the absence of light."),
    ("Patients with diabetes recovered within a week.", "Patients without diabetes recovered within a week."),
    ("All pumps passed the safety test.", "All pumps passed the safety test except two."),
    ("All pumps passed the test.", "All pumps in the hall passed the test, with the exception of two."),
    ("The Delta pump passed the safety test.", "All pumps passed the safety test except the Delta pump."),
    ("The treatment is safe in pregnant women.", "The treatment is safe except in pregnant women."),
    ("The drug works in humans.", "The drug works in mice but not in humans."),
    ("The law applies to banks.", "The law applies to all firms other than banks."),
    ("All costs rose last year.", "All costs excluding rent rose last year."),
    ("The valve always closes.", "The valve always closes unless the power fails."),
    ("The valve closes even if the power fails.", "The valve closes unless the power fails."),
    ("The company sells the pump in Norway.", "The company no longer sells the pump in Norway."),
    ("The company still sells the pump in Norway.", "The company no longer sells the pump in Norway."),
    ("The hospital treats children.", "The hospital no longer treats children."),
]  # fmt: skip
HARMLESS = [
    ("The valve leaked in 12 cases.", "The valve leaked in twelve cases during the winter."),
    ("The trial enrolled 45 patients with asthma in Norway.",
     "The trial enrolled forty-five patients with asthma in Norway."),
    ("The museum of Linz was founded by Karl Moser in 1987.", "Karl Moser founded the museum of Linz in May 1987."),
    ("The study followed nurses in Ghent for three years.", "The study followed nurses in Ghent for 36 months."),
    ("The study followed nurses in Ghent for 2 weeks.", "The study followed nurses in Ghent for 14 days."),
    ("The trial enrolled more than 250 patients with asthma.", "The trial enrolled 300 patients with asthma."),
    ("The three firms merged.", "The firms Alpha, Beta and Gamma merged, all three of them."),
    ("The station has 2 platforms.", "The station has two platforms."),
    ("The treatment reduces mortality by up to 30%.", "The treatment reduces mortality by at most 30%."),
    ("The tank holds 200 litres of water.", "The tank holds 200 litres of water, up to 300 in winter."),
    ("The pump may overheat when it runs dry.", "The pump may overheat when it runs dry for long."),
    ("The pump always overheats when it runs dry.",
     "The pump always overheats when it runs dry, which may annoy its operators."),
    ("Some people in the village speak the dialect.", "All people in the village speak the dialect."),
    ("The committee will approve the budget.", "In May 2012 the committee said that it will approve the budget."),
    ("The bridge is always closed in winter.",
     "The bridge may be closed in autumn. The bridge is always closed in the winter months."),
    ("The will of the king was read to all heirs.", "The will of the king was read to all heirs, who may contest it."),
    ("Certain patients relapsed after the therapy.", "Some patients relapsed after the therapy."),
    ("The frogs do not often cross the road in spring.", "The frogs rarely cross the road in spring."),
    ("The drug rarely causes severe headaches.", "The drug only rarely causes severe headaches in adults."),
    ("All pumps passed the safety test.", "All pumps passed the safety test without difficulty."),
    ("The pump weighs 40 kilograms without its frame.", "Without its frame the pump weighs 40 kilograms."),
    ("Patients with diabetes recovered within a week.", "Patients with and without diabetes recovered within a week."),
    ("The pump weighs 46 kilograms with its frame.",
     "The pump weighs 40 kilograms without its frame. The pump weighs 46 kilograms with its frame."),
    ("The museum is open every day except Monday.", "Except on Monday, the museum is open every day."),
    ("Control mice received saline.",
     "All mice except control mice received the drug, and control mice received saline."),
    ("Smoking causes heart disease.", "Apart from lung cancer, smoking causes heart disease."),
    ("The drug works in mice.", "The drug works in mice but not in humans."),
    ("The valve closes unless the power fails.", "Unless the power fails, the valve closes."),
    ("The company no longer sells the pump in Norway.", "The company no longer sells its pump in Norway."),
    ("The hospital once treated children.", "The hospital no longer treats children, whom it once treated."),
]  # fmt: skip


def aligned(claim: str, passage: str) -> Alignment:
    stated = Statement(claim)
    return Alignment(stated, Passage(passage, stated))


@every_lens
@pytest.mark.parametrize(("claim", "passage"), ADDED)
def test_a_number_the_passage_does_not_give_is_not_supported(lens: EmbeddedJudge, claim: str, passage: str) -> None:
    assert lens.find(claim, passage)[0] != "supports"


@every_lens
@pytest.mark.parametrize(("claim", "passage"), AT_MOST)
def test_what_is_at_most_is_not_so_much(lens: EmbeddedJudge, claim: str, passage: str) -> None:
    assert lens.find(claim, passage)[0] != "supports"


@every_lens
@pytest.mark.parametrize(("claim", "passage"), CERTAIN)
def test_a_possibility_is_no_certainty(lens: EmbeddedJudge, claim: str, passage: str) -> None:
    assert lens.find(claim, passage)[0] != "supports"


@every_lens
@pytest.mark.parametrize(("claim", "passage"), TAKEN_IN)
def test_what_is_left_out_or_excepted_is_not_taken_in(lens: EmbeddedJudge, claim: str, passage: str) -> None:
    assert lens.find(claim, passage)[0] != "supports"


TOO_CAREFUL = (
    "Certain patients", "The frogs do not often", "The drug rarely causes severe headaches.", "Smoking causes heart",
    "The hospital once",
)
"""Claims that the comparison finds a difference in, though they follow."""


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        pytest.param(c, p, marks=[pytest.mark.xfail(reason="the comparison is too careful")])
        if c.startswith(TOO_CAREFUL) else (c, p)
        for c, p in HARMLESS
    ],
)
def test_the_harmless_twin_is_supported_as_ever(claim: str, passage: str) -> None:
    found = EmbeddedLens().find(claim, passage)
    assert found[0] == "supports", found[2]
    assert overruled(aligned(claim, passage)) is None


@pytest.mark.parametrize(
    ("claim", "passage", "label"),
    [
        ("The frogs often cross the road.", "The frogs seldom cross the road.", "refutes"),
        ("The frogs never cross the road.", "The frogs seldom cross the road.", "silent"),
        ("All frogs cross the road.", "All frogs except the youngest cross the road.", "refutes"),
        ("The frogs always cross the road.", "The frogs may cross the road.", "silent"),
        ("The frogs cross the road with their young.", "The frogs cross the road without their young.", "silent"),
        ("The frogs cross the road in 44 nights.", "The frogs cross the road.", "silent"),
    ],
)
def test_only_the_opposite_is_refuted(claim: str, passage: str, label: str) -> None:
    against = overruled(aligned(claim, passage))
    assert against is not None
    assert against.label == label


def test_a_lower_threshold_does_not_bring_the_support_back() -> None:
    eager = EmbeddedLens(support_threshold=0.01)
    for claim, passage in (ADDED[0], CERTAIN[0], TAKEN_IN[0]):
        alignment = aligned(claim, passage)
        assert eager.find(claim, passage)[0] != "supports"
        chances = eager.chances(alignment, plain(alignment))
        assert chances["supports"] <= max(chances["silent"], chances["refutes"])
        assert sum(chances.values()) == pytest.approx(1)


def test_the_rationale_names_what_was_put_in_or_left_out() -> None:
    lens = EmbeddedLens()
    assert "'494'" in lens.find(*ADDED[0])[2]
    why = lens.find(*CERTAIN[0])[2]
    assert "'may'" in why
    assert "'always'" in why
    why = lens.find("The pump is sold with its frame.", "The pump is sold without its frame.")[2]
    assert "without its frame" in why


def test_a_number_is_an_addition_only_to_words_that_are_there() -> None:
    claim = "Attrition was often reported at 6 months in the clinics of the north."
    assert overruled(aligned(claim, "Attrition is a problem of many clinics, as several authors have said.")) is None


def test_numbering_references_and_names_count_nothing() -> None:
    passage = "The kinase activates the ligase by binding and phosphorylation of IL."
    for claim in (
        "The kinase activates the ligase by (1) binding and (2) phosphorylation.",
        "The kinase activates the ligase by binding and phosphorylation [20].",
    ):
        assert overruled(aligned(claim, passage)) is None


def test_a_hedge_merely_left_out_is_no_objection() -> None:
    for hedged in ("The pump may overheat.", "The pump sometimes overheats.", "In some cases the pump overheats."):
        assert overstated(Statement("The pump overheats."), Statement(hedged)) is None


def test_with_everything_needs_something_left_out() -> None:
    claim = Statement("The pump weighs 40 kilograms with everything.")
    assert taken_in(claim, Statement("The pump weighs 40 kilograms with frame and motor.")) is None


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("All pumps passed the test.", "All pumps passed the test except two."),
        ("The valve always closes.", "The valve always closes unless the power fails."),
        ("30 pumps failed the test.", "At most 30 pumps failed the test."),
        ("The treasurer voted in favour.", "All members except the treasurer voted in favour."),
    ],
)
def test_words_quoted_without_their_bound_are_not_stated(claim: str, passage: str) -> None:
    assert standing(claim, passage) == "limited"
    assert standing(claim, f"{passage} {claim}") == "stated"


WORDS = st.sampled_from(
    "the pump overheats may always never without with everything its frame except unless no longer at most up to "
    "some all every in 12 30% twelve 1990s ( ) , . - rarely not even if [3] \t \n £5 2–4".split(" ")
)


@settings(deadline=None)  # the first example reads the weights, on a busy machine
@given(st.lists(WORDS, max_size=14), st.lists(WORDS, max_size=20))
def test_any_words_are_judged_alike_twice(claim: list[str], passage: list[str]) -> None:
    one, two = " ".join(claim), " ".join(passage)
    if Statement(one).tokens and Statement(two).tokens:
        alignment = aligned(one, two)
        assert overruled(alignment) == overruled(alignment)
    for lens in LENSES:
        assert lens.find(one, two) == lens.find(one, two)


@settings(deadline=None)
@given(st.text(max_size=60), st.text(max_size=120))
def test_any_text_at_all(claim: str, passage: str) -> None:
    for lens in LENSES:
        assert lens.find(claim, passage)[0] in ("supports", "refutes", "silent", "unavailable")

_WITH_A_TABLE = (
    "The trial compared two kinds of pumps in three clean rooms, and ran all of them until they failed. Dry pumps used "
    "9 percent more electricity than oiled pumps. No pump ran above 40 °C.\n\nArm\tn\tLifetime\nDry\t60\t14.2\n"
    "Oiled\t60\t11.8\n"
)


@every_lens
def test_a_table_in_a_document_does_not_keep_its_sentences_from_being_read(lens: EmbeddedJudge) -> None:
    assert lens.find("Dry pumps used 90 percent more electricity than oiled pumps.", _WITH_A_TABLE)[0] == "refutes"
    assert lens.find("Dry pumps used 9 percent more electricity than oiled pumps.", _WITH_A_TABLE)[0] == "supports"


@every_lens
@pytest.mark.parametrize(
    ("claim", "other"),
    [
        ("The survey counted nineteen birds.", "The survey counted ninety birds."),
        ("The survey counted sixteen birds.", "The survey counted 60 birds."),
        ("The pipeline lasted a century in all.", "The pipeline lasted a decade in all."),
        ("The runner finished in 3rd place.", "The runner finished in 13th place."),
    ],
)
def test_the_one_word_that_differs_counts_however_much_of_the_claim_it_weighs(
    lens: EmbeddedJudge, claim: str, other: str
) -> None:
    around = "A committee met in the old town hall. {} However, little is known of the mechanisms behind it."
    assert lens.find(claim, around.format(other))[0] != "supports"
    assert lens.find(claim, around.format(claim))[0] == "supports"
