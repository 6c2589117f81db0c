"""The sentences of a passage that speak of a claim: how much of it each has, and the texts that are judged for it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from veritas.text.sentences import split_sentences, statements
from veritas.text.stems import stem
from veritas.text.stop_words import FUNCTION_WORDS
from veritas.text.tokens import tokens

MAX_CLAIM = 2000
"""Most characters of a claim that are read; a claim is one assertion."""
NEAREST = 3
"""Sentences of a passage that are judged alone: those that have most of the claim."""
_UNKNOWN = 7.5
_STOP = frozenset(map(stem, FUNCTION_WORDS))


@lru_cache(maxsize=1)
def _background() -> dict[str, float]:
    with (Path(__file__).parent / "frequencies.json").open(encoding="utf-8") as file:
        listed: dict[str, str] = json.load(file)["idf_tenths"]
    return {word: int(tenths) / 10 for tenths, words in listed.items() for word in words.split()}


def weight(stemmed: str) -> float:
    """Return a word's inverse document frequency (natural log); 7.5 for one too rare in the background, 0.3 for a stop
    word."""
    if stemmed in _STOP:
        return 0.3
    return _background().get(stemmed, _UNKNOWN)


@lru_cache(maxsize=16384)
def stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text."""
    return frozenset(token.stem for token in tokens(text))


def share(claim: str, text: str) -> float:
    """Return the share of the claim's weighted words that a text has, 0 to 1."""
    wanted = stems(claim)
    total = sum(map(weight, wanted))
    return sum(map(weight, wanted & stems(text))) / total if total else 0.0


@dataclass(frozen=True)
class Evidence:
    """A passage cut into sentences, as spans; `shares` are theirs of the claim, `order` their places, nearest first."""

    claim: str
    passage: str
    spans: Sequence[tuple[int, int]]
    shares: Sequence[float]
    order: Sequence[int]

    @property
    def nearest(self) -> str:
        """The sentence that has most of the claim; the first of equals; "" in a passage without words."""
        return self.sentence(self.order[0]) if self.order else ""

    def sentence(self, at: int) -> str:
        """Return a sentence by its place."""
        start, end = self.spans[at]
        return self.passage[start:end]

    def windows(self, room: int, lengths: Sequence[int]) -> list[tuple[int, int]]:
        """Return places `first` to before `last` of sentences that fit into `room` tokens together, the last of one
        window first in the next; `lengths` are the sentences' in tokens."""
        found, first = [], 0
        while first < len(self.spans):
            last, used = first, 0
            while last < len(self.spans) and (last == first or used + lengths[last] <= room):
                used += lengths[last]
                last += 1
            found.append((first, last))
            if last >= len(self.spans):
                break
            first = max(last - 1, first + 1)
        return found


@lru_cache(maxsize=512)
def find(claim: str, passage: str) -> Evidence:
    """Return the sentences of a passage, by their nearness to a claim."""
    spans = [(start, end) for start, end in statements(passage) if any(map(str.isalnum, passage[start:end]))]
    shares = [share(claim, passage[start:end]) for start, end in spans]
    return Evidence(claim, passage, spans, shares, sorted(range(len(spans)), key=lambda at: (-shares[at], at)))


_BLOCK = re.compile(r"\S(?:.|\n(?!\s*\n))*")
"""A paragraph, up to a blank line."""


def stands_whole(claim: str, passage: str) -> bool:
    """Return whether a claim, of one sentence or several, as a list with its introduction or a text with its program,
    stands in the passage word for word, from the beginning of a sentence or a paragraph to the end of one."""
    wanted = " ".join(claim.split())
    if not wanted or wanted not in " ".join(passage.split()):
        return False
    spans = [*split_sentences(passage), *(match.span() for match in _BLOCK.finditer(passage))]
    starts, ends = sorted({start for start, _ in spans}), sorted({end for _, end in spans})
    return any(
        " ".join(passage[start:end].split()) == wanted
        for start in starts
        if " ".join(passage[start:].split()).startswith(wanted)
        for end in ends
        if end > start
    )
