"""Fits the weights of the embedded lens on labelled claims: `python benchmarks/train_lens.py CLAIMS_FOLDER`.

CLAIMS_FOLDER holds a file for each set of `FORMS`, one `{id, claim, passage, label, source_dataset, extra}` a line.
Writes veritas/meaning/embedded/weights.json; with `--frequencies` first frequencies.json, the background word list.
Needs scikit-learn, which the lens itself does not. Deterministic.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.covariance import LedoitWolf
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.preprocessing import StandardScaler

from veritas.meaning.embedded.claim_evidence import MAX_CLAIM, Alignment, Passage, Statement
from veritas.meaning.embedded.features import FORM_FEATURES, OWN_TO_A_FORM, features
from veritas.meaning.embedded.model import VERDICTS, WEIGHTS
from veritas.text import lexicon
from veritas.text.pointers import without_pointers
from veritas.text.tokens import tokens

FORMS = {
    "scifact": "abstract", "scitab": "table", "wice": "page", "citint": "excerpt", "counterfactual": "sentence",
    "fever_symmetric": "sentence",
}
"""The form of input that each set stands for, which the gate learns to tell by form features alone. The last two share
one, since one of them has no `silent`."""
TREES, LEAVES, LEAST = 80, 16, 3
FLATTENING = 0.65
"""Examples weigh (1 / frequency of their label in their set) to this power: 0 keeps each set's own mix of labels, 1
makes all labels equal. A lens does not know what share of the claims it will meet is true."""
SHARE_ANY = 0.1
"""Say of the forest that knows no form, where the form is familiar."""
STRANGERS = {False: 2, True: 8}
"""Every how manyth claim is fitted on with a strange passage too, in a set without `silent` and in one with it."""
EDGE = 0.95
"""Share of a set's inputs within its edge (`Model.familiarity`)."""
SHARPNESS = 1.35
"""Exponent on the mixed probabilities: forests of small trees are too timid. The value, in steps of 0.05, with the
least logarithmic loss on unseen folds."""

Record = dict[str, Any]


def load(folder: Path) -> list[Record]:
    """Every record of the sets, in order."""
    records: list[Record] = []
    for name in FORMS:
        with (folder / f"{name}.jsonl").open(encoding="utf-8") as file:
            records += [json.loads(line) for line in file]
    return records


def groups(records: Sequence[Record]) -> list[str]:
    """The group of each record: those that share a claim, document, table or article are in one, through any chain."""
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        parent.setdefault(name, name)
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    keys = [_document(r) for r in records]
    for record, key in zip(records, keys, strict=True):
        parent[root(key)] = root(f"claim {record['claim']}")
    return [root(key) for key in keys]


def _document(record: Record) -> str:
    kind, extra = record["source_dataset"], record["extra"]
    if kind == "scifact":
        return f"{kind} {extra['doc_id']}"
    if kind == "wice":
        return f"{kind} {extra['article']}"
    if kind == "citint":
        return f"{kind} {record['id'].split('-')[-1][:-3]}"  # the cited paper's number without the sentence's
    return f"{kind} {record['passage']}"


def strangers(records: Sequence[Record]) -> list[Record]:
    """Unrelated pairs of the sets of sentences, to be fitted on as `silent`: claims with the passage of the record half
    the set away. Pairs that were all written to be about one thing do not teach what is not.

    `extra` holds the two places in `records` that claim and passage are from.
    """
    found: list[Record] = []
    for name in (s for s, form in FORMS.items() if form == "sentence"):
        here = [i for i, r in enumerate(records) if r["source_dataset"] == name]
        every = STRANGERS[any(records[i]["label"] == "silent" for i in here)]
        for at in range(0, len(here), every):
            i, other = here[at], here[(at + len(here) // 2) % len(here)]
            pair = {"passage": records[other]["passage"], "label": "silent", "extra": {"from": (i, other)}}
            found.append({**records[i], **pair})
    return found


def align(record: Record) -> Alignment:
    """The claim against its passage, as the lens reads them."""
    claim = Statement(without_pointers(record["claim"][:MAX_CLAIM]))
    return Alignment(claim, Passage(record["passage"], claim))


def matrix(rows: Sequence[Mapping[str, float]], names: Sequence[str]) -> np.ndarray:
    """Features as rows of numbers in the order of `names`; one that a row lacks is 0."""
    return np.array([[row.get(name, 0.0) for name in names] for row in rows])


def fit(rows: Sequence[Mapping[str, float]], labels: Sequence[str], sets: Sequence[str]) -> dict[str, Any]:
    """The weights, as `Model` reads them, for feature rows with their labels and the sets they are from."""
    names = sorted({name for row in rows for name in row})
    x, origin = matrix(rows, names), np.array(sets)
    y = np.array([VERDICTS.index(v) for v in labels])  # type: ignore[arg-type]
    weights = np.zeros(len(y))
    present = [s for s in FORMS if s in set(sets)]
    for each in present:
        here = origin == each
        counts = np.bincount(y[here], minlength=3)
        weights[here] = (1 / counts[y[here]]) ** FLATTENING
        weights[here] *= len(y) / len(present) / weights[here].sum()
    forests = {}
    form = np.array([FORMS[s] for s in sets])
    for each in dict.fromkeys(FORMS[s] for s in present):
        here = form == each
        forests[each] = _forest(x[here], y[here], weights[here], names)
    forests["any"] = _forest(x, y, weights, [n if n not in OWN_TO_A_FORM else "" for n in names])
    shape = matrix(rows, FORM_FEATURES)
    return {
        "features": names, "form": list(FORM_FEATURES),
        "gate": _gate(shape, list(form)), "known": _known(shape, origin),
        "share_any": SHARE_ANY, "sharpness": SHARPNESS, "forests": forests,
    }


def _known(x: np.ndarray, origin: np.ndarray) -> dict[str, Any]:
    """The centre of each set's form features, and their inverse covariance as a triangle: the square of what it makes
    of a distance is 1 at the set's edge."""
    scale = StandardScaler().fit(x)
    known = {}
    for name in dict.fromkeys(origin):
        here = scale.transform(x[origin == name])
        spread = LedoitWolf().fit(here)
        edge = float(np.quantile(spread.mahalanobis(here), EDGE))
        triangle = np.linalg.cholesky(spread.precision_ / edge).T / scale.scale_
        known[str(name)] = {
            "centre": [round(float(c), 4) for c in spread.location_ * scale.scale_ + scale.mean_],
            "triangle": [[float(f"{v:.4g}") for v in row] for row in triangle],
        }
    return known


def _gate(x: np.ndarray, forms: Sequence[str]) -> dict[str, Any]:
    scale = StandardScaler().fit(x)
    model = LogisticRegression(C=0.3, max_iter=3000).fit(scale.transform(x), forms)
    rows = model.coef_ if len(model.classes_) > 2 else np.vstack([-model.coef_, model.coef_])
    biases = model.intercept_ if len(model.classes_) > 2 else np.array([-model.intercept_[0], model.intercept_[0]])
    gate = {}
    for form, coefficients, bias in zip(model.classes_, rows, biases, strict=True):
        plain = coefficients / scale.scale_
        gate[str(form)] = {
            "bias": round(float(bias - plain @ scale.mean_), 4),
            "weights": {n: round(float(w), 4) for n, w in zip(FORM_FEATURES, plain, strict=True)},
        }
    return gate


def _forest(x: np.ndarray, y: np.ndarray, weights: np.ndarray, names: Sequence[str]) -> list[list[list[float]]]:
    """Extremely randomised trees with few leaves. A feature whose name is "" is hidden from them."""
    seen = [i for i, name in enumerate(names) if name]
    model = ExtraTreesClassifier(
        TREES, max_leaf_nodes=LEAVES, min_samples_leaf=LEAST, max_features=0.5, random_state=0
    ).fit(x[:, seen], y, sample_weight=weights)
    return [_tree(each.tree_, seen, model.classes_) for each in model.estimators_]


def _tree(tree: Any, seen: Sequence[int], classes: Sequence[int]) -> list[list[float]]:
    nodes: list[list[float]] = []
    for i in range(tree.node_count):
        if tree.children_left[i] < 0:
            leaf = [0, 0, 0]
            shares = tree.value[i][0] / tree.value[i][0].sum()
            for label, share in zip(classes, shares, strict=True):
                leaf[int(label)] = round(1000 * float(share))
            nodes.append(leaf)
        else:
            nodes.append([
                seen[tree.feature[i]], float(f"{tree.threshold[i]:.4g}"),
                int(tree.children_left[i]), int(tree.children_right[i]),
            ])
    return nodes


def folds(labels: Sequence[str], sets: Sequence[str], grouped: Sequence[str], seed: int = 0) -> list[tuple[Any, Any]]:
    """Five splits into training and test indices; no group is on both sides."""
    strata = [f"{s} {v}" for s, v in zip(sets, labels, strict=True)]
    cut = StratifiedGroupKFold(5, shuffle=True, random_state=seed)
    return list(cut.split(np.zeros(len(strata)), strata, grouped))


def frequencies(folder: Path) -> dict[str, Any]:
    """Document frequencies of stems over the passages and the abstracts, as inverse frequencies in tenths."""
    with (folder / "scifact_documents.jsonl").open(encoding="utf-8") as file:
        texts = [f"{d['title']}\n{d['text']}" for d in map(json.loads, file)]
    texts += sorted({r["passage"] for r in load(folder) if r["source_dataset"] != "scifact"})
    count: Counter[str] = Counter()
    for text in texts:
        count.update({t.stem for t in tokens(text) if not t.is_number})
    listed: dict[int, list[str]] = defaultdict(list)
    for word, n in sorted(count.items()):
        if n >= 8 and word.isascii() and word.isalnum() and word not in lexicon.STOP:
            listed[round(10 * math.log(len(texts) / n))].append(word)
    return {"documents": len(texts), "idf_tenths": {str(k): " ".join(v) for k, v in sorted(listed.items())}}


def main() -> None:
    """Fit on everything and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--frequencies", action="store_true", help="write frequencies.json and stop")
    chosen = parser.parse_args()
    if chosen.frequencies:
        text = json.dumps(frequencies(chosen.folder), indent=0)
        (WEIGHTS.parent / "frequencies.json").write_text(text + "\n", encoding="utf-8")
        return
    records = load(chosen.folder)
    records += strangers(records)
    rows = [features(align(r)) for r in records]
    labels, sets = [r["label"] for r in records], [r["source_dataset"] for r in records]
    weights = fit(rows, labels, sets)
    forests = weights.pop("forests")
    lines = [f'"{key}": {json.dumps(value, separators=(",", ":"))}' for key, value in weights.items()]
    trees = [
        f'"{form}": [\n' + ",\n".join(json.dumps(tree, separators=(",", ":")) for tree in forest) + "\n]"
        for form, forest in forests.items()
    ]
    lines.append('"forests": {\n' + ",\n".join(trees) + "\n}")
    WEIGHTS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{len(records)} records, {len(weights['features'])} features", file=sys.stderr)


if __name__ == "__main__":
    warnings.simplefilter("ignore", category=UserWarning)
    main()
