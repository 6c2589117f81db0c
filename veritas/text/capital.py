"""The capital at the beginning of a sentence."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*[,;:.!?)]*")


def capital(sentence: str) -> str:
    """Return the sentence with a capital at its beginning. A first word that is a path, an address or an identifier
    stays as it is spelled."""
    first = sentence.split(maxsplit=1)[:1]
    return sentence[:1].upper() + sentence[1:] if first and _WORD.fullmatch(first[0]) else sentence
