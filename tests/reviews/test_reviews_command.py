"""`veritas review` as a user types it: JSON on stdout alone, exit codes, and what waits for a person afterwards."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.reviews.papers import library


def veritas(*arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "veritas", *arguments], capture_output=True, text=True, check=False,
        env={**os.environ, "VERITAS_HOME": str(home)},
    )  # fmt: skip


def test_a_review_from_the_command_line_through_both_stops(tmp_path: Path) -> None:
    home, papers = tmp_path / "home", library(tmp_path / "papers")
    missing = veritas("review", "drying", "--corpus", "drying", home=home)
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "no corpus" in missing.stderr
    assert veritas("corpus", "add", "drying", str(papers), "--quiet", home=home).returncode == 0

    done = veritas("review", "drying", "--corpus", "drying", "--json", "--out", str(tmp_path / "out"), home=home)
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    assert "retrieve:" in done.stderr
    assert {p.name for p in (tmp_path / "out").iterdir()} == {
        "manuscript.tex", "manuscript.md", "references.bib", "review.json", "report.html",
    }  # fmt: skip
    for stop in ("corpus_stop", "text_stop"):
        settled = veritas(
            "approve", made[stop]["approval_id"], "--name", "Ada Lovelace", "--reason", "I read it", home=home
        )
        assert settled.returncode == 0, settled.stderr
    after = json.loads(veritas("review", "--resume", made["review_id"], "--json", "--quiet", home=home).stdout)
    assert after["manuscript"]["note"].endswith("the text by Ada Lovelace: I read it.")

    both = veritas("review", "drying", "--resume", made["review_id"], home=home)
    assert both.returncode == 2
    assert "--resume" in both.stderr
    unknown = veritas("review", "--resume", "review-nobody-knows", home=home)
    assert (unknown.returncode, "no review" in unknown.stderr) == (2, True)
    stage = veritas("review", "--replay", made["review_id"], "--from", "dream", home=home)
    assert (stage.returncode, "retrieve, write" in stage.stderr) == (2, True)
    stopped = veritas("review", "freezing", "--corpus", "drying", "--stop", home=home)
    assert stopped.returncode == 2
    assert "waits for a person" in stopped.stderr
