"""Words: how a text is cut into words and numbers, and which of them a query or an index goes by."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from veritas.text.stems import fold, stem
from veritas.text.stop_words import GENERIC_WORDS, STOP_WORDS

# A number with its thousands marks and its power of ten is one; "patient's" is "patient"; hyphens and slashes part.
_TOKEN = re.compile(
    r"\d{1,3}(?:[\u00a0\u2009\u202f]\d{3})+(?![^\W_])|\d+(?:[.,]\d+)*[eE][-+−]?\d+(?![^\W_])|\d+(?:[.,]\d+)+"
    r"|(?!(?<=['’])s\b)[^\W_]+(?:['’](?:t|re|ve|ll|d|m)\b)?"
)
_NUMBER = re.compile(r"\d+(?:[.,\u00a0\u2009\u202f]\d+)*(?:[eE][-+−]?\d+)?")
_CAMEL = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}(?![a-z])|[A-Z]+(?=[A-Z][a-z])|\d+")

def normalise(text: str) -> str:
    """NFKC, with typographic apostrophes and dashes made plain. Offsets are not kept: for comparing only."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text).translate(_PLAIN)


_PLAIN = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-"})


class Token(NamedTuple):
    """One word or number. `start`, `end` are offsets in the text given; `lower` has Greek letters spelled out."""

    text: str
    lower: str
    stem: str
    start: int
    end: int

    @property
    def is_number(self) -> bool:
        """True if it is a number in digits."""
        return self.text[0].isdigit() and _NUMBER.fullmatch(self.text) is not None

    @property
    def is_name(self) -> bool:
        """True if it looks like a name or symbol: a capital or a digit somewhere, and a letter."""
        return any(c.isupper() for c in self.text) or (not self.text.isalpha() and not self.is_number)


def tokens(text: str) -> list[Token]:
    """The words and numbers of `text`, in order. Hyphens and slashes part words; decimal points do not."""
    found = []
    for match in _TOKEN.finditer(text):
        word = match.group()
        lower = fold(stem(word) if word[0].isdigit() else word)
        found.append(Token(word, lower, stem(lower), match.start(), match.end()))
    return found


def tokenise(text: str) -> list[str]:
    """The words and numbers of `text`, lower case, in order; a hyphen or an underscore parts two words."""
    return _TOKEN.findall(normalise(text).casefold())


def terms(text: str) -> list[str]:
    """The stems of the content words of `text`, in order, with repeats."""
    return [stem(token) for token in tokenise(text) if token not in STOP_WORDS]


def index_terms(text: str) -> list[str]:
    """`terms`, and for identifiers such as `ClaimEnvelope` their parts as well, so that either way of writing finds."""
    found: list[str] = []
    for token in _TOKEN.findall(normalise(text)):
        found += _index_terms(token)
    return found


@lru_cache(maxsize=1 << 18)
def _index_terms(token: str) -> tuple[str, ...]:
    """What one token is indexed as: nothing for a stop word."""
    low = token.casefold()
    if low in STOP_WORDS:
        return ()
    if len(token) > 5 and token[1:] != low[1:]:
        parts = _CAMEL.findall(token)
        if len(parts) > 1 and all(len(part) > 2 for part in parts):
            return (stem(low), *(stem(part.casefold()) for part in parts))
    return (stem(low),)


def weigh(text: str) -> dict[str, float]:
    """The content stems of a query with their weight: 1 for a topic word, 0.25 for a generic one, 1.5 for a name,
    number or identifier (a capital inside the sentence, a digit, or an underscore)."""
    weights: dict[str, float] = {}
    plain = normalise(text)
    for match in _TOKEN.finditer(plain):
        token = match[0]
        low = token.casefold()
        if low in STOP_WORDS or (len(low) == 1 and low.isalpha()):
            continue
        weight = 1.0
        if low in GENERIC_WORDS:
            weight = 0.25
        elif any(c.isdigit() for c in token) or any(c.isupper() for c in token[1:]) or (
            match.start() > 0 and token[0].isupper()
        ):
            weight = 1.5
        key = stem(low)
        weights[key] = max(weights.get(key, 0.0), weight)
    return weights
