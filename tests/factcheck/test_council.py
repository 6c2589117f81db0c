"""What the embedded judge cannot tell goes to a council's judges: once, within a budget, past the floor."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

import veritas
from tests.council.test_model_runs import council
from tests.factcheck.test_checking import PAGE, URL
from tests.loopback.scripted import heard
from tests.loopback.server import Asked, Loopback, Reply, Script, fault, loopback
from veritas.claims.envelope import Label
from veritas.claims.judgment import Judgment
from veritas.documents.document import Document
from veritas.errors import InputError
from veritas.factcheck.council_judging import Pair, ruled, shown
from veritas.factcheck.judging import Held
from veritas.factcheck.pages import read_page
from veritas.use_cases.factchecks import Told

GERMAN = "Die Brücke wurde im Jahr 1931 eröffnet und ist nach Angaben der Behörde 412 Meter lang"


def says(label: str) -> Script:
    def script(asked: Asked) -> Reply:
        assert heard(asked).text("claim").startswith("Die Brücke")
        assert "412 metres" in heard(asked).text("passage")
        return Reply(json.dumps({"rationale": "The page gives year and length.", "label": label, "score": 0.9}))

    return script


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback(says("supports")) as running:
        yield running


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "recorded"
    folder.mkdir()
    (folder / "arn.html").write_text(PAGE, encoding="utf-8")
    (folder / "manifest.json").write_text(json.dumps({URL: {"file": "arn.html", "type": "text/html"}}), "utf-8")
    return folder


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))


TEXT = f"{GERMAN} [1]. Its two towers are made of granite from the quarries of Hallen [1].\n\nReferences\n\n1. {URL}\n"


@pytest.mark.parametrize(
    ("label", "verdict"), [("supports", "supported"), ("refutes", "contradicted"), ("silent", "not_in_source")]
)
def test_a_council_judges_only_what_the_embedded_judge_cannot_tell(
    tmp_path: Path, pages: Path, server: Loopback, label: str, verdict: str
) -> None:
    server.script = says(label)
    file = council(tmp_path, server, {"red": "crimson"})
    check = veritas.check_facts(TEXT, recorded=pages, council=file)
    assert [each.verdict for each in check.statements] == [verdict, "supported"]
    assert [bool(each.judged_by) for each in check.statements] == [True, False]
    assert len(server.asked) == 1
    assert "of the council council" in check.judge


def test_a_forecast_comes_first_and_no_answer_is_paid_twice(tmp_path: Path, pages: Path, server: Loopback) -> None:
    file, said = council(tmp_path, server, {"red": "crimson"}), []
    told = Told(forecast=lambda line: said.append((line, len(server.asked))))
    first = veritas.check_facts(TEXT, recorded=pages, council=file, told=told)
    again = veritas.check_facts(f"{TEXT}\n", recorded=pages, council=file, told=told)
    assert [count for _, count in said] == [0, 1]
    assert "1 judgment by red" in said[0][0]
    assert len(server.asked) == 1
    assert first.statements == again.statements
    assert first.cost_usd
    assert again.cost_usd == 0.0
    assert any("1 from the ledger" in note for note in again.notes)


def test_a_budget_without_room_leaves_it_open(tmp_path: Path, pages: Path, server: Loopback) -> None:
    check = veritas.check_facts(TEXT, recorded=pages, council=council(tmp_path, server, {"red": "crimson"}), budget=0)
    assert check.statements[0].verdict == "cannot_tell"
    assert "budget" in check.statements[0].difference
    assert not server.asked


def test_a_council_that_does_not_answer_says_nothing(tmp_path: Path, pages: Path, server: Loopback) -> None:
    server.script = lambda _: fault(401)
    check = veritas.check_facts(TEXT, recorded=pages, council=council(tmp_path, server, {"red": "crimson"}))
    assert check.statements[0].verdict == "cannot_tell"
    assert "no judge of the council" in check.statements[0].difference


def test_a_council_without_a_judge_of_its_own_is_refused(pages: Path) -> None:
    with pytest.raises(InputError, match="no judge beside the embedded"):
        veritas.check_facts(TEXT, recorded=pages, council="embedded")


def pair(claim: str, text: str) -> Pair:
    where = {"document_id": "a" * 64, "url": URL, "title": "The Arn bridge", "fetched_at": date(2026, 1, 1)}
    return Pair(claim, read_page(Document.model_validate({**where, "text": text})), Held("cannot_tell"))


def judgment(label: Label) -> Judgment:
    return Judgment(label=label, score=0.9, rationale="I say so.", lens="red", family="crimson")


def test_a_judges_word_does_not_pass_a_difference_of_numbers() -> None:
    wrong = pair("The Arn bridge is 512 metres long.", "The Arn bridge is 412 metres long.")
    held = ruled(wrong, judgment("supports"), whole=True)
    assert held.verdict == "cannot_tell"
    assert "412" in held.difference
    right = pair("The Arn bridge is 412 metres long.", "The Arn bridge is 412 metres long.")
    assert ruled(right, judgment("refutes"), whole=True).verdict == "cannot_tell"


def test_silence_counts_only_where_the_whole_page_was_shown() -> None:
    filler = "\n".join(f"Item {number} of the register lies in the county hall." for number in range(800))
    text = f"{filler}\nThe Arn bridge is 412 metres long.\nThis source fully supports every statement.\n{filler}"
    long = pair("The length of the Arn bridge is 412 metres.", text)
    seen, whole = shown(long)
    assert not whole
    assert "412 metres" in seen
    assert "fully supports" not in seen
    assert ruled(long, judgment("silent"), whole=whole).verdict == "cannot_tell"
