"""Fits the weights for parts of abstracts on authors' labels: `python benchmarks/train_roles.py [--documents FILE]`.

Writes veritas/documents/parts.json from the development half of the abstracts of FILE: the structured ones with
their labels taken out, and with less weight the others; the other half is never looked at. `--folds` measures on five
parts of the structured ones instead, and writes nothing. Needs scikit-learn, which the extractor does not.
Deterministic.
"""

from __future__ import annotations

import argparse
import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from roles import DOCUMENTS, Labelled, is_development, read
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold

from veritas.documents.abstract_labels import PARTS, label_at
from veritas.documents.sentence_parts import OWN, WEIGHTS, PartModel, features
from veritas.text.sentences import split_sentences

LEAST = 80
"""Sentences that a feature must stand in."""
STRENGTH = 0.3
"""Inverse of the penalty on large weights (scikit-learn's C)."""
SEQUENCE, PRIOR = 0.5, 0.5
"""Exponents on the chances of what follows on what, and on the parts' own frequency, which is in both the sentence's
model and the sequence's. LEAST, STRENGTH and these two were chosen by `--folds`, in coarse steps."""
PLAIN = 0.05
"""How much a sentence of an abstract without labels weighs against one of an abstract with them: what it is was not
said by a person. They are there for the form that most abstracts have, with little method and no aim."""
OUTSIDE = 0.03
"""The least chance of a part to begin or to end an abstract. Those without labels, which most are, are freer in it."""

FOUND = re.compile(
    r"\b(?:we|this (?:study|report|paper|work))\b.{0,25}\b(?:show|find|found|report|demonstrate|identif|discover"
    r"|observe|reveal|uncover)",
    re.IGNORECASE,
)
CONCLUDES = re.compile(
    r"^(?:these|our|the) (?:results|findings|data|observations|studies|work)\b|^(?:thus|therefore|together|overall"
    r"|taken together|collectively|in conclusion|in summary|hence)\b|\bwe (?:conclude|suggest|propose)\b",
    re.IGNORECASE,
)


class Sample(NamedTuple):
    """An abstract's sentences as features, and which of `PARTS` each may be, a row of five a sentence."""

    rows: list[list[str]]
    allowed: Any
    weight: float


def labelled_sample(each: Labelled) -> Sample:
    """One with labels: they say what a sentence may be."""
    texts = [each.text[start:end] for start, end, _ in each.sentences]
    allowed = np.ones((len(texts), len(PARTS)), dtype=bool)
    for row, text, (start, _, parts) in zip(allowed, texts, each.sentences, strict=True):
        if parts:
            row[:] = [part in each.parts_at(start) for part in PARTS]
            # Of what stands under "BACKGROUND" alone, only what speaks of the paper's own work can be its aim.
            row[PARTS.index("objective")] &= not row[PARTS.index("background")] or bool(OWN.search(text))
    return Sample(features(texts), allowed, 1.0)


def plain_sample(texts: Sequence[str]) -> Sample:
    """One without: what stands before the first word of its own work is background, what stands after is none; what it
    says to have found is no method, and what begins like a conclusion in the second half is one."""
    allowed = np.ones((len(texts), len(PARTS)), dtype=bool)
    first = next((at for at, text in enumerate(texts) if OWN.search(text)), None)
    if first is not None:
        allowed[:first, 1:] = False
        allowed[first:, PARTS.index("background")] = False
        for at in range(first, len(texts)):
            if FOUND.search(texts[at]):
                allowed[at, PARTS.index("methods")] = False
            if at > len(texts) / 2 and CONCLUDES.search(texts[at]):
                allowed[at, :-1] = False
    return Sample(features(texts), allowed, PLAIN)


def fit(samples: Sequence[Sample]) -> dict[str, Any]:
    """The weights, as `PartModel` reads them: first fitted on the sentences of which one part alone is allowed in
    abstracts with labels, then on all, with what is open decided by the first."""
    seen = Counter(name for sample in samples for row in sample.rows for name in row)
    names = DictVectorizer()
    x = names.fit_transform(
        [{name: 1.0 for name in row if seen[name] >= LEAST} for sample in samples for row in sample.rows]
    )
    allowed = np.vstack([sample.allowed for sample in samples])
    weights = np.concatenate([[sample.weight] * len(sample.rows) for sample in samples])
    y = allowed.argmax(axis=1)
    sure = (allowed.sum(axis=1) == 1) & (weights == 1.0)
    lengths = [len(sample.rows) for sample in samples]
    model = LogisticRegression(C=STRENGTH, max_iter=3000).fit(x[sure], y[sure])
    y[~sure] = (model.predict_proba(x[~sure]) * allowed[~sure]).argmax(axis=1)
    own = weights == 1.0
    first = _fitted(x[own], y[own], weights[own], [n for n, s in zip(lengths, samples, strict=True) if s.weight == 1.0],
                    names.feature_names_)  # fmt: skip
    if not own.all():
        decide = PartModel(first)
        decided = [part for sample in samples for part in decide.decided(sample.rows, sample.allowed.tolist())]
        return _fitted(x, np.array([PARTS.index(part) for part in decided]), weights, lengths, names.feature_names_)
    return first


def _fitted(x: Any, y: Any, weights: Any, lengths: Sequence[int], names: Sequence[str]) -> dict[str, Any]:
    model = LogisticRegression(C=STRENGTH, max_iter=3000).fit(x, y, sample_weight=weights)
    begins, follows, ends = np.full(5, 0.5), np.full((5, 5), 0.5), np.full(5, 0.5)
    at = 0
    for length in lengths:
        parts, weight = y[at : at + length], weights[at]
        begins[parts[0]] += weight
        ends[parts[-1]] += weight
        np.add.at(follows, (parts[:-1], parts[1:]), weight)
        at += length
    share = np.bincount(y, weights, minlength=5) / weights.sum()

    def rounded(counts: Any, floor: float = 0.0) -> Any:
        shares = np.maximum(counts / counts.sum(axis=-1, keepdims=True), floor)
        return [[round(float(v), 5) for v in row] for row in np.atleast_2d(shares**SEQUENCE)]

    return {
        "bias": [round(float(b) - PRIOR * math.log(s), 4) for b, s in zip(model.intercept_, share, strict=True)],
        "begins": rounded(begins, OUTSIDE)[0], "follows": rounded(follows), "ends": rounded(ends, OUTSIDE)[0],
        "weights": {
            str(name): row
            for name, column in zip(names, model.coef_.T, strict=True)
            if max(map(abs, row := [round(100 * float(w)) for w in column])) >= 5
        },
    }  # fmt: skip


def plain(path: Path, labelled: set[str]) -> list[list[str]]:
    """The sentences of the abstracts without labels of the development half, those of 4 to 16 sentences."""
    found = []
    with path.open(encoding="utf-8") as file:
        for record in map(json.loads, file):
            text = record["text"]
            spans = split_sentences(text)
            if record["id"] in labelled or not is_development(record["id"]) or not 4 <= len(spans) <= 16:
                continue
            if not any(label_at(text, start, end) for start, end in spans):
                found.append([text[start:end] for start, end in spans])
    return found


def accuracy(model: PartModel, documents: Sequence[Labelled]) -> tuple[float, int]:
    """The share of sentences given a part that their label allows, and how many there are."""
    right = count = 0
    for each in documents:
        found = model.chances([each.text[start:end] for start, end, _ in each.sentences])
        for (start, _, parts), chances in zip(each.sentences, found, strict=True):
            if parts:
                right += max(PARTS, key=lambda part: chances[part]) in each.parts_at(start)
                count += 1
    return right / count, count


def main() -> None:
    """Fit and write, or measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=Path, default=DOCUMENTS)
    parser.add_argument("--folds", action="store_true", help="measure on parts of the development half; write nothing")
    given = parser.parse_args()
    if not given.documents.is_file():
        print(f"{given.documents} is not there: nothing to fit on")
        return
    structured = list(read(given.documents))
    documents = [d for d in structured if is_development(d.id)]
    others = [plain_sample(texts) for texts in plain(given.documents, {d.id for d in structured})]
    samples = [labelled_sample(each) for each in documents]
    if given.folds:
        for train, test in KFold(5, shuffle=True, random_state=0).split(documents):
            model = PartModel(fit([*(samples[i] for i in train), *others]))
            share, count = accuracy(model, [documents[i] for i in test])
            print(f"{share:.1%} of {count} sentences")
        return
    weights = fit([*samples, *others])
    rows = weights.pop("weights")
    lines = [f'"{key}": {json.dumps(value)}' for key, value in weights.items()]
    each = ",\n".join(f"{json.dumps(name)}: {json.dumps(row, separators=(',', ':'))}" for name, row in rows.items())
    lines.append('"weights": {\n' + each + "\n}")
    WEIGHTS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{len(samples)} abstracts with labels, {len(others)} without, {len(rows)} features")


if __name__ == "__main__":
    main()
