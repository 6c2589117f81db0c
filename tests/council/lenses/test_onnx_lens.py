"""An entailment model in a folder: a real tiny one, really run; and every way in which a folder can be wrong."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.council.lenses.tiny_model import NLI, folder
from veritas.claims.judgment import Judgment
from veritas.council.lenses import onnx_lens
from veritas.council.lenses.chunks import MOST
from veritas.council.seated_council import Council, build_council
from veritas.council.select_council import choose_council
from veritas.errors import InputError
from veritas.gate.lens_calls import judged

PASSAGE = "Zinc shortened colds by a day. Nobody measured sleep."
COUNCIL = """
members:
  - {{name: a, member: embedded-lead, judge: embedded-coverage}}
judges:
  - {{name: nli, lens: onnx, folder: {folder}, family: microsoft, limits: {{timeout: {timeout}}}{more}}}
verifiers: [nli, embedded]
writer: a
"""


def council_file(tmp_path: Path, model: Path | str, more: str = "", seconds: float = 60) -> Path:
    file = tmp_path / "council.yaml"
    file.write_text(COUNCIL.format(folder=model, more=more, timeout=seconds), encoding="utf-8")
    return file


def seated(tmp_path: Path, model: Path | str, more: str = "", seconds: float = 60) -> Council:
    return build_council(choose_council(council_file(tmp_path, model, more, seconds), {}).policy)


async def ask(tmp_path: Path, model: Path, claim: str, passage: str = PASSAGE, more: str = "") -> Judgment:
    return await judged(seated(tmp_path, model, more).lenses["nli"], claim, passage, 60)


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("Zinc shortened colds", "supports"),
        ("Zinc prolonged colds", "silent"),
        ("Zinc not shortened colds by a day nobody measured sleep", "silent"),
        ("zinc shortened colds not", "silent"),
    ],
)
async def test_the_model_is_run_and_its_outputs_are_read_by_their_names(
    tmp_path: Path, claim: str, label: str
) -> None:
    found = await ask(tmp_path, folder(tmp_path / "m"), claim)
    assert (found.label, found.lens, found.family) == (label, "nli", "microsoft")
    assert 0.5 < found.score <= 1


async def test_a_contradiction_refutes(tmp_path: Path) -> None:
    found = await ask(tmp_path, folder(tmp_path / "m"), "zinc shortened colds", "Zinc not shortened colds.")
    assert (found.label, found.score > 0.9) == ("refutes", True)


async def test_a_passage_without_an_end_is_judged_in_its_nearest_chunks(tmp_path: Path) -> None:
    passage = f"{'the weather was fine ' * 20_000} zinc shortened colds {'it was fine ' * 20_000}"
    found = await ask(tmp_path, folder(tmp_path / "m"), "Zinc shortened colds", passage)
    assert (found.label, f"{MOST} of" in found.rationale) == ("supports", True)


async def test_a_claim_that_fills_the_window_is_unavailable(tmp_path: Path) -> None:
    found = await ask(tmp_path, folder(tmp_path / "m"), "zinc " * 60)
    assert (found.label, "too long" in found.rationale) == ("unavailable", True)


async def test_the_event_loop_goes_on_while_the_model_is_loaded_and_judges(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    began, go_on = threading.Event(), threading.Event()
    real = onnx_lens._load

    def slow(*given: Any) -> Any:
        began.set()
        assert go_on.wait(60)
        return real(*given)

    monkeypatch.setattr(onnx_lens, "_load", slow)
    asked = asyncio.ensure_future(ask(tmp_path, folder(tmp_path / "m"), "Zinc shortened colds"))
    assert await asyncio.to_thread(began.wait, 60)
    for _ in range(5):
        await asyncio.sleep(0)
    assert not asked.done()
    go_on.set()
    assert (await asked).label == "supports"


async def test_a_judgment_beyond_its_limit_is_unavailable_and_no_other_is_asked_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    go_on = threading.Event()
    monkeypatch.setattr(onnx_lens, "_load", lambda *given: go_on.wait(60))
    lens = seated(tmp_path, folder(tmp_path / "m"), seconds=0.2).lenses["nli"]
    one = await judged(lens, "a", "b", 60)
    two = await judged(lens, "a", "b", 60)
    go_on.set()
    assert (one.label, two.label) == ("unavailable", "unavailable")
    assert "no answer" in one.rationale
    assert "asked no more" in two.rationale


async def test_weights_that_changed_since_the_council_sat_down_judge_nothing(tmp_path: Path) -> None:
    model = folder(tmp_path / "m")
    lens = seated(tmp_path, model).lenses["nli"]
    with (model / "model.onnx").open("ab") as file:
        file.write(b"\x00")
    found = await judged(lens, "Zinc shortened colds", PASSAGE, 60)
    assert (found.label, "holds other weights" in found.rationale) == ("unavailable", True)


def broken(model: Path, what: str) -> None:
    config = model / "config.json"
    said = json.loads(config.read_text())
    if what == "no model":
        (model / "model.onnx").unlink()
    elif what == "no tokenizer":
        (model / "tokenizer.json").unlink()
    elif what == "no config":
        config.unlink()
    elif what == "config":
        config.write_text("{nonsense")
    elif what == "deep":
        config.write_text("[" * 100_000)
    elif what == "list":
        config.write_text("[]")
    elif what == "numbers":
        config.write_text(json.dumps(said | {"id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}}))
    elif what == "no entailment":
        config.write_text(json.dumps(said | {"id2label": {"0": "neutral", "1": "contradiction"}}))
    elif what == "gap":
        config.write_text(json.dumps(said | {"id2label": {"0": "neutral", "7": "entailment"}}))
    elif what == "none":
        config.write_text(json.dumps({"id2label": None}))


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("no model", "has no model.onnx"),
        ("no tokenizer", "has no tokenizer.json"),
        ("no config", "has no config.json"),
        ("config", "is not JSON"),
        ("deep", "is not JSON"),
        ("list", "no JSON object"),
        ("numbers", "LABEL_0"),
        ("no entailment", "no output for entailment"),
        ("gap", "no id2label"),
        ("none", "no id2label"),
    ],
)
def test_a_broken_folder_is_an_error_that_says_what_is_wrong(tmp_path: Path, what: str, said: str) -> None:
    model = folder(tmp_path / "m")
    broken(model, what)
    with pytest.raises(InputError) as error:
        seated(tmp_path, model)
    assert said in str(error.value)


@pytest.mark.parametrize("what", ["garbage", "tokenizer", "no pairs", "outputs", "nan"])
async def test_a_model_that_does_not_do_is_unavailable_and_says_why(tmp_path: Path, what: str) -> None:
    model = folder(
        tmp_path / "m",
        {"outputs": (0, 1), "nan": (0, 1, 3)}.get(what, (0, 1, 2)),
        NLI,
        pairs=what != "no pairs",
    )
    if what == "garbage":
        (model / "model.onnx").write_bytes(b"this is no model" * 100)
    if what == "tokenizer":
        (model / "tokenizer.json").write_text('{"model": 7}')
    found = await ask(tmp_path, model, "Zinc shortened colds")
    assert (found.label, found.score) == ("unavailable", 0.0)
    said = {"garbage": "cannot be loaded", "tokenizer": "cannot be loaded", "no pairs": "post_processor",
            "outputs": "id2label names 3", "nan": "not finite numbers"}  # fmt: skip
    assert said[what] in found.rationale
