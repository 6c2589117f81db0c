"""Marks in a sentence that point elsewhere and assert nothing: `[3, 5-7]`, `(Lee et al., 2020a)`, `(see Table 2)`."""

from __future__ import annotations

import re

_NUMBER = r"[1-9]\d{0,2}"
_NUMBERS = rf"{_NUMBER}(?:\s?[-–—,;]\s?{_NUMBER})*(?:,\s?(?:pp?\.|ch\.|sec\.|§)\s?[\d–-]+)?"
_ITEM = (
    r"(?:see\s|cf\.\s)?(?:Supplementary\s)?(?:Tables?|Tab\.|Fig(?:ure|s?\.)s?|Sections?|Sec\.|§+|Appendix|Appendices"
    r"|Eq(?:uation|\.)s?)[\s~]?(?:[A-Z]?\d{1,3}(?:\.\d{1,3})*[a-z]?|[A-Z]|[a-z]{2,6}:[\w:.-]{1,40})"
)
_YEAR = r"(?:1[89]|20)\d\d[a-z]?"
_WORK = rf"(?:see\s(?:also\s)?|cf\.\s|e\.g\.,?\s)?[^\W\d_][^();\d]{{1,60}}\set\sal\.?,?\s{_YEAR}(?:\s?,\s?{_YEAR})*"
_POINTER = re.compile(
    rf"\s?\[{_NUMBERS}\](?:\s?[-–—,]\s?\[{_NUMBERS}\])*"
    rf"|\s?\({_ITEM}(?:(?:,|;|\sand|\s?[-–—])\s?(?:{_ITEM}|\d{{1,3}}[a-z]?|[a-z]))*\)"
    rf"|\s?[(\[]{_WORK}(?:;\s?{_WORK})*[)\]]"
)
# `values in [1, 5]` is an interval; `as shown in [1, 5]` is not, but a number too many only makes a judge careful.
_INTERVAL = re.compile(
    r"(?:\b(?:in|within|between|from|over|of|interval|range|ranges|CI|scale|∈)|[=:≈<>≤≥]|\d\s?%?)\s?\Z", re.IGNORECASE
)


def without_pointers(sentence: str) -> str:
    """Remove pointers from a sentence, unless nothing would be left.

    A bracket of two or more numbers that may be an interval stays, and so does any pointer that is part of the grammar
    (`Table 2 shows`, `Lee et al. (2020) found`).
    """

    def cut(found: re.Match[str]) -> str:
        mark = found.group().strip()
        several = mark.startswith("[") and re.search(r"\d\D+\d", mark)
        return found.group() if several and _INTERVAL.search(sentence[: found.start()]) else ""

    bare = _POINTER.sub(cut, sentence)
    return bare if any(c.isalnum() for c in bare) else sentence


def points_elsewhere(sentence: str) -> bool:
    """Return whether a figure or table is part of a sentence's grammar (`Table 2 shows`)."""
    return re.search(_ITEM, without_pointers(sentence)) is not None
