"""What a review may spend: it holds, what it did not allow is said, and the command that helps is named."""

from __future__ import annotations

import asyncio
import shlex
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.loopback.server import Asked, Loopback, Reply, loopback
from tests.reviews.reviewing_model import council as council_file
from tests.reviews.reviewing_model import faithful, model
from veritas.cli import main
from veritas.errors import Unavailable
from veritas.reviews.review_document import Review
from veritas.reviews.review_request import ReviewRequest
from veritas.reviews.review_runs import replay, resume, start
from veritas.reviews.review_store import review_ids

COME, GO = 10.0, 10.0
"""US dollars for a million tokens."""


class Bill:
    """A writer and judges that keep to the quotes and write a bill."""

    def __init__(self) -> None:
        self.usd = 0.0
        self._script, self._lock = model(faithful), threading.Lock()

    def __call__(self, asked: Asked) -> Reply:
        said = self._script(asked)
        with self._lock:
            self.usd += (len(asked.text) // 4 * COME + max(1, len(said.text) // 4) * GO) / 1e6
        return said


def council(folder: Path, server: Loopback) -> Path:
    """The council of a writer and two judges, of models that think no longer than they say and have a price."""
    file = council_file(folder, server)
    text = file.read_text().replace("gpt-5.4-mini", f"plain\n    price: {{input: {COME}, output: {GO}}}")
    file.write_text(text)
    return file


Fresh = Callable[[], Path]


@pytest.fixture
def fresh(drying: Path, tmp_path: Path) -> Fresh:
    """Makes a home with a corpus that has paid for nothing yet."""
    made: list[Path] = []

    def home() -> Path:
        made.append(tmp_path / f"home-{len(made)}")
        (made[-1] / "corpora").mkdir(parents=True)
        shutil.copy(drying, made[-1] / "corpora")
        return made[-1]

    return home


def reviewed(home: Path, file: Path, **budget: float) -> Review:
    request = ReviewRequest.model_validate({"topic": "drying", "corpus": "drying", "council": file, "budget": budget})
    return asyncio.run(start(request, home=home))


def test_a_review_at_any_budget_sends_no_larger_bill_and_says_what_it_did_without(tmp_path: Path, fresh: Fresh) -> None:
    bill = Bill()
    with loopback(bill) as server:
        file = council(tmp_path, server)
        whole = reviewed(fresh(), file)
        cost = bill.usd
        assert cost > 0
        bill.usd = 0.0
        with pytest.raises(Unavailable, match="of the budget did not suffice"):
            reviewed(fresh(), file, usd=cost * 0.1)
        assert bill.usd <= cost * 0.1
        for share in (0.9, 1.0):  # calls are reserved for more than they cost
            bill.usd, home = 0.0, fresh()
            made = reviewed(home, file, usd=cost * share)
            assert 0 < bill.usd <= cost * share
            assert "The budget had no room for " in made.manuscript.note
            stands = [s for s in made.manuscript.sentences if s.kind != "gap"]
            assert all(made.verdict(s.sentence_id).verdict == "VERIFIED" for s in stands)  # type: ignore[union-attr]
            assert stands, "a part is kept back for the judges"
            assert asyncio.run(resume(made.review_id, home=home)).calls == made.calls
    assert "The budget had no room" not in whole.manuscript.note


def test_calls_are_no_more_than_the_budget_allows(tmp_path: Path, fresh: Fresh) -> None:
    with loopback(model(faithful)) as server:
        made = reviewed(fresh(), council(tmp_path, server), calls=5)
        assert len(server.asked) <= 5
    assert "The budget had no room for " in made.manuscript.note


def test_a_section_that_cannot_be_paid_is_a_gap_with_a_row_and_goes_back_to_nobody(
    tmp_path: Path, fresh: Fresh
) -> None:
    with loopback(model(faithful)) as server:
        made = reviewed(fresh(), council(tmp_path, server), calls=2)
    (row, *_) = [caught for caught in made.layer_one if "was not written" in caught.text]
    assert row.why.endswith("of the budget did not suffice")
    assert not any(r.section == row.section for r in made.revisions)
    assert any(s.kind == "gap" and s.section == row.section for s in made.manuscript.sentences)


def test_a_review_that_can_pay_nobody_ends_and_a_replay_with_a_larger_budget_takes_it_up(
    tmp_path: Path, fresh: Fresh
) -> None:
    home = fresh()
    with loopback(model(faithful)) as server:
        file = council(tmp_path, server)
        with pytest.raises(Unavailable, match="continue with: ") as ended:
            reviewed(home, file, usd=0.0)
        assert not server.asked
        said = shlex.split(str(ended.value).rpartition("continue with: ")[2])
        (review,) = review_ids(home)
        assert said == ["veritas", "review", "--replay", review, "--from", "write", "--budget", "USD"]
        made = asyncio.run(replay(review, "write", home=home, budget={"usd": 5.0}))
    assert made.settings["budget"] == {"usd": 5.0, "calls": None, "seconds": None}
    assert made.layers.passed >= 4


def test_the_command_takes_a_budget_and_names_the_one_that_helps(
    tmp_path: Path, fresh: Fresh, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = fresh()
    monkeypatch.setenv("VERITAS_HOME", str(home))

    def veritas(*arguments: str) -> int:
        with pytest.raises(SystemExit) as end:
            main(list(arguments))
        return int(end.value.code or 0)

    with loopback(model(faithful)) as server:
        file = council(tmp_path, server)
        begun = veritas("review", "drying", "--corpus", "drying", "--council", str(file), "--budget", "0")
        assert begun == 3
        said = capsys.readouterr().err
        assert "--from write --budget USD" in said
        assert "--resume" not in said
        (review,) = review_ids(home)
        assert veritas("review", "--replay", review, "--from", "write", "--budget", "5", "--calls", "500") == 0
    assert "passed every check" in capsys.readouterr().out
