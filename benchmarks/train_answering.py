"""Fits whether a passage answers a question: `python benchmarks/train_answering.py [--questions FILE] [--folds]`.

Writes veritas/answering/weights.json from questions with the sentences that answer them. Each question is asked in the
passages of its own section, of other sections of its article and of the sections most like it elsewhere; the curve and
the threshold are fitted on the questions asked with their own section and without it. `--folds` measures on five parts
by article instead, and writes nothing. Needs scikit-learn, which the library does not. Deterministic.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression

from veritas.answering.encoder import Encoder, encoder
from veritas.answering.features import NAMES, Seen, seen
from veritas.answering.model import WEIGHTS, Model
from veritas.answering.pool import Pool
from veritas.answering.question import read_question
from veritas.answering.ranking import READ, under_heading
from veritas.documents.document import Document, document_id
from veritas.documents.passages import best_passages
from veritas.search.local import LocalIndex

QUESTIONS = Path("../shared/questions/selqa.jsonl")
FOREIGN = 5
"""Sections beside a question's own."""
A_SECTION = 4
"""Most passages of a section."""
STRENGTH = 0.3
"""Inverse of the penalty on large weights (scikit-learn's C)."""
REFUSED = 0.025
"""Share of the answerable questions that the threshold may refuse."""
FOLDS = 5
READ_ON = ("meets", "spread")
"""What is fitted with an encoder."""


class Pooled(NamedTuple):
    """A question, its units, whether each answers, whether it or its neighbour does, the units of foreign sections
    alone, and the number of the question's article."""

    question: str
    units: list[Seen]
    answers: np.ndarray[Any, Any]
    shown: np.ndarray[Any, Any]
    foreign: list[Seen]
    article: int


def read(path: Path) -> list[dict[str, Any]]:
    """Return the questions that one sentence or more of their section answers."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["answers"]]


def document(row: dict[str, Any]) -> tuple[Document, list[tuple[int, int]]]:
    """Return a section as a document, and the offsets of its sentences."""
    text, spans = f"{row['section']}\n\n", []
    for sentence in row["sentences"]:
        spans.append((len(text), len(text) + len(sentence)))
        text += f"{sentence} "
    url = f"corpus://sections/{row['article']}/{row['section']}".replace(" ", "_")
    return Document(
        document_id=document_id(text), url=url, title=row["article"], text=text.rstrip(), fetched_at=date(2026, 1, 1)
    ), spans


async def pooled(rows: Sequence[dict[str, Any]], step: int) -> list[Pooled]:
    """Return every `step`-th question with the units of its own and of foreign sections."""
    made = [document(row) for row in rows]
    documents = {d.url: d for d, _ in made}
    index = LocalIndex(documents.values()).passages
    articles = {name: i for i, name in enumerate(sorted({row["article"] for row in rows}))}
    found = []
    for row, (own, spans) in list(zip(rows, made, strict=True))[::step]:
        hits = await index.search(row["question"], limit=FOREIGN + 4)
        others = [documents[hit.url] for hit in hits if documents[hit.url].text != own.text][:FOREIGN]
        theirs = [p for d in others for p in best_passages(d, row["question"], A_SECTION)]
        mine = list(best_passages(own, row["question"], A_SECTION))
        asked = read_question(row["question"])
        units = seen(Pool(asked, mine + theirs), mine + theirs)
        foreign = seen(Pool(asked, theirs), theirs)
        right = [spans[i] for i in row["answers"]]
        inside = [u.passage.document_id == own.document_id for u in units]

        def meets(u: Seen, start: int, end: int, right: Sequence[tuple[int, int]] = right) -> bool:
            at = u.passage.start
            return any(at + start < b and at + end > a for a, b in right)

        answers = [own_ and meets(u, u.unit.start, u.unit.end) for u, own_ in zip(units, inside, strict=True)]
        shown = [any(answers[max(0, i - 1) : i + 2]) for i in range(len(answers))]
        if not units:
            continue
        article = articles[row["article"]]
        found.append(Pooled(row["question"], units, np.array(answers), np.array(shown), foreign, article))
    return found


def fit(sample: Sequence[Pooled]) -> dict[str, Any]:
    """Return the weights, as `Model` reads them."""
    x = np.array([u.features for one in sample for u in one.units])
    y = np.concatenate([one.answers for one in sample])
    weights = np.concatenate([np.full(len(one.units), 20 / len(one.units)) for one in sample])
    fitted = LogisticRegression(C=STRENGTH, max_iter=3000).fit(x, y, sample_weight=weights)
    made: dict[str, Any] = {
        "weights": {n: round(float(w), 3) for n, w in zip(NAMES, fitted.coef_[0], strict=True)},
        "bias": round(float(fitted.intercept_[0]), 3),
        "curve": [1.0, 0.0],
        "least": 0.0,
        **{name: value for name, value in json.loads(WEIGHTS.read_text(encoding="utf-8")).items() if name in READ_ON},
    }
    raw = Model(made, NAMES)
    scores, right = [], []
    for one in sample:
        for units, answers in ((one.units, one.shown), (one.foreign, None)):
            if units:
                values = [raw.score(u.features) + u.rules for u in units]
                best = int(np.argmax(values))
                scores.append(values[best])
                right.append(bool(answers is not None and answers[best]))
    made["curve"] = _curve(scores, right)
    model = Model(made, NAMES)
    tops = [max(model.chance(model.score(u.features) + u.rules) for u in one.units) for one in sample]
    made["least"] = round(float(np.quantile(tops, REFUSED)), 3)
    return made


def _curve(scores: Sequence[float], right: Sequence[bool]) -> list[float]:
    fitted = LogisticRegression(C=1e6).fit(np.array(scores)[:, None], right)
    return [round(float(fitted.coef_[0][0]), 4), round(float(fitted.intercept_[0]), 4)]


class Part(NamedTuple):
    """A part that is shown: its score by the rules, how closely it meets its question, and whether it answers it."""

    score: float
    meets: float
    right: bool


def parts(model: Model, reader: Encoder, question: str, units: Sequence[Seen], right: Sequence[bool]) -> list[Part]:
    """Return the parts of a pool that an encoder would read; `right` tells of each unit whether it answers."""
    best: dict[tuple[str, int, int], tuple[float, Seen]] = {}
    for u in units:
        place = (u.passage.passage_id, u.unit.shown_start, u.unit.shown_end)
        best[place] = max(best.get(place, (-1e9, u)), (model.score(u.features) + u.rules, u), key=lambda each: each[0])
    answers = [(u.passage.passage_id, u.unit.start, u.unit.end) for u, yes in zip(units, right, strict=True) if yes]
    return [
        Part(
            score,
            reader.meets(question, under_heading(u.passage, u.unit)),
            any(p == u.passage.passage_id and u.unit.shown_start <= a and b <= u.unit.shown_end for p, a, b in answers),
        )
        for score, u in sorted(best.values(), key=lambda each: -each[0])[:READ]
    ]


def fit_encoder(made: dict[str, Any], sample: Sequence[Pooled], reader: Encoder) -> dict[str, float]:
    """Return what an encoder's measure adds to a score, and how steep the curve of the sum is beside that of the
    rules."""
    model = Model(made, NAMES)
    own = [parts(model, reader, one.question, one.units, list(one.answers)) for one in sample]
    foreign = [parts(model, reader, one.question, one.foreign, [False] * len(one.foreign)) for one in sample]
    every = [part for pool in own for part in pool]
    both = LogisticRegression(C=1e6).fit([part[:2] for part in every], [part.right for part in every])
    weight = round(float(both.coef_[0][1] / both.coef_[0][0]), 2)
    tops = [max((part.score + weight * part.meets, part.right) for part in pool) for pool in (*own, *foreign) if pool]
    slope, _ = _curve([score for score, _ in tops], [right for _, right in tops])
    return {"meets": weight, "spread": round(slope / made["curve"][0], 2)}


def measure(made: dict[str, Any], sample: Sequence[Pooled]) -> dict[str, float]:
    """Return the shares: right sentence first, among the first three, refused with and without the own section."""
    model = Model(made, NAMES)
    first = third = refused = foreign = 0
    error = []
    for one in sample:
        chances = np.array([model.chance(model.score(u.features) + u.rules) for u in one.units])
        order = np.argsort(-chances)
        first += bool(one.answers[order[0]])
        third += bool(one.answers[order[:3]].any())
        refused += bool(chances[order[0]] < made["least"])
        others = [model.chance(model.score(u.features) + u.rules) for u in one.foreign]
        foreign += max(others, default=0.0) < made["least"]
        error += [(chances[order[0]] - one.answers[order[0]]) ** 2, max(others, default=0.0) ** 2]
    n = len(sample)
    return {"first": first / n, "third": third / n, "refused": refused / n, "foreign refused": foreign / n,
            "brier": float(np.mean(error))}  # fmt: skip


def main() -> None:
    """Fit, or measure."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--questions", type=Path, default=QUESTIONS)
    options.add_argument("--folds", action="store_true")
    options.add_argument("--encoder", action="store_true", help="fit only what an encoder adds")
    options.add_argument("--step", type=int, default=1, help="take every n-th question")
    given = options.parse_args()
    rows = read(given.questions)
    sample = asyncio.run(pooled(rows, given.step))
    if given.encoder:
        reader = encoder()
        if reader is None:
            raise SystemExit("train_answering: VERITAS_ENCODER names no encoder")
        made = json.loads(WEIGHTS.read_text(encoding="utf-8"))
        made |= fit_encoder(made, sample, reader)
        WEIGHTS.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
        print(json.dumps({name: made[name] for name in READ_ON}, indent=1))
        return
    if given.folds:
        for fold in range(FOLDS):
            test = [one for one in sample if one.article % FOLDS == fold]
            made = fit([one for one in sample if one.article % FOLDS != fold])
            print(fold, len(test), {k: round(v, 3) for k, v in measure(made, test).items()}, made["least"])
        return
    made = fit(sample)
    WEIGHTS.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(made, indent=1), measure(made, sample))


if __name__ == "__main__":
    main()
