"""Words of a claim that its passages lack: the difference that a person who decides has to see first.

A word counts as present if its stem, a synonym or a derivation is. A name must occur exactly: `sympy.polys` is not
`sympy.logic`, and 16 is not 64.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isclose
from typing import NamedTuple

from veritas.text import wordnet
from veritas.text.quantities import Quantity, quantities
from veritas.text.stems import fold, stem
from veritas.text.stop_words import FUNCTION_WORDS
from veritas.text.tokens import normalise

SHOWN = 4
"""Most words that are named."""
_PIECE = re.compile(r"\w+(?:[.,:/_@'+-]+\w+)*[%+#]*")
_PART = re.compile(r"[^\W_]+")
_END = re.compile(r"[.!?:]\s+[\"“'(]?\Z|\A[\s\"“'(]*\Z")
_LIGHT = frozenset("found find finds seen see described shown use used uses using given called work works done".split())


class Lacking(NamedTuple):
    """`names` and `words` of the claim that none of its passages has, as written; `instead` are names of its only
    passage that the claim lacks.

    Words are reported only if at least a third of the claim's words are missing: fewer are mostly expressed in other
    words.
    """

    names: tuple[str, ...]
    words: tuple[str, ...]
    instead: tuple[str, ...]
    passages: int

    def __str__(self) -> str:
        """Return it as a part of a sentence; "" if nothing is missing."""
        shown = (*self.names, *self.words)[:SHOWN]
        if not shown:
            return ""
        who = "its passage lacks" if self.passages == 1 else f"its {self.passages} passages lack"
        return f"{who} {_listed(shown)}" + (f", and has {_listed(self.instead[:2])}" if self.instead else "")


def lacking(claim: str, passages: Sequence[str]) -> Lacking:
    """Return what `claim` mentions and none of `passages` does; nothing without a passage."""
    given = [each for each in passages if each.strip()]
    if not given:
        return Lacking((), (), (), 0)
    there, pieces = _Said(given), _pieces(claim)
    names = [text for text, name in pieces if name and not there.has_name(text)]
    words = [text for text, name in pieces if not name and not there.has_word(text)]
    instead: list[str] = []
    if names and len(given) == 1:
        own = _Said([claim])
        instead = [text for text, name in _pieces(given[0]) if name and not own.has_name(text)]
        heads = {_head(each) for each in names} - {""}
        instead.sort(key=lambda each: _head(each) not in heads)
    elif not names and 3 * len(set(words)) < len({text for text, _ in pieces}):
        words = []
    return Lacking(_once(names), _once(words), _once(instead), len(given))


def _once(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))


def _pieces(text: str) -> list[tuple[str, bool]]:
    """Return the content words of a text, each with whether it is a name: an identifier, a figure with its unit, or a
    capitalised word inside a sentence."""
    plain = normalise(text)
    amounts = quantities(plain)
    found: list[tuple[str, bool]] = []
    for match in _PIECE.finditer(plain):
        piece = match[0].removesuffix("'s")
        low = piece.casefold()
        amount = next((q for q in amounts if q.start <= match.start() and match.end() <= q.end), None)
        if amount is not None:
            if match.start() == amount.start:
                found.append((amount.text, True))
            continue
        if low in FUNCTION_WORDS or (len(piece) < 2 and not piece.isdigit()):
            continue
        begins = bool(_END.search(plain[: match.start()]))
        inner = any(each.isupper() or each.isdigit() or each in "._@:+#" for each in piece[1:])
        name = inner or piece[0].isdigit() or (piece[0].isupper() and not begins)
        if not name and (low in _LIGHT or not low[0].isalpha()):
            continue
        found.append((piece, name))
    return found


class _Said:
    """The content of some passages: words, their parts, stems, and values of numbers."""

    def __init__(self, passages: Sequence[str]) -> None:
        plain = [normalise(passage) for passage in passages]
        self._plain = [text.casefold() for text in plain]
        self._pieces = {each.casefold() for text in plain for each in _PIECE.findall(text)}
        self._words = {each.casefold() for text in plain for each in _PART.findall(text)}
        self._stems = {stem(each) for each in self._words} | {fold(each) for each in self._words}
        self._amounts = [each for text in plain for each in quantities(text)]

    def has_name(self, name: str) -> bool:
        low = name.casefold()
        if low in self._pieces or self._has_number(low):
            return True
        if any(re.search(rf"(?<!\w){re.escape(low)}(?!\w)", text) for text in self._plain):
            return True
        parts = _PART.findall(low)
        if re.search(r"[._@:+#]", low.strip(".:")) or any(each.isdigit() for each in low):
            return False
        return all(each in self._words or stem(each) in self._stems for each in parts)

    def has_word(self, word: str) -> bool:
        low = word.casefold()
        return self._has_number(low) or all(self._has_part(each) for each in _PART.findall(low))

    def _has_number(self, low: str) -> bool:
        return bool(amounts := quantities(low)) and all(map(self._has_amount, amounts))

    def _has_amount(self, one: Quantity) -> bool:
        """Return whether a passage has the amount, in any unit, or the bare number."""
        return any(
            (each.unit == one.unit or not (each.measured and one.measured))
            and all(any(isclose(mine, its) for its in (each.low, each.high)) for mine in (one.low, one.high))
            for each in self._amounts
        )

    def _has_part(self, part: str) -> bool:
        if part in FUNCTION_WORDS or stem(part) in self._stems or fold(part) in self._stems:
            return True
        return any(wordnet.synonyms(part, each) or wordnet.derived(part, each) for each in self._words)


def _head(name: str) -> str:
    """Return a dotted name without its last part, "" for a simple name."""
    return re.split(r"[._/:]", name.casefold())[0] if re.search(r"\w[._/:]\w", name) else ""


def _listed(words: Sequence[str]) -> str:
    marked = [f"“{each}”" for each in words]
    return marked[0] if len(marked) == 1 else f"{', '.join(marked[:-1])} and {marked[-1]}"
