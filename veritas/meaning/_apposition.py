"""Appositions, relative clauses and clefts: what a sentence says beside its main clause."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from veritas.meaning._rearrangement import Words
from veritas.meaning._vocabulary import kinds
from veritas.meaning._word import Verb, Word, finite, past_form

_OPEN = {",": (",",), "(": (")",), "--": ("--",)}
_COPULA = Word("is", "be", "content", frozenset({"be"}), "", None, Verb(form="is"))
"""A copula of any tense."""


def uncleft(words: Words) -> Words:
    """Write "it was Ann who won" as "Ann won"."""
    if len(words) > 4 and words[0].low in ("it", "that") and words[1].low == "be" and words[1].verb is not None:
        who = next((k for k in range(2, len(words) - 1) if words[k].low in ("who", "that", "which")), None)
        if who is not None and who > 2 and not words[1].verb.not_ and not any(finite(w) for w in words[2:who]):
            behind = words[who + 1]
            if finite(behind) and all(w.kind in ("name", "grammar") or w.content for w in words[2:who]) and (
                any("n" in kinds(w.low) or w.kind == "name" for w in words[2:who])
            ):  # fmt: skip
                return (*words[2:who], *words[who + 1 :])
    return words


def _ends_noun(word: Word) -> bool:
    opens = ("relative", "that", "condition", "time", "cause", "concession", "but")
    return word.kind == "mark" or word.verb is not None or word.cls in opens


def _insertions(words: Words) -> Iterator[tuple[int, int, int]]:
    """Yield where the noun before an insertion begins, where the insertion's mark stands, and where it closes."""
    for at, word in enumerate(words):
        closing = _OPEN.get(word.low)
        if closing is None or word.kind != "mark" or at == 0 or at + 1 >= len(words):
            continue
        close = next((k for k in range(at + 1, len(words)) if words[k].low in closing), len(words))
        start = at
        while start > 0 and not _ends_noun(words[start - 1]):
            start -= 1
        short = next((k for k in range(at - 1, start - 1, -1) if words[k].cls in ("preposition", "than", "time") and (
            words[k].low != "of")), None)  # fmt: skip
        if short is not None and (short == start or words[short].cls == "than" or close == len(words)):
            start = short + 1  # "Under the treaty, signed in 1679,": the treaty
        if start < at and close > at + 1:
            yield start, at, close


def _noun_phrase(words: Words) -> bool:
    relative = next((k for k, w in enumerate(words) if w.cls == "relative" or w.low == "that"), len(words))
    if 0 < relative < len(words):
        return _noun_phrase(words[:relative])
    return (
        bool(words)
        and not any(w.verb is not None or w.cls in ("relative", "and", "or", "but") for w in words)
        and (words[0].cls in ("article", "possessive") or words[0].kind in ("name", "content"))
        and words[0].low not in ("or", "and")
        and not (past_form(words[0].low) and words[0].kind == "content")
        and any(w.kind in ("name", "content") and (w.kind == "name" or "n" in kinds(w.low)) for w in words)
    )


def told_beside(words: Words) -> Iterator[Words]:
    """Yield the sentences that the insertions of a sentence tell: each is true where the sentence is."""
    for start, at, close in _insertions(words):
        noun, inside, rest = words[start:at], words[at + 1 : close], words[close + 1 :]
        if _noun_phrase(inside):
            yield (*noun, _COPULA, *inside)
        elif inside[0].cls == "relative" and any(finite(w) for w in inside):
            yield (*noun, *inside[1:])
        elif inside[0].kind == "content" and inside[0].verb is None and past_form(inside[0].low):
            told = replace(inside[0], verb=Verb(passive=True, form=inside[0].low))
            yield (*noun, told, *inside[1:])
        del rest
    yield from _titled(words)


def without_asides(words: Words) -> Words:
    """Return a sentence without relative clauses, participles and appositions between commas."""
    for at, word in enumerate(words):
        if word.low != "," or not at:
            continue
        close = next((k for k in range(at + 1, len(words)) if words[k].low == ","), None)
        inside = words[at + 1 : close] if close is not None else ()
        if close is None or not inside or not any(finite(w) for w in words[close + 1 :]):
            continue
        participle = inside[0].kind == "content" and inside[0].verb is None and (
            past_form(inside[0].low) or inside[0].low.endswith("ing")
        )  # fmt: skip
        apart = inside[0].cls == "relative" and any(finite(w) for w in inside)
        noun = (
            _noun_phrase(inside)
            and finite(words[close + 1])
            and not any(w.cls in ("and", "or") for w in words[close : close + 2])
        )
        if participle or apart or noun:
            return (*words[:at], *without_asides(words[close + 1 :]))
    return words


def renamed(words: Words) -> Iterator[Words]:
    """Yield the sentence with noun and apposition changed over, and with the apposition as a title: each says the
    same."""
    for start, at, close in _insertions(words):
        noun, inside, rest = words[start:at], words[at + 1 : close], words[close + 1 :]
        if not _noun_phrase(inside) or not _noun_phrase(noun) or close >= len(words):
            continue
        yield (*words[:start], *inside, words[at], *noun, words[close], *rest)
        yield (*words[:start], *inside, *noun, *rest)
        yield (*words[:start], *inside, *rest)


def _titled(words: Words) -> Iterator[Words]:
    """Yield "Marie Curie is a physicist" for "the physicist Marie Curie"."""
    for at, word in enumerate(words):
        before = words[at - 1] if at else None
        if word.kind != "name" or before is None or before.kind != "content" or "n" not in kinds(before.low):
            continue
        start = at - 1
        while start > 0 and words[start - 1].kind == "content" and words[start - 1].verb is None:
            start -= 1
        end = at
        while end < len(words) and words[end].kind == "name":
            end += 1
        if before.verb is None and (start == 0 or words[start - 1].cls in ("article", "preposition") or start):
            yield (*words[at:end], _COPULA, *words[start:at])


def reduced(words: Words) -> Words:
    """Write "the women who were followed" as "the women followed"."""
    for at in range(1, len(words) - 1):
        verb = words[at + 1].verb
        if words[at].cls in ("relative", "that") and verb is not None and (verb.passive or verb.progressive) and (
            not (verb.modal or verb.not_) and verb.tense in ("past", "present") and words[at - 1].content
            and words[at - 1].verb is None
        ):  # fmt: skip
            told = replace(words[at + 1], verb=None, low=verb.form, text=verb.form)
            return (*words[:at], told, *reduced(words[at + 2 :]))
    return words
