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
