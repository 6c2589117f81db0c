"""An entailment model in a folder: a real tiny one, really run; and every way in which a folder can be wrong."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from importlib import util
from pathlib import Path
from typing import Any

import pytest

from tests import preloaded
from tests.council.lenses.tiny_model import NLI, folder
from veritas.claims.judgment import Judgment
from veritas.council.lenses import onnx_lens
from veritas.council.lenses.chunks import MOST
from veritas.council.lenses.onnx_lens import OnnxLens
from veritas.council.lenses.weights import weights_hash
from veritas.council.seated_council import Council, build_council
from veritas.council.select_council import choose_council
from veritas.errors import InputError, PolicyError
from veritas.gate.lens_calls import first_judged, judged

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


@pytest.mark.parametrize(
    ("outputs", "labels", "claim", "label"),
    [
        ((2, 1, 0), {"0": "CONTRADICTION", "1": "NEUTRAL", "2": "ENTAILMENT"}, "Zinc shortened colds", "supports"),
        ((1, 0), {"0": "not_entailment", "1": "entailment"}, "Zinc shortened colds", "supports"),
        ((1, 0), {"0": "not_entailment", "1": "entailment"}, "Zinc prolonged sleep", "silent"),
        ((0, 2, 1), {"0": "SUPPORTS", "1": "REFUTES", "2": "NOT ENOUGH INFO"}, "Zinc shortened colds", "supports"),
        ((0, 1, 1), {"0": "supported", "1": "neutral", "2": "not-supported"}, "Zinc prolonged sleep", "silent"),
    ],
)
async def test_any_order_and_any_common_names_of_outputs_do(
    tmp_path: Path, outputs: tuple[int, ...], labels: dict[str, str], claim: str, label: str
) -> None:
    found = await ask(tmp_path, folder(tmp_path / "m", outputs, labels), claim)
    assert found.label == label


async def test_of_a_long_passage_the_chunk_counts_that_says_most(tmp_path: Path) -> None:
    around = "The weather in the town was fine. " * 40
    passage = f"{around} Zinc shortened colds by a day. {around}"
    found = await ask(tmp_path, folder(tmp_path / "m"), "Zinc shortened colds by a day", passage)
    assert found.label == "supports"
    assert "parts of the passage" in found.rationale
    silent = await ask(tmp_path, folder(tmp_path / "m"), "Zinc shortened colds not by a day", passage)
    assert silent.label != "supports"


async def test_a_passage_without_an_end_is_judged_in_its_nearest_chunks(tmp_path: Path) -> None:
    passage = f"{'the weather was fine ' * 20_000} zinc shortened colds {'it was fine ' * 20_000}"
    found = await ask(tmp_path, folder(tmp_path / "m"), "Zinc shortened colds", passage)
    assert (found.label, f"{MOST} of" in found.rationale) == ("supports", True)


async def test_a_claim_that_fills_the_window_is_unavailable(tmp_path: Path) -> None:
    found = await ask(tmp_path, folder(tmp_path / "m"), "zinc " * 60)
    assert (found.label, "too long" in found.rationale) == ("unavailable", True)


async def test_texts_without_words_are_judged(tmp_path: Path) -> None:
    assert (await ask(tmp_path, folder(tmp_path / "m"), "Zinc shortened colds", "")).label == "silent"
    odd = await ask(tmp_path, folder(tmp_path / "m"), "\ud800 zinc", "\x00 \ud83d")
    assert odd.label in ("silent", "unavailable")


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


async def test_many_judgments_wait_for_each_other_and_not_for_the_limit(tmp_path: Path) -> None:
    lens = seated(tmp_path, folder(tmp_path / "m")).lenses["nli"]
    claims = [f"zinc shortened colds {'by ' * (i % 7)}" for i in range(40)]
    found = await asyncio.gather(*(first_judged([lens], claim, PASSAGE, 60) for claim in claims))
    assert {one.label for one, _ in found} == {"supports"}


def test_the_hash_of_the_folder_is_part_of_what_findings_rest_on(tmp_path: Path) -> None:
    model = folder(tmp_path / "m")
    before = choose_council(council_file(tmp_path, model), {}).policy
    assert before.judges[0].weights == weights_hash(model)
    shutil.copytree(model, tmp_path / "elsewhere")
    moved = choose_council(council_file(tmp_path, tmp_path / "elsewhere"), {}).policy
    assert moved.findings() == before.findings()
    folder(model, labels={"0": "contradiction", "1": "neutral", "2": "entailment"})
    assert choose_council(council_file(tmp_path, model), {}).policy.findings() != before.findings()


async def test_weights_that_changed_since_the_council_sat_down_judge_nothing(tmp_path: Path) -> None:
    model = folder(tmp_path / "m")
    lens = seated(tmp_path, model).lenses["nli"]
    with (model / "model.onnx").open("ab") as file:
        file.write(b"\x00")
    found = await judged(lens, "Zinc shortened colds", PASSAGE, 60)
    assert (found.label, "holds other weights" in found.rationale) == ("unavailable", True)


def test_weights_that_the_council_names_must_be_there(tmp_path: Path) -> None:
    model = folder(tmp_path / "m")
    right, wrong = weights_hash(model), "0" * 64
    assert seated(tmp_path, model, f", weights: {right}").lenses["nli"]
    with pytest.raises(PolicyError, match="holds other weights"):
        seated(tmp_path, model, f", weights: '{wrong}'")


async def test_a_calibration_changes_the_score(tmp_path: Path) -> None:
    model = folder(tmp_path / "m")
    kept = {"lens": "onnx", "of": weights_hash(model), "temperature": 4.0, "items": 5, "error_before": 0,
            "error_after": 0}  # fmt: skip
    (tmp_path / "c.json").write_text(json.dumps(kept), encoding="utf-8")
    plain = await ask(tmp_path, model, "Zinc shortened colds")
    cool = await ask(tmp_path, model, "Zinc shortened colds", more=", calibration: c.json")
    assert (plain.label, cool.label) == ("supports", "supports")
    assert cool.score < plain.score
    folder(model, labels={"0": "entailed", "1": "neutral", "2": "contradiction"})
    with pytest.raises(PolicyError, match="was made for"):
        await ask(tmp_path, model, "Zinc shortened colds", more=", calibration: c.json")


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


def test_a_folder_that_is_none_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="there is no folder"):
        seated(tmp_path, tmp_path / "nowhere")
    (tmp_path / "file").write_text("x")
    with pytest.raises(PolicyError, match="is no folder"):
        seated(tmp_path, tmp_path / "file")
    model = folder(tmp_path / "m")
    os.mkfifo(model / "pipe")
    with pytest.raises(PolicyError, match="is no file"):
        seated(tmp_path, model)


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
            "outputs": "id2label names 3", "nan": "numbers that are none"}  # fmt: skip
    assert said[what] in found.rationale


def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model, real = folder(tmp_path / "m"), util.find_spec
    monkeypatch.setattr(onnx_lens, "find_spec", lambda name: None if name == "onnxruntime" else real(name))
    with pytest.raises(InputError, match=r"needs onnxruntime: pip install 'veritas-research\[onnx\]'"):
        seated(tmp_path, model)


def test_a_model_without_a_folder_and_one_that_is_to_be_asked_are_errors(tmp_path: Path) -> None:
    file = tmp_path / "council.yaml"
    for line, said in (
        ("{name: nli, lens: onnx, family: x}", "add folder:"),
        ("{name: nli, lens: onnx, folder: m, family: x, model: openai/x, base_url: 'http://h'}", "take model: out"),
    ):
        folder(tmp_path / "m")
        file.write_text(
            "members:\n  - {name: a, member: embedded-lead, judge: embedded-coverage}\n"
            f"judges:\n  - {line}\nverifiers: [nli]\nwriter: a\n",
            encoding="utf-8",
        )
        with pytest.raises(InputError, match=said):
            build_council(choose_council(file, {}).policy)


def test_a_model_in_the_folder_onnx_is_found(tmp_path: Path) -> None:
    model = folder(tmp_path / "m")
    (model / "onnx").mkdir()
    (model / "model.onnx").rename(model / "onnx" / "model.onnx")
    assert isinstance(seated(tmp_path, model).lenses["nli"], OnnxLens)


def test_nothing_is_loaded_before_the_first_judgment(tmp_path: Path) -> None:
    file = council_file(tmp_path, folder(tmp_path / "m"))
    said = (
        "import sys; from pathlib import Path; from veritas.council.seated_council import build_council;"
        "from veritas.council.select_council import choose_council;"
        f"lens = build_council(choose_council(Path({str(file)!r}), {{}}).policy).lenses['nli'];"
        "print(type(lens).__name__, sorted({'onnxruntime', 'tokenizers', 'onnx'} & set(sys.modules)))"
    )
    ended = preloaded.run(["-c", said])
    assert (ended.stdout, ended.returncode) == ("OnnxLens []\n", 0), ended.stderr
