"""Appositions, titles and clefts in other forms that say the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from veritas.meaning._asides import COPULA, noun_phrase
from veritas.meaning._rearrangement import Words
from veritas.meaning._vocabulary import kinds
from veritas.meaning._word import Word, finite

_BY = Word("by", "by", "grammar", frozenset({"by"}), "preposition")
_OPENS = frozenset({"relative", "that", "condition", "time", "cause", "concession", "but"})
_OPEN = {",": (",",), "(": (")",), "--": ("--",)}


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
    return word.kind == "mark" or word.verb is not None or word.cls in _OPENS


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


def renamed(words: Words, *, shorter: bool) -> Iterator[Words]:
    """Yield the sentence with noun and apposition changed over, and with the apposition as a title: each says the
    same. `shorter`: and with the apposition alone, which follows from it."""
    for start, at, close in _insertions(words):
        noun, inside, rest = words[start:at], words[at + 1 : close], words[close + 1 :]
        if not noun_phrase(inside) or not noun_phrase(noun) or close >= len(words):
            continue
        yield (*words[:start], *inside, words[at], *noun, words[close], *rest)
        own = next((k for k, w in enumerate(inside) if w.cls == "preposition"), len(inside))
        yield (*words[:start], *inside[:own], *noun, *inside[own:], *rest)
        if shorter:
            yield (*words[:start], *inside, *rest)


def titled(words: Words) -> Iterator[Words]:
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
            yield (*words[at:end], COPULA, *words[start:at])


def reduced(words: Words) -> Words:
    """Write "the women who were followed" as "the women followed", "files that are older" as "files older", "in which"
    as "where"."""
    for at in range(1, len(words) - 1):
        if words[at].low in ("in", "at", "on") and words[at + 1].low == "which" and words[at - 1].content:
            where = replace(words[at + 1], low="where", bases=frozenset({"where"}))
            return (*words[:at], where, *reduced(words[at + 2 :]))
        if at + 3 < len(words) and words[at].cls in ("relative", "that") and _is_described(words, at):
            return (*words[:at], words[at + 2], *reduced(words[at + 3 :]))
        verb = words[at + 1].verb
        if words[at].cls == "relative" and words[at - 1].low == "," and _is_noun(words, at):
            return (*words[:at], *reduced(words[at + 2 :]))
        if words[at].cls in ("relative", "that") and verb is not None and (verb.passive or verb.progressive) and (
            not (verb.modal or verb.not_) and verb.tense in ("past", "present") and words[at - 1].content
            and words[at - 1].verb is None
        ):  # fmt: skip
            told = replace(words[at + 1], verb=None, low=verb.form, text=verb.form)
            return (*words[:at], told, *reduced(words[at + 2 :]))
        if words[at].low in ("that", "which", "whom") and words[at - 1].content and words[at - 1].verb is None:
            did = _objects_verb(words, at)
            if did is not None:
                told, agent = replace(words[did], verb=None), words[at + 1 : did]
                return (*words[:at], told, _BY, *agent, *reduced(words[did + 1 :]))
    return words


def _is_noun(words: Words, at: int) -> bool:
    """Return whether a relative clause between commas says of a noun what it is, at the time of which the sentence
    tells: "Titan, which is the largest moon,"."""
    verb, close = words[at + 1].verb, next((k for k in range(at, len(words)) if words[k].low == ","), None)
    if close is None or words[at].low not in ("which", "who") or words[at + 1].low != "be" or verb is None or (
        verb.not_ or verb.modal or not noun_phrase(words[at + 2 : close])
    ):  # fmt: skip
        return False
    main = next((w.verb for w in words[close:] if finite(w)), None)
    return main is not None and main.tense == verb.tense


def _is_described(words: Words, at: int) -> bool:
    """Return whether a relative clause says of the noun before it how it is: "that are older than a week"."""
    verb, described = words[at + 1].verb, words[at + 2]
    noun = words[at - 1].content and words[at - 1].verb is None
    if not noun or words[at + 1].low != "be" or verb is None or verb.not_ or verb.modal:
        return False
    if described.quantity is not None:
        return described.quantity.bound != "="  # "that are larger than 5 MB"
    if described.kind != "content":
        return False
    return bool(described.degree) or (kinds(described.low) == {"a"} and words[at + 3].cls == "preposition")


def _objects_verb(words: Words, at: int) -> int | None:
    """Return where the verb of a relative clause stands whose object is the noun before it: "the letter that she
    signed"."""
    did = next((k for k in range(at + 1, len(words)) if finite(words[k]) or words[k].kind == "mark"), at + 1)
    verb = words[did].verb
    if did == at + 1 or verb is None or verb.passive or verb.progressive or verb.modal or verb.not_:
        return None
    if verb.tense not in ("past", "perfect", "present") or any(w.cls in _OPENS for w in words[at + 1 : did]):
        return None
    after = words[did + 1] if did + 1 < len(words) else None
    free = after is None or finite(after) or after.kind == "mark" or (
        after.cls in ("preposition", "time", "and") and words[at].low != "that"  # "evidence that it led to"
    )  # fmt: skip
    return did if free and words[did].low not in ("be", "have", "do") else None


def participial(words: Words, other: Words) -> Words:
    """Write "the valve that controls the flow" as "the valve controlling the flow" where the other sentence does."""
    for at in range(1, len(words) - 1):
        verb = words[at + 1].verb
        if words[at].low in ("that", "who", "which") and verb is not None and verb.tense in ("present", "past") and (
            not (verb.passive or verb.modal or verb.not_)
        ):  # fmt: skip
            for rival in other:
                if rival.verb is None and rival.low.endswith("ing") and rival.bases & words[at + 1].bases:
                    return (*words[:at], rival, *words[at + 2 :])
    return words
