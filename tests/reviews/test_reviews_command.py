"""`veritas review` as a user types it: JSON on stdout alone, exit codes, and what waits for a person afterwards."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import preloaded
from veritas.cli import main
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.review_request import ReviewRequest
from veritas.reviews.review_store import create_review

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def veritas(capsys: pytest.CaptureFixture[str]) -> Run:
    """The command in this process: what starts as a program is tried once."""

    def run(*arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        said = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, int(ended.value.code or 0), said.out, said.err)

    return run


def program(*arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    return preloaded.run(["-m", "veritas", *arguments], env={**os.environ, "VERITAS_HOME": str(home)})


def test_a_review_from_the_command_line_through_both_stops(
    tmp_path: Path, own_home: Path, corpus: Corpus, veritas: Run
) -> None:
    home = own_home
    missing = veritas("review", "drying", "--corpus", "nothing", home=home)
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "no corpus" in missing.stderr

    done = program("review", "drying", "--corpus", "drying", "--json", "--out", str(tmp_path / "out"), home=home)
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    assert "s  retrieve  " in done.stderr
    assert {p.name for p in (tmp_path / "out").iterdir()} == {
        "manuscript.tex", "manuscript.md", "references.bib", "review.json", "report.html",
    }  # fmt: skip
    for stop in ("corpus_stop", "text_stop"):
        settled = veritas(
            "approve", made[stop]["approval_id"], "--name", "Ada Lovelace", "--reason", "I read it", home=home
        )
        assert settled.returncode == 0, settled.stderr
    after = json.loads(veritas("review", "--resume", made["review_id"], "--json", "--quiet", home=home).stdout)
    assert after["manuscript"]["note"].endswith("the text by Ada Lovelace (unsigned): I read it.")

    shown = veritas("review", "--resume", made["review_id"], "--quiet", home=home)
    assert "0 model calls, 0 tokens, $0" in shown.stdout

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


def test_a_review_without_a_sentence_is_not_offered_for_approval(own_home: Path, corpus: Corpus, veritas: Run) -> None:
    empty = veritas("review", "zebra stripes", "--corpus", "drying", home=own_home)
    assert empty.returncode == 1
    assert "0 passed every check, 3 not supported by the corpus\n" in empty.stdout
    assert "To approve" not in empty.stdout
    assert "no sentence to verify" in empty.stderr


def test_reviews_are_listed_with_what_became_of_them(own_home: Path, corpus: Corpus, veritas: Run) -> None:
    assert "no reviews in" in veritas("review", "--list", home=own_home).stdout
    made = veritas("review", "drying", "--corpus", "drying", "--json", "--quiet", home=own_home)
    done = json.loads(made.stdout)["review_id"]
    with create_review(ReviewRequest(topic="cut off", corpus="drying")) as store:
        cut = store.run.run_id
    broken = own_home / "reviews" / "runs" / "review-20200101-000000-abcdef.duckdb"
    broken.write_bytes(b"no database" * 3000)
    lines = [line.split() for line in veritas("review", "--list", home=own_home).stdout.splitlines()]
    assert {line[0]: line[1] for line in lines} == {done: "finished", cut: "interrupted", broken.stem: "unreadable"}
    assert "3 reviews: veritas review --list" in veritas("runs", home=own_home).stdout
    listed = [json.loads(line) for line in veritas("review", "--list", "--json", home=own_home).stdout.splitlines()]
    assert {each["review_id"]: each["topic"] for each in listed}[cut] == "cut off"


def test_a_review_is_said_where_its_files_cannot_be_written(
    tmp_path: Path, own_home: Path, corpus: Corpus, veritas: Run
) -> None:
    (tmp_path / "out" / "report.html" / "in the way").mkdir(parents=True)
    out = str(tmp_path / "out")
    ended = veritas("review", "drying", "--corpus", "drying", "--out", out, "--quiet", home=own_home)
    assert ended.returncode == 3
    assert "sentences drafted" in ended.stdout
    assert "The review itself is stored: veritas review --resume" in ended.stderr
