"""`veritas desk`: shown, decided, and written as a letter."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Veritas
from tests.papers.desk.trial_paper import write_trial


def test_a_paper_is_opened_decided_about_and_answered_with_a_letter(veritas: Veritas, tmp_path: Path) -> None:
    paper = write_trial(tmp_path)
    shown = veritas("desk", paper, "--checklist", "consort-2010")
    assert shown.code == 0
    assert "CONSORT 2010:" in shown.out
    assert "12 of 60 patients" in shown.out
    desk = veritas("desk", "latest", "--json").json
    first, second = desk["concerns"][0]["id"], desk["not_found"][0]["id"]
    by = ("--name", "Ada Lovelace", "--reason", "It is a fifth.")
    decided = veritas("desk", desk["desk_id"], "--accept", first, "--dismiss", second, *by)
    said = " ".join(decided.out.split())
    assert f"{first} accepted by Ada Lovelace: It is a fifth." in said
    assert "CONSORT" not in said.replace("CONSORT 2010, item", "")
    assert "0 concerns undecided" in said
    letter = veritas("desk", desk["desk_id"], "--letter", "-")
    assert letter.out.startswith("# On ")
    assert "It is a fifth." in letter.out
    for name in ("letter.docx", "letter.md"):
        assert veritas("desk", desk["desk_id"], "--letter", tmp_path / name).code == 0
        assert (tmp_path / name).stat().st_size > 500


def test_lists_and_refusals(veritas: Veritas, tmp_path: Path) -> None:
    paper = write_trial(tmp_path)
    assert "consort-2025" in veritas("desk", "--checklists").out
    assert veritas("desk", paper, "--checklist", "none", "--json").json["checklists"] == []
    assert "Iron for Tired Adults" in veritas("desk", "--list").out
    for wrong, said in (
        ((), "name a paper, a desk"),
        ((paper, "--audit", "latest"), "not both"),
        ((paper, "--accept", "k-none"), "no concern 'k-none'"),
        ((paper, "--checklist", "consort-1996"), "there is no checklist"),
        ((paper, "--letter", tmp_path / "letter.pdf"), "is a .md or a .docx file"),
        (("p-0", "--web"), "name the paper to make it again"),
    ):
        ended = veritas("desk", *wrong)
        assert ended.code == 2, wrong
        assert said in " ".join(ended.err.split())
