"""The things that a number counts, by the words behind it."""

from __future__ import annotations

import re

from veritas.text.stems import stem
from veritas.text.stop_words import STOP_WORDS
from veritas.text.units import known_unit
from veritas.text.wordlist import words

_PLURALS = words("people children women men mice bacteria data criteria feet teeth")
_NOT_COUNTED = words(
    """
    versus vs compared respectively corresponding according ok or approximately at maximum minimum despite against along
    alongside amid among amongst around behind beneath beside besides beyond except inside like near outside plus minus
    throughout unlike unless whilst
    """
)
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


def counted(text: str, end: int) -> tuple[str, int]:
    """Return the stem of the thing that a number ending at `end` counts, and the end of the candidate words.

    Of up to three words before a stop word it is the first plural ("27 young infants were" counts infants), else the
    first word; "" without any.
    """
    listed = _behind(text, end)
    if not listed:
        return "", end
    low = [match[1].lower() for match in listed]
    plural = (word for word in low if word in _PLURALS or re.search(r"[^sui]s$", word))
    return stem(next(plural, low[0])), listed[-1].end()
