"""Abbreviations that a text defines itself: "autoimmune regulator (Aire)" makes both forms equal."""

from __future__ import annotations

import re

from veritas.text.tokens import Token, tokens

_IN_BRACKETS = re.compile(r"\(([A-Za-z][\w/+-]{1,11})\)|\(([^()]{5,80})\)")
MAX_DEFINITIONS = 200


def abbreviations(text: str) -> dict[str, tuple[str, ...]]:
    """Return folded short form -> stems of its long form, for each definition "long (short)" or "short (long)"."""
    found: dict[str, tuple[str, ...]] = {}
    for match in _IN_BRACKETS.finditer(text):
        if len(found) >= MAX_DEFINITIONS:
            break
        before = tokens(text[max(0, match.start() - 120) : match.start()])
        if match[1]:
            short = [t.lower for t in tokens(match[1])]
            long = _spelled(match[1], before)
        else:
            if not before or not before[-1].is_name or len(before[-1].text) > 10:
                continue
            inside = tokens(match[2])
            short = [before[-1].lower]
            long = _spelled(before[-1].text, inside)
            if long and len(long) != len(inside):
                continue
        if long and short:
            found["".join(short)] = tuple(t.stem for t in long)
    return found


def _spelled(short: str, words: list[Token]) -> list[Token]:
    """Return the last words of `words` that spell out `short`: its first letter starts the first, others follow."""
    letters = [c for c in short.lower() if c.isalpha()]
    if len(letters) < 2 or (short.islower() and len(short) > 4):
        return []
    most = min(len(words), len(letters) + 4)
    for count in range(2, most + 1):
        tail = words[-count:]
        if tail[0].lower[:1] != letters[0] or count < len(letters) // 2:
            continue
        spelled = "".join(t.lower for t in tail)
        at = 0
        for letter in letters:
            at = spelled.find(letter, at) + 1
            if at == 0:
                break
        else:
            initials = sum(1 for t in tail if t.lower[0] in letters)
            if initials * 2 >= min(len(letters), count):
                return tail
    return []
