"""Negations, and the stems of the words of grammar."""

from __future__ import annotations

from veritas.text.stems import stem
from veritas.text.stop_words import FUNCTION_WORDS

STOP = frozenset(map(stem, FUNCTION_WORDS))

NEGATION = frozenset((
    "not", "no", "never", "neither", "nor", "none", "nobody", "nothing", "cannot", "little", "hardly", "scarcely",
    "rarely", "dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "werent", "cant", "couldnt", "wont", "wouldnt",
    "hasnt", "havent", "hadnt", "fail", "failed", "fails", "failing", "unable", "lacking", "lack", "lacks", "lacked",
    "absence", "absent",
))
"""Negations as folded words, not stems: "note" must not match "not"."""
CONTRACTED = ("n't", "n’t")
