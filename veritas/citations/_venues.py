"""Comparison of venue names. Never decisive (section 5.3): it only makes a note shorter or longer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veritas.works.folding import words

_EDITION = re.compile(
    r"^(?:\d+(?:st|nd|rd|th)?|proceedings|proc|of|the|on|in|and|for|ieee|cvf|acm|aaai|annual|volume|vol|long|short|papers"
    r"|i{1,3}|iv|v|a)$"
)

_SMALL_WORDS = frozenset("a an and the of on in for to de des der die und et".split())


def same_venue(one: str, other: str, aliases: Sequence[Sequence[str]] = ()) -> bool:
    """Return whether two names are one venue: the same words without edition and year, an abbreviation, or an alias."""
    mine, theirs = _core(one), _core(other)
    if not mine or not theirs:
        return words(one) == words(other)
    if mine == theirs or _abbreviates(mine, theirs) or _abbreviates(theirs, mine):
        return True
    if _acronym(one, theirs) or _acronym(other, mine) or _initials(one, other) or _initials(other, one):
        return True
    return any(_is_alias(one, group) and _is_alias(other, group) for group in aliases)


def _core(name: str) -> tuple[str, ...]:
    return tuple("journal" if word == "j" else word for word in words(name) if not _EDITION.match(word))


def _abbreviates(short: Sequence[str], long: Sequence[str]) -> bool:
    """Return whether `Trans Neural Netw Learn` may be `Transactions on Neural Networks and Learning`."""
    return len(short) == len(long) and all(whole.startswith(part) for part, whole in zip(short, long, strict=True))


def _acronym(name: str, core: Sequence[str]) -> bool:
    """Return whether `ICASSP` stands in `ICASSP 2025 - …`; any single word of the other name counts."""
    own = _core(name)
    return len(own) == 1 and len(own[0]) > 2 and own[0] in core


def _initials(name: str, long: str) -> bool:
    """Return whether a name is the initials of another one: `JEEA`, `Journal of the European Economic Association`."""
    if not re.fullmatch(r"[A-Z]{3,8}", name.strip()):
        return False
    telling = [word for word in words(long) if word not in _SMALL_WORDS and not word.isdigit()]
    return "".join(word[0] for word in telling) == name.strip().lower()


def _is_alias(name: str, group: Sequence[str]) -> bool:
    folded = " ".join(words(name))
    for alias in group:
        wanted = " ".join(words(alias))
        if folded == wanted or (len(wanted) > 3 and f" {wanted} " in f" {folded} "):
            return True
    return False
