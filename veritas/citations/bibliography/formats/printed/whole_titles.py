"""A known title that stands whole in a printed reference, behind the names of people."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SHORTEST = 4
_SMALL = frozenset(
    "and et al und y e og och en i with others colleagues by eds ed hrsg van von de der den del della di da du la le el"
    " ten ter vom zu zur dos das do bin ibn".split()
)
"""Words in small letters that stand among names."""
_BODY = re.compile(
    r"\b[a-z][\w-]*(?= (?:[Dd]evelop(?:ers|ment)|[Tt]eam|[Cc]ontributors|[Cc]onsortium|[Cc]ommunity|[Gg]roup)\b)"
)
"""The name of a program before what its makers are called: `xarray Developers`."""
_BEHIND = re.compile(r"[\"“”»'’*_)\]]*\s*(?:\Z|[.,;?!\"“”»*_()\[\]/|]|[^\W_a-zß-öø-ÿ])")
"""What follows a title that ends there: a mark, a number or a capital. A colon or a small letter goes on with it."""


def title_behind_names(text: str, titles: Iterable[str]) -> str:
    """Return the longest of several titles that stands whole in a reference, where nothing but names, a year and marks
    is before it and it does not go on behind; empty if none does. However the reference was cut, that is its title."""
    for title in sorted(filter(None, titles), key=len, reverse=True):
        telling = re.findall(r"\w+", title)
        if len(telling) < _SHORTEST:
            continue
        found = re.search(r"(?<!\w)" + r"[\W_]+".join(map(re.escape, telling)) + r"(?![^\W_])", text, re.IGNORECASE)
        if found and _BEHIND.match(text, found.end()) and only_names(text[: found.start()]):
            return title
    return ""


def only_names(said: str) -> bool:
    """Return whether every word may stand among the names of people, as by its capital."""
    found = re.findall(r"[^\W\d_][\w’'-]*", _BODY.sub("", said))
    return all(not word[0].islower() or word.lower() in _SMALL for word in found)


def goes_on(said: str) -> bool:
    """Return whether the words behind names, or between names and a title, go on as a sentence does: they begin with a
    word in small letters that does not stand among names. A year, remarks in brackets and marks may come before."""
    begins = re.match(r"(?:[\s,;:.–—*_“\"]|\([^()]*\)|(?:1[89]|20)\d\d[a-z]?\b)*([^\W\d_][\w’'-]*)", said)
    return begins is not None and not only_names(begins[1])
