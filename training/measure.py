"""Measures exported judges on the human-labelled claims, the validation part and the look-alikes; fits temperatures.

    python training/measure.py judge-int8.onnx … --data FOLDER --claims FOLDER --tokenizer tokenizer.json --out FOLDER

A long passage is read in windows; the highest probability of each label counts. Per cent: false supports, supports
kept, refuted called supported, true ones refuted, macro-F1 (at the threshold), and the area under the curve of
supported against not.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from data import CLAIM_SETS, CLAIM_TOKENS, LENGTH, Row, read_rows, sentences, windows

Piece = tuple[list[int], list[bool]]


class Judge:
    def __init__(self, path: Path, tokenizer: Tokenizer, threads: int = 1, tokens: int = 4096) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.log_severity_level = threads, 4
        self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self.tokenizer, self.tokens = tokenizer, tokens
        self.types = 4 if self.rows_of("segment") == 4 else 2

    def rows_of(self, name: str) -> int:
        """Whether the model has four token types: one with two fails on the third."""
        one = np.array([[101, 102]])
        try:
            self.session.run(None, {"ids": one, "mask": one * 0 + 1, "types": one * 0 + 3})
        except onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument:
            return 2
        return 4

    def pieces(self, text: str) -> Piece:
        one = self.tokenizer.encode(text, add_special_tokens=False)
        return one.ids, [text[a:b] != text[a:b].lower() for a, b in one.offsets]

    def logits(self, pairs: Sequence[tuple[Piece, Piece]]) -> np.ndarray:
        out = np.zeros((len(pairs), 3), np.float32)
        sizes = [len(claim[0]) + len(passage[0]) + 3 for claim, passage in pairs]
        order = sorted(range(len(pairs)), key=sizes.__getitem__)
        start = 0
        while start < len(order):
            end = start + 1
            while end < len(order) and sizes[order[end]] * (end - start + 1) <= self.tokens:
                end += 1
            chosen = order[start:end]
            width = max(sizes[number] for number in chosen)
            ids, mask, types = (np.zeros((len(chosen), width), np.int64) for _ in range(3))
            for row, number in enumerate(chosen):
                claim, passage = pairs[number]
                near, far = len(claim[0]) + 2, sizes[number]
                ids[row, :far] = [101, *claim[0], 102, *passage[0], 102]
                mask[row, :far] = 1
                types[row, near:far] = 1
                if self.types == 4:
                    types[row, :far] += 2 * np.array([False, *claim[1], False, *passage[1], False])
            given = {"ids": ids, "mask": mask, "types": types}
            out[chosen] = self.session.run(None, given)[0][:, :3]
            start = end
        return out

    def judged(self, rows: Sequence[Row], heat: float = 1.0) -> np.ndarray:
        """(rows, 2): the highest P(supports) and P(refutes) over the windows of the passage."""
        pairs, own = [], []
        for number, row in enumerate(rows):
            ids, capital = self.pieces(row["claim"])
            claim = ids[:CLAIM_TOKENS], capital[:CLAIM_TOKENS]
            room = LENGTH - 3 - len(claim[0])
            units = sentences(row["passage"]) or [""]
            read = {unit: self.pieces(unit) for unit in units}
            sizes = [len(read[unit][0]) for unit in units]
            for window in windows(units, sizes, room, "\t" in row["passage"]):
                ids = [one for unit in window for one in read[unit][0]]
                capital = [one for unit in window for one in read[unit][1]]
                pairs.append((claim, (ids[:room], capital[:room])))
                own.append(number)
        each = softmax(self.logits(pairs) / heat)
        out = np.zeros((len(rows), 2))
        np.maximum.at(out, np.array(own), each[:, :2])
        return out


def softmax(logits: np.ndarray) -> np.ndarray:
    out = np.exp(logits - logits.max(1, keepdims=True))
    return out / out.sum(1, keepdims=True)


def figures(scores: np.ndarray, labels: Sequence[str], threshold: float = 0.5) -> dict[str, Any]:
    label = np.array(labels)
    yes = scores[:, 0] >= threshold
    got = np.where(yes, "supports", np.where(scores[:, 1] >= threshold, "refutes", "silent"))
    true, refuted = label == "supports", label == "refutes"

    def share(of: np.ndarray, that: np.ndarray) -> float | None:
        return round(100 * float(that[of].mean()), 1) if of.any() else None

    parts = []
    for one in ("supports", "refutes", "silent"):
        if (label == one).any():
            both = ((label == one) & (got == one)).sum()
            parts.append(2 * both / max(1, (label == one).sum() + (got == one).sum()))
    whole = "not_supports" not in labels
    positive, negative = scores[true, 0], np.sort(scores[~true, 0])
    below = (np.searchsorted(negative, positive, "left") + np.searchsorted(negative, positive, "right")) / 2
    return {
        "rows": len(label),
        "false": share(~true, yes),
        "kept": share(true, yes),
        "refuted": share(refuted, yes),
        "denied": share(true, got == "refutes"),
        "f1": round(100 * float(np.mean(parts)), 1) if whole else None,
        "area": round(100 * float(below.mean() / len(negative)), 1) if len(positive) and len(negative) else None,
    }


def fitted(logits: np.ndarray, labels: Sequence[str]) -> dict[str, Any]:
    """The temperature, and the scale and offset of each logit, that make the validation labels likeliest."""
    index = np.array(["supports refutes silent".split().index(label) for label in labels])

    def loss(z: np.ndarray) -> float:
        return float(-np.log(softmax(z)[np.arange(len(index)), index] + 1e-12).mean())

    heats = np.exp(np.linspace(np.log(0.5), np.log(4), 60))
    heat = float(heats[np.argmin([loss(logits / heat) for heat in heats])])
    scale, offset = np.full(3, 1 / heat), np.zeros(3)
    target = np.eye(3)[index]
    for _ in range(3000):
        wrong = softmax(logits * scale + offset) - target
        scale -= 0.05 * (wrong * logits).mean(0)
        offset -= 0.05 * wrong.mean(0)
    offset -= offset.mean()

    def error(z: np.ndarray) -> float:
        p = softmax(z)
        sure, right = p.max(1), p.argmax(1) == index
        bins = np.minimum((sure * 15).astype(int), 14)
        return float(sum(abs((right - sure)[bins == one].sum()) for one in range(15)) / len(sure))

    return {
        "temperature": round(heat, 4),
        "scale": scale.round(4).tolist(),
        "offset": offset.round(4).tolist(),
        "loss": {"raw": round(loss(logits), 4), "temperature": round(loss(logits / heat), 4),
                 "vector": round(loss(logits * scale + offset), 4)},
        "calibration_error": {"raw": round(error(logits), 4), "temperature": round(error(logits / heat), 4),
                              "vector": round(error(logits * scale + offset), 4)},
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", type=Path, nargs="+")
    parser.add_argument("--data", type=Path, help="the folder of pairs.jsonl.gz, extra.jsonl.gz and lookalikes.jsonl")
    parser.add_argument("--generated", type=Path, help="what generate.py wrote")
    parser.add_argument("--claims", type=Path, help="the folder of the human-labelled claims")
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--most", type=int, default=1500, help="rows of a set")
    parser.add_argument("--keep", type=Path, help="a file of claim ids; only these are measured")
    options = parser.parse_args()
    tokenizer = Tokenizer.from_file(str(options.tokenizer))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    sets: dict[str, list[Row]] = {}
    if options.claims:
        kept = set(options.keep.read_text(encoding="utf-8").split()) if options.keep else None
        for name in CLAIM_SETS:
            rows = [row for row in read_rows(options.claims / f"{name}.jsonl") if kept is None or row["id"] in kept]
            Random(1).shuffle(rows)
            sets[name] = rows[: options.most]
    valid: list[Row] = []
    if options.data:
        paths = [options.data / "pairs.jsonl.gz", options.data / "extra.jsonl.gz"]
        for path in paths + ([options.generated] if options.generated else []):
            valid += [row for row in read_rows(path) if row["part"] == "valid" and row["label"] != "unlabelled"]
    for path in options.models:
        judge = Judge(path, tokenizer)
        result: dict[str, Any] = {}
        for name, rows in sets.items():
            scores = judge.judged(rows)
            np.savez(options.out / f"{path.stem}_{name}.npz", scores=scores, labels=[row["label"] for row in rows])
            result[name] = figures(scores, [row["label"] for row in rows])
            print(path.stem, name, result[name], flush=True)
        if options.data:
            alike = list(read_rows(options.data / "lookalikes.jsonl"))
            scores = judge.judged(alike)
            result["lookalikes"] = [row["id"] for row, score in zip(alike, scores, strict=True) if score[0] >= 0.5]
            print(path.stem, "lookalikes", result["lookalikes"], flush=True)
        if valid:
            pairs = [(judge.pieces(row["claim"]), judge.pieces(row["passage"])) for row in valid]
            pairs = [((a[:96], b[:96]), (c[:157], d[:157])) for (a, b), (c, d) in pairs]
            logits = judge.logits(pairs)
            chance = softmax(logits)
            for source in sorted({row["source"] for row in valid}):
                own = [number for number, row in enumerate(valid) if row["source"] == source]
                result[f"valid {source}"] = figures(chance[own, :2], [valid[number]["label"] for number in own])
            sure = [number for number, row in enumerate(valid) if row["label"] != "not_supports"]
            result["calibration"] = fitted(logits[sure], [valid[number]["label"] for number in sure])
            print(path.stem, "calibration", result["calibration"], flush=True)
        (options.out / f"{path.stem}.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
