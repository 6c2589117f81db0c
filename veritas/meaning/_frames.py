"""Reported speech in one form: "according to X, …", "…, X said" and "X said that …"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veritas.meaning._function_words import FOUND, REPORTED, SAID
from veritas.meaning._rearrangement import Words, phrase_end
from veritas.meaning._vocabulary import broader
from veritas.meaning._word import Verb, Word, finite

_THAT = Word("that", "that", "grammar", frozenset({"that"}), "that")
_NOT_SAID = frozenset(
    "deny denies denied doubt doubts doubted hope hopes hoped fear fears feared wonder wonders wondered imagine"
    " imagines imagined pretend pretends pretended dream dreams dreamed promise promises promised propose proposes"
    " proposed recommend recommends recommended".split()
)
"""Verbs by which somebody does not say that what follows is so."""
_SAYING = (SAID | FOUND) - _NOT_SAID


def _says(*, of_claim: bool) -> Word:
    """Return the verb that "according to" stands for: any verb of saying that a source has, or none but saying."""
    forms = REPORTED | _SAYING if of_claim else REPORTED
    return Word("says", "says", "content", frozenset(forms), "", None, Verb(form="says"))


def reported(words: Words, *, of_claim: bool) -> Words:
    """Write "according to X, it is so" and "it is so, X said" as "X said that it is so"."""
    for start, end, told in _sources(words, of_claim):
        rest = _without(words, start, end)
        if any(finite(w) for w in rest):
            return (*told, _THAT, *rest)
    return words


def _without(words: Words, start: int, end: int) -> Words:
    """Return the words without those from `start` to `end` and the commas around them."""
    before, behind = words[:start], words[end:]
    if before and before[-1].low == ",":
        before = before[:-1]
    if behind and behind[0].low == ",":
        behind = behind[1:]
    return (*before, *behind)


def _sources(words: Words, of_claim: bool) -> Iterator[tuple[int, int, Words]]:
    """Yield where it is told who says the rest, and that as subject and verb."""
    for at, word in enumerate(words):
        if word.cls == "according" and word.low == "according-to":
            end = _end(words, at + 1)
            if end > at + 1:
                yield at, end, (*words[at + 1 : end], _says(of_claim=of_claim))
    for at in range(1, len(words)):
        if words[at].low != ",":
            continue
        end = _end(words, at + 1)
        inside = words[at + 1 : end]
        verb = next((k for k, w in enumerate(inside) if finite(w)), None)
        if not verb or not tells(inside[verb]) or any(finite(w) for w in inside[verb + 1 :]):
            continue
        features = inside[verb].verb
        if features is None or features.not_ or features.modal or features.passive or len(inside) - verb > 4:
            continue
        if any(w.cls in ("and", "but", "relative", "that", "time", "cause", "condition") for w in inside[:verb]):
            continue
        if verb + 1 < len(inside) and inside[verb + 1].kind != "content" and inside[verb + 1].cls not in (
            "preposition", "time"
        ):  # fmt: skip
            continue
        if any(finite(w) for w in words[:at]) or end < len(words):
            yield at, end, (*inside[:verb], inside[verb], *inside[verb + 1 :])


def tells(word: Word, kinds: Sequence[str] = ("declare", "say", "state")) -> bool:
    """Return whether a verb, of one of these kinds, tells that somebody said or found what stands around it."""
    return word.low in _SAYING or (word.low not in _NOT_SAID and any(broader(word.low, kind) for kind in kinds))


def _end(words: Words, at: int) -> int:
    """Return where the phrase or the clause that begins at `at` ends: at the next mark."""
    return next((k for k in range(at, len(words)) if words[k].kind == "mark"), max(phrase_end(words, at), len(words)))
