"""Open verification measured: expert claims against all abstracts; tuned on one half, reported on the other.

    python benchmarks/verify_open.py [--data FOLDER] [--weights FOLDER] [--shipped] [--json]

The weights of the rule for a claim are fitted on the half of the claims that it is not in; `--shipped` takes the
shipped ones, and prints also what a fit on all claims would give. The shipped judge was trained with these claims:
`--weights` names a folder with weights that were not. Stops where the data are absent.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import veritas.judging.verdict
from veritas.judging.learned import Learned
from veritas.reading.loading import load_corpus
from veritas.verification.document_evidence import WEIGHTS, Weights, read
from veritas.verification.open_claims import OpenVerdict, OpenVerifier, record_id

Row = dict[str, Any]


def half(claim_id: str) -> int:
    """0 or 1, by a hash of the id."""
    return hashlib.sha256(claim_id.encode()).digest()[-1] % 2


async def pairs(verifier: OpenVerifier, asked: Sequence[Row]) -> list[Row]:
    """Every document read for every claim: the rule's features, and whether an expert took it for evidence."""
    found = []
    by_url = {d.url: d for d in verifier.documents}
    for row in asked:
        for rank, verdict in enumerate((await verifier.candidates(row["claim"]))[0]):
            for reading in read(row["claim"], by_url[verdict.url]):
                gold = row["labels"].get(record_id(verdict.url), "silent") != "silent"
                found.append({"id": row["id"], "features": reading.features(rank), "gold": gold})
    return found


def fitted(rows: Sequence[Row]) -> Weights:
    """The rule's weights for these pairs."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=5, max_iter=3000).fit([r["features"][:-1] for r in rows], [r["gold"] for r in rows])
    return Weights(*(round(float(w), 2) for w in model.coef_[0]), round(float(model.intercept_[0]), 2))


def measure(asked: Sequence[Row], answers: Sequence[OpenVerdict]) -> dict[str, float]:
    """Shares, 0 to 1; a claim counts as refuted or supported if its gold documents all say so."""
    tally: dict[str, int] = {}

    def add(name: str, value: bool | int = True) -> None:
        tally[name] = tally.get(name, 0) + int(value)

    off = 0.0
    for row, answer in zip(asked, answers, strict=True):
        gold = {d: label for d, label in row["labels"].items() if label != "silent"}
        truth = next(iter(gold.values())) if len(set(gold.values())) == 1 else "mixed" if gold else "insufficient"
        said = {e.document: e.label for e in answer.evidence}
        labelled = {d: label for d, label in said.items() if label != "silent"}
        right = sum(gold.get(d) == label for d, label in labelled.items())
        verdict_right = answer.verdict == truth or (truth == "mixed" and answer.verdict != "insufficient")
        off += answer.confidence - verdict_right
        add("claims")
        add("verdict", verdict_right)
        add("labelled", len(labelled))
        add("right", right)
        add("gold", len(gold))
        add("not supported", truth in ("refutes", "insufficient"))
        add("false", truth in ("refutes", "insufficient") and answer.verdict == "supports")
        add("supports", answer.verdict == "supports")
        if gold:
            add("with gold")
            add("hit", right > 0)
            add("shown", bool(set(said) & set(gold)))
        else:
            add("without gold")
            add("abstained", answer.verdict == "insufficient")

    def share(part: str, whole: str) -> float:
        return tally.get(part, 0) / max(1, tally.get(whole, 0))

    precision, recall = share("right", "labelled"), share("right", "gold")
    return {
        "claims": tally["claims"],
        "gold document labelled right": share("hit", "with gold"),
        "gold document shown": share("shown", "with gold"),
        "evidence precision": precision,
        "evidence recall": recall,
        "evidence F1": 2 * precision * recall / max(1e-9, precision + recall),
        "verdict accuracy": share("verdict", "claims"),
        "false supports": share("false", "not supported"),
        "false supports of all supports": share("false", "supports"),
        "insufficient where no gold": share("abstained", "without gold"),
        "mean confidence less accuracy": off / tally["claims"],
    }


async def run(folder: Path, shipped: bool) -> dict[str, dict[str, float]]:
    """The measures of both halves and of all."""
    asked = [json.loads(line) for line in (folder / "scifact_retrieval.jsonl").read_text("utf-8").splitlines()]
    corpus = load_corpus([folder / "scifact_documents.jsonl"])
    verifier = OpenVerifier(corpus)
    rows = await pairs(verifier, asked)
    rules = {side: WEIGHTS if shipped else fitted([r for r in rows if half(r["id"]) != side]) for side in (0, 1)}
    print(f"weights: {rules}; fitted on all: {fitted(rows)}", file=sys.stderr)
    answers, begun = [], time.perf_counter()
    for row in asked:
        verifier.weights = rules[half(row["id"])]
        answers.append(await verifier.verify(row["claim"]))
    print(f"{1000 * (time.perf_counter() - begun) / len(asked):.0f} ms a claim", file=sys.stderr)
    texts = {record_id(d.url): d.text for d in corpus.documents}
    for answer in answers:
        for e in answer.evidence:
            assert texts[e.document][e.start : e.end] == e.passage
    sides = {"half A": [0], "half B": [1], "both": [0, 1]}
    chosen = {name: [i for i, row in enumerate(asked) if half(row["id"]) in side] for name, side in sides.items()}
    return {name: measure([asked[i] for i in at], [answers[i] for i in at]) for name, at in chosen.items()}


def main() -> None:
    """Print a Markdown table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "claims")
    parser.add_argument("--weights", type=Path, help="folder with judge.onnx, tokenizer.json and card.json")
    parser.add_argument("--shipped", action="store_true", help="the shipped weights of the rule")
    parser.add_argument("--json", action="store_true", dest="as_json")
    given = parser.parse_args()
    if not (given.data / "scifact_retrieval.jsonl").is_file():
        print(f"{given.data / 'scifact_retrieval.jsonl'} is not there: nothing to measure")
        return
    if given.weights is not None:
        model = Learned(given.weights)
        veritas.judging.verdict.learned = lambda: model  # type: ignore[assignment]
    found = asyncio.run(run(given.data, given.shipped))
    if given.as_json:
        print(json.dumps(found))
        return
    print("| | " + " | ".join(found) + " |\n| --- |" + " --- |" * len(found))
    for name in found["both"]:
        shown = [f"{m[name]:.0f}" if name == "claims" else f"{m[name]:.1%}" for m in found.values()]
        print(f"| {name} | " + " | ".join(shown) + " |")


if __name__ == "__main__":
    warnings.simplefilter("ignore", category=UserWarning)
    main()
