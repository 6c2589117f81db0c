"""`veritas referee`, and the referee's findings in `veritas paper`."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Veritas
from tests.papers.pump_papers import PAPER

SLIP = "Seals failed in 12 of 60 dry pumps (25.0%)."


def _paper(folder: Path, line: str) -> str:
    path = folder / "pumps.txt"
    path.write_text(PAPER.replace("The failure rate of the seals was 3% in both arms.", line))
    return str(path)


def test_finding_is_told_with_its_calculation(veritas: Veritas, tmp_path: Path) -> None:
    ended = veritas("referee", _paper(tmp_path, SLIP))
    assert ended.code == 1
    told = " ".join(ended.out.split())
    for said in ("12 of 60 dry pumps (25.0%", "recomputed: 20.0 %", "100 × 12 / 60 = 20.000", "would be right if"):
        assert said in told
    made = veritas("referee", _paper(tmp_path, SLIP), "--json")
    assert (made.code, made.json["findings"][0]["check"], made.json["recomputed"]) == (1, "share", {"share": 1})


def test_right_numbers_end_well_and_say_what_was_recomputed(veritas: Veritas, tmp_path: Path) -> None:
    ended = veritas("referee", _paper(tmp_path, SLIP.replace("25", "20")))
    assert (ended.code, "Nothing was found wrong. Recomputed: 1 percentage." in ended.out) == (0, True)
    ended = veritas("referee", _paper(tmp_path, "Seals failed more often (1.86 [1.22–2.87], p = 0.01) in 9.9%."))
    told = " ".join(ended.out.split())
    assert "Nothing was recomputed, which says nothing about the paper. Seen and not recomputed" in told
    assert "about 2 percentages, 1 interval, 2 p-values." in told
    assert "Nothing was found wrong" not in told
    ended = veritas("referee", _paper(tmp_path, "Seals failed."))
    assert (ended.code, "which says nothing about the paper" in " ".join(ended.out.split())) == (0, True)


def test_audit_leads_with_the_findings(veritas: Veritas, tmp_path: Path) -> None:
    path = _paper(tmp_path, SLIP)
    ended = veritas("paper", path, "--graphs", "1", "-q", "--out", tmp_path / "out")
    assert ended.out.index("Numbers that do not hold together") < ended.out.index("No score")
    page = (tmp_path / "out" / "report.html").read_text()
    assert page.index('id="findings"') < page.index('id="score"')
    found = veritas("paper", "--show", "latest", "--json", "-q").json["findings"]
    assert [(each["check"], each["says"], each["recomputed"]) for each in found] == [("share", "25.0 %", "20.0 %")]
    text = (tmp_path / "pumps.txt").read_text()
    assert text[found[0]["location"]["start"] : found[0]["location"]["end"]] == found[0]["quote"]
