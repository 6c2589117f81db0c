"""The one ranking on labelled questions: words, meaning and both fused, and the chance that the first passage answers.

    python benchmarks/ranking.py QUESTIONS... --docs FOLDER [--read 40] [--meaning 0.65] [--fit]

Questions and folder are those of `answers.py`. A passage counts with the section that is shown around it: **first**,
**3**, **5**, **10** are questions whose core stands in the first so many sections; **held** those whose core any of the
passages has that the encoder reads. Below: how well the chance tells right from wrong first passages, and answerable
from unanswerable questions (area under the curve), its calibration error (five bins), unanswerable questions that are
called answered, and right first passages that are not. `--fit` fits the chance on these questions and prints its
weights; the figures are then of weights fitted without the documentation that is asked.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from answers import QUESTIONS, Asked, labelled
from numpy.typing import NDArray

from veritas import Document
from veritas.answers._brief import _section
from veritas.claims.brief import ANSWERS
from veritas.claims.sources import Passage
from veritas.documents.passages import cut_passages
from veritas.search import ranking
from veritas.search.postings import Lexical
from veritas.search.ranking import OTHERS, USUAL, Ranked, chances, fused, passage_terms, question_terms, told
from veritas.text.languages import ENGLISH
from veritas.use_cases.runs import read_documents

WAYS: dict[str, Callable[[Ranked, float], float]] = {
    "words": lambda one, best: 1 - one.at / 1e9,
    "meaning": lambda one, best: one.meaning or 0.0,
    "fused": lambda one, best: one.score,
}


class Pool:
    """The passages of a documentation, and the section around each."""

    def __init__(self, folder: Path) -> None:
        self.documents: dict[str, Document] = {d.document_id: d for d in read_documents([folder]).documents}
        self.passages = [p for document in self.documents.values() for p in cut_passages(document)]
        self.texts = [told(passage) for passage in self.passages]
        self.index = Lexical(map(passage_terms, self.texts))

    def shown(self, passage: Passage) -> Passage:
        """Return the passage with its section."""
        return _section(self.documents[passage.document_id], passage) or passage


@dataclass
class Result:
    """A question, the places of its core by way (999 for none), what was measured of its first passages, and whether
    the first one is right."""

    asked: Asked
    places: dict[str, int]
    ranked: list[Ranked]
    right: bool


def answer(asked: Asked, pool: Pool) -> Result:
    """Rank the passages for a question in each way."""
    scores = pool.index.scores(question_terms(asked.question, ENGLISH))
    found = fused(asked.question, ENGLISH, scores, pool.texts.__getitem__)
    by_words = {at: place for place, at in enumerate(np.argsort(-np.round(scores, 5), kind="stable").tolist())}
    places = {}
    for name, worth in WAYS.items():
        order = sorted(found, key=lambda one: -worth(one._replace(at=by_words[one.at]), 0.0))
        places[name] = _place(asked, [pool.passages[one.at] for one in order], pool)
    return Result(asked, places, found, asked.answerable and places["fused"] == 0)


def _place(asked: Asked, passages: Sequence[Passage], pool: Pool) -> int:
    import re

    seen: list[Passage] = []
    for passage in passages:
        if any(one.document_id == passage.document_id and one.start <= passage.start < one.end for one in seen):
            continue
        seen.append(pool.shown(passage))
        if asked.core and re.search(asked.core, seen[-1].text):
            return len(seen) - 1
    return 999


def standing_out(ranked: Sequence[Ranked]) -> tuple[float, float]:
    """Return how far the first passage stands out from the others, in meaning and in words."""
    others = ranked[OTHERS]
    rest = OTHERS.stop - OTHERS.start - len(others)
    usual = [Ranked(-1, 0.0, USUAL[0], USUAL[1])] * rest
    held = [*others, *usual]
    first = ranked[0]
    meaning = (first.meaning or 0.0) - sum(one.meaning or 0.0 for one in held) / len(held)
    return meaning, first.words - sum(one.words for one in held) / len(held)


def fitted(rows: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights of a logistic curve: constant, then one a column."""
    middle, spread = rows.mean(0), rows.std(0) + 1e-9
    scaled = np.c_[np.ones(len(rows)), (rows - middle) / spread]
    weights = np.zeros(scaled.shape[1])
    for _ in range(4000):
        said = 1 / (1 + np.exp(-scaled @ weights))
        weights -= 0.3 * (scaled.T @ (said - right) / len(right) + 0.01 * np.r_[0.0, weights[1:]])
    slopes = weights[1:] / spread
    made: NDArray[np.float64] = np.r_[weights[0] - slopes @ middle, slopes]
    return made


def area(better: Sequence[float], worse: Sequence[float]) -> float:
    """Return the share of pairs in which the better has the higher chance."""
    return float(np.mean([(a > b) + 0.5 * (a == b) for a in better for b in worse])) if better and worse else 0.0


def report(results: Sequence[Result], said: Sequence[float]) -> None:
    """Print both tables."""
    answerable = [one for one in results if one.asked.answerable]
    print("| ranked by | first | 3 | 5 | 10 | held | of |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name in WAYS:
        places = [one.places[name] for one in answerable]
        print(f"| {name} | {' | '.join(str(sum(p < n for p in places)) for n in (1, 3, 5, 10, 999))} | {len(places)} |")
    chance = np.array(said)
    right = np.array([one.right for one in results])
    asked = np.array([one.asked.answerable for one in results])
    bins = np.clip((chance * 5).astype(int), 0, 4)
    filled = [bins == k for k in range(5) if (bins == k).any()]
    error = sum(abs(chance[each].mean() - right[each].mean()) * each.mean() for each in filled)
    print(
        f"\nchance: right from wrong {area(chance[right].tolist(), chance[~right].tolist()):.2f}, answerable from "
        f"unanswerable {area(chance[asked].tolist(), chance[~asked].tolist()):.2f}, calibration error {error:.2f}; "
        f"unanswerable called answered {np.sum(chance[~asked] >= ANSWERS)} of {np.sum(~asked)}, answerable not called "
        f"answered {np.sum(chance[asked] < ANSWERS)} of {np.sum(asked)}, right first passages not called answered "
        f"{np.sum(chance[right] < ANSWERS)} of {np.sum(right)}"
    )


def main() -> None:
    """Print the tables for files of questions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path, nargs="*", default=[QUESTIONS / "unseen.jsonl"])
    parser.add_argument("--docs", type=Path, help="a folder of documentation for each package")
    parser.add_argument("--read", type=int, default=ranking.READ, help="passages that the encoder reads")
    parser.add_argument("--meaning", type=float, default=ranking.MEANING, help="share of the meaning")
    parser.add_argument("--fit", action="store_true", help="fit the chance on these questions")
    options = parser.parse_args()
    if options.docs is None or not options.docs.is_dir():
        print("ranking: the documentation of the packages is not there (--docs): nothing to measure")
        return
    ranking.READ, ranking.MEANING = options.read, options.meaning
    questions = [asked for path in options.questions for asked in labelled(path)]
    if not questions:
        sys.exit("ranking: no question")
    pools = {name: Pool(options.docs / name) for name in sorted({asked.package for asked in questions})}
    results = [answer(asked, pools[asked.package]) for asked in questions]
    said = [chances(one.ranked)[0] if one.ranked else 0.0 for one in results]
    if options.fit:
        rows = np.array([standing_out(one.ranked) for one in results])
        right = np.array([float(one.right) for one in results])
        of = np.array([one.asked.package for one in results])
        for name in sorted(set(of.tolist())):
            weights = fitted(rows[of != name], right[of != name])
            for at in np.flatnonzero(of == name):
                said[at] = float(1 / (1 + np.exp(-(weights[0] + rows[at] @ weights[1:]))))
        others = [one for result in results for one in result.ranked[OTHERS]]
        usual = np.mean([[one.meaning or 0.0, one.words] for one in others], axis=0)
        print("both:", fitted(rows, right).round(2), "words alone:", fitted(rows[:, 1:], right).round(2),
              "usual:", usual.round(3), "\n")  # fmt: skip
    report(results, said)


if __name__ == "__main__":
    main()
