"""Decisions at the desk: by name and reason, each in a file that is never changed; and the letter that quotes them."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

import veritas
from tests.papers.desk.trial_paper import SLIP, TRIAL, write_trial
from veritas.errors import InputError, StoreUnavailable, UnknownRun
from veritas.papers.desk.desk import Desk
from veritas.papers.desk.desk_folder import DeskFolder
from veritas.settings import home

ADA, WHY = "Ada Lovelace", "12 of 60 is a fifth."


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return veritas.open_desk(write_trial(tmp_path))


def _accept(desk: Desk, number: int = 0, name: str = ADA, reason: str = WHY) -> Desk:
    return veritas.decide_concern(desk.desk_id, desk.concerns[number].id, "accept", name, reason)


def _docx_text(data: bytes) -> str:
    from docx import Document

    return "\n".join(paragraph.text for paragraph in Document(BytesIO(data)).paragraphs)


def test_a_decision_is_kept_with_name_and_reason_and_holds_when_the_paper_is_opened_again(
    desk: Desk, tmp_path: Path
) -> None:
    decided = _accept(desk)
    ((concern, decision),) = decided.accepted()
    assert (concern.id, decision.name, decision.reason) == (desk.concerns[0].id, ADA, WHY)
    again = veritas.open_desk(write_trial(tmp_path), checklists=["strobe"])
    assert (again.desk_id, len(again.accepted())) == (desk.desk_id, 1)
    assert len(again.undecided()) == len(again.concerns) - 1
    assert again.not_found


def test_files_of_a_desk_are_added_and_never_changed(desk: Desk, tmp_path: Path) -> None:
    folder = home() / "desks" / desk.desk_id
    _accept(desk)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    veritas.decide_concern(desk.desk_id, desk.concerns[0].id, "withdraw", "Bob", "It is a typing error.")
    veritas.open_desk(write_trial(tmp_path), checklists=["joss"])
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert before.items() <= after.items()
    name = desk.concerns[0].id
    assert set(after) == {"desk.1.json", "desk.2.json", f"{name}.1.json", f"{name}.2.json"}
    assert veritas.load_desk(desk.desk_id).accepted() == ()


def test_the_same_desk_is_written_once(desk: Desk, tmp_path: Path) -> None:
    veritas.open_desk(write_trial(tmp_path))
    assert [path.name for path in (home() / "desks" / desk.desk_id).iterdir()] == ["desk.1.json"]


def test_what_does_not_follow_is_refused(desk: Desk) -> None:
    name = desk.concerns[0].id
    with pytest.raises(InputError, match="nothing to withdraw"):
        veritas.decide_concern(desk.desk_id, name, "withdraw", ADA, WHY)
    for who, reason in (("", WHY), (ADA, " ")):
        with pytest.raises(InputError, match="needs a name and a reason"):
            veritas.decide_concern(desk.desk_id, name, "accept", who, reason)
    with pytest.raises(InputError, match="no concern 'k-000000000000'"):
        veritas.decide_concern(desk.desk_id, "k-000000000000", "accept", ADA, WHY)
    with pytest.raises(InputError, match="no verdict"):
        veritas.decide_concern(desk.desk_id, name, "maybe", ADA, WHY)  # type: ignore[arg-type]
    _accept(desk)
    with pytest.raises(InputError, match=r"Ada Lovelace has accepted .*: withdraw that first"):
        veritas.decide_concern(desk.desk_id, name, "dismiss", "Bob", "No.")
    with pytest.raises(UnknownRun, match="no desk 'p-ffffffffffff'"):
        veritas.load_desk("p-ffffffffffff")


def test_of_two_who_decide_at_once_one_is_told(desk: Desk) -> None:
    folder = DeskFolder(home())
    seen = folder.load(desk.desk_id)
    decision = _accept(desk).decision(desk.concerns[0].id)
    assert decision is not None
    with pytest.raises(InputError, match="somebody else has just decided"):
        folder.decide(seen, decision.model_copy(update={"name": "Bob", "verdict": "dismiss"}))


def test_a_damaged_file_is_told_and_the_other_desks_are_still_listed(desk: Desk, tmp_path: Path) -> None:
    other = veritas.open_desk(write_trial(tmp_path, TRIAL.replace("haemoglobin", "ferritin")))
    (home() / "desks" / other.desk_id / "desk.1.json").write_text("{}")
    with pytest.raises(StoreUnavailable, match="is damaged"):
        veritas.load_desk(other.desk_id)
    lines = {each.desk_id: each for each in veritas.list_desks()}
    assert lines[desk.desk_id].problem is None
    assert "is damaged" in (lines[other.desk_id].problem or "")


def test_the_letter_quotes_what_was_accepted_with_place_and_calculation_and_nothing_else(desk: Desk) -> None:
    _accept(desk)
    before = veritas.editor_letter(desk.desk_id)
    assert "Looked in" not in str(before)
    assert "not found" not in str(before).casefold()
    raised, dismissed, left = [each for each in desk.not_found if not each.near][:3]
    veritas.decide_concern(desk.desk_id, raised.id, "accept", ADA, "Please tell it.")
    veritas.decide_concern(desk.desk_id, dismissed.id, "dismiss", ADA, "It is in the supplement.")
    letter = veritas.editor_letter(desk.desk_id)
    assert isinstance(letter, str)
    data = veritas.editor_letter(desk.desk_id, form="docx")
    assert isinstance(data, bytes)
    for text in (letter.replace("\\", ""), _docx_text(data)):
        plain = " ".join(text.replace("&#58;", ":").split())
        assert "12 of 60 patients (25.0%" in plain
        assert "“Results”" in plain
        assert desk.concerns[0].calculation in plain
        assert WHY in plain
        assert raised.says in plain
        assert "Looked in:" in plain
        assert dismissed.says not in plain
        assert left.says not in plain
        assert "It is in the supplement." not in plain
        assert ADA in plain
    assert ZipFile(BytesIO(data)).testzip() is None


def test_who_raises_what_the_paper_has_words_on_is_shown_them_first(desk: Desk) -> None:
    row = next(each for each in desk.not_found if each.subject.endswith(" 11a") or each.subject.endswith(" 20a"))
    assert "placebo" in row.near[0].text
    with pytest.raises(InputError, match=r"these sentences have words on it: .*iron or placebo.*--looked"):
        veritas.decide_concern(desk.desk_id, row.id, "accept", ADA, "Nobody is said to be blind.")
    assert veritas.load_desk(desk.desk_id).accepted() == ()
    decided = veritas.decide_concern(desk.desk_id, row.id, "accept", ADA, "Nobody is said to be blind.", looked=True)
    assert [each.id for each, _ in decided.accepted()] == [row.id]
    assert "none was read as telling it" in str(veritas.editor_letter(desk.desk_id))


def test_a_desk_that_was_stored_with_what_was_not_found_among_its_concerns_is_read_with_the_two_apart(
    desk: Desk,
) -> None:
    stored = desk.model_dump(mode="json", exclude={"not_found"})
    stored["concerns"] += [each.model_dump(mode="json") for each in desk.not_found]
    (home() / "desks" / desk.desk_id / "desk.2.json").write_text(json.dumps(stored))
    read = veritas.load_desk(desk.desk_id)
    assert (read.concerns, read.not_found) == (desk.concerns, desk.not_found)


def test_numbers_and_addresses_of_a_letter_can_be_read_as_they_stand(tmp_path: Path) -> None:
    text = TRIAL.replace(SLIP, "Iron rose, t(20) = 0.50, p < 0.001, see https://example.org/a & b <b>x</b>.")
    desk = veritas.open_desk(write_trial(tmp_path, text))
    letter = veritas.editor_letter(_accept(desk, reason="See https://example.org/a & <b>b</b>, p < 0.05.").desk_id)
    assert "p < 0.001" in letter
    assert "https://example.org/a & &lt;b>b&lt;/b>, p < 0.05." in letter
    assert "we noted 1 point. Please answer it." in letter


def test_a_letter_without_an_accepted_point_raises_nothing(desk: Desk) -> None:
    letter = veritas.editor_letter(desk.desk_id)
    assert isinstance(letter, str)
    assert "there is nothing to raise" in letter
    assert "12 of 60" not in letter
    with pytest.raises(InputError, match="a letter is markdown or docx"):
        veritas.editor_letter(desk.desk_id, form="pdf")  # type: ignore[arg-type]


def test_words_of_a_paper_become_no_markup_in_the_letter(tmp_path: Path) -> None:
    text = TRIAL.replace("Side effects were seen", "<b>Side</b> [effects](http://evil.example) were seen")
    desk = veritas.open_desk(write_trial(tmp_path, text.replace("Tired Adults", "Tired *Adults* <script>")))
    letter = veritas.editor_letter(_accept(desk).desk_id)
    assert isinstance(letter, str)
    assert "<script>" not in letter
    assert "](http" not in letter


def test_the_desk_of_an_audit_has_its_specific_flaws_and_not_those_that_could_not_be_assessed(tmp_path: Path) -> None:
    audit = veritas.audit_paper(str(write_trial(tmp_path)), graphs=1)
    desk = veritas.open_desk(audit=audit.audit_id)
    assert desk.audit_id == audit.audit_id
    assert {each.subject for each in desk.concerns if each.kind == "flaw"} <= {"contradicted", "citation", "dangling"}
    assert desk.concerns[0].kind == "arithmetic"
    with pytest.raises(InputError, match="give a paper, or the audit of one"):
        veritas.open_desk()
