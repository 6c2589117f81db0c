"""A paper on the desk: what is found has its words and place, what is not says where it was sought."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.papers.desk.trial_paper import DATA, POWER, PRIMARY, REGISTERED, SEQUENCE, SLIP, TRIAL, write_trial
from veritas.documents.document import Document
from veritas.errors import InputError, Unavailable
from veritas.papers.desk.answers import Answered, ItemAnswer
from veritas.papers.desk.desk import Desk, make_desk
from veritas.papers.desk.links import with_links_asked
from veritas.papers.desk.outcomes import RegisteredOutcome, read_outcomes
from veritas.papers.reading.paper_text import PaperText, read_file
from veritas.reading.web.readable import Gone
from veritas.report.paper.desk_text import show_desk


@pytest.fixture
def paper(tmp_path: Path) -> PaperText:
    return read_file(write_trial(tmp_path))


def _item(desk: Desk, item: str) -> ItemAnswer:
    (checklist,) = desk.checklists
    return next(each for each in checklist.items if each.id == item)


def _of(folder: Path, text: str, **more: object) -> Desk:
    return make_desk(read_file(write_trial(folder, text)), **more)  # type: ignore[arg-type]


def test_the_design_is_told_by_the_title_and_chooses_the_checklist(paper: PaperText) -> None:
    desk = make_desk(paper)
    assert (desk.design.name, desk.design.why) == ("randomised-trial", "the title says so")
    assert [each.name for each in desk.checklists] == ["consort-2010" if paper.identity.year else "consort-2025"]


def test_an_item_is_found_with_the_sentence_that_carries_it(paper: PaperText) -> None:
    desk = make_desk(paper, checklists=["consort-2010"])
    for item, said in (("7a", POWER), ("8a", SEQUENCE), ("6a", PRIMARY)):
        answer = _item(desk, item)
        assert answer.state == "found"
        (evidence,) = answer.evidence
        assert evidence.quote == paper.text[evidence.place.start : evidence.place.end]
        assert " ".join(evidence.quote.split()) == said


def test_what_is_not_found_says_where_it_was_sought_and_what_needs_judgement_is_left_to_a_reader(
    paper: PaperText,
) -> None:
    desk = make_desk(paper, checklists=["consort-2010"])
    concealment, blinding, background = (_item(desk, item) for item in ("9", "11a", "2a"))
    assert (concealment.state, concealment.looked_in) == ("not-found", ("the whole text but the reference list",))
    assert (blinding.state, blinding.looked_in) == ("for-a-reader", ())
    assert "words on it" in blinding.why
    assert ["placebo" in each.quote for each in blinding.near] == [True]
    assert concealment.near == ()
    assert (background.state, background.why) == ("for-a-reader", "the item asks for judgement")
    funding = _item(desk, "25")
    assert (funding.state, funding.missing) == ("in-part", ("the part that the funders had in the study",))


def test_an_item_that_applies_only_sometimes_is_no_lack(paper: PaperText) -> None:
    stopped = _item(make_desk(paper, checklists=["consort-2010"]), "14b")
    assert stopped.state == "for-a-reader"
    assert "applies only if the trial was stopped" in stopped.why


def test_nothing_is_called_missing_in_a_paper_of_which_parts_were_not_read(tmp_path: Path) -> None:
    (tmp_path / "trial.tex").write_text(
        "\\title{Iron: a randomised trial}\n\\begin{document}\\section{Methods}\n" + "Patients took iron. " * 40
        + "\\input{lost}\n\\end{document}"
    )
    desk = make_desk(read_file(tmp_path / "trial.tex"), checklists=["consort-2010"])
    assert not [each for each in desk.checklists[0].items if each.state == "not-found"]
    assert not [each for each in desk.concerns if each.kind == "checklist"]
    assert any("not found" in note for note in desk.notes)


def test_a_protocol_and_a_paper_without_a_design_get_no_checklist(tmp_path: Path) -> None:
    protocol = _of(tmp_path, TRIAL.replace("a Randomised Controlled Trial", "Study Protocol of a Randomised Trial"))
    assert (protocol.design.name, protocol.checklists) == (None, ())
    plain = "Pumps in Winter\n\nAbstract\n\n" + "Pumps freeze in winter and thaw in spring. " * 20
    essay = _of(tmp_path, plain)
    assert (essay.design.name, essay.checklists) == (None, ())
    chosen = _of(tmp_path, plain, checklists=["joss"])
    assert chosen.design.chosen
    assert [each.name for each in chosen.checklists] == ["joss"]


@pytest.mark.parametrize(
    ("title", "body", "name"),
    [
        ("Effects of Iron in Rats", "Male Wistar rats weighing 200 g were housed in cages.", "animal-study"),
        ("Iron for Adults: a Systematic Review", "We searched PubMed and Embase for trials.", "systematic-review"),
        ("Cells of Rats: a Systematic Review of Cells", "Cells were cultured.", None),
        ("toolbox: survival curves in Python", "Code is available at https://github.com/a/b on GitHub.", "software"),
        ("Correction: a Randomised Controlled Trial of Iron", "Patients took iron.", None),
    ],
)  # fmt: skip
def test_a_design_must_be_borne_out_by_the_text(tmp_path: Path, title: str, body: str, name: str | None) -> None:
    methods = f"{body} {'Iron was weighed every day. ' * 20}"
    text = f"{title}\n\nAbstract\n\nIron matters to many.\n\n1 Methods\n\n{methods}\n"
    assert _of(tmp_path, text).design.name == name


RANDOM = "Participants were randomly assigned to one of two groups. The participants sat before a screen."


@pytest.mark.parametrize(
    ("body", "name", "why"),
    [
        (f"{RANDOM} Students rated each picture. Participants then left.", None, "name a randomised trial, but"),
        (f"{RANDOM} Patients took a dose of 5 mg. Each of the patients told of symptoms. Patients left the clinic.",
         "randomised-trial", "the paper says so"),
        ("In the present population-based cohort study, we asked adults of their weight. The adults were weighed. The"
         " participants were seen again.", "observational", "the paper says so"),
        ("Mortality of the participants was followed from 1982 through 1999. Adults were asked. The adults were"
         " weighed.", "observational", "the paper says so"),
        ("Earlier cohort studies have asked adults. The adults were weighed. The participants left.", None, "none was"),
    ],
)  # fmt: skip
def test_a_trial_needs_clinical_words_and_a_cohort_study_is_told(
    tmp_path: Path, body: str, name: str | None, why: str
) -> None:
    text = f"Judgements of weight\n\nAbstract\n\nIron matters.\n\n1 Methods\n\n{body} {'Iron was weighed. ' * 25}\n"
    design = _of(tmp_path, text).design
    assert design.name == name
    assert why in design.why


def test_ratios_and_points_of_typesetters_and_decimal_commas_are_read(tmp_path: Path) -> None:
    told = "\n\n".join((
        "Acupuncture: a Randomised Controlled Trial", "1 Methods",
        f"Patients were randomised using the allocation ratio of 2∶2∶1, respectively. {'Patients were seen. ' * 30}",
        "2 Results", "Depression fell with a Cohen's d of −0·39 (95% CI −0·60 to −0·18). Falls had OR 0,37; 95% CI"
        " 0,14-0,83. The risk ratio of relapse in the steroid arm was 1.0083 (95% CI: 0.58 to 1.75). Rooms 1,25 were"
        " used.",
    ))  # fmt: skip
    desk = _of(tmp_path, told, checklists=["consort-2010"])
    assert "the allocation ratio" not in " ".join(_item(desk, "3a").missing)
    assert [each.kind for each in desk.told("effect-size")] == ["Cohen's d", "odds ratio", "risk ratio"]
    plain = told.replace("2∶2∶1", "chance")
    desk = _of(tmp_path, plain, checklists=["consort-2010"])
    assert "the allocation ratio" in " ".join(_item(desk, "3a").missing)


def test_a_sentence_before_a_list_is_quoted_with_it_and_a_placeholder_carries_nothing(tmp_path: Path) -> None:
    told = "\n\n".join((
        "Acupuncture: a Randomised Controlled Trial", "1 Introduction", "The aims of the trial were as follows:",
        "To compare acupuncture with care.", "2 Methods", f"{'Patients were seen. ' * 30}", "3 Discussion",
        "##Clinical applications - **Generalisability?**", "The end.",
    ))  # fmt: skip
    desk = _of(tmp_path, told, checklists=["consort-2010"])
    assert "To compare acupuncture with care." in "".join(each.quote for each in _item(desk, "2b").evidence)
    assert (_item(desk, "21").state, _item(desk, "21").evidence) == ("for-a-reader", ())
    said = "The findings can be generalised to other groups."
    plain = told.replace("##Clinical applications - **Generalisability?**", said)
    assert _item(_of(tmp_path, plain, checklists=["consort-2010"]), "21").state == "found"


def test_a_registration_that_stands_alone_in_its_line_is_found(tmp_path: Path) -> None:
    told = f"A Randomised Controlled Trial\n\n1 Methods\n\nISRCTN63787732\n\n{'Patients were seen. ' * 30}\n"
    assert _item(_of(tmp_path, told, checklists=["consort-2010"]), "23").state == "found"
    without = told.replace("ISRCTN63787732", "ISRCTN")
    assert _item(_of(tmp_path, without, checklists=["consort-2010"]), "23").state == "for-a-reader"
    nothing = told.replace("ISRCTN63787732", "The end")
    assert _item(_of(tmp_path, nothing, checklists=["consort-2010"]), "23").state == "not-found"


PLAIN = (
    ("20", "Our results should be read with caution, for few patients came back."),
    ("20", "A drawback was that nobody counted the tablets."),
    ("9", "Sealed envelopes were held by a nurse."),
    ("9", "A telephone line told which arm came next."),
    ("8b", "Patients were put into blocks of six."),
    ("24", "The protocol is in the supplement to this paper."),
    ("13b", "Three of them moved away and discontinued."),
)


@pytest.mark.parametrize(("item", "said"), PLAIN)
def test_an_item_is_called_not_found_only_where_no_word_on_it_stands_in_the_paper(
    item: str, said: str, tmp_path: Path
) -> None:
    bare = f"A Randomised Controlled Trial\n\n1 Methods\n\n{'Iron was given. ' * 30}\n\n3 Discussion\n\nHere.\n"
    lacking = _item(_of(tmp_path, bare, checklists=["consort-2010"]), item)
    assert lacking.state == "not-found"
    assert lacking.near == ()
    with_words = _item(_of(tmp_path, f"{bare}\n4 Remarks\n\n{said}\n", checklists=["consort-2010"]), item)
    assert with_words.state in ("found", "for-a-reader")
    assert said in [each.quote for each in (*with_words.near, *with_words.evidence)]


def test_a_statement_of_need_that_opens_a_note_on_software_is_found(tmp_path: Path) -> None:
    note = tmp_path / "paper.md"
    note.write_text(
        "---\ntitle: 'beesize: an R package for colonies'\n---\n\n# Statement of Need\n\nBees live in colonies. "
        "Counting them was tedious, and this package automates it for researchers.\n\n# Example\n\n"
        + "A colony grows and declines in summer. " * 12
    )
    need = _item(make_desk(read_file(note), checklists=["joss"]), "20")
    assert [each.quote for each in need.evidence] == [
        "Counting them was tedious, and this package automates it for researchers."
    ]
    note.write_text(note.read_text().replace("# Statement of Need", "# Bees").replace("tedious", "done"))
    assert _item(make_desk(read_file(note), checklists=["joss"]), "20").state != "found"


def test_words_in_the_reference_list_are_none_of_the_papers(tmp_path: Path) -> None:
    bare = f"A Randomised Controlled Trial\n\n1 Methods\n\n{'Iron was given. ' * 30}\n\nReferences\n\n"
    cited = f"{bare}[1] A. Smith. Limitations of concealment by envelopes. Journal of Blood, 12(3):1-9, 1990.\n"
    assert _item(_of(tmp_path, cited, checklists=["consort-2010"]), "9").state == "not-found"


def test_registration_power_effect_and_data_are_told_with_their_words(paper: PaperText) -> None:
    desk = make_desk(paper)
    (registration,) = desk.told("registration")
    assert (registration.kind, registration.value) == ("ClinicalTrials.gov", "NCT02233764")
    assert REGISTERED in " ".join(registration.quote.split())
    (power,) = desk.told("power")
    assert (power.kind, power.value) == ("a priori", "80%")
    assert [each.kind for each in desk.told("effect-size")] == ["standardised mean difference"]
    (data,) = desk.told("data")
    assert (data.quote, data.links[0].state) == (DATA, "not-asked")
    assert desk.told("code") == ()


def test_a_number_of_another_study_is_no_registration_of_this_one(tmp_path: Path) -> None:
    text = TRIAL.replace(REGISTERED, "").replace(
        "Iron helps patients a little.", "A companion trial (NCT01111111) found less."
    )
    assert _of(tmp_path, text).told("registration") == ()


class _Web:
    """A reader of pages that exist, are gone, or cannot be had."""

    def __init__(self, error: Unavailable | None) -> None:
        self.error = error

    async def read(self, url: str) -> Document:
        if self.error is not None:
            raise self.error
        return Document.model_validate(
            {"document_id": "0" * 64, "url": url, "title": "", "text": "x", "media_type": "text/plain",
             "fetched_at": "2026-01-01"}
        )  # fmt: skip


@pytest.mark.parametrize(
    ("error", "state", "concerns"),
    [(None, "live", 0), (Gone("says 404"), "dead", 2), (Unavailable("timed out"), "not-known", 0)],
)
async def test_only_a_page_that_is_gone_is_held_against_the_paper(
    paper: PaperText, error: Unavailable | None, state: str, concerns: int
) -> None:
    desk = await with_links_asked(make_desk(paper), _Web(error))
    assert {link.state for each in desk.statements for link in each.links} == {state}
    assert len([each for each in desk.concerns if each.kind == "link"]) == concerns


def test_registered_outcomes_are_sought_in_the_paper(paper: PaperText, tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    outcomes = [{"measure": "Change in haemoglobin", "timeFrame": "12 weeks"}, {"measure": "Hospital admissions"}]
    record.write_text(json.dumps({"protocolSection": {
        "identificationModule": {"nctId": "NCT02233764"}, "outcomesModule": {"primaryOutcomes": outcomes},
    }}))  # fmt: skip
    desk = make_desk(paper, outcomes=read_outcomes(record))
    named, lost = desk.outcomes
    assert named.named is not None
    assert PRIMARY in " ".join(named.named.text.split())
    assert lost.named is None
    assert [each for each in desk.concerns if each.kind == "outcome"] == []
    row = desk.row(lost.subject)
    assert row is not None
    assert not row.specific
    assert "“Hospital admissions”" in row.says
    record.write_text("[]")
    with pytest.raises(InputError, match=r"is no record of ClinicalTrials\.gov"):
        read_outcomes(record)


@pytest.mark.parametrize(
    ("said", "otherwise"),
    [
        ("The secondary outcomes were change in serum ferritin after 12 weeks and weight.", True),
        ("Change in serum ferritin fell short of the secondary outcome.", False),
        ("The primary outcome was haemoglobin and the secondary outcome change in serum ferritin.", False),
        ("The primary outcome was change in serum ferritin.", False),
    ],
)
def test_a_primary_outcome_that_the_paper_lists_as_secondary_is_a_concern(
    tmp_path: Path, said: str, otherwise: bool
) -> None:
    outcome = RegisteredOutcome(number="NCT02233764", primary=True, measure="Change in serum ferritin")
    desk = _of(tmp_path, TRIAL.replace(PRIMARY, said), outcomes=[outcome])
    raised = [each for each in desk.concerns if each.kind == "outcome"]
    assert bool(raised) == otherwise
    assert all(each.specific and " ".join(each.quotes[0].text.split()) == said for each in raised)


def test_what_was_not_found_is_no_concern(paper: PaperText) -> None:
    desk = make_desk(paper, checklists=["consort-2010"])
    assert all(each.specific for each in desk.concerns)
    assert not any(each.kind == "checklist" for each in desk.concerns)
    row = desk.row("consort-2010 9")
    assert row is not None
    assert _item(desk, "9").missing[0] in row.says
    shown = " ".join(show_desk(desk).split())
    assert f"[{row.id}]" in shown
    assert "not found; looked in the whole text but the reference list" in shown


def test_arithmetic_is_a_concern_with_its_calculation_whose_id_no_checklist_changes(paper: PaperText) -> None:
    first = make_desk(paper).concerns[0]
    assert (first.kind, first.specific) == ("arithmetic", True)
    assert first.quotes[0].text in SLIP
    assert "20" in first.calculation
    assert make_desk(paper, checklists=["joss"]).concerns[0].id == first.id


def test_the_reference_list_carries_no_item(tmp_path: Path) -> None:
    text = TRIAL.replace("Journal of Blood, 5", "Concealed allocation in sealed envelopes. Journal of Blood, 5")
    (checklist,) = _of(tmp_path, text, checklists=["consort-2010"]).checklists
    assert isinstance(checklist, Answered)
    assert next(each for each in checklist.items if each.id == "9").state == "not-found"


def test_a_reference_that_its_own_entry_calls_retracted_is_a_point_unless_the_text_says_so(tmp_path: Path) -> None:
    listed = TRIAL.replace("[1] A. Smith. Tiredness in adults.", "[1] A. Smith. RETRACTED: Tiredness in adults.")
    (point,) = [each for each in _of(tmp_path, listed).concerns if each.kind == "reference"]
    assert point.specific
    assert "listed as “RETRACTED”" in point.says
    assert "RETRACTED: Tiredness" in point.quotes[0].text
    said = listed.replace("Iron helps patients a little.", "Iron helps a little. The work of Smith was retracted [1].")
    for clean in (TRIAL, said, TRIAL.replace("Tiredness in adults.", "Why muscles are retracted: a study.")):
        assert [each for each in _of(tmp_path, clean).concerns if each.kind == "reference"] == []


@pytest.mark.parametrize(
    ("theirs", "own"),
    [
        ("Stratified analysis showed gains in women in that study [18].", "Stratified analysis showed gains."),
        (
            "A large trial from Lund reported that subgroup analyses favoured women.",
            "In our trial, unlike in that study, subgroup analyses favoured women.",
        ),
        (
            "Smith et al. found an interaction between iron and age.",
            "We found an interaction between iron and age, as reported before.",
        ),
    ],
)
def test_what_another_study_found_carries_no_item_and_stays_a_word_on_it(
    theirs: str, own: str, tmp_path: Path
) -> None:
    bare = f"A cohort study\n\n1 Methods\n\n{'Iron was given. ' * 30}\n\n3 Discussion\n\n"
    (tmp_path / "own").mkdir()
    of_others = _item(_of(tmp_path, f"{bare}{theirs}\n", checklists=["strobe"]), "17")
    assert of_others.state == "for-a-reader"
    assert [each.quote for each in of_others.near] == [theirs]
    assert _item(_of(tmp_path / "own", f"{bare}{own}\n", checklists=["strobe"]), "17").state == "found"


@pytest.mark.parametrize(
    ("item", "checklist", "other_sense", "word"),
    [
        ("9", "strobe", "There were challenges in getting cross-matched blood.", "Cases were matched to controls."),
        ("12e", "strobe", "A robust audit of wards is called for.", "The results were robust to outliers."),
        ("14b", "strobe", "Deaths of unknown causes lead to speculation.", "The weight of 12 women was unknown."),
        ("16a", "arrive-2.0", "Free radicals cause oxidative stress.", "Handling was gentle to reduce stress."),
        ("20", "arrive-2.0", "The currently available agents are costly.", "The raw data were made available."),
    ],
)
def test_words_in_another_sense_are_no_words_on_an_item(
    item: str, checklist: str, other_sense: str, word: str, tmp_path: Path
) -> None:
    bare = f"A study of iron\n\n1 Methods\n\n{'Iron was given. ' * 30}\n\n3 Discussion\n\n"
    (tmp_path / "word").mkdir()
    assert other_sense not in [
        each.quote for each in _item(_of(tmp_path, f"{bare}{other_sense}\n", checklists=[checklist]), item).near
    ]
    spoken = _item(_of(tmp_path / "word", f"{bare}{word}\n", checklists=[checklist]), item)
    assert word in [each.quote for each in (*spoken.near, *spoken.evidence)]
