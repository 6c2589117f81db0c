"""Questions that want another sort of answer than a sentence: several things."""

from __future__ import annotations

import re

from veritas.text.wordlist import words

_AUXILIARY = words("does do did is are was were can could should would will has have may might must")
_LISTED = re.compile(r"(?i)^(?:please\s+)?(?:list|enumerate|name)\b")
_THING = re.compile(r"(?i)[\w-]*[^\Wsui]s")


def asks_which(question: str) -> bool:
    """Return whether a question asks for several things: "Which formats are read?", "What are its states?"."""
    if _LISTED.match(question):
        return True
    tokens = question.rstrip("?. ").split()
    if not tokens or tokens[0].lower() not in ("which", "what"):
        return False
    if tokens[1:2] and tokens[1].lower() in ("are", "were"):
        return True
    at = next((i for i, token in enumerate(tokens) if token.lower() in _AUXILIARY), len(tokens))
    return any(_THING.fullmatch(token) for token in tokens[1:at])
