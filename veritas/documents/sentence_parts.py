"""The model of a sentence's part in an abstract (background, aim, method, result, conclusion), read from JSON."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from veritas.documents.abstract_labels import PARTS, Part
from veritas.text.stop_words import GENERIC_WORDS, STOP_WORDS
from veritas.text.wordlist import words

Chances = Mapping[Part, float]

WEIGHTS = Path(__file__).parent / "parts.json"
UNLABELLED = 0.02
"""Factor on the chance of a part that the label above the sentence does not name; not 0, since people label."""

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|%|[<>=±≤≥]|[;:?()]")
_KEPT = (
    STOP_WORDS
    | GENERIC_WORDS
    | words(
        """
        abstract achieve achieved achieves address aim aimed aims algorithm analyse analysed analyses analysis analyzed
        approach argue assess assessed assumption calculated cohort collected compare conclude concluded conclusion
        conclusions conducted confidence consisted contributes controlled correlated correlation data dataset decreased
        demonstrate demonstrated demonstrates derived designed detected develop developed developing discuss enable
        enrolled estimate estimated evaluate evaluated evidence examine examined experiment experimental experiments
        explore explored failed few findings follow followed framework future goal groups higher highlight however
        hypotheses hypothesis hypothesise hypothesised hypothesize hypothesized identified identify implications imply
        improved increased independent indicate indicated indicates interval introduce investigate investigated
        investigation likely limited literature little lower mean median method model models novel objective
        objectives observed observational obtained often open outcome outcomes outperforms participants performance
        performed perhaps poorly possible potential potentially predicted present presented previous previously
        primary problem promising propose proposed prospective prove provided questionnaire random randomised
        randomized randomly ratio received recent recently recruited reduced remain remains research respectively
        retrospective reveal revealed review risk role sample samples searched seek several significant similar
        simulation simulations sought stronger suggest suggested suggesting suggests survey task technique test tested
        therefore thus trial trials unclear underwent unknown useful validated warranted weaker whereas whether
        """
    )
)
"""Words that indicate a part whatever the subject. Of any other word only its ending is used, so that the weights hold
for other fields than the one whose abstracts they were fitted on."""


OWN = re.compile(
    r"^here(?:in)?\b|\b(?:we|our|(?-i:us)|the authors|hypothesi[sz]ed?|aim(?:s|ed)?|objectives?|purpose|goals?"
    r"|sought)\b|\b(?:this|(?:the )?(?:present|current)|these) (?:\w+ )?(?:stud(?:y|ies)|paper|work|article|review"
    r"|report|trial|survey|investigation|analysis|thesis|experiments?|meta-analysis)\b|\b(?:to|was|were) \w+ whether\b"
    r"|\b(?:was|were) (?:\w+ly )?(?:examined|investigated|studied|assessed|evaluated|determined|compared|explored)\b"
    r"|\b(?:in order )?to (?:investigate|examine|evaluate|assess|determine|explore|identify|characteri[sz]e|clarify"
    r"|elucidate|test|compare)\b|^whether\b|^(?:[\w-]+ly )?to (?!date\b|our\b|the\b|this\b|that\b|a\b)[a-z]+\b",
    re.IGNORECASE,
)
"""Words with which an abstract mentions its own work, rather than earlier work."""


def features(sentences: Sequence[str]) -> list[list[str]]:
    """Return the model's features of each sentence of an abstract: its small words in runs of up to three, marks and
    endings, its position, and whether the abstract has mentioned its own work by then. Each name occurs once."""
    count, spoken = len(sentences), False
    speaks = any(OWN.search(sentence) for sentence in sentences)
    found = []
    for position, sentence in enumerate(sentences):
        named = _words(sentence)
        own = bool(OWN.search(sentence))
        if speaks:
            named |= {"own" if own else "not own", "after own" if spoken else "first own" if own else "before own"}
        spoken = spoken or own
        named.add(f"tenth {min(9, 10 * position // max(1, count - 1))}")
        named |= {name for name, at in (("first", 0), ("second", 1)) if position == at}
        named |= {name for name, at in (("last", 1), ("last but one", 2)) if count - position == at}
        found.append(sorted(named))
    return found


def _words(sentence: str) -> set[str]:
    shapes = [_shape(token) for token in _TOKEN.findall(sentence)]
    found = {f"1 {one}" for one in shapes if one != "~"}
    found |= {f"2 {a} {b}" for a, b in pairwise(shapes) if (a, b) != ("~", "~")}
    runs = zip(shapes, shapes[1:], shapes[2:], strict=False)
    found |= {f"3 {' '.join(run)}" for run in runs if run.count("~") < 2}
    return found | {f"opens {one}" for one in shapes[:3]} | {f"opening {' '.join(shapes[:2])}"}


def _shape(token: str) -> str:
    if token[0].isdigit():
        return "0"
    low = token.lower()
    if not low[0].isalpha() or low in _KEPT:
        return low
    return next((f"~{end}" for end in ("ed", "ing", "ly") if low.endswith(end) and len(low) > 4), "~")


class PartModel:
    """A model with weights fitted by `benchmarks/train_roles.py`; docs/papers.md names the data.

    A sentence's own words and place give a chance of each part (a linear model). The parts that abstracts begin and end
    with, and the order of parts, give the chances in the sequence. All numbers are in the order of `PARTS`.
    """

    def __init__(self, fitted: Mapping[str, Any]) -> None:
        self.weights: dict[str, list[float]] = {name: [w / 100 for w in row] for name, row in fitted["weights"].items()}
        self.bias: list[float] = fitted["bias"]
        self.begins: list[float] = fitted["begins"]
        self.follows: list[list[float]] = fitted["follows"]
        self.ends: list[float] = fitted["ends"]

    def by_words(self, sentence: str) -> list[float]:
        """Return the weight of each part for a sentence by its words, wherever it stands."""
        return self.alone(sorted(_words(sentence) | {"own" if OWN.search(sentence) else "not own"}))

    def alone(self, named: Sequence[str]) -> list[float]:
        """Return the weight of each part for a sentence of those features; the greatest is 1."""
        scores = list(self.bias)
        for name in named:
            for part, weight in enumerate(self.weights.get(name, ())):
                scores[part] += weight
        most = max(scores)
        return [math.exp(score - most) for score in scores]

    def chances(
        self, sentences: Sequence[str], labels: Sequence[tuple[Part, ...]] | None = None
    ) -> list[dict[Part, float]]:
        """Return the chance of each part for each sentence of one abstract, in order; each adds up to 1.

        `labels` are the parts that a label above the sentence names, none if there is no label.
        """
        own = [self.alone(named) for named in features(sentences)]
        for row, named in zip(own, labels or (), strict=False):
            for number, part in enumerate(PARTS):
                row[number] *= 1.0 if not named or part in named else UNLABELLED
        return [dict(zip(PARTS, row, strict=True)) for row in self._together(own)]

    def decided(self, named: Sequence[Sequence[str]], allowed: Sequence[Sequence[bool]]) -> list[Part]:
        """Return the likeliest part of each sentence of an abstract, given its features, among those allowed to it."""
        own = [self.alone(each) for each in named]
        for row, free in zip(own, allowed, strict=True):
            row[:] = [value if may else 1e-9 for value, may in zip(row, free, strict=True)]
        return [PARTS[row.index(max(row))] for row in self._together(own)]

    def _together(self, own: list[list[float]]) -> list[list[float]]:
        """Return each sentence's chances given the whole sequence, by one pass forward and one backward."""
        every = range(len(PARTS))
        forward: list[list[float]] = []
        for row in own:
            before = forward[-1] if forward else None
            reached = [sum(before[i] * self.follows[i][j] for i in every) for j in every] if before else self.begins
            forward.append(_shares([reached[j] * row[j] for j in every]))
        backward = self.ends
        found: list[list[float]] = []
        for at in range(len(own) - 1, -1, -1):
            found.append(_shares([forward[at][j] * backward[j] for j in every]))
            ahead = [backward[j] * own[at][j] for j in every]
            backward = _shares([sum(self.follows[i][j] * ahead[j] for j in every) for i in every])
        return found[::-1]


def _shares(row: Sequence[float]) -> list[float]:
    total = sum(row)
    return [value / total for value in row]


@lru_cache(maxsize=1)
def fitted() -> PartModel:
    """Return the model that is shipped."""
    with WEIGHTS.open(encoding="utf-8") as file:
        return PartModel(json.load(file))
