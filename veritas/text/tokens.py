"""Words and numbers of a text, and those of them that a query or an index uses."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from veritas.text.languages import Language, spoken
from veritas.text.stems import fold, stem

# A number with its thousands marks and its power of ten is one token; hyphens and slashes separate words.
_TOKEN = re.compile(
    r"[^\W\d_][^\W_]*(?:['’](?:t|re|ve|ll|d|m)\b)?|\d+(?:(?:[.,]\d+)+(?:[eE][-+−]?\d+(?![^\W_]))?"
    r"|[eE][-+−]\d+(?![^\W_])|(?:[\u00a0\u2009\u202f]\d{3}(?!\d))+|[^\W_]+)?"
)
# The same for an ASCII text, in characters that are found faster.
_PLAIN_TOKEN = re.compile(
    r"[A-Za-z][A-Za-z0-9]*(?:'(?:t|re|ve|ll|d|m)\b)?|[0-9]+(?:(?:[.,][0-9]+)+(?:[eE][-+]?[0-9]+(?![A-Za-z0-9]))?"
    r"|[eE][-+][0-9]+(?![A-Za-z0-9])|[A-Za-z0-9]+)?"
)
_GAP = re.compile(r"[\W_]+")
_OWNER = re.compile(r"['’]s\b")
_NUMBER = re.compile(r"\d+(?:[.,\u00a0\u2009\u202f]\d+)*(?:[eE][-+−]?\d+)?")
_CAMEL = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}(?![a-z])|[A-Z]+(?=[A-Z][a-z])|\d+")

def normalise(text: str) -> str:
    """Return NFKC text with plain apostrophes and dashes.

    "10⁶" becomes "10^6" and "1½" "1 1/2", which NFKC would make "106" and "11/2". Offsets are not kept: for comparing
    only.
    """
    if text.isascii():
        return text
    plain = _HALF.sub(" ", _RAISED.sub(r"^\g<0>", text))
    return unicodedata.normalize("NFKC", plain).translate(_PLAIN)


_RAISED = re.compile("(?<=\\w)[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_HALF = re.compile(r"(?<=\d)(?=[¼½¾⅐-⅞])")

_PLAIN = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-",
                        "⁄": "/"})


class Token(NamedTuple):
    """A word or number. `start`, `end` are offsets in the text given; `lower` has Greek letters spelled out."""

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
    """Return the words and numbers of `text`, in order, without "'s". Hyphens and slashes, not points, cut words."""
    found = []
    for match in (_PLAIN_TOKEN if text.isascii() else _TOKEN).finditer(_unowned(text)):
        word = match[0]
        found.append(Token(word, *_read(word), *match.span()))
    return found


@lru_cache(maxsize=1 << 17)
def _read(word: str) -> tuple[str, str]:
    lower = fold(stem(word) if word[0].isdigit() else word)
    return lower, stem(lower)


def _unowned(text: str) -> str:
    """Replace "'s" by blanks, so that offsets hold: "patient's" is "patient"."""
    return _OWNER.sub("  ", text) if "'s" in text or "’s" in text else text


def tokenise(text: str) -> list[str]:
    """Return the words and numbers of `text`, lower case, in order; a hyphen or an underscore separates words."""
    return _cut(normalise(text).casefold())


def terms(text: str) -> list[str]:
    """Return the stems of the content words of `text`, in order, with repeats, by the language in force."""
    language = spoken()
    return [language.stem(token) for token in tokenise(text) if token not in language.stop_words]


def index_terms(text: str) -> list[str]:
    """Return `terms`, and for identifiers such as `ClaimEnvelope` their parts as well, so that both spellings match."""
    language, found = spoken(), list[str]()
    for token in _cut(language.closed(normalise(text))):
        found += _index_terms(token, language)
    return found


def _cut(plain: str) -> list[str]:
    return (_PLAIN_TOKEN if plain.isascii() else _TOKEN).findall(_unowned(plain))


@lru_cache(maxsize=1 << 18)
def _index_terms(token: str, language: Language) -> tuple[str, ...]:
    """Return the index terms of one token: none for a stop word."""
    low, stemmed = token.casefold(), language.stem
    if low in language.stop_words:
        return ()
    if len(token) > 5 and token[1:] != low[1:]:
        parts = _CAMEL.findall(token)
        if len(parts) > 1 and all(len(part) > 2 for part in parts):
            return (stemmed(low), *(stemmed(part.casefold()) for part in parts))
    return (stemmed(low),)


def weigh(text: str) -> dict[str, float]:
    """Return the content stems of a query with their weight: 1 for a topic word, 0.25 for a generic one, 1.5 for a
    name, number or identifier (a capital inside the sentence, a digit, or an underscore)."""
    language, weights = spoken(), dict[str, float]()
    for match in _TOKEN.finditer(_unowned(language.closed(normalise(text)))):
        token = match[0]
        low = token.casefold()
        if low in language.stop_words or (len(low) == 1 and low.isalpha()):
            continue
        weight = 1.0
        if low in language.generic:
            weight = 0.25
        elif any(c.isdigit() for c in token) or any(c.isupper() for c in token[1:]) or (
            match.start() > 0 and token[0].isupper() and not language.capital_nouns
        ):
            weight = 1.5
        key = language.stem(low)
        weights[key] = max(weights.get(key, 0.0), weight)
    return weights
