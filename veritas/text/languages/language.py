"""A language: the words and rules by which its questions are read and its texts are searched."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from typing import Literal

from veritas.text.stems import stem
from veritas.text.stop_words import GENERIC_WORDS, STOP_WORDS

Kind = Literal[
    "how-to", "value", "which", "list", "yes/no", "why", "difference", "definition", "when", "who", "where", "how",
    "what",
]  # fmt: skip
"""Kinds of questions, by the answer they want. "how" asks how something works, "what" is all that no rule knows."""

NEVER = re.compile(r"(?!)")
"""A pattern that fits nothing."""


def rule(pattern: str) -> re.Pattern[str]:
    """Return a pattern that fits in capital and small letters."""
    return re.compile(pattern, re.IGNORECASE)


_STEMMERS = threading.local()


def snowball(name: str) -> Callable[[str], str]:
    """Return this thread's Snowball stemmer of the language with this English name. It takes lower-case words."""
    # A stemmer keeps the word that it is cutting, so threads that share one get stems of each other's words.
    own: dict[str, Callable[[str], str]] = _STEMMERS.__dict__
    if name not in own:
        # Loaded when it is first asked for: the package imports the stemmers of all its languages, which takes a while.
        module = import_module(f"snowballstemmer.{name.lower()}_stemmer")
        own[name] = getattr(module, f"{name}Stemmer")().stemWord
    return own[name]


@dataclass(frozen=True, eq=False)
class Language:
    """The rules of one language. Patterns are searched in text as it stands, with their own flags.

    `kinds` are tried in order on a question. `evidence` tells for a kind of question whether a text is of the kind that
    it asks for. `defines` has the group `topic`: the X of "What is X?". `focus` has the group `focus`: the noun behind
    "which". `joint` parts questions that are joined in one, `points` fits the beginning of a sentence that leans on the
    one before it. `kin` tells of two stems whether one word is formed from the other, and `whole` returns a question
    with the parts of a word together that it has apart. `capital_nouns`: a capital letter makes no name.
    """

    name: str
    stop_words: frozenset[str]
    generic: frozenset[str]
    stem: Callable[[str], str]
    kinds: tuple[tuple[Kind, re.Pattern[str]], ...] = ()
    evidence: Mapping[Kind, re.Pattern[str]] = field(default_factory=dict)
    defines: re.Pattern[str] = NEVER
    focus: re.Pattern[str] = NEVER
    joint: re.Pattern[str] = NEVER
    points: re.Pattern[str] = NEVER
    kin: Callable[[str, str], bool] = lambda stem, other: False
    whole: Callable[[str], str] = str
    capital_nouns: bool = False

    def kind_of(self, question: str) -> Kind:
        """Return the kind of a question; the first rule that fits decides."""
        return next((kind for kind, rule in self.kinds if rule.search(question)), "what")

    def topic_of(self, question: str) -> frozenset[str]:
        """Return the stems of the X of "What is X?"; empty for any other question."""
        found = self.defines.match(question)
        words = re.findall(r"[^\W_]+", found["topic"].casefold()) if found else []
        return frozenset(self.stem(word) for word in words if word not in self.stop_words)

    def focus_of(self, question: str) -> str:
        """Return the stem of the noun behind "which" or "how many"; "" if there is none."""
        found = self.focus.search(question)
        word = found["focus"].casefold() if found else ""
        return "" if not word or word in self.stop_words or word in self.generic else self.stem(word)

    def closed(self, text: str) -> str:
        """Return a text without the spaces within its numbers, where the language has them."""
        return text if self is ENGLISH else _SPACED.sub(lambda found: found[0].replace(" ", ""), text)


ENGLISH = Language("English", STOP_WORDS, GENERIC_WORDS, stem)
"""English; its other rules stand in the rooms that use them."""


@lru_cache(maxsize=1 << 16)
def plain_number(text: str) -> str:
    """Return a number as German and French write it, in the form of a program: "1.234,5" is "1234.5". Spaces and
    points mark thousands, a comma decimals. What cannot be read so is returned as it is."""
    if _THOUSANDS.fullmatch(text):
        text = _MARKS.sub("", text)
    return text.replace(",", ".") if _DECIMAL.fullmatch(text) else text


_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:(?:\.\d{3})+|(?:[\u0020\u00a0\u2009\u202f]\d{3})+|(?:['’]\d{3})+)(?:,\d+)?")
_SPACED = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?: \d{3})+(?!\d)")
_MARKS = re.compile(r"[.\s'’]")
_DECIMAL = re.compile(r"\d+,\d+")
