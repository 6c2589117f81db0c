"""What is planned and not done yet, and what is the default of something else: a sentence with a claim's words that
does not say it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veritas.meaning.relation import Difference
from veritas.text.stems import fold, stem
from veritas.text.stop_words import FUNCTION_WORDS
from veritas.text.tokens import tokens

_PLANNED = re.compile(
    r"(?i)\b(?:plan(?:s|ned|ning)?|intend(?:s|ed|ing)?|hop(?:es?|ed|ing)|aim(?:s|ed|ing)?|want(?:s|ed)?|"
    r"propos(?:es?|ed|ing)|(?:is|are|was|were|be) (?:\w+ly )?(?:expected|scheduled|supposed|going|due)) to "
    r"(?:\w+ly )?([a-z]{3,})"
)
_PLAN = re.compile(
    r"(?i)\b(?:plan(?:s|ned|ning)?|inten\w+|hop(?:es?|ed|ing)|aim(?:s|ed|ing)?|want(?:s|ed)?|propos\w+|expect\w*|"
    r"schedul\w+|supposed|going to|due to|will|shall|may|might|could|would)\b"
)
_DEFAULT = re.compile(r"(?i)\b(by )?defaults?\b( to)?")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,:]\d+)*")
_SET_ASIDE = re.compile(r"(?i)(\d+(?:[.,:]\d+)*)(?:\s+[a-z-]+){0,2}\s*[(,–—]\s*(?:(?:which|this) is )?(?:the )?$")
_GENERAL = frozenset(
    map(stem, "value values setting settings configuration number size amount count mode one is are was were".split())
)
_BREAK = re.compile(r"(?i)[,;:().]|\b(?:with|for|in|on|at|if|when|while|but|is|are|was|were|and (?:a|an|the)|or an?)\b")


def not_so_yet(claim: str, sentence: str) -> Difference | None:
    """Return the difference that a sentence only plans, intends or expects what a claim says is so, as a doubt; None
    if it does not, or if the claim speaks of a plan, too."""
    if _PLAN.search(claim):
        return None
    own = {token.stem for token in tokens(claim)}
    for found in _PLANNED.finditer(sentence):
        verb = stem(fold(found[1]))
        rest = {token.stem for token in tokens(f"{sentence[: found.start()]} . {sentence[found.end() :]}")}
        if verb in own and verb not in rest:
            return Difference("modality", " ".join(found[0].split()), found[1], False)
    return None


def default_of_another(claim: str, sentence: str) -> Difference | None:
    """Return the difference that a claim gives a figure as a default, and a sentence with the figure calls something
    else a default, as a doubt; None if it does not show that.

    "With the default host and a port of 8080" tells no default port; "the default port of 8080" does, and "by default"
    may speak of all of its sentence.
    """
    figures = set(_NUMBER.findall(claim))
    if not figures or not _DEFAULT.search(claim):
        return None
    own = {token.stem for token in tokens(claim) if token.lower not in FUNCTION_WORDS} - {stem("default")}
    bound = list(_bound(sentence, figures, own))
    if not bound or "" in bound or not figures & set(_NUMBER.findall(sentence)):
        return None
    return Difference("role", bound[0], "default", False)


def _bound(sentence: str, figures: set[str], own: set[str]) -> Iterator[str]:
    """Yield for each "default" of a sentence what else it is the default of, as written; "" if that is not shown."""
    for found in _DEFAULT.finditer(sentence):
        behind = _BREAK.split(sentence[found.end() :], maxsplit=1)[0]
        said = " ".join(f"{found[0]}{behind}".split())
        aside = _SET_ASIDE.search(sentence[: found.start()])
        if aside is not None:
            yield "" if aside[1] in figures else " ".join(sentence[aside.start() : found.end()].split())
        elif found[2]:
            told = set(_NUMBER.findall(behind))
            yield said if told and not told & figures else ""
        elif found[1]:
            yield ""
        else:
            words = {token.stem for token in tokens(behind) if not token.is_number}
            words = {word for word in words if word not in FUNCTION_WORDS} - _GENERAL
            told = set(_NUMBER.findall(behind))
            other = bool(words) and not words & own and not told & figures
            yield said if other else ""


def calls_default(sentence: str, thing: frozenset[str]) -> bool | None:
    """Return whether a sentence tells a figure as the default of a thing, by the stems of its words: False if it calls
    only something else a default, None if neither is shown."""
    found = [_called(sentence, each, thing) for each in _DEFAULT.finditer(sentence)]
    if True in found:
        return True
    return False if found and None not in found else None


def _called(sentence: str, found: re.Match[str], thing: frozenset[str]) -> bool | None:
    behind = _BREAK.split(sentence[found.end() :], maxsplit=1)[0]
    before = sentence[: found.start()]
    aside = _SET_ASIDE.search(before)
    if aside is not None and (counted := _content(before[aside.start() :])):
        return bool(counted & thing)
    if found[1]:
        near = bool(_content(sentence) & thing and _NUMBER.search(sentence))
        return near or None
    if found[2]:
        near = bool(_content(_BREAK.split(before)[-1] + behind) & thing and _NUMBER.search(behind))
        return near or None
    words = _content(behind) - _GENERAL
    if words and not words & thing:
        return False
    return bool(words and _NUMBER.search(sentence[found.end() :])) or None


def _content(text: str) -> frozenset[str]:
    return frozenset(
        token.stem for token in tokens(text) if not token.is_number and token.lower not in FUNCTION_WORDS
    )
