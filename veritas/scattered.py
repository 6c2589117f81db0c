"""A key whose characters stand apart: wrapped over lines, spaced, quoted with `> `, cut by tags or by characters
that are not seen.

The search looks only at the text's ASCII letters and digits, in lower case, with nothing between them. Ordinary words
do not spell 16 random characters by chance. A value that is short, or made of words, must stand in the text sign by
sign, with nothing but ends of lines, tags and unseen characters in it: `correct horse battery staple` is no key.

Not found: a value backwards, in base32, as numbers that are not hexadecimal, or by another alphabet; one with words
between its parts; and one that holds what looks like an escape (`%B3`), cut just there.

Pure.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

_LETTERS = frozenset((string.ascii_letters + string.digits).encode())
_OTHERS = bytes(set(range(256)) - _LETTERS)
_KEPT = bytes(byte in _LETTERS for byte in range(256))
_SMALL = bytes(range(256)).lower()

_TAG = (
    r"</?(?:br|wbr|a|b|i|u|s|p|q|em|strong|span|div|font|mark|small|big|sub|sup|code|tt|kbd|samp|var|pre|td|tr|li|h[1-6])"
    r"(?![\w-])[^<>]{0,200}>"
)
_ANSI = r"(?:\x1b|\\(?:x1[bB]|u001[bB]|033|e)|%(?:25)*1[bB])(?:\[|%(?:25)*5[bB])(?:[0-9;]|%(?:25)*3[bB]){0,20}[A-Za-z]"
_SPELT = re.compile(
    # What is written with letters and yet is none of the text: each begins with a plain sign, for speed. An escape of a
    # visible ASCII sign is left: it is read before.
    rf"{_TAG}|{_ANSI}|\\(?:u[0-9a-fA-F]{{4}}|x[01890a-fA-F][0-9a-fA-F]|[nrtfv])"
    r"|%(?:25)*(?:[0189a-fA-F][0-9a-fA-F]|20)"
    r"|&(?:amp;)*(?:nbsp|shy|zwnj|zwj|lrm|rlm|ensp|emsp|thinsp|NewLine|Tab|ZeroWidthSpace|#\d+|#[xX][0-9a-fA-F]+);".encode()
)
_BREAK = re.compile(
    rf"[ \t]*(?:\\?\r?\n|(?:\\{{1,8}}[rn])+)(?:[ \t>#*|]|//)*|{_TAG}|{_ANSI}"
    "|[\u00ad\u034f\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]"
)
_RANDOM = 16
"""Letters and digits of the shortest value that counts in any place."""
_BROKEN = 12
"""Signs of the shortest value that counts over the end of a line although it may be a word and a number."""
_FEWEST = 8
_APART = 20
"""Most times its own length that a value may take up."""


# Where letters and digits meet, and where a word with a capital would begin: random values are full of both.
_DIGITS = re.compile(rb"[A-Za-z](?=[0-9])|[0-9](?=[A-Za-z])")
_CAPITALS = re.compile(rb"[a-z](?=[A-Z])|[A-Z](?=[A-Z][a-z])")
_ENDS = re.compile(r"\A([^A-Za-z0-9]*)(.*?)([^A-Za-z0-9]*)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Scattered:
    """A value to look for: its letters and digits (`letters`), its spelling from the first to the last of them
    (`written`), the signs `before` and `behind`, and whether only breaks may stand between (`together`)."""

    letters: bytes
    written: str
    before: str
    behind: str
    together: bool


def scattered(value: str) -> Scattered | None:
    """Return the form in which `value` is looked for when its characters stand apart; None where words could spell
    it."""
    letters, every = _letters(_unspelt(value)), value.encode("ascii", "replace").translate(None, _OTHERS)
    digits = len(_DIGITS.findall(every))
    mixed = digits >= 3 or (digits > 0 and digits + len(_CAPITALS.findall(every)) >= 4)
    random = mixed and len(letters) >= _RANDOM
    if not random and (len(letters) < _FEWEST or (not mixed and len(value) < _BROKEN)):
        return None
    ends = _ENDS.fullmatch(value.lower())
    assert ends is not None  # every part of the pattern may be empty
    return Scattered(letters, ends[2], ends[1], ends[3], together=not random)


class Spread:
    """A text reduced to its letters and digits."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._spelt = _unspelt(text)
        self._letters = _letters(self._spelt)

    def places(self, value: Scattered) -> Iterator[tuple[int, int]]:
        """Yield the places of `value` in the text, from its first to its last sign. Where a quotation mark parts it
        (strings of JSON or of a program), each part is a place: the signs between stay."""
        at = self._letters.find(value.letters)
        while at >= 0:
            end = at + len(value.letters)
            places = self._places[at:end]
            if self._is(value, places[0], places[-1] + 1):
                yield from self._parts(value, places)
                at = end - 1
            at = self._letters.find(value.letters, at + 1)

    @cached_property
    def _places(self) -> list[int]:
        kept = self._spelt.translate(_KEPT)
        return [at for at, letter in enumerate(kept) if letter]

    def _is(self, value: Scattered, start: int, end: int) -> bool:
        if end - start > _APART * len(value.written):
            return False
        return not value.together or _BREAK.sub("", self._text[start:end]).lower() == value.written

    def _parts(self, value: Scattered, places: list[int]) -> Iterator[tuple[int, int]]:
        text, start, end = self._text, places[0], places[-1] + 1
        for sign in reversed(value.before):
            start -= start > 0 and text[start - 1] == sign
        for here, following in pairwise(places):
            if following > here + 1 and '"' in text[here + 1 : following]:
                yield start, here + 1
                start = following
        for sign in value.behind:
            end += text[end : end + 1] == sign
        yield start, end


def _unspelt(text: str) -> bytes:
    """Return `text` as one byte for each character; 0 for the characters of escapes and tags."""
    return _SPELT.sub(lambda match: bytes(len(match[0])), text.encode("ascii", "replace"))


def _letters(unspelt: bytes) -> bytes:
    return unspelt.translate(_SMALL, _OTHERS)
