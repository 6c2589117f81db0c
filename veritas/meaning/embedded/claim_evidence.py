"""Evidence: the sentences of a passage that speak of the claim, and how each word of the claim is met there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

from veritas.text import lexicon
from veritas.text.abbreviations import abbreviations
from veritas.text.quantities import Quantity, quantities
from veritas.text.quantity_relation import relation
from veritas.text.sentences import statements
from veritas.text.stems import fold, stem
from veritas.text.tokens import Token, tokens

MAX_CLAIM = 2000
"""Most characters of a claim that are read; a claim is one assertion."""
FULL_READ = 24_000
"""Most characters of a passage of which every sentence is looked at closely; of a longer one the best `CLOSE` are."""
CLOSE = 120
"""Sentences of a long passage that are looked at closely: those sharing most of the claim's words, in their order."""

_UNKNOWN = 7.5
_BOUNDING = frozenset(
    "least most more less fewer up over above below under lower higher smaller larger greater shorter longer younger "
    "older maximum minimum exceed exceeds exceeded exceeding".split()
)
"""Words of direction or denial; every bound that has such words has one of these."""


@lru_cache(maxsize=1)
def _background() -> dict[str, float]:
    """Return inverse document frequencies (natural log) by stem, from the frequency list that is shipped with the
    weights."""
    with (Path(__file__).parent / "frequencies.json").open(encoding="utf-8") as file:
        listed: dict[str, str] = json.load(file)["idf_tenths"]
    return {word: int(tenths) / 10 for tenths, words in listed.items() for word in words.split()}


def weight(stemmed: str) -> float:
    """Return a word's inverse document frequency; 7.5 for one too rare in the background; stop words 0.3."""
    if stemmed in lexicon.STOP:
        return 0.3
    return _background().get(stemmed, _UNKNOWN)


class Said(NamedTuple):
    """A word, or a quantity of several words, in a sentence. Its words are `first` to `last` of the sentence's; the
    same `key` means the same word or quantity."""

    key: str
    first: int
    last: int
    quantity: Quantity | None = None


_OPTION = re.compile(r"(?:\w=|(?<!\w)--[\w-]*)[\"'`]?\Z")
"""The beginning of an option or of its value, in which no word denies anything: `--no-cache`, `shell=none`."""


class Statement:
    """A sentence, cut into words once. `index` is its place among the passage's sentences."""

    def __init__(self, text: str, index: int = 0) -> None:
        self.text = text
        self.index = index
        self.tokens: list[Token] = tokens(text)
        self.stems: list[str] = [t.stem for t in self.tokens]

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The stems, and the hyphenated or spaced compounds written as one ("TGF-beta" also as "tgfbeta")."""
        joined = {
            a.lower + b.lower
            for a, b in zip(self.tokens, self.tokens[1:], strict=False)
            if b.start - a.end <= 1
            and (len(a.lower) <= 5 or len(b.lower) <= 4 or (b.start > a.end and self.text[a.end] == "-"))
        }
        return frozenset(self.stems) | joined

    @cached_property
    def prefixes(self) -> frozenset[str]:
        """The first five letters of its longer stems."""
        return frozenset(s[:5] for s in self.stems if len(s) >= 6 and s.isalpha())

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """The numbers with their units."""
        return quantities(self.text)

    @cached_property
    def said(self) -> list[Said]:
        """The words in order, each by its stem, and each quantity as one, with the words that bound it."""
        found: list[Said] = []
        ahead = list(self.quantities)[::-1]
        for i, token in enumerate(self.tokens):
            while ahead and max(ahead[-1].end, ahead[-1].last) <= token.start:
                ahead.pop()
            inside = ahead[-1] if ahead and min(ahead[-1].start, ahead[-1].first) < token.end else None
            if inside is None:
                found.append(Said(token.stem, i, i))
            elif found and found[-1].quantity is inside:
                found[-1] = found[-1]._replace(last=i)
            else:
                found.append(Said(inside.key, i, i, inside))
        return found

    @cached_property
    def content(self) -> list[Token]:
        """The words that are not stop words."""
        return [t for t in self.tokens if t.stem not in lexicon.STOP and (len(t.lower) > 1 or t.is_number)]

    @cached_property
    def bounding(self) -> frozenset[int]:
        """Places of the words that bound a quantity: "no more than" denies nothing."""
        if _BOUNDING.isdisjoint(t.lower for t in self.tokens):
            return frozenset()
        framed = [q for q in self.quantities if q.first < q.start or q.last > q.end]
        return frozenset(
            i for i, t in enumerate(self.tokens)
            if any(q.first <= t.start < q.start or q.end <= t.start < q.last for q in framed)
        )

    def count(self, words: frozenset[str]) -> int:
        """Return how many of its words are among `words`."""
        return sum(1 for s in self.stems if s in words)

    @cached_property
    def negations(self) -> list[int]:
        """Places (in words) of the negations."""
        return [
            i for i, t in enumerate(self.tokens)
            if (t.lower in lexicon.NEGATION or t.lower.endswith(lexicon.CONTRACTED))
            and " ".join(w.lower for w in self.tokens[i : i + 2]) not in lexicon.FALSE_NEGATION
            and i not in self.bounding and not _OPTION.search(self.text, max(0, t.start - 40), t.start)
        ]


class Passage:
    """A passage ready to be asked about one claim."""

    def __init__(self, text: str, claim: Statement) -> None:
        cut = statements(text)
        if len(text) > FULL_READ:
            wanted = {t.stem for t in claim.content}
            scored = sorted(
                range(len(cut)),
                key=lambda i: (-len(wanted.intersection(map(stem, map(fold, text[cut[i][0] : cut[i][1]].split())))), i),
            )
            keep = sorted(set(scored[:CLOSE]) | {0})
        else:
            keep = list(range(len(cut)))
        self.text = text
        self.total = len(cut)
        self.statements = [Statement(text[cut[i][0] : cut[i][1]], i) for i in keep]
        self.abbreviations = abbreviations("\n".join(s.text for s in self.statements) + "\n" + claim.text)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The vocabulary of all its sentences."""
        return frozenset().union(*(s.vocabulary for s in self.statements))

    @cached_property
    def prefixes(self) -> frozenset[str]:
        """The prefixes of all its sentences."""
        return frozenset().union(*(s.prefixes for s in self.statements))


def met(
    token: Token, vocabulary: frozenset[str], prefixes: frozenset[str], short: Mapping[str, Sequence[str]]
) -> float:
    """Return how far a word of the claim is met by a vocabulary, 0 to 1: itself 1, its abbreviation 0.9, a synonym 0.7,
    a word of the same beginning 0.6."""
    if token.stem in vocabulary or token.lower in vocabulary:
        return 1.0
    long = short.get(token.lower)
    if long and all(s in vocabulary for s in long):
        return 0.9
    for name, spelled in short.items():
        if token.stem in spelled and name in vocabulary:
            return 0.9
    synonyms = lexicon.SYNONYMS.get(token.stem)
    if synonyms and not synonyms.isdisjoint(vocabulary):
        return 0.7
    if len(token.stem) >= 6 and token.stem.isalpha() and token.stem[:5] in prefixes:
        return 0.6
    return 0.0


class Alignment:
    """The claim's content words against the passage; `per_sentence[i][j]` is how far word j is met in sentence i."""

    def __init__(self, claim: Statement, passage: Passage) -> None:
        self.claim = claim
        self.passage = passage
        self.words = claim.content or claim.tokens
        self.weights = [weight(t.stem) for t in self.words]
        self.total = sum(self.weights) or 1.0
        short = passage.abbreviations
        self.per_sentence = [[met(t, s.vocabulary, s.prefixes, short) for t in self.words] for s in passage.statements]
        if claim.quantities:
            self._meet_quantities()
        self.anywhere = (
            [max(column) for column in zip(*self.per_sentence, strict=True)]
            if self.per_sentence else [0.0] * len(self.words)
        )
        self.coverage = [self._share(row) for row in self.per_sentence]
        self.order = sorted(range(len(self.coverage)), key=lambda i: (-self.coverage[i], i))

    def _meet_quantities(self) -> None:
        """Mark the words of a quantity as met where the sentence gives it in other figures, words or units."""
        inside = [[j for j, t in enumerate(self.words) if q.start <= t.start < q.end] for q in self.claim.quantities]
        for row, statement in zip(self.per_sentence, self.passage.statements, strict=True):
            for own, words in zip(self.claim.quantities, inside, strict=True):
                unmet = [j for j in words if not row[j]]
                if unmet and any(relation(own, other) == "same" for other in statement.quantities):
                    for j in unmet:
                        row[j] = 1.0

    def _share(self, row: Iterable[float]) -> float:
        return sum(m * w for m, w in zip(row, self.weights, strict=True)) / self.total

    @property
    def best(self) -> Statement | None:
        """The sentence that covers most of the claim; the first of equals; None for a passage without words."""
        return self.passage.statements[self.order[0]] if self.order else None

    @property
    def passage_coverage(self) -> float:
        """Share of the claim's weight met anywhere in the passage, 0 to 1."""
        return self._share(self.anywhere)

    @cached_property
    def chain(self) -> list[int]:
        """Indices of up to three sentences that together cover most: each adds the most to what is covered so far."""
        chosen: list[int] = []
        row = [0.0] * len(self.words)
        for _ in range(3):
            gains = [(self._share(map(max, row, r)), -i) for i, r in enumerate(self.per_sentence) if i not in chosen]
            if not gains:
                break
            share, negative = max(gains)
            if chosen and share <= self._share(row) + 1e-9:
                break
            chosen.append(-negative)
            row = list(map(max, row, self.per_sentence[-negative]))
        return chosen

    def chain_coverage(self, count: int) -> float:
        """Return the share of the claim's weight that the first `count` sentences of the chain cover together."""
        row = [0.0] * len(self.words)
        for i in self.chain[:count]:
            row = list(map(max, row, self.per_sentence[i]))
        return self._share(row)
