"""An encoder of words reads the likeliest parts again, if there is one; whether any answers is told without it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from veritas.answering.encoder import Encoder, encoder
from veritas.answering.features import NAMES
from veritas.answering.model import fitted
from veritas.answering.ranking import answering, ranked
from veritas.claims.sources import Passage, passage_id
from veritas.errors import InputError

SAME = (("kill", "zap"), ("process", "blorp"))
"""Words that the encoder of the tests takes for each other."""
WORDS = "[UNK] how do i a the kill zap process blorp menu of holds list each user with red key".split()
QUESTION = "How do I kill a process?"


def folder(path: Path) -> Path:
    """Make a real encoder: a table with one direction for each word, the same for words that mean the same."""
    table = np.eye(len(WORDS), dtype=np.float32)
    for one, other in SAME:
        table[WORDS.index(other)] = table[WORDS.index(one)]
    made = Tokenizer(models.WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.save(str(path / "tokenizer.json"))
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])], "words",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "sequence"])],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "sequence", len(WORDS)])],
        [numpy_helper.from_array(table, "table")],
    )  # fmt: skip
    opset = [helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(graph, opset_imports=opset, ir_version=8), str(path / "model.onnx"))
    return path


def passage(text: str, document: str) -> Passage:
    place = passage_id(document, 0, len(text))
    return Passage(passage_id=place, document_id=document, start=0, end=len(text), text=text, title="", heading="")


LISTED = passage("A process: the menu holds each process.", "list")
MEANT = passage("Zap the process with a red key, and the user.", "meant")
POOL = [LISTED, MEANT]


def test_what_is_meant_comes_before_what_has_the_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without = ranked(QUESTION, POOL)
    monkeypatch.setenv("VERITAS_ENCODER", str(folder(tmp_path)))
    reader = encoder()
    assert reader is not None
    found = ranked(QUESTION, POOL, reader=reader)
    assert [one.passage for one in without] == [LISTED, MEANT]
    assert [one.passage for one in found] == [MEANT, LISTED]
    # Whether anything answers is told without it.
    assert found[0].chance == pytest.approx(without[0].chance)
    assert found[1].chance < found[0].chance
    assert answering("What is the capital of France?", POOL, 1) == []


def test_the_brief_is_in_the_order_of_the_encoder_that_is_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitted(NAMES), "least", 0.0)
    assert answering(QUESTION, POOL, 1)[0].passage is LISTED
    monkeypatch.setenv("VERITAS_ENCODER", str(folder(tmp_path)))
    assert answering(QUESTION, POOL, 1)[0].passage is MEANT


def test_a_text_meets_a_question_by_the_nearest_of_its_words(tmp_path: Path) -> None:
    reader = Encoder(folder(tmp_path) / "model.onnx", tmp_path / "tokenizer.json")
    assert reader.meets("a kill blorp the", "zap process") == pytest.approx(1.0)
    assert reader.meets("a kill blorp the", "list of process") == pytest.approx(0.5)


@pytest.mark.parametrize("lacks", ["model.onnx", "tokenizer.json"])
def test_a_folder_without_an_encoder_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lacks: str
) -> None:
    (folder(tmp_path) / lacks).unlink()
    monkeypatch.setenv("VERITAS_ENCODER", str(tmp_path))
    with pytest.raises(InputError, match=r"tokenizer\.json beside it"):
        encoder()


def test_a_file_that_is_no_model_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder(tmp_path) / "model.onnx").write_bytes(b"no model")
    monkeypatch.setenv("VERITAS_ENCODER", str(tmp_path))
    with pytest.raises(InputError, match="holds no encoder"):
        encoder()


def test_none_is_used_where_no_folder_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERITAS_ENCODER", "")
    assert encoder() is None
