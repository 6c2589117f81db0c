"""What a number counts, by the words behind it."""

from __future__ import annotations

import re

from veritas.text.stems import stem
from veritas.text.stop_words import STOP_WORDS
from veritas.text.units import known_unit
from veritas.text.wordlist import words

_PLURALS = words("people children women men mice bacteria data criteria feet teeth")
_NOT_COUNTED = words("versus vs compared respectively corresponding according ok or approximately at maximum minimum")
_OR_MORE = re.compile(r"(?i)\+|\s(?:or|and)\s(?:more|fewer|less|above|below)\b")
_NEXT = re.compile(r"[\s-]{1,2}([^\W\d_]{2,})")


def _behind(text: str, end: int) -> list[re.Match[str]]:
    listed: list[re.Match[str]] = []
    skipped = _OR_MORE.match(text, end)
    at = skipped.end() if skipped else end
    while len(listed) < 3 and (match := _NEXT.match(text, at)):
        word = match[1].lower()
        if word in STOP_WORDS or word in _NOT_COUNTED or (listed and known_unit(word)):
            break
        listed.append(match)
        at = match.end()
    return listed


def counted(text: str, end: int) -> str:
    """What is counted, as a stem: of up to three words that follow before a stop word the first that is a plural
    ("27 young infants were" counts infants), else the first of all."""
    listed = [match[1].lower() for match in _behind(text, end)]
    plural = (word for word in listed if word in _PLURALS or re.search(r"[^sui]s$", word))
    return stem(next(plural, listed[0])) if listed else ""


def counted_end(text: str, end: int) -> int:
    """Where the words that may be what is counted end."""
    listed = _behind(text, end)
    return listed[-1].end() if listed else end
