"""`veritas lenses --on`: lenses measured on labelled claims, beside the embedded one."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Veritas
from tests.council.lenses.tiny_model import folder
from tests.loopback.fact_checker import checks
from tests.loopback.server import Reply, fault, loopback

PASSAGE = "Zinc shortened colds by a day. Nobody measured sleep."
PAIRS = [
    {"claim": "Zinc shortened colds", "passage": PASSAGE, "label": "supports", "source_dataset": "one"},
    {"claim": "Zinc shortened colds by a day", "passage": PASSAGE, "label": "supports", "source_dataset": "one"},
    {"claim": "Zinc prolonged colds", "passage": PASSAGE, "label": "refutes", "source_dataset": "two"},
    {"claim": "The weather was fine", "passage": PASSAGE, "label": "silent", "source_dataset": "two", "more": 1},
]
COUNCIL = """
members:
  - {{name: a, member: embedded-lead, judge: embedded-coverage}}
judges:
{judges}
verifiers: [{names}]
writer: a
"""
CHECKER = """  - {{name: checker, lens: minicheck, model: openai/m, family: bespoke, base_url: "{url}",
     limits: {{retries: 0}}, price: {{input: 1000, output: 1000}}{more}}}"""


def pairs_file(tmp_path: Path, pairs: Any = PAIRS) -> str:
    file = tmp_path / "pairs.jsonl"
    file.write_text("\n".join(map(json.dumps, pairs)) + "\n\n", encoding="utf-8")
    return str(file)


def council(tmp_path: Path, url: str, more: str = "") -> str:
    nli = f"  - {{name: nli, lens: onnx, folder: {folder(tmp_path / 'model')}, family: microsoft}}"
    file = tmp_path / "council.yaml"
    judges = f"{CHECKER.format(url=url, more=more)}\n{nli}"
    file.write_text(COUNCIL.format(judges=judges, names="checker, nli"), encoding="utf-8")
    return str(file)


@pytest.fixture
def run(veritas: Veritas) -> Veritas:
    return partial(veritas, "lenses")


def measured(run: Veritas, *words: str) -> dict[str, Any]:
    found = run("--json", *words)
    assert found.code == 0, found.err
    return {one["lens"]: one for one in found.json["lenses"]}


def test_every_lens_asked_is_measured_beside_the_embedded_one(run: Veritas, tmp_path: Path) -> None:
    with loopback(checks(0.9)) as server:
        found = measured(run, "--on", pairs_file(tmp_path), "--council", council(tmp_path, server.url))
        assert list(found) == ["embedded", "checker", "nli"]
        assert len(server.asked) == 4
    checker, nli = found["checker"], found["nli"]
    assert (checker["all"]["items"], checker["all"]["accuracy"], checker["two_labels"]) == (4, 1.0, True)
    assert checker["all"]["calibration"] == pytest.approx(0.1)
    assert checker["tokens"] > 10
    assert checker["dollars"] == pytest.approx(checker["tokens"] / 1000)
    assert (nli["all"]["accuracy"], nli["all"]["refuted_supported"], nli["two_labels"]) == (0.75, 0.0, False)
    assert (nli["tokens"], nli["dollars"]) == (None, None)
    assert {name: one["items"] for name, one in nli["sets"].items()} == {"one": 2, "two": 2}
    assert nli["sets"]["one"]["accuracy"] == 1.0
    assert {one["unavailable"] for one in found.values()} == {0}


def test_what_a_lens_did_not_judge_is_named_and_counts_nowhere(run: Veritas, tmp_path: Path) -> None:
    def script(asked: Any) -> Reply:
        return fault(400, "\x1b[2Jtoo | hot") if "weather" in asked.text else checks(0.9)(asked)

    with loopback(script) as server:
        words = ("--on", pairs_file(tmp_path), "--council", council(tmp_path, server.url), "--lens", "checker")
        shown, told = run(*words), run("--json", *words)
    assert (shown.code, told.code) == (3, 3)
    assert "checker did not judge 1 pair(s)" in shown.out
    assert "\x1b" not in shown.out
    checker = json.loads(told.out)["lenses"][1]
    assert (checker["unavailable"], checker["all"]["items"], checker["all"]["accuracy"]) == (1, 3, 1.0)


def test_a_calibration_is_fitted_kept_and_used(run: Veritas, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    with loopback(checks(0.6)) as server:
        file = council(tmp_path, server.url)
        made = run("--on", pairs_file(tmp_path), "--council", file, "--lens", "checker", "--calibrate", str(kept))
        assert made.code == 0, made.err
        assert "on the same pairs" in made.out
        before = measured(run, "--on", pairs_file(tmp_path), "--council", file, "--lens", "checker")["checker"]
        file = council(tmp_path, server.url, ", calibration: kept.json")
        after = measured(run, "--on", pairs_file(tmp_path), "--council", file, "--lens", "checker")["checker"]
    held = json.loads(kept.read_text())
    assert (held["lens"], held["of"], held["items"]) == ("minicheck", "openai/m", 4)
    assert held["temperature"] < 1
    assert before["all"]["calibration"] == pytest.approx(0.4)
    assert after["all"]["calibration"] < 0.05
    assert after["all"]["accuracy"] == before["all"]["accuracy"] == 1.0


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"nonsense", "line 2"),
        (b'{"claim": "a", "passage": "b"}', "no 'label'"),
        (b'{"claim": 7, "passage": "b", "label": "silent"}', "'claim' must be a string"),
        (b'{"claim": "\xff", "passage": "b", "label": "silent"}', "not UTF-8"),
    ],
)
def test_a_line_that_cannot_be_read_is_an_error(run: Veritas, tmp_path: Path, line: bytes, said: str) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_bytes(json.dumps(PAIRS[0]).encode() + b"\n" + line + b"\n")
    found = run("--on", str(file))
    assert found.code == 2
    assert said in found.err
    assert "\x1b" not in found.err
