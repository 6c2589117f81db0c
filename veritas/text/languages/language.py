"""A language: the words by which its texts are searched."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module

from veritas.text.stems import stem
from veritas.text.stop_words import GENERIC_WORDS, STOP_WORDS

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
    """What is known of one language: its function words, words that name a kind of question, and its stemmer.
    `capital_nouns`: a capital letter makes no name."""

    name: str
    stop_words: frozenset[str]
    generic: frozenset[str]
    stem: Callable[[str], str]
    capital_nouns: bool = False

    def closed(self, text: str) -> str:
        """Return a text without the spaces within its numbers, where the language has them."""
        return text if self is ENGLISH else _SPACED.sub(lambda found: found[0].replace(" ", ""), text)


ENGLISH = Language("English", STOP_WORDS, GENERIC_WORDS, stem)
"""English."""


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
