"""Texts fitted into a model's window: tokens are estimated, long texts cut around what matters, every cut written
down."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from veritas.text.sentences import split_sentences
from veritas.text.tokens import weigh

_PIECE = re.compile(r"[A-Za-z]+|\d+|[^\S\n]+|\n+|[^\x00-\x7f]+|[^\sA-Za-z\d]")
_LEAST = 120
"""Tokens below which a cut passage is not worth showing."""


def tokens(text: str) -> int:
    """About how many tokens a text has, rather too many than too few, whatever the model.

    A tokenizer would have to be the model's own. Short words are one token, longer ones one for two letters; a digit, a
    sign and a line's end are one each; beyond ASCII each byte may be one, and three quarters of them are counted. Prose
    and code come out at 1.3 to 2 times what they are, letters at random at 0.8 of it: less than what the room kept for
    the answer makes good.
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
    """A text as a model is shown it: `text[start:end]` of `length` characters."""

    name: str
    text: str
    start: int
    end: int
    length: int

    @property
    def cut(self) -> str | None:
        """The cut in words, or None when the text is shown whole."""
        if self.start == 0 and self.end == self.length:
            return None
        return f"{self.name}: characters {self.start:,} to {self.end:,} of {self.length:,}"


def fit(texts: Sequence[tuple[str, str]], about: str, room: int, overhead: int = 40) -> tuple[list[Shown], list[str]]:
    """`texts`, as (name, text), within `room` tokens, and in words what was cut or left out.

    When not all fits, those that speak most of `about` go first, and the first that does not fit is cut around its best
    match. `overhead` is what showing one costs beside its own tokens.
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
    """The part of `text` that fits `room` tokens, around the sentence that speaks most of `about`."""
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
    """How much of what `weights` asks for a text speaks of."""
    return sum(weights.get(term, 0.0) for term in weigh(text))


def _window(around: tuple[int, int], width: int, length: int) -> tuple[int, int]:
    """`width` characters of `length` with `around` in their middle, or its beginning where it is longer."""
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
