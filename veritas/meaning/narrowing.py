"""Words without which a sentence would say more: a prefix in front of a hyphen, a bound, a verb that ends a thing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veritas.meaning._function_words import ENDING, PREFIXES
from veritas.meaning.relation import Difference
from veritas.text import wordnet
from veritas.text.stems import fold, stem
from veritas.text.tokens import tokens

_PREFIXED = re.compile(rf"(?i)(?<![\w-])({'|'.join(sorted(PREFIXES, key=len, reverse=True))})[-‐‑]([a-z]{{3,}}\w*)")
_BOUND = re.compile(
    r"(?i)\b(at most|at least|up to|no more than|no fewer than|not more than|less than|more than|fewer than|at the "
    r"latest|at the earliest)\s+(once|twice|one|two|three|four|five|six|seven|eight|nine|ten|thrice)\b"
)
_ENDED = re.compile(
    r"(?i)\b((?:end|loss|lack|removal|withdrawal) of|[a-z]+)\s+"
    r"(?:(?:the|its|their|all|any|official|former)\s+)*([a-z]{4,})"
)


def narrowed(claim: str, sentence: str) -> Difference | None:
    """Return the difference that a sentence has a word of a claim only with a part that narrows or undoes it, as a
    doubt; None if it has none."""
    own = {token.stem for token in tokens(claim)}
    for found in _PREFIXED.finditer(sentence):
        bare = stem(fold(found[2]))
        whole = rf"(?i)(?<!\w){re.escape(found[1])}[-‐‑ ]?{re.escape(found[2])}"
        if bare in own and not re.search(whole, claim) and not _has(_without(sentence, found), bare):
            return Difference("scope", found[0], found[2], False)
    for found in _BOUND.finditer(sentence):
        said = re.search(rf"(?i)\b{found[2]}\b", claim)
        if said and not _BOUND.search(claim):
            return Difference("scope", found[0], said[0], False)
    for found in _ended(sentence):
        rest = _without(sentence, found)
        if stem(fold(found[2])) in own and not _has(rest, found[2]) and not any(_ended(claim)):
            return Difference("scope", found[0], found[2], False)
    return None


def _ended(text: str) -> Iterator[re.Match[str]]:
    """Yield each verb or noun of ending with what it ends: "dropped support"."""
    for at in _WORD.finditer(text):
        found = _ENDED.match(text, at.start())
        if found and (" " in found[1] or not ENDING.isdisjoint(wordnet.lemmas(found[1], "v"))):
            yield found


_WORD = re.compile(r"[A-Za-z]+")


def _without(text: str, found: re.Match[str]) -> str:
    return text[: found.start()] + " " + text[found.end() :]


def _has(text: str, word: str) -> bool:
    wanted = stem(fold(word))
    return any(stem(fold(each)) == wanted for each in re.findall(r"[^\W_]+", text))
