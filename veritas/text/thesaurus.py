"""Words that users of software and its manuals use for one thing: "folder" and "directory", "turn off" and "disable".

WordNet has few of them. `data/computing.txt` holds them, a group a line. In a group every single word is met by every
other; a phrase of several words is met by the single words, and meets nothing itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from veritas.text.stems import stem
from veritas.text.tokens import tokenise

_DATA = Path(__file__).parent / "data" / "computing.txt"
_PARTICLES = frozenset(("away", "back", "down", "in", "off", "on", "out", "over", "through", "up"))
_BETWEEN = 3
"""Most words between a verb and its particle: "turn this rule off"."""

Related = dict[tuple[str, ...], frozenset[str]]
"""The stems that meet a word or phrase, by its stems."""


def related(text: str) -> dict[str, frozenset[str]]:
    """Return for each stem of a text the stems of the words that may stand for it, or for the phrase that it is part
    of; a stem without any is left out."""
    words = [stem(word) for word in tokenise(text)]
    groups, longest = _groups()
    found: dict[str, set[str]] = {}
    for at, word in enumerate(words):
        for size in range(1, longest + 1):
            for part in words[at : at + size]:
                found.setdefault(part, set()).update(groups.get(tuple(words[at : at + size]), ()))
        for particle in _PARTICLES.intersection(words[at + 2 : at + 2 + _BETWEEN]):
            found.setdefault(word, set()).update(groups.get((word, particle), ()))
    return {word: frozenset(others - {word}) for word, others in found.items() if others - {word}}


@lru_cache(maxsize=1)
def _groups() -> tuple[Related, int]:
    """Return the groups, and the number of words of the longest phrase."""
    found: dict[tuple[str, ...], set[str]] = {}
    for line in _DATA.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            for key, others in _group([tuple(map(stem, each.split())) for each in line.split(",")]):
                found.setdefault(key, set()).update(others)
    return {key: frozenset(others) for key, others in found.items()}, max(map(len, found), default=0)


def _group(members: Sequence[tuple[str, ...]]) -> list[tuple[tuple[str, ...], frozenset[str]]]:
    single = frozenset(member[0] for member in members if len(member) == 1)
    return [(member, single - set(member)) for member in members]
