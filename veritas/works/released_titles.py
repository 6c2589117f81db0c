"""Titles of software and data, which are printed with versions, kinds and owners that their records omit."""

from __future__ import annotations

import re

from veritas.works.folding import words

_KIND = re.compile(
    r"[\[(]\s*(?:(?:computer |source |research )?(?:data ?sets?|data|software|code|program|package|database|model)"
    r"(?: (?:code|package|program|library))?)\s*[\])]",
    re.IGNORECASE,
)
_DATE = re.compile(r"\A\s*\((?:\d{1,2}\.? )?(?:[A-Z][a-z]+ )?(?:\d{1,2}, )?(?:19|20)\d\d\)\s*")
_OWNER = re.compile(r"(?<![\w/:.-])[A-Za-z0-9][\w.-]*/(?=[A-Za-z][\w.-]*(?:\s|:|,|\Z))")
_RELEASE = re.compile(
    r"[\[(]?\s*\b(?:(?:versions?|releases?|ver\.?|rel\.?|rev\.?|v\.?)\s*)+\d[\w.+-]*\s*[\])]?|(?<![\w.])\d+(?:\.\d+)+\w*",
    re.IGNORECASE,
)
_UNTIL_NOW = re.compile(
    r"[\[(]?\s*(?:from |since )?\b(?:1[89]|20)\d\d\s*(?:to|until|till|-|–|—)\s*(?:the )?(?:present|today|now)\b"
    r"\s*[\])]?",
    re.IGNORECASE,
)
_DENIALS = frozenset("no not non without never nor neither".split())
_LEAST = 3
"""Least number of words of a title that may be a part of another."""


def same_release(one: str, other: str) -> bool:
    """Return whether two titles of software or data differ only in a version, a kind in brackets, an owner before a
    slash, a date at the beginning, or the first year of continuing data.

    A title of at least three words may also be contained in the other. All versions of a release may have one DOI.
    """
    mine, theirs = _telling(one), _telling(other)
    if not mine or not theirs:
        return False
    if set(mine) == set(theirs):
        return True
    short, long = sorted((mine, theirs), key=len)
    if len(set(short)) < _LEAST or _DENIALS & (set(long) ^ set(short)):
        return False
    return any(long[at : at + len(short)] == short for at in range(len(long) - len(short) + 1))


def _telling(title: str) -> tuple[str, ...]:
    """Return the words of a title without those of a single release."""
    bare = title
    for form in (_DATE, _KIND, _OWNER, _UNTIL_NOW, _RELEASE):
        bare = form.sub(" ", bare)
    return words(bare)
