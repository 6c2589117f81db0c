"""Labels: the rows and columns of a table that a claim names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from veritas.meaning.embedded.claim_evidence import Statement
from veritas.meaning.embedded.tables import Label
from veritas.text import lexicon
from veritas.text.abbreviations import abbreviations
from veritas.text.stems import fold
from veritas.text.tokens import tokens

NAMED = 0.6
"""Share of a label's distinguishing words that the claim must hold to name it."""

_DEFINED = re.compile(
    r"[\"“”']?\b([A-Za-z][\w+-]{1,9})[\"“”']?\s*(?:=|:|stands for|denotes|means)\s*([A-Za-z][^,;:.=()]{3,50})"
)


def named(
    claim: Statement, labels: Sequence[Label], among: Sequence[int], spelled: Mapping[str, Sequence[str]]
) -> dict[int, int]:
    """Return the word at which the claim names a row or column, by index. Words common to many labels say little. A
    label's short word is also met by the word it begins ("acc", "accuracy") or that the caption spells out for it."""
    vocabulary: dict[str, int] = {}
    for i, s in enumerate(claim.stems):
        vocabulary.setdefault(s, i)
    joined = {a.lower + b.lower: i for i, (a, b) in enumerate(zip(claim.tokens, claim.tokens[1:], strict=False))}
    spread: dict[str, int] = {}
    for index in among:
        for s in labels[index].stems:
            spread[s] = spread.get(s, 0) + 1
    found: dict[str, int] = {s: _place(s, vocabulary, joined, spelled) for s in spread}
    places_of: dict[int, int] = {}
    for index in among:
        total = met = 0.0
        places = []
        for s in labels[index].stems:
            value = 1.0 / spread[s] + 0.1
            total += value
            if found[s] >= 0:
                met += value
                places.append(found[s])
        if places and met / total >= NAMED:
            places_of[index] = min(places)
    return places_of


def _place(
    label: str, vocabulary: Mapping[str, int], joined: Mapping[str, int], spelled: Mapping[str, Sequence[str]]
) -> int:
    """Return the index of the claim's word that means the label's word; -1 if none."""
    at = vocabulary.get(label, joined.get(label, -1))
    if at < 0:
        at = next((vocabulary[o] for o in lexicon.SYNONYMS.get(label, ()) if o in vocabulary), -1)
    if at < 0 and (long := spelled.get(label)) and all(s in vocabulary for s in long):
        at = vocabulary[long[0]]
    if at < 0 and 3 <= len(label) <= 6 and label.isalpha():
        at = next((i for s, i in vocabulary.items() if len(s) >= len(label) + 2 and s.startswith(label)), -1)
    return at


def spelled_out(caption: str) -> dict[str, tuple[str, ...]]:
    """Return the stems of long forms by short form, from "BCE = Binary Cross Entropy", "MFT: most frequent tag" and
    brackets."""
    found = dict(abbreviations(caption))
    for match in _DEFINED.finditer(caption):
        long = [t.stem for t in tokens(match[2]) if t.stem not in lexicon.STOP]
        if long:
            found.setdefault(fold(match[1]), tuple(long[: max(2, len(match[1]))]))
    return found
