"""A real entailment model for ONNX Runtime, small enough to be made in a test, and its real tokenizer.

Its three outputs follow from four counts over the words of premise and claim: the claim's words that the premise has,
those that it lacks, "not" in the premise and "not" in the claim. So it entails where the premise has all words of the
claim, contradicts where one of the two alone says "not", and is neutral else.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

WORDS = "zinc shortened colds by a day not nobody measured sleep the weather in town was fine prolonged it".split()
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
VOCABULARY = {word: i for i, word in enumerate((*SPECIAL, *WORDS))}
NLI = {"0": "entailment", "1": "neutral", "2": "contradiction"}


def tokenizer(*, pairs: bool = True) -> Tokenizer:
    made = Tokenizer(models.WordLevel(VOCABULARY, unk_token="[UNK]"))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    if pairs:
        made.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
        )
    made.enable_truncation(8)  # as many are saved: whoever uses them switches it off
    return made


def network(outputs: Sequence[int] = (0, 1, 2), inputs: Sequence[str] = ("input_ids", "token_type_ids")) -> Any:
    """The model: `outputs` picks from (entails, neutral, contradicts), a number beyond them is not a number."""
    size = len(VOCABULARY)
    words = np.zeros((size, size), dtype=np.float32)
    for i in range(len(SPECIAL), size):
        words[i, i] = 1
    negation = np.zeros((size, 1), dtype=np.float32)
    negation[VOCABULARY["not"]] = 1
    held = {
        "table": words, "negation": negation, "one": np.array(1, dtype=np.float32), "four": np.array(4, np.float32),
        "eight": np.array(8, np.float32), "axis": np.array([1], dtype=np.int64), "zero": np.array(0, np.float32),
        "nan": np.array([[np.nan]], np.float32), "last": np.array([2], dtype=np.int64),
    }  # fmt: skip
    node = helper.make_node
    nodes = [
        node("Gather", ["table", "input_ids"], ["rows"]),
        node("Cast", ["token_type_ids"], ["second"], to=TensorProto.FLOAT),
        node("Sub", ["one", "second"], ["first"]),
        node("Unsqueeze", ["first", "last"], ["of_premise"]),
        node("Unsqueeze", ["second", "last"], ["of_claim"]),
        node("Mul", ["rows", "of_premise"], ["premise_rows"]),
        node("Mul", ["rows", "of_claim"], ["claim_rows"]),
        node("ReduceMax", ["premise_rows"], ["premise"], axes=[1], keepdims=0),
        node("ReduceMax", ["claim_rows"], ["claim"], axes=[1], keepdims=0),
        node("Sub", ["claim", "premise"], ["difference"]),
        node("Relu", ["difference"], ["missing"]),
        node("ReduceSum", ["missing", "axis"], ["lacks"], keepdims=1),
        node("MatMul", ["premise", "negation"], ["premise_not"]),
        node("MatMul", ["claim", "negation"], ["claim_not"]),
        node("Sub", ["premise_not", "claim_not"], ["not_difference"]),
        node("Abs", ["not_difference"], ["opposed"]),
        node("Mul", ["lacks", "eight"], ["lost"]),
        node("Sub", ["four", "lost"], ["base"]),
        node("Mul", ["opposed", "eight"], ["against"]),
        node("Sub", ["base", "against"], ["o0"]),
        node("Sub", ["zero", "o0"], ["less"]),
        node("Sub", ["less", "against"], ["o1"]),
        node("Sub", ["against", "four"], ["contra"]),
        node("Sub", ["contra", "lost"], ["o2"]),
        node("Identity", ["nan"], ["o3"]),
        node("Concat", [f"o{i}" for i in outputs], ["logits"], axis=1),
    ]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, [1, "length"]) for name in inputs],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, len(outputs)])],
        [numpy_helper.from_array(value, name) for name, value in held.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    made.ir_version = 8
    onnx.checker.check_model(made)
    return made


def folder(
    place: Path, outputs: Sequence[int] = (0, 1, 2), labels: Any = NLI, *, pairs: bool = True, **config: Any
) -> Path:
    """A folder with the model, its tokenizer and its settings."""
    place.mkdir(parents=True, exist_ok=True)
    onnx.save(network(outputs), str(place / "model.onnx"))
    tokenizer(pairs=pairs).save(str(place / "tokenizer.json"))
    settings = {"model_type": "bert", "id2label": labels, "max_position_embeddings": 64} | config
    (place / "config.json").write_text(json.dumps(settings), encoding="utf-8")
    return place
