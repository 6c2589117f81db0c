"""Writes trained weights as an ONNX graph in fp32 and in int8.

    python training/export.py WEIGHTS_0.npz … --out judge-int8.onnx
    python training/export.py model.safetensors --out encoder-int8.onnx

The second form writes the encoder of the ranking, all-MiniLM-L6-v2 as it is: `ids`, `mask` and `types` in, `vectors`
(rows × 384, of length 1) out: the mean of what its last layer says of each token.

Inputs `ids`, `mask`, `types` (int64, rows × length): `[CLS] claim [SEP] passage [SEP]`, a token's type being 0 in the
claim and 1 in the passage, plus 2 where its text has a capital letter. Output `logits` (rows × 3): supports, refutes,
silent. Matrices are quantised by column, inputs while it runs; the word embeddings by row.
"""

from __future__ import annotations

import argparse
import json
import logging
import math
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic


class Graph:
    """An ONNX graph written node by node."""

    def __init__(self, weights: dict[str, np.ndarray]) -> None:
        self.weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def constant(self, name: str, value: np.ndarray) -> str:
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.array(value, order="C"), name)
        return name

    def whole(self, *values: int) -> str:
        array = np.array(values if len(values) != 1 else values[0], np.int64)
        return self.constant("i_" + "_".join(map(str, values)), array)

    def axes(self, *values: int) -> str:
        return self.constant("axes_" + "_".join(map(str, values)), np.array(values, np.int64))

    def real(self, value: float) -> str:
        return self.constant(f"f_{value:g}", np.array(value, np.float32))

    def node(self, kind: str, *inputs: str, **attributes: object) -> str:
        name = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def linear(self, x: str, name: str) -> str:
        matrix = self.constant(f"{name}.matrix", self.weights[f"{name}.weight"].T)
        bias = self.constant(f"{name}.bias", self.weights[f"{name}.bias"])
        return self.node("Add", self.node("MatMul", x, matrix), bias)

    def normed(self, x: str, name: str) -> str:
        scale, bias = (self.constant(f"{name}.{part}", self.weights[f"{name}.{part}"]) for part in ("weight", "bias"))
        return self.node("LayerNormalization", x, scale, bias, axis=-1, epsilon=1e-12)


def graph_of(weights: dict[str, np.ndarray], heads: int, small: bool) -> onnx.ModelProto:
    g = Graph(weights)
    width = weights["word.weight"].shape[1]
    layers = 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("layers."))
    words = weights["word.weight"]
    if small:
        scale = np.abs(words).max(1, keepdims=True) / 127
        scale[scale == 0] = 1
        whole = g.constant("word.whole", np.rint(words / scale).astype(np.int8))
        x = g.node("Cast", g.node("Gather", whole, "ids"), to=TensorProto.FLOAT)
        x = g.node("Mul", x, g.node("Gather", g.constant("word.scale", scale.astype(np.float32)), "ids"))
    else:
        x = g.node("Gather", g.constant("word", words), "ids")
    length = g.node("Gather", g.node("Shape", "ids"), g.whole(1))
    places = g.node("Range", g.whole(0), length, g.whole(1))
    x = g.node("Add", x, g.node("Gather", g.constant("position", weights["position.weight"]), places))
    x = g.node("Add", x, g.node("Gather", g.constant("segment", weights["segment.weight"]), "types"))
    x = g.normed(x, "norm")
    kept = g.node("Cast", "mask", to=TensorProto.FLOAT)
    hidden = g.node("Mul", g.node("Sub", g.real(1), kept), g.real(-10000))
    hidden = g.node("Unsqueeze", hidden, g.axes(1, 2))
    split = g.constant("split", np.array([0, 0, heads, width // heads], np.int64))
    joined = g.constant("joined", np.array([0, 0, width], np.int64))
    root = g.real(1 / math.sqrt(width // heads))
    for number in range(layers):
        layer = f"layers.{number}"
        query, key, value = (
            g.node("Transpose", g.node("Reshape", g.linear(x, f"{layer}.{part}"), split), perm=order)
            for part, order in (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3]))
        )
        scores = g.node("Add", g.node("Mul", g.node("MatMul", query, key), root), hidden)
        mixed = g.node("MatMul", g.node("Softmax", scores, axis=-1), value)
        mixed = g.node("Reshape", g.node("Transpose", mixed, perm=[0, 2, 1, 3]), joined)
        x = g.normed(g.node("Add", x, g.linear(mixed, f"{layer}.out")), f"{layer}.norm1")
        inner = g.linear(g.node("Gelu", g.linear(x, f"{layer}.up")), f"{layer}.down")
        x = g.normed(g.node("Add", x, inner), f"{layer}.norm2")
    column = g.node("Unsqueeze", kept, g.axes(2))
    total = g.node("ReduceSum", g.node("Mul", x, column), g.axes(1), keepdims=0)
    mean = g.node("Div", total, g.node("ReduceSum", column, g.axes(1), keepdims=0))
    encodes = "head.weight" not in weights
    if encodes:
        g.nodes.append(helper.make_node("LpNormalization", [mean], ["vectors"], axis=-1, p=2))
    else:
        first = g.node("Gather", x, g.whole(0), axis=1)
        pooled = g.node("Tanh", g.linear(g.node("Concat", first, mean, axis=-1), "pool"))
        g.nodes.append(helper.make_node("Identity", [g.linear(pooled, "head")], ["logits"]))
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["b", "n"]) for name in ("ids", "mask", "types")]
    outputs = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["b", 3])]
    if encodes:
        outputs = [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["b", width])]
    graph = helper.make_graph(g.nodes, "encoder" if encodes else "judge", inputs, outputs, list(g.constants.values()))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)


PARTS = (
    ("embeddings.word_embeddings", "word"), ("embeddings.position_embeddings", "position"),
    ("embeddings.token_type_embeddings", "segment"), ("embeddings.LayerNorm", "norm"), ("encoder.layer.", "layers."),
    ("attention.self.", ""), ("attention.output.dense", "out"), ("attention.output.LayerNorm", "norm1"),
    ("intermediate.dense", "up"), ("output.dense", "down"), ("output.LayerNorm", "norm2"),
)  # fmt: skip
"""Names of the parts of a BERT as it is published, and ours."""


def published(path: Path) -> dict[str, np.ndarray]:
    """Return the weights of a BERT in a `.safetensors` file, under our names."""
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    found = {}
    for name, told in json.loads(data[8 : 8 + size]).items():
        if name.startswith(("__", "pooler")) or name.endswith("position_ids"):
            continue
        for theirs, ours in PARTS:
            name = name.replace(theirs, ours)
        a, b = told["data_offsets"]
        found[name] = np.frombuffer(data[8 + size + a : 8 + size + b], "<f4").reshape(told["shape"])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path, nargs="+", help="what train.py wrote of one stage, or a published BERT")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--heads", type=int, default=12)
    options = parser.parse_args()
    first = options.weights[0]
    if first.suffix == ".safetensors":
        weights = published(first)
    else:
        from model import unpacked  # needs torch

        weights = unpacked(options.weights)
    plain = options.out.with_name(options.out.name.replace("int8", "fp32"))
    onnx.save(graph_of(weights, options.heads, small=False), plain)
    half = options.out.with_suffix(".tmp.onnx")
    onnx.save(graph_of(weights, options.heads, small=True), half)
    logging.disable(logging.WARNING)
    quantize_dynamic(
        half,
        options.out,
        per_channel=True,
        weight_type=QuantType.QInt8,
        op_types_to_quantize=["MatMul"],
        extra_options={"MatMulConstBOnly": True, "DefaultTensorType": TensorProto.FLOAT},
    )
    half.unlink()
    print(plain.name, plain.stat().st_size, options.out.name, options.out.stat().st_size)


if __name__ == "__main__":
    main()
