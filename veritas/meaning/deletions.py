"""A claim that is a sentence of its source with words left out: what is left out makes the difference."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from veritas.meaning.relation import Difference
from veritas.text.sentences import split_sentences
from veritas.text.stop_words import FUNCTION_WORDS
from veritas.text.tokens import tokens


def is_deletion(claim: str, passage: str) -> bool:
    """Return whether the words of content of a claim stand in one sentence of a passage, all of them and in order. The
    order may be another one where the sentence tells two things apart by it: "the former", "respectively"."""
    wanted = _content(claim)
    spans = split_sentences(passage) or [(0, len(passage))]
    return bool(wanted) and any(_within(wanted, passage[start:end]) for start, end in spans)


def telling(difference: Difference, passage: str) -> bool:
    """Return whether a difference of a deletion from its passage is one by which it says more than the passage.

    A pronoun of the claim, a number left out, a group in which something was studied, who found it and what a clause
    behind a comma adds are mostly harmless: on the developers' pairs, they stand beside true claims as often as beside
    false ones.
    """
    first = difference.first
    if difference.kind == "order" and first == "of" and _TRANSPARENT.search(passage):
        return False
    if difference.kind == "unexplained":
        words = [token.lower for token in tokens(first or difference.second)]
        return not FUNCTION_WORDS.union(_JOINTS).issuperset(words)
    if difference.kind in ("number", "population") and not difference.second:
        return False
    if difference.kind == "unit" and difference.second.startswith(first):
        return False  # the word behind a figure is no unit
    found = re.escape(first)
    return not first or not re.search(rf"(?i)(?<!\w){found}\W+{_FINDS}\b|,\s+(?=when\b|where\b){found}", passage)


_LIGHT = FUNCTION_WORDS | frozenset(
    "without after before since until above below near around across among against toward towards despite behind "
    "except unless although though whereas whether".split()
)
"""Words of grammar; that one of them stands for another is for the comparison to tell."""
_TRANSPARENT = re.compile(
    r"(?i)\b(?:groups?|teams?|cit(?:y|ies)|towns?|villages?|state|province|county|kinds?|types?|sorts?|forms?|sets?|series|"
    r"pairs?|couple|crew|family|gangs?|crowds?|members|use|range|variety|levels?|amounts?|numbers?|volumes?|total) of\b"
)
"""Nouns before "of" that may be left out: a group of engineers are engineers."""
_JOINTS = frozenset("while whereas although though".split())
_FINDS = (
    r"(?:(?:have|has|had|also)\s+)?(?:found|finds?|show(?:s|ed|n)?|discover(?:s|ed)?|demonstrat(?:e|es|ed)|"
    r"establish(?:es|ed)?|confirm(?:s|ed)?|conclud(?:e|es|ed)|measured|observed)"
)
"""Verbs of finding out: what is found is so, whoever found it."""


@lru_cache(maxsize=4096)
def _content(text: str) -> tuple[str, ...]:
    return tuple(token.stem for token in tokens(text) if token.lower not in _LIGHT)


def _within(wanted: tuple[str, ...], sentence: str) -> bool:
    there = _content(sentence)
    following = iter(there)
    if all(word in following for word in wanted):
        return True
    return _PAIRED.search(sentence) is not None and not Counter(wanted) - Counter(there)


_PAIRED = re.compile(r"(?i)\brespectively\b|\bformer\b.+\blatter\b|\bfirst\b.+\bsecond\b|\bone\b.+\bthe other\b")
