"""Sides that may change places: of equality, of what joins two things, of more and fewer of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from veritas.meaning._rearrangement import Words, clause_start, noun_end, phrase_end
from veritas.meaning._word import Word, finite

_JOINS = frozenset("connect link join combine mix pair unite compare merge".split())
"""Verbs of which the two objects may change places."""
_BETWEEN = frozenset({"with", "to", "and"})
_ONE = frozenset({"one", "ones"})
_MORE = {"more": "fewer", "fewer": "more", "less": "more"}


def symmetric(words: Words, other: Words) -> Iterator[Words]:
    """Yield the words with two sides changed that say the same either way."""
    yield from _equal(words)
    yield from _joined(words)
    yield from _counted(words, other)


def _equal(words: Words) -> Iterator[Words]:
    """Yield "B is as tall as A" for "A is as tall as B"."""
    for at in range(1, len(words) - 3):
        if words[at].low != "as" or words[at + 2].low != "as" or words[at - 1].quantity is not None or (
            words[at - 1].low in ("half", "not", "almost", "nearly") or not finite(words[at - 1])
        ):  # fmt: skip
            continue
        verb = words[at - 1].verb
        if verb is None or verb.not_ or verb.modal:
            return
        start, end = clause_start(words, at - 1), phrase_end(words, at + 3)
        yield (*words[:start], *words[at + 3 : end], *words[at - 1 : at + 3], *words[start : at - 1], *words[end:])
        return


def _joined(words: Words) -> Iterator[Words]:
    """Yield "connects B with A" for "connects A with B"."""
    for at, word in enumerate(words):
        if word.verb is None or not word.bases & _JOINS:
            continue
        middle = next((k for k in range(at + 2, len(words)) if words[k].low in _BETWEEN), None)
        if middle is None or any(w.kind == "mark" or w.verb is not None for w in words[at + 1 : middle]):
            continue
        end = phrase_end(words, middle + 1)
        yield (*words[: at + 1], *words[middle + 1 : end], words[middle], *words[at + 1 : middle], *words[end:])


def _counted(words: Words, other: Words) -> Iterator[Words]:
    """Yield "more men than women came" for "fewer women than men came", and "more chose tea than milk" for "fewer chose
    milk than tea", where the other sentence counts so."""
    if not words or words[0].low not in _MORE or not other or other[0].low not in _MORE or (
        words[0].low == other[0].low
    ):  # fmt: skip
        return
    than = next((k for k, w in enumerate(words) if w.cls == "than"), None)
    verb = next((k for k, w in enumerate(words) if finite(w)), None)
    if than is None or verb is None or than < 2:
        return
    plain = tuple(replace(w, down=False) for w in words)
    if than < verb:
        yield (other[0], *plain[than + 1 : verb], plain[than], *plain[1:than], *words[verb:])
    elif verb + 1 < than:
        end = phrase_end(words, than + 1)
        first, second = plain[verb + 1 : than], plain[than + 1 : end]
        yield (other[0], *words[1 : verb + 1], *second, words[than], *first, *words[end:])


def whole_sides(subject: Words, partner: Words) -> tuple[Words, Words]:
    """Return two sides that change places with their noun on the first: "the old pump" and "the new one" of "the new
    pump" and "the old one"; an owner that is a pronoun stays on the second."""
    if partner and subject and partner[-1].low in _ONE and subject[-1].kind == "content":
        return (*subject[:-1], partner[-1]), (*partner[:-1], subject[-1])
    if partner and subject and partner[0].cls == "possessive" and subject[0].cls == "article":
        return (_owner(partner[0]), *subject[1:]), (subject[0], *partner[1:])
    return subject, partner


def _owner(word: Word) -> Word:
    return replace(word, down=False)


def partner_end(words: Words, at: int, end: int) -> int:
    """Return where the other side of a comparison ends, with the relative clause behind it."""
    return max(end, noun_end(words, at))
