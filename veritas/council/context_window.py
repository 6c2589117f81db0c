"""Fitting texts into a model's window: tokens are estimated, long texts are cut around the relevant part, and every cut
is recorded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from veritas.text.sentences import split_sentences
from veritas.text.tokens import weigh

_PIECE = re.compile(r"[A-Za-z]+|\d+|[^\S\n]+|\n+|[^\x00-\x7f]+|[^\sA-Za-z\d]")
_LEAST = 120
"""Tokens below which a cut passage is not worth showing."""


@lru_cache(maxsize=256)  # one request is measured some seven times on its way
def tokens(text: str) -> int:
    """Return an estimate of a text's tokens, rather too high than too low, for any model.

    A tokenizer would have to be the model's own. Short words count as one token, longer ones as one per two letters; a
    digit, a sign and a line's end as one each; beyond ASCII each byte may be one, and three quarters of them are
    counted. The estimate is 1.3 to 2 times the real number for prose and code, and 0.8 times for random letters, which
    the room kept for the answer covers.
    """
    count = 0.0
    for match in _PIECE.finditer(text):
        piece = match[0]
        if piece[0].isascii():
            if piece[0].isalpha():
                plain = piece.islower() or piece.istitle()
                count += 1 if plain and len(piece) <= 5 else len(piece) / (2 if plain else 1.5)
            elif piece[0].isspace():
                count += 0 if piece == " " else max(1, len(piece) / 8)
            else:
                count += len(piece)
        else:
            count += len(piece.encode("utf-8", "surrogatepass")) * 0.75
    return int(count) + 1


@dataclass(frozen=True)
class Shown:
    """The part of a text that a model sees: `text` holds characters `start` to `end` of the `length` of the whole."""

    name: str
    text: str
    start: int
    end: int
    length: int

    @property
    def cut(self) -> str | None:
        """A description of the cut, or None if the whole text is shown."""
        if self.start == 0 and self.end == self.length:
            return None
        return f"{self.name}: characters {self.start:,} to {self.end:,} of {self.length:,}"


def fit(texts: Sequence[tuple[str, str]], about: str, room: int, overhead: int = 40) -> tuple[list[Shown], list[str]]:
    """Return `texts`, as (name, text), within `room` tokens, and a description of every cut.

    If not all fit, those that match `about` best come first, and the first that does not fit is cut around its best
    match. `overhead` is the number of additional tokens for showing one text.
    """
    whole = [Shown(name, text, 0, len(text), len(text)) for name, text in texts]
    costs = [tokens(text) + overhead for _, text in texts]
    if sum(costs) <= room:
        return whole, []
    weights = weigh(about)
    order = sorted(range(len(whole)), key=lambda i: (-_match(whole[i].text, weights), i))
    kept: dict[int, Shown] = {}
    notes: list[str] = []
    for i in order:
        if costs[i] <= room:
            kept[i], room = whole[i], room - costs[i]
        elif room - overhead >= _LEAST:
            kept[i] = part = cut(*texts[i], about, room - overhead)
            notes.append(part.cut or "")
            room -= tokens(part.text) + overhead
        else:
            notes.append(f"{whole[i].name}: left out, there was no room for it")
    return [kept[i] for i in sorted(kept)], notes


def cut(name: str, text: str, about: str, room: int) -> Shown:
    """Return the part of `text` that fits `room` tokens, around the sentence that matches `about` best."""
    if tokens(text) <= room:
        return Shown(name, text, 0, len(text), len(text))
    weights = weigh(about)
    spans = split_sentences(text) or [(0, len(text))]
    best = max(spans, key=lambda s: (_match(text[s[0] : s[1]], weights), -s[0]))
    low, high = 0, len(text)
    while low < high:  # the widest window whose tokens fit
        width = (low + high + 1) // 2
        start, end = _window(best, width, len(text))
        low, high = (width, high) if tokens(text[start:end]) <= room else (low, width - 1)
    start, end = _window(best, low, len(text))
    start, end = _between_words(text, start, end)
    return Shown(name, text[start:end], start, end, len(text))


def _match(text: str, weights: dict[str, float]) -> float:
    """Return the sum of the weights of the terms in a text."""
    return sum(weights.get(term, 0.0) for term in weigh(text))


def _window(around: tuple[int, int], width: int, length: int) -> tuple[int, int]:
    """Return `width` characters of `length` with `around` in the middle, or the beginning of `around` if it is longer.
    """
    first, last = around
    if last - first >= width:
        return first, first + width
    start = max(0, min((first + last) // 2 - width // 2, length - width))
    return start, start + width


def _between_words(text: str, start: int, end: int) -> tuple[int, int]:
    if start > 0 and (space := re.search(r"\s", text[start : min(end, start + 60)])):
        start += space.end()
    if end < len(text):
        at = max((i for i in range(max(start + 1, end - 60), end) if text[i].isspace()), default=end)
        end = at
    return start, end
